"""How large the cards of a table are: all alike.

An outline that is far from it goes round a part of a card, such as the figure on a court, or round
two cards. What it is read as is worth nothing; made as large as a card, it can be refined.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import CARD_CM, Plane

OFF = 0.12
"""A side that differs by more than this part from that of the table's cards is not a card's."""

ODD = 0.2
"""And so far the cards' own sides may differ from those of a French card. Spanish and narrow French
cards differ by a tenth; with more, it is hardly known what a centimetre of the table is."""

SPREAD = 0.08
"""The middle half of the cards differ by no more than this part: else a centimetre is longer in one
direction of the table than in the other, as where its corners were shown roughly."""

ENOUGH, MOST = 4, 40
"""Of so many cards the size is known, and by the latest so many it is told."""

SCALED = 0.03
"""Where a centimetre differs by more than this part from the one before, all is measured anew."""

MADE, SAME_PLACE = 200, 2.0
"""So many of the latest outlines that were made as large as a card are remembered, and what lies
within so many pixels of one is that one."""


class CardSize:
    """The sides of the cards of one table, in centimetres as they are measured there.

    While they are not known outlines stay as they are: by the first cards it is found out how large
    the table is.

    Attributes:
        sides: width and height of a card: the median of those that were seen; None while unknown.
    """

    def __init__(self) -> None:
        self.sides: NDArray[np.float64] | None = None
        self._sides: deque[NDArray[np.float64]] = deque(maxlen=MOST)
        self._seen: set[int] = set()
        self._scale = np.zeros(2)
        self._made: deque[NDArray[np.float64]] = deque(maxlen=MADE)  # middles of outlines
        self._others = 0  # so many cards in a row seemed to have another size

    def see(self, plane: Plane, cards: Iterable[tuple[int, NDArray[np.floating]]]) -> None:
        """Takes in cards that lie there and were seen well.

        Where several in a row had to be made as large as a card, the size is wrong, and forgotten.

        Args:
            plane: where the table is.
            cards: the number of each, which counts once, and its corners, shape (4, 2), in the
                frame's pixels.
        """
        scale = _scale(plane)
        if (np.abs(scale - self._scale) > SCALED * self._scale).any():
            self._scale = scale
            self._forget()
        for number, corners in cards:
            if number in self._seen:
                continue
            self._seen.add(number)
            outline = np.asarray(corners, np.float64)
            if not self._was_made(outline):
                self._sides.append(np.sort(_lengths(*_axes(plane.to_table(outline)))))
                self._others = 0
                self.sides = _median(self._sides)
            elif (others := self._others + 1) < ENOUGH:
                self._others = others
            else:
                self._forget()
                return

    def _was_made(self, corners: NDArray[np.float64]) -> bool:
        middle = corners.mean(axis=0)
        return any(np.abs(made - middle).max() < SAME_PLACE for made in self._made)

    def _forget(self) -> None:
        self._sides.clear()
        self._seen.clear()
        self._made.clear()
        self.sides, self._others = None, 0

    def whole(self, corners: NDArray[np.floating], plane: Plane) -> NDArray[np.float32]:
        """An outline that is none of a whole card, made as large as one, about its own middle.

        Args:
            corners: shape (4, 2), in the frame's pixels, clockwise.
            plane: where the table is.

        Returns:
            The corners, shape (4, 2), clockwise: as they came where both sides may be a card's, or
            nobody knows how long those are.
        """
        sides = self.sides
        if sides is None:
            return np.asarray(corners, np.float32)
        quad = plane.to_table(np.asarray(corners, np.float64))
        across, down = _axes(quad)
        wide, tall = _lengths(across, down)
        if wide > tall:
            across, down, wide, tall = down, -across, tall, wide
        if (np.abs(np.array([wide, tall]) / sides - 1) <= OFF).all():
            return np.asarray(corners, np.float32)
        down = down / max(tall, 1e-9) * sides[1] / 2
        across = np.array([down[1], -down[0]]) * sides[0] / sides[1]
        around = np.array([-across - down, across - down, across + down, down - across])
        made = plane.to_frame(quad.mean(axis=0) + around)
        self._made.append(made.mean(axis=0))
        return made.astype(np.float32)


def _median(seen: Sequence[NDArray[np.float64]]) -> NDArray[np.float64] | None:
    """The sides of most cards; None where they are few, too different, or no cards' sides."""
    if len(seen) < ENOUGH:
        return None
    low, sides, high = np.quantile(seen, (0.25, 0.5, 0.75), axis=0)
    alike = (high - low <= SPREAD * sides).all()
    return sides if alike and (np.abs(sides / CARD_CM - 1) <= ODD).all() else None


def _scale(plane: Plane) -> NDArray[np.float64]:
    """Pixels of a card's height in the middle of the table, in both directions."""
    middle = plane.outline.mean(axis=0)
    ends = plane.to_frame(middle + np.array([[0, 0], [CARD_CM[1], 0], [0, CARD_CM[1]]]))
    return np.asarray(np.linalg.norm(ends[1:] - ends[0], axis=1), np.float64)


def _axes(quad: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sides of an outline as vectors: the mean of both that run across, and down."""
    a, b, c, d = quad
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def _lengths(*axes: NDArray[np.float64]) -> list[float]:
    return [float(np.linalg.norm(axis)) for axis in axes]
