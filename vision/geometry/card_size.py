"""How large the cards of a table are: all alike.

The finder sometimes outlines only the figure on a court card, the part of a card that others leave
free, or two cards that overlap. Such an outline is replaced by one of a card's size with the same
middle; or with an edge in common, where it would show the bare table else. Then the refiner moves
its corners to the card's edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import CARD_CM, Plane

OFF = 0.12
"""A side that differs by more than this part from that of the table's cards is not a card's."""

SMALLEST, LARGEST = 0.35, 1.35
"""An outline whose size, the square root of its area, is less or more than this part of a card's is
left alone: a coin, a book, a card that is held far above the table. Two cards that overlap are
smaller than that."""

ODD = 0.2
"""And so far the cards' own sides may differ from those of a French card. Spanish and narrow French
cards differ by a tenth; with more, it is hardly known what a centimetre of the table is."""

SPREAD = 0.08
"""The middle half of the cards differ by no more than this part: else a centimetre is longer in one
direction of the table than in the other, as where its corners were shown roughly."""

NEEDED = 4
"""The size is known once so many cards have shown it."""

LATEST = 40
"""It is the median of so many of the latest cards."""

WRONG_IN_A_ROW = 4
"""It is wrong where so many cards in a row do not have it."""

COVERS = 0.08
"""An outline of which no more than this part looks like the bare table is where a card lies."""

FAR = 0.05
"""One that is a card's height away from another has to show less of the bare table by this part."""

PLACES = np.array(list(product((0, -1, 1), repeat=2)))
"""Where in a card a part of it may be, across and down: in the middle, or at an edge."""

RESCALED = 0.03
"""Where a centimetre differs by more than this part from the one before, all is measured anew."""

REMEMBERED, NEAR = 200, 0.05
"""So many of the latest outlines are remembered; a card is one of them where both middles are
nearer than this part of a card's height."""


class CardSize:
    """The sides of the cards of one table, in centimetres as they are measured there.

    While they are not known outlines stay as they are: by the first cards it is found out how large
    the table is.

    Attributes:
        sides: width and height of a card: the median of those that were seen; None while unknown.
    """

    def __init__(self) -> None:
        self.sides: NDArray[np.float64] | None = None
        self._shown: deque[NDArray[np.float64]] = deque(maxlen=LATEST)
        self._seen: set[int] = set()
        self._heights = np.zeros(2)
        # Middles of the latest outlines, and whether each had a card's size.
        self._outlines: deque[tuple[NDArray[np.float64], bool]] = deque(maxlen=REMEMBERED)
        self._wrong = 0  # so many cards in a row did not have this size

    def see(self, plane: Plane, cards: Iterable[tuple[int, NDArray[np.floating]]]) -> None:
        """Takes in cards that lie there and were seen well.

        Where several in a row had no outline of a card's size, the size is wrong, and forgotten.

        Args:
            plane: where the table is.
            cards: the number of each, which counts once, and its corners, shape (4, 2), in the
                frame's pixels.
        """
        heights = card_heights(plane)
        if (np.abs(heights - self._heights) > RESCALED * self._heights).any():
            self._heights = heights
            self._seen.clear()
            self._forget()
        for number, corners in cards:
            if number in self._seen:
                continue
            self._seen.add(number)
            outline = np.asarray(corners, np.float64)
            if not self._was_resized(outline):
                self._shown.append(np.sort(_lengths(*_axes(plane.to_table(outline)))))
                self.sides, self._wrong = _median(self._shown), 0
            else:
                self._wrong += 1
                if self._wrong == WRONG_IN_A_ROW:
                    self._forget()  # what lies there has a wrong size now: later cards show it

    def _was_resized(self, corners: NDArray[np.float64]) -> bool:
        """Whether all outlines of a card had another size, so that it tells nothing of its own."""
        middle, near = corners.mean(axis=0), NEAR * self._heights.max()
        fitted = [fits for at, fits in self._outlines if np.abs(at - middle).max() < near]
        return bool(fitted) and not any(fitted)

    def _forget(self) -> None:
        self._shown.clear()
        self._outlines.clear()
        self.sides, self._wrong = None, 0

    def resized(
        self,
        corners: NDArray[np.floating],
        plane: Plane,
        bare: Callable[[NDArray[np.float64]], float | None] = lambda outline: None,
    ) -> NDArray[np.float32]:
        """An outline of a part of a card, or of two, made as large as a card.

        Args:
            corners: shape (4, 2), in the frame's pixels, clockwise.
            plane: where the table is.
            bare: the part of an outline, shape (4, 2), in the frame's pixels, that looks like the
                bare table, 0–1; None where nobody knows.

        Returns:
            The corners, shape (4, 2), clockwise, a shorter side first; as they came where it is far
            too small or too large, and while nobody knows how large a card is.
        """
        sides, outline = self.sides, np.asarray(corners, np.float32)
        if sides is None:
            return outline
        quad = plane.to_table(np.asarray(corners, np.float64))
        across, down = _axes(quad)
        wide, tall = _lengths(across, down)
        if wide > tall:  # at a low angle a card that lies across looks so
            down, wide, tall = -across, tall, wide
            outline = np.roll(outline, 1, axis=0)
        fits = bool((np.abs(np.array([wide, tall]) / sides - 1) <= OFF).all())
        if not fits:
            if not SMALLEST <= sqrt(wide * tall / sides.prod()) <= LARGEST:
                return np.asarray(corners, np.float32)
            part = np.array([wide, tall])
            cards, away = _cards_of(quad.mean(axis=0), down / tall, part, sides)
            outline = _covering(cards, away, plane, bare)
        self._outlines.append((outline.mean(axis=0), fits))
        return outline


def _cards_of(
    middle: NDArray[np.float64],
    down: NDArray[np.float64],
    part: NDArray[np.float64],
    sides: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The cards that an outline may be a part of: they have its middle, or edges in common with it.

    Args:
        middle: of the outline, in centimetres.
        down: the direction of its longer side, of length 1.
        part: its sides, the shorter one first, in centimetres.
        sides: those of a card.

    Returns:
        The corners of N cards, shape (N, 4, 2), in centimetres, clockwise; and how far their
        middles are from the outline's, shape (N,), as a part of a card's height. First comes the
        one with the same middle and the longer sides alongside.
    """
    right = np.array([down[1], -down[0]])
    turned = [(right, down, part)]
    if (part[::-1] <= (1 + OFF) * sides).all():  # else it is no part of a card that lies across
        turned.append((-down, right, part[::-1]))
    cards, away = [], []
    for across, along, size in turned:
        room = np.maximum(sides - size, 0) / 2
        x, y = sides[0] / 2 * across, sides[1] / 2 * along
        around = np.array([-x - y, x - y, x + y, y - x])
        places = PLACES[((PLACES == 0) | (room > 0)).all(axis=1)] * room
        shifts = places @ np.stack([across, along])
        cards.append(middle + shifts[:, None] + around)
        away.append(np.linalg.norm(places, axis=1) / sides[1])
    return np.concatenate(cards), np.concatenate(away)


def _covering(
    cards: NDArray[np.float64],
    away: NDArray[np.float64],
    plane: Plane,
    bare: Callable[[NDArray[np.float64]], float | None],
) -> NDArray[np.float32]:
    """The outline of the first of some cards; or of the one that shows the least of the table."""
    first = plane.to_frame(cards[0])
    shown = bare(first)
    if shown is None or shown <= COVERS:
        return first.astype(np.float32)
    outlines = plane.to_frame(cards.reshape(-1, 2)).reshape(-1, 4, 2)
    costs = FAR * away + [bare(outline) or 0.0 for outline in outlines]
    return np.asarray(outlines[int(np.argmin(costs))], np.float32)


def card_heights(plane: Plane) -> NDArray[np.float64]:
    """A French card's height in the middle of the table, in pixels, across and down; shape (2,)."""
    middle = plane.outline.mean(axis=0)
    ends = plane.to_frame(middle + np.array([[0, 0], [CARD_CM[1], 0], [0, CARD_CM[1]]]))
    return np.asarray(np.linalg.norm(ends[1:] - ends[0], axis=1), np.float64)


def _median(shown: Sequence[NDArray[np.float64]]) -> NDArray[np.float64] | None:
    """The sides of most cards; None where they are few, too different, or no cards' sides."""
    if len(shown) < NEEDED:
        return None
    low, sides, high = np.quantile(shown, (0.25, 0.5, 0.75), axis=0)
    alike = (high - low <= SPREAD * sides).all()
    return sides if alike and (np.abs(sides / CARD_CM - 1) <= ODD).all() else None


def _axes(quad: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sides of an outline as vectors: the mean of both that run across, and down."""
    a, b, c, d = quad
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def _lengths(*axes: NDArray[np.float64]) -> list[float]:
    return [float(np.linalg.norm(axis)) for axis in axes]
