"""Where the table is in the picture, and who sits where.

The plane of the table is measured in centimetres. Its origin is the middle of the table, x points
to the right and y towards seat 0, as the picture is turned with seat 0 at its lower edge. Seats are
sectors: seat 0 at +y, and clockwise seen from above seat 1 at -x, seat 2 at -y, seat 3 at +x; of
two players seat 1 sits at -y.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scorekeeper.messages import N_
from vision.errors import VisionError
from vision.geometry.markers import CORNER_CM

Points = NDArray[np.float64]

CARD_CM = (6.3, 8.8)
"""Width and height of a French-suited card."""

MARKER_CM = CORNER_CM
"""Side of a corner marker's black square, as it is printed by default."""

MIDDLE_CM = 13.5
"""A card that is nearer to the middle of the table than this lies in front of nobody (V-1): people
throw cards there, and onto one another."""

SMALL_TABLE = 0.35
"""That distance is at most this part of half the table's shorter side."""

SAME_SHAPE = 0.02
"""Pictures whose ratios of width to height differ by no more than this part show the same part of
the room, larger or smaller."""

SKEWED = 0.4
"""Cards do not tell the scales along x and y apart where the smaller singular value of what they
say is less than this part of the larger one; see ``scaled_by_cards``."""

USUAL_CM = 80.0
"""Side of a usual table, in centimetres."""

CORNERS = (0, 1, 2, 3)
"""Ids of the corner markers, clockwise from the far left as seat 0 sees the table."""


class PlaneError(VisionError):
    """The table's place in the picture cannot be told."""


class Zone(NamedTuple):
    """What a point of the table belongs to.

    Attributes:
        seat: Whose sector it is; None in the middle of the table, and outside of it.
        border: Distance to the nearest border between two sectors, in centimetres.
        inside: Whether the point is on the table.
    """

    seat: int | None
    border: float
    inside: bool = True


@dataclass(frozen=True, eq=False)
class Plane:
    """The table in a picture.

    Attributes:
        homography: shape (3, 3), from the frame's pixels to centimetres.
        outline: shape (N, 2), the table's edge, in centimetres, in order.
        seats: two or four.
        markers: id of a corner marker to its corners, shape (4, 2), in centimetres; empty where the
            table has none.
        middle: radius of the middle, where a card lies in front of nobody, in centimetres.
        size: width and height of the picture, in pixels; None where that is not known.
    """

    homography: Points
    outline: Points
    seats: int
    markers: Mapping[int, Points] = field(default_factory=dict)
    middle: float = MIDDLE_CM
    size: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.seats not in (2, 4):
            raise PlaneError("A table has two or four seats, not {seats}.", seats=self.seats)
        if np.shape(self.homography) != (3, 3) or not np.isfinite(self.homography).all():
            raise PlaneError("A homography is nine numbers, three by three.")
        if abs(float(np.linalg.det(self.homography))) < 1e-12:
            raise PlaneError("This homography maps the table to a line.")
        if np.ndim(self.outline) != 2 or len(self.outline) < 3 or self.outline.shape[1] != 2:
            raise PlaneError("A table's outline needs three points or more.")

    def in_picture(self, size: tuple[int, int]) -> Plane | None:
        """The plane in pictures of another size, in pixels; None where their shape differs, too."""
        if self.size is None or self.size == size:
            return self
        across, down = self.size[0] / size[0], self.size[1] / size[1]
        if abs(across / down - 1) > SAME_SHAPE:
            return None
        return replace(self, homography=self.homography @ np.diag([across, down, 1.0]), size=size)

    def to_table(self, points: NDArray[np.floating]) -> Points:
        """Points of the frame, shape (N, 2) in pixels, on the table, in centimetres."""
        return mapped(self.homography, points)

    def to_frame(self, points: NDArray[np.floating]) -> Points:
        """Points of the table, shape (N, 2) in centimetres, in the frame, in pixels."""
        return mapped(np.linalg.inv(self.homography), points)

    def zone(self, point: Sequence[float] | NDArray[np.floating]) -> Zone:
        """Whose part of the table a point is in (V-1); a point beyond the edge stays where it is.

        Args:
            point: x and y, in centimetres.
        """
        x, y = float(point[0]), float(point[1])
        inside = cv2.pointPolygonTest(self._edge, (x, y), False) >= 0
        half_x, half_y = self._half
        if self.seats == 2:
            seat, border = (0 if y >= 0 else 1), abs(y)
        else:
            facing = abs(y) / half_y >= abs(x) / half_x
            seat = (0 if y >= 0 else 2) if facing else (1 if x < 0 else 3)
            # The borders run through the table's corners.
            border = abs(abs(x) * half_y - abs(y) * half_x) / math.hypot(half_x, half_y)
        middle = min(self.middle, SMALL_TABLE * min(half_x, half_y))
        nobody = not inside or math.hypot(x, y) < middle
        return Zone(None if nobody else seat, border, inside)

    @cached_property
    def _edge(self) -> NDArray[np.float32]:
        return self.outline.astype(np.float32)

    @cached_property
    def _half(self) -> tuple[float, float]:
        """Half the table's width and depth, in centimetres."""
        half_x, half_y = (max(float(v), 1e-6) for v in np.abs(self.outline).max(axis=0))
        return half_x, half_y

    def followed(self, markers: Mapping[int, NDArray[np.floating]]) -> Plane:
        """The plane after the camera was moved, from at least two of its own markers.

        Args:
            markers: id to corners, shape (4, 2), in pixels of the frame after the move.

        Raises:
            PlaneError: too few of the markers that this plane knows are seen.
        """
        seen = [number for number in self.markers if number in markers]
        if len(seen) < 2:
            raise PlaneError(
                N_("The camera was moved, and fewer than two corner markers are seen.")
            )
        source = np.concatenate([np.asarray(markers[number], np.float64) for number in seen])
        target = np.concatenate([self.markers[number] for number in seen])
        return replace(self, homography=least_squares_homography(source, target))


def mapped(homography: NDArray[np.floating], points: NDArray[np.floating]) -> Points:
    """Points, shape (N, 2), through a homography."""
    points = np.asarray(points, np.float64).reshape(-1, 2)
    lifted = np.ones((len(points), 3))
    lifted[:, :2] = points
    found = lifted @ homography.T
    w = found[:, 2:]
    w[np.abs(w) < 1e-12] = 1e-12
    return np.asarray(found[:, :2] / w, np.float64)


def least_squares_homography(source: Points, target: Points) -> Points:
    """The homography that maps points to others with the least squared error.

    Args:
        source: at least four points, shape (N, 2).
        target: what they should be mapped to, shape (N, 2).

    Raises:
        PlaneError: there is none, as where the points lie on one line.
    """
    found, _ = cv2.findHomography(source.astype(np.float64), target.astype(np.float64), 0)
    if found is None or not np.isfinite(found).all():
        raise PlaneError(N_("These points do not show a table."))
    return np.asarray(found, np.float64)


def from_markers(
    markers: Mapping[int, NDArray[np.floating]],
    seats: int,
    *,
    turn: int = 0,
) -> Plane:
    """The plane from the four corner markers, however far apart they lie and however turned.

    Only the markers' size is known. Where each of them lies is estimated together with the
    homography, from all sixteen corners.

    Args:
        markers: id to corners, shape (4, 2), in pixels, clockwise from the marker's upper left.
        seats: two or four.
        turn: see ``turned``.

    Raises:
        PlaneError: a marker is missing, or they show no plane.
    """
    # People know them by the numbers on the printed sheet, from 1.
    missing = [str(number + 1) for number in CORNERS if number not in markers]
    if missing:
        raise PlaneError(
            N_("Of the four corner markers, 1 to 4, the camera does not see {numbers}."),
            numbers=", ".join(missing),
        )
    quads = np.stack([np.asarray(markers[number], np.float64) for number in CORNERS])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * MARKER_CM / 2
    to_frame, corners = _fit_squares(quads, square)
    middles = corners.mean(axis=1)
    right = middles[[1, 2]].mean(axis=0) - middles[[0, 3]].mean(axis=0)
    rotate = _rotation(-float(np.arctan2(right[1], right[0])))
    shift = np.eye(3)
    shift[:2, :2] = rotate
    shift[:2, 2] = -rotate @ middles.mean(axis=0)
    homography = shift @ np.linalg.inv(to_frame)
    corners = np.stack([mapped(shift, each) for each in corners])
    hull = cv2.convexHull(corners.reshape(-1, 1, 2).astype(np.float32))
    outline = np.asarray(hull.reshape(-1, 2), np.float64)
    known = dict(zip(CORNERS, corners, strict=True))
    return turned(Plane(homography / homography[2, 2], outline, seats, known), turn)


def _fit_squares(quads: Points, square: Points) -> tuple[Points, Points]:
    """Where four squares lie on a plane, and how the plane is seen.

    Args:
        quads: shape (4, 4, 2), the squares' corners in pixels, the squares clockwise.
        square: shape (4, 2), the corners of one square about its middle, in centimetres.

    Returns:
        The homography from the plane to the frame, and the squares' corners on the plane, shape
        (4, 4, 2).
    """
    areas = np.array([float(cv2.contourArea(quad.astype(np.float32))) for quad in quads])
    if areas.min() < 4:
        raise PlaneError(N_("The corner markers are too small in the picture."))
    side = float(square[1, 0] - square[0, 0])
    scales, middles = np.sqrt(areas) / side, quads.mean(axis=1)

    def apart(one: int, other: int) -> float:
        return (
            float(np.linalg.norm(middles[one] - middles[other]))
            * 2
            / (float(scales[one] + scales[other]))
        )

    half_x, half_y = (apart(0, 1) + apart(3, 2)) / 4, (apart(0, 3) + apart(1, 2)) / 4
    places = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (half_x, half_y)
    to_frame = least_squares_homography(places, middles)
    poses = []
    for quad, place in zip(quads, places, strict=True):
        edge = np.diff(mapped(np.linalg.inv(to_frame), quad[:2]), axis=0)[0]
        poses.append([*place, float(np.arctan2(edge[1], edge[0]))])
    start = np.concatenate([(to_frame / to_frame[2, 2]).ravel()[:8], np.ravel(poses[1:])])

    def unpacked(values: Points) -> tuple[Points, Points]:
        homography = np.append(values[:8], 1.0).reshape(3, 3)
        all_poses = [poses[0], *values[8:].reshape(3, 3)]  # the first square holds the plane still
        lying = [square @ _rotation(angle).T + (x, y) for x, y, angle in all_poses]
        return homography, np.stack(lying)

    def residuals(values: Points) -> Points:
        homography, corners = unpacked(values)
        return (mapped(homography, corners) - quads.reshape(-1, 2)).ravel()

    return unpacked(_levenberg_marquardt(residuals, start))


def _levenberg_marquardt(residuals, start: Points, steps: int = 60) -> Points:  # type: ignore[no-untyped-def]
    """The values with the least sum of squared residuals, from ``start``, which is near them."""
    values, damping = start.copy(), 1e-3
    errors = residuals(values)
    for _ in range(steps):
        jacobian = np.empty((len(errors), len(values)))
        for index in range(len(values)):
            step = 1e-6 * max(abs(values[index]), 1e-3)
            moved = values.copy()
            moved[index] += step
            jacobian[:, index] = (residuals(moved) - errors) / step
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ errors
        before = float(errors @ errors)
        while damping < 1e12:
            damped = normal + damping * np.diag(np.maximum(np.diag(normal), 1e-12))
            trial = values - np.linalg.solve(damped, gradient)
            found = residuals(trial)
            if float(found @ found) < before:
                break
            damping *= 10
        else:
            break
        values, errors, damping = trial, found, max(damping / 10, 1e-9)
        if before - float(errors @ errors) < 1e-9 * max(before, 1e-9):
            break
    return values


def _rotation(angle: float) -> Points:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def from_clicks(
    corners: NDArray[np.floating],
    seats: int,
    *,
    size_cm: tuple[float, float] | None = None,
    turn: int = 0,
) -> Plane:
    """The plane from the table's four corners.

    Args:
        corners: shape (4, 2), pixels, clockwise from the upper left of the picture.
        seats: two or four.
        size_cm: the table's size in centimetres, from left to right and from top to bottom. None
            where nobody measured it: then it is taken to have a usual size, and the shape that it
            has in the picture, until cards tell more (``scaled_by_cards``).
        turn: see ``turned``.

    Raises:
        PlaneError: the corners do not go clockwise around an outline.
    """
    quad = np.asarray(corners, np.float32)
    if quad.shape != (4, 2) or not cv2.isContourConvex(quad):
        raise PlaneError(N_("Click the table's four corners one after the other, all around."))
    if cv2.contourArea(quad, oriented=True) < 0:
        raise PlaneError(
            N_("Click the table's four corners clockwise, beginning at the upper left.")
        )
    if size_cm is None:
        top, right, bottom, left = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        shape = math.sqrt((top + bottom) / (left + right))
        size_cm = (USUAL_CM * shape, USUAL_CM / shape)
    half = np.array(size_cm) / 2
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    plane = Plane(least_squares_homography(quad.astype(np.float64), outline), outline, seats)
    return turned(plane, turn)


def from_above(
    frame_size: tuple[int, int],
    quads: Sequence[NDArray[np.floating]],
    seats: int,
    *,
    turn: int = 0,
) -> Plane:
    """The plane of a camera that looks straight down; the scale is that of the cards.

    Args:
        frame_size: width and height, in pixels.
        quads: corners of some cards, each of shape (4, 2), in pixels; the table is all of the
            frame.
        seats: two or four.
        turn: see ``turned``.

    Raises:
        PlaneError: no card is there, or the camera does not look straight down.
    """
    if not quads:
        raise PlaneError(N_("Lay a card on the table, so that the camera sees how large one is."))
    sides = np.stack([np.linalg.norm(q - np.roll(q, -1, axis=0), axis=1) for q in quads])
    widths, heights = sides[:, [0, 2]].mean(axis=1), sides[:, [1, 3]].mean(axis=1)
    narrow, wide = np.minimum(widths, heights), np.maximum(widths, heights)
    ratio = np.median(wide / narrow) / (CARD_CM[1] / CARD_CM[0])
    if not 0.88 < ratio < 1.14 or wide.max() > 1.3 * wide.min():
        raise PlaneError(
            N_(
                "The camera does not look straight down: lay the four corner markers on the table, "
                "or show where it is in the picture."
            )
        )
    scale = float(np.median(np.sqrt(CARD_CM[0] * CARD_CM[1] / (narrow * wide))))
    width, height = frame_size
    homography = np.array(
        [[scale, 0, -scale * width / 2], [0, scale, -scale * height / 2], [0, 0, 1]]
    )
    half = np.array([width, height]) * scale / 2
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return turned(Plane(homography, outline, seats), turn)


def scaled_by_cards(
    plane: Plane,
    quads: Sequence[NDArray[np.floating]],
) -> Plane:
    """The plane with its scales along x and y put right by cards that lie flat on the table.

    The length of a card's edges is known, so each edge tells how long a centimetre is in its
    direction. All together give both scales by least squares.

    Args:
        plane: a plane whose size was guessed.
        quads: corners of cards, each of shape (4, 2), in pixels, in order around the card.

    Raises:
        PlaneError: the cards say nothing about one of the directions.
    """
    rows, wanted = [], []
    for quad in quads:
        corners = plane.to_table(quad)
        edges = np.roll(corners, -1, axis=0) - corners
        lengths = np.linalg.norm(edges, axis=1)
        first_is_short = lengths[[0, 2]].sum() < lengths[[1, 3]].sum()
        order = CARD_CM if first_is_short else CARD_CM[::-1]
        for number, edge in enumerate(edges):
            weight = 1 / order[number % 2]  # every edge counts alike, by its relative error
            rows.append(edge**2 * weight**2)
            wanted.append(1.0)
    if not rows:
        raise PlaneError(N_("Lay a card on the table, so that the camera sees how large one is."))
    # Edges of cards that lie askew tell the same of x and y. Then only one scale is found for both:
    # what would tell them apart is mostly error, and cards of another shape.
    squares, *_ = np.linalg.lstsq(np.array(rows), np.array(wanted), rcond=SKEWED)
    if not (np.isfinite(squares).all() and squares.min() > 1e-4):
        raise PlaneError(N_("Lay cards crosswise, so that the camera sees how large the table is."))
    scale = np.sqrt(squares)
    homography = np.diag([*scale, 1.0]) @ plane.homography
    markers = {number: corners * scale for number, corners in plane.markers.items()}
    return replace(plane, homography=homography, outline=plane.outline * scale, markers=markers)


def turned(plane: Plane, turn: int) -> Plane:
    """The plane with seat 0 some quarter turns further, clockwise from the picture's lower edge."""
    quarter = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    turn %= 4
    move = np.linalg.matrix_power(quarter, turn)
    return replace(
        plane,
        homography=move @ plane.homography,
        outline=mapped(move, plane.outline),
        markers={number: mapped(move, corners) for number, corners in plane.markers.items()},
    )
