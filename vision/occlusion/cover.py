"""What hides the table from the camera, and whether a look at a frame can tell anything new.

It remembers how each place of the bare table looks, and how each card that lies there looks. A
place that looks like neither is covered: by a hand, a sleeve or a head, whether it moves or rests.
Changes of light are taken out first, as far as possible: those that are alike everywhere, and wide
shadows, which darken a place and hardly change its colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.detection.reader import Region
from vision.geometry.table_plane import Plane, Points
from vision.occlusion.background import (
    EVENLY,
    CardAppearance,
    CoverSettings,
    Known,
    Picture,
    outlined,
)
from vision.occlusion.motion import Field, Image, Mask, Motion, MotionSettings, table_mask
from vision.opencv import load_opencv
from vision.tracking.covered import Covered, covered_by
from vision.tracking.tracked_card import TrackedCard

_COARSE, _WIDE = 4, 15
"""Shadows are looked for on every fourth small pixel across and down, by medians over squares of 15
by 15 of those: about 20 cm of the table."""

_EDGE_STEP, _EDGE_INSET = 1.5, 3.0
"""Centimetres between the points along the table's edge, and how far inside the edge they lie."""

_BESIDE = 8
"""Width of the border round a card that counts as beside it, in small pixels."""


class FrameState(NamedTuple):
    """What is known of a frame before cards are looked for in it.

    Attributes:
        changed: whether looking for cards in it may tell something new.
        covered: tells which points of the frame are covered.
        moving: the part of the table that is in motion, 0–1.
        regions: boxes around what moved lately, in pixels of the frame.
        lies: tells by its number whether a tracked card lies as it lay; False also where that
            cannot be told.
        bare: tells which part of an outline, in pixels of the frame, shape (4, 2), looks as the
            table did before, 0–1. A thing that does was there before. None while the table is not
            known.
        reaching: tells the seats from whose side something that moved lately reaches over the
            table's edge, as the arm of whoever lays a card does.
    """

    changed: bool
    covered: Covered
    moving: float
    regions: tuple[Region, ...]
    lies: Callable[[int], bool]
    bare: Callable[[Points], float | None]
    reaching: Callable[[], frozenset[int]]


def edge_points(plane: Plane) -> tuple[Points, NDArray[np.int64]]:
    """Points along the inside of the table's edge, and the seat in whose part each lies.

    Returns:
        The points, shape (N, 2), in centimetres; and the seats, shape (N,), -1 where none is.
    """
    corners = plane.outline * (1 - _EDGE_INSET / np.linalg.norm(plane.outline, axis=1))[:, None]
    points = np.concatenate(
        [
            np.linspace(here, there, max(round(float(np.hypot(*(there - here))) / _EDGE_STEP), 1),
                        endpoint=False)
            for here, there in zip(corners, np.roll(corners, -1, axis=0), strict=True)
        ]
    )  # fmt: skip
    seats = [plane.zone(point).seat for point in points]
    return points, np.array([-1 if seat is None else seat for seat in seats])


class Cover:
    """Remembers how the table and the cards look, and tells what covers them.

    Args:
        settings: its settings; None for the usual ones.
        motion: the settings of ``Motion``; None for the usual ones.
    """

    def __init__(
        self, settings: CoverSettings | None = None, motion: MotionSettings | None = None
    ) -> None:
        self.settings = settings or CoverSettings()
        self._motion = Motion(motion)
        self._plane: Plane | None = None
        self._edge_of: Plane | None = None
        self._edge: tuple[Points, NDArray[np.int64]]
        self._shape = (0, 0)
        self._mask: Mask = np.zeros((0, 0), np.bool_)
        self._at = self._ticked = -np.inf
        self._lit: tuple[Picture, Field] | None = None
        self._shown: tuple[Picture, Mask, bool] | None = None
        self._forget((0, 0))

    def _forget(self, shape: tuple[int, int]) -> None:
        """Begins anew, with small pictures of this many rows and columns."""
        self._shape = shape
        self._table, self._other = Known(shape, self.settings), Known(shape, self.settings)
        self._still = np.zeros(shape, np.float32)
        self._cards: dict[int, CardAppearance] = {}
        self._motion.forget()

    def update(
        self, at: float, frame: Image, plane: Plane, cards: Sequence[TrackedCard]
    ) -> FrameState:
        """Takes in one more frame.

        Args:
            at: its time, in seconds; later than the one before.
            frame: BGR, 8 bits.
            plane: where the table is in it.
            cards: the tracked cards as they were known before this frame.
        """
        picture = Picture(frame)
        scale = picture.scale
        self._follow(plane, picture.small.shape[:2], scale)
        changed = self._motion.update(at, picture.small, self._mask)
        self._still += min(max(at - self._at, 0.0), 1.0)
        self._still[self._motion.moved] = 0
        self._at = at
        if at - self._ticked >= self.settings.tick:
            passed = min(at - self._ticked, 2 * self.settings.tick)
            self._ticked = at
            self._tick(self._light(picture), passed, cards, scale)
        asked: Covered | None = None

        def covered(points: Points) -> NDArray[np.bool_]:
            nonlocal asked  # made when first asked for: it costs most, and few frames need it
            if asked is None:
                asked = covered_by(self._covered(picture), scale)
            return asked(points)

        regions = self._regions(scale) if changed else ()
        return FrameState(
            changed,
            covered,
            self._motion.share,
            regions,
            lambda number: self._lies(picture, number),
            lambda outline: self._bare(picture, outline * scale),
            lambda: self._reaching(plane, covered, scale),
        )

    def _reaching(self, plane: Plane, covered: Covered, scale: float) -> frozenset[int]:
        """The seats whose edge of the table is crossed by something that moved lately."""
        if plane is not self._edge_of:
            self._edge_of, self._edge = plane, edge_points(plane)
        points, seats = self._edge
        pixels = plane.to_frame(points)
        lately = covered_by(self._still < self.settings.reaches, scale)(pixels)
        if not lately.any():  # then there is no need to find what is covered, which takes long
            return frozenset()
        over = covered(pixels)
        return frozenset(
            seat
            for seat in range(plane.seats)
            if np.count_nonzero(over & (seats == seat)) * _EDGE_STEP >= self.settings.arm_cm
            and (over & lately & (seats == seat)).any()
        )

    def _regions(self, scale: float) -> tuple[Region, ...]:
        """Boxes around what moved lately."""
        cv2: Any = load_opencv()
        moved = (self._still < self.settings.lately) & self._mask
        _, _, boxes, _ = cv2.connectedComponentsWithStats(moved.astype(np.uint8))
        sides = np.stack([boxes[1:, 0], boxes[1:, 1]] * 2, axis=1)
        sides[:, 2:] += boxes[1:, 2:4]
        return tuple(
            (int(left), int(top), int(right), int(bottom))
            for left, top, right, bottom in np.round(sides / scale)
        )

    def _seen(self, picture: Picture) -> Field:
        """What ``_light`` makes of a picture; made once for each."""
        if self._lit is None or self._lit[0] is not picture:
            self._lit = (picture, self._light(picture))
        return self._lit[1]

    def _covered(self, picture: Picture) -> Mask:
        """Where most small pixels around a place look like neither the table nor a known card."""
        cv2: Any = load_opencv()
        unlike = np.where(self._alike(picture), 0, 255).astype(np.uint8)
        return np.asarray(cv2.blur(unlike, (5, 5)) > 127, np.bool_)

    def _lies(self, picture: Picture, number: int) -> bool:
        """Whether a card's place looks as it did, and not as the table beneath."""
        card = self._cards.get(number)
        if card is None:
            return False
        known = card.known
        telling = card.free & (known.age > 0) & (self._table.age[card.box] > 0)
        telling &= ~self._table.alike(known.looks, card.box)
        count = np.count_nonzero(telling)
        if count < self.settings.telling * np.count_nonzero(card.inside):
            return False
        light = self._seen(picture)[card.box]
        table = self._table.looks[card.box]
        nearer = np.abs(light - known.looks).sum(axis=2) < np.abs(light - table).sum(axis=2)
        same = telling & known.alike(light) & nearer
        return bool(np.count_nonzero(same) >= self.settings.lies * count)

    def _bare(self, picture: Picture, quad: Points) -> float | None:
        """The part of an outline, in small pixels, that looks as the table did before, 0–1."""
        table, is_known = self._table_in(picture)
        if not is_known:
            return None
        box, inside = outlined(quad, self._shape)
        inside &= self._mask[box]
        return int(np.count_nonzero(inside & table[box])) / max(int(np.count_nonzero(inside)), 1)

    def _table_in(self, picture: Picture) -> tuple[Mask, bool]:
        """Where a picture looks like the table, and whether enough of the table is known for that.

        Made once for each picture.
        """
        if self._shown is None or self._shown[0] is not picture:
            known = np.count_nonzero(self._table.age[self._mask])
            met = bool(known >= self.settings.met * np.count_nonzero(self._mask))
            self._shown = picture, self._table.alike(self._seen(picture)), met
        return self._shown[1:]

    def _follow(self, plane: Plane, shape: tuple[int, int], scale: float) -> None:
        """Follows the table when the camera is nudged, or sends pictures of another size.

        Where the outline has other centimetres, the table was only measured anew: then the picture
        is the same, and nothing needs to be moved.
        """
        if shape != self._shape:
            self._forget(shape)
        elif plane is self._plane:
            return
        elif self._plane is not None and np.array_equal(self._plane.outline, plane.outline):
            before = self._plane.to_frame(self._plane.outline) * scale
            move = np.linalg.inv(plane.homography) @ self._plane.homography
            small = np.diag([scale, scale, 1.0])
            move = small @ move @ np.linalg.inv(small)
            after = plane.to_frame(self._plane.outline) * scale
            if float(np.abs(after - before).max()) < self.settings.nudge:
                return
            self._table.warp(move)
            self._other.warp(move)
            self._cards.clear()
            self._motion.forget()
            self._still[:] = 0
        self._plane = plane
        self._mask = table_mask(plane, shape, scale)

    def _light(self, picture: Picture) -> Field:
        """How a picture looks, with changes of light and focus taken out."""
        light = picture.looks.copy()
        table = self._table
        known = ((table.age > 0) & self._mask)[::2, ::2]
        if np.count_nonzero(known) > 0.1 * known.size:
            offset = np.median((light - table.looks)[::2, ::2][known], axis=0)
            light -= offset.astype(np.float32)
        light[..., 0] -= self._shadows(light[..., 0])
        return np.asarray(light, np.float32)

    def _shadows(self, bright: Field) -> Field:
        """How much brighter each place is lit than when it was learned; below 0 in a shadow.

        The shadow of a head is wide, and a hand is narrow: the median over a wide square shows the
        one and not the other. Where a known card lies, the picture is compared with the card, so
        that a bright card is not taken for light.
        """
        cv2: Any = load_opencv()
        more = np.where(self._table.age > 0, bright - self._table.looks[..., 0], 0)
        for card in self._cards.values():
            part = more[card.box]
            other = bright[card.box] - card.known.looks[..., 0]
            nearer = card.inside & (card.known.age > 0) & (np.abs(other) < np.abs(part))
            part[nearer] = other[nearer]
        more, known = more[::_COARSE, ::_COARSE], self._table.age[::_COARSE, ::_COARSE] > 0
        # A place that is not known, beyond the edge too, takes the mean of known ones nearby.
        size = (2 * _WIDE + 1, 2 * _WIDE + 1)
        near, count = cv2.blur(more, size), cv2.blur(known.astype(np.float32), size)
        more = np.where(known, more, near / np.maximum(count, 1e-3))
        levels = np.clip(more * 100 + 128, 0, 255).astype(np.uint8)
        levels = cv2.medianBlur(levels, _WIDE)
        size = bright.shape[::-1]
        levels = cv2.resize(levels, size, interpolation=cv2.INTER_LINEAR)
        return np.asarray((levels.astype(np.float32) - 128) / 100, np.float32)

    def _alike(self, picture: Picture) -> Mask:
        """Where the picture looks like the table, or like a card that lies there."""
        light, alike = self._seen(picture), self._table_in(picture)[0].copy()
        unknown = self._table.age == 0
        for card in self._cards.values():
            alike[card.box] |= card.known.alike(light[card.box]) & card.free
            unknown[card.box] |= card.free & (card.known.age == 0)
        # Where nothing is known yet, only what moves just now is taken for a hand.
        return np.asarray(alike | (unknown & (self._still > 0)), np.bool_)

    def _tick(
        self, light: Field, passed: float, cards: Sequence[TrackedCard], scale: float
    ) -> None:
        """Learns from a picture: cards that are seen, and the table where nothing lies or moves."""
        settings = self.settings
        under = self._learn_cards(light, passed, cards, scale)
        for card in cards:
            if card.missing > settings.left and self._is_bare(light, card.id, under):
                place = self._cards[card.id]
                bare = np.zeros(self._shape, np.bool_)
                bare[place.box] = place.free
                self._table.forget(bare)
                self._table.take(bare, light, 1.0, passed)
        rests = (self._still >= settings.still) & self._mask & ~under
        alike = self._table.alike(light)
        unlike = rests & ~alike & (self._table.age > 0)
        if np.count_nonzero(unlike) > settings.startled * np.count_nonzero(self._mask):
            self._forget(self._shape)
            return
        self._table.take(rests & alike, light, 0.05, passed)
        again = self._other.alike(light)
        self._other.forget(under | (rests & (alike | ~again)))
        self._other.take(rests & ~alike, light, 0.2, passed)
        enough = np.clip(self._table.age, settings.learn, settings.relearn)
        self._table.swap(self._other, self._other.age >= enough)

    def _is_bare(self, light: Field, number: int, under: Mask) -> bool:
        """Whether the place of a card that is missed looks like the table around it.

        Something that lay there before may have been taken for the table. Without this the bare
        place, which looks otherwise, would then count as covered for ever.
        """
        cv2: Any = load_opencv()
        settings, card = self.settings, self._cards[number]
        if np.count_nonzero(card.free & (self._still[card.box] >= settings.left)) < (
            settings.as_beside * np.count_nonzero(card.inside)
        ):
            return False
        place = np.zeros(self._shape, np.uint8)
        place[card.box] = card.inside
        beside = (cv2.dilate(place, EVENLY, iterations=_BESIDE) > 0) & self._mask & ~under
        beside &= self._table.alike(light)
        if not card.free.any() or not beside.any():
            return False  # other cards hide it, or the camera moved and it is out of the picture
        if np.count_nonzero(beside) < settings.telling * np.count_nonzero(card.inside):
            return False
        here = light[card.box][card.free]
        known = card.free & (card.known.age > 0)
        if np.count_nonzero(card.known.alike(light[card.box]) & known) > 0.5 * len(here):
            return False  # the card still lies there
        _, spare = settings.spare
        low, high = np.quantile(light[beside], [0.05, 0.95], axis=0)
        alike = ((here >= low - spare) & (here <= high + spare)).all(axis=1)
        return bool(alike.mean() >= settings.as_beside)

    def _learn_cards(
        self, light: Field, passed: float, cards: Sequence[TrackedCard], scale: float
    ) -> Mask:
        """Learns how the cards look that are seen; returns where cards lie, and just beside."""
        cv2: Any = load_opencv()
        settings, plane = self.settings, self._plane
        assert plane is not None
        under = np.zeros(self._shape, np.uint8)
        self._cards = {card.id: self._cards[card.id] for card in cards if card.id in self._cards}
        for steady in sorted(cards, key=lambda card: -card.since):  # what came last lies above
            card, quad = self._cards.get(steady.id), plane.to_frame(steady.quad) * scale
            first = card is None
            new = card is None or not card.lies_at(quad)
            if card is None or new:
                card = self._cards[steady.id] = CardAppearance(quad, self._shape, settings)
            here, still = light[card.box], self._still[card.box]
            card.free = card.inside & (under[card.box] == 0)
            under[card.box] |= card.inside
            if first:  # if it lay there for long before it was read, it was taken for the table
                long = card.inside & (still >= settings.learn)
                same = long & self._table.alike(here, card.box)
                if np.count_nonzero(same) >= settings.was_table * np.count_nonzero(card.inside):
                    self._table.age[card.box][same] = 0
            # Only a card that was read again is learned. Else its look alone said that it lies as
            # it lay, and must not confirm itself.
            if steady.missing > settings.seen or steady.detections == card.pictures:
                continue
            card.pictures = steady.detections
            known = card.known
            right = (known.age == 0) | known.alike(here)
            known.forget(card.free & ~right & (still >= settings.still))
            known.take(card.free & right & (new | (still > 0)), here, 0.2, passed)
        return np.asarray(cv2.dilate(under, EVENLY, iterations=2) > 0, np.bool_)
