"""How large the cards of a table are: all alike.

An outline that is far from it goes round a part of a card, such as the figure on a court, or round
two cards. What it is read as is worth nothing; made as large as a card, it can be refined.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import CARD_CM, Plane

OFF = 0.2
"""A side that differs by more than this part from that of a French card is not a card's: Spanish
and narrow French ones differ by a tenth, and those in a hand over the table seem larger."""

OFF_KNOWN = 0.12
"""The same, once the size of this deck is known."""

ENOUGH, MOST = 4, 40
"""Of so many cards the size is known, and by the latest so many it is told."""


class CardSize:
    """The sides of the cards of one table, in centimetres as they are measured there."""

    def __init__(self) -> None:
        self._sides: deque[NDArray[np.float64]] = deque(maxlen=MOST)
        self._seen: set[int] = set()

    def see(self, cards: Iterable[tuple[int, NDArray[np.floating]]]) -> None:
        """Takes in cards that lie there and were seen well.

        Args:
            cards: the number of each, which counts once, and its outline on the table, shape
                (4, 2), in centimetres.
        """
        for number, quad in cards:
            if number not in self._seen:
                self._seen.add(number)
                self._sides.append(np.sort(_lengths(*_axes(np.asarray(quad, np.float64)))))

    @property
    def sides(self) -> NDArray[np.float64]:
        """Width and height of a card: the median, or those of a French one while few were seen."""
        if len(self._sides) < ENOUGH:
            return np.array(CARD_CM)
        return np.asarray(np.median(self._sides, axis=0), np.float64)

    def whole(self, corners: NDArray[np.floating], plane: Plane) -> NDArray[np.float32]:
        """An outline that is none of a whole card, made as large as one, about its own middle.

        Args:
            corners: shape (4, 2), in the frame's pixels, clockwise.
            plane: where the table is.

        Returns:
            The corners, shape (4, 2), clockwise, beginning with a short side; as they came where
            both sides may be a card's.
        """
        quad = plane.to_table(np.asarray(corners, np.float64))
        across, down = _axes(quad)
        wide, tall = _lengths(across, down)
        if wide > tall:
            across, down, wide, tall = down, -across, tall, wide
        sides = self.sides
        off = OFF if len(self._sides) < ENOUGH else OFF_KNOWN
        if (np.abs(np.array([wide, tall]) / sides - 1) <= off).all():
            return np.asarray(corners, np.float32)
        down = down / max(tall, 1e-9) * sides[1] / 2
        across = np.array([down[1], -down[0]]) * sides[0] / sides[1]
        made = np.array([-across - down, across - down, across + down, down - across])
        return plane.to_frame(quad.mean(axis=0) + made).astype(np.float32)


def _axes(quad: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sides of an outline as vectors: the mean of both that run across, and down."""
    a, b, c, d = quad
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def _lengths(*axes: NDArray[np.float64]) -> list[float]:
    return [float(np.linalg.norm(axis)) for axis in axes]
