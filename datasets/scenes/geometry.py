"""A pinhole camera over a table, and where the corners of a card come to lie in its picture.

Lengths are in centimetres, pictures in pixels, angles in radians. The table is the plane z = 0,
seen from z > 0. Corners are always listed clockwise from the upper left of a card as it is read.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

CARD_HEIGHT_CM = 8.8


def rotation(axis: str, angle: float) -> Points:
    """The 3×3 matrix of a rotation about x, y or z."""
    c, s = np.cos(angle), np.sin(angle)
    if axis == "x":
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    if axis == "y":
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


@dataclass(frozen=True)
class Camera:
    """A camera that looks at the table's origin.

    Attributes:
        focal: the focal length, in pixels.
        distance: from the camera to the origin, in centimetres.
        tilt: how far it is tilted, in radians; 0 looks straight down.
        roll: how far it is turned about its viewing axis, in radians.
        size: the picture's width and height, in pixels.
    """

    focal: float
    distance: float
    tilt: float
    roll: float
    size: tuple[int, int]

    def project(self, points: Points) -> Points:
        """Project points of the world, shape (N, 3), to pixels, shape (N, 2)."""
        turned = self._turned(points)
        depth = np.maximum(turned[:, 2] + self.distance, 1.0)
        centre = np.array(self.size) / 2
        return turned[:, :2] * (self.focal / depth)[:, None] + centre

    def tilt_of(self, corners: Points) -> float:
        """The angle between a card's normal and the line of sight, in degrees.

        Args:
            corners: shape (4, 3), in the world.
        """
        turned = self._turned(corners)
        normal = np.cross(turned[1] - turned[0], turned[3] - turned[0])
        sight = turned.mean(axis=0) + np.array([0, 0, self.distance])
        length = np.linalg.norm(normal) * np.linalg.norm(sight)
        return float(np.degrees(np.arccos(min(abs(float(normal @ sight)) / length, 1.0))))

    def _turned(self, points: Points) -> Points:
        """Points of the world, shape (N, 3), in the directions of the picture's axes.

        x runs to the right, y down, and z away from the camera; the origin stays the same.
        """
        axes = np.array([1, -1, -1])
        turned = points * axes @ rotation("x", -self.tilt).T @ rotation("z", self.roll).T
        return np.asarray(turned, np.float64)

    def on_table(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """The point (x, y) of the table that a pixel shows, in centimetres."""
        corners = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
        homography = solve_homography(self.project(corners), corners[:, :2])
        x, y, w = homography @ (*pixel, 1.0)
        return float(x / w), float(y / w)


def solve_homography(source: Points, target: Points) -> Points:
    """The 3×3 matrix that maps four points to four points."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, -u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, -v])
    solution: Points = np.linalg.svd(np.array(rows))[2][-1]
    return solution.reshape(3, 3)


def card_corners(
    width: float, height: float, place: tuple[float, float], turn: float,
    lift: float = 0.0, lean: tuple[float, float] = (0.0, 0.0),
) -> Points:  # fmt: skip
    """The corners of a card in the world.

    Args:
        width: of the card, in centimetres.
        height: of the card, in centimetres.
        place: where its middle lies on the table, in centimetres.
        turn: its angle on the table, in radians.
        lift: how far its middle is above the table, in centimetres.
        lean: rotations about the card's own x and y axes, in radians, for cards that do not lie
            flat.

    Returns:
        Shape (4, 3).
    """
    x, y = width / 2, height / 2
    corners = np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])
    corners = corners @ rotation("x", lean[0]).T @ rotation("y", lean[1]).T
    return corners @ rotation("z", turn).T + (place[0], place[1], lift)


def area(corners: Points) -> float:
    """The area of a polygon, shape (N, 2); positive where it runs clockwise in a picture."""
    x, y = corners[:, 0], corners[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
