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

OFF = 0.12
"""A side that differs by more than this part from that of the table's cards is not a card's."""

ODD = 0.2
"""And so far the cards' own sides may differ from those of a French card. Spanish and narrow French
cards differ by a tenth; with more, it is hardly known what a centimetre of the table is."""

ENOUGH, MOST = 4, 40
"""Of so many cards the size is known, and by the latest so many it is told."""

SCALED = 0.03
"""Where a centimetre differs by more than this part from the one before, all is measured anew."""


class CardSize:
    """The sides of the cards of one table, in centimetres as they are measured there.

    While they are not known outlines stay as they are: by the first cards it is found out how large
    the table is.
    """

    def __init__(self) -> None:
        self._sides: deque[NDArray[np.float64]] = deque(maxlen=MOST)
        self._seen: set[int] = set()
        self._scale = 0.0

    def see(self, scale: float, cards: Iterable[tuple[int, NDArray[np.floating]]]) -> None:
        """Takes in cards that lie there and were seen well.

        Args:
            scale: pixels of a centimetre in the middle of the table, or of as many as are always
                given.
            cards: the number of each, which counts once, and its outline on the table, shape
                (4, 2), in centimetres.
        """
        if abs(scale - self._scale) > SCALED * self._scale:
            self._scale = scale
            self._sides.clear()
            self._seen.clear()
        for number, quad in cards:
            if number not in self._seen:
                self._seen.add(number)
                self._sides.append(np.sort(_lengths(*_axes(np.asarray(quad, np.float64)))))

    @property
    def sides(self) -> NDArray[np.float64] | None:
        """Width and height of a card: the median of those that were seen; None while unknown."""
        if len(self._sides) < ENOUGH:
            return None
        sides = np.asarray(np.median(self._sides, axis=0), np.float64)
        return sides if (np.abs(sides / CARD_CM - 1) <= ODD).all() else None

    def whole(self, corners: NDArray[np.floating], plane: Plane) -> NDArray[np.float32]:
        """An outline that is none of a whole card, made as large as one, about its own middle.

        Args:
            corners: shape (4, 2), in the frame's pixels, clockwise.
            plane: where the table is.

        Returns:
            The corners, shape (4, 2), clockwise, beginning with a short side; as they came where
            both sides may be a card's, or nobody knows how long those are.
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
        made = np.array([-across - down, across - down, across + down, down - across])
        return plane.to_frame(quad.mean(axis=0) + made).astype(np.float32)


def _axes(quad: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sides of an outline as vectors: the mean of both that run across, and down."""
    a, b, c, d = quad
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def _lengths(*axes: NDArray[np.float64]) -> list[float]:
    return [float(np.linalg.norm(axis)) for axis in axes]
