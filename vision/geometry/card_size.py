"""How large the cards on the table are: all have one size.

The finder sometimes outlines only the figure on a court card, the part of a card that others leave
free, or two cards that overlap. Such an outline is replaced by one of a card's size with the same
middle. If that would show bare table, it is replaced by one that has an edge in common with it.
Then the refiner moves the corners to the card's edges.
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
"""An outline is left alone if its size, the square root of its area, is less than the first or more
than the second of these parts of a card's: it may be a coin, a book, or a card held far above the
table. Outlines of two cards that overlap are smaller than the second."""

ODD = 0.2
"""The cards' sides may differ by this part from those of a French card. Spanish and narrow French
cards differ by a tenth. If they differ by more, the table's centimetres are wrong."""

SPREAD = 0.08
"""The sides of the middle half of the cards may differ by this part. If they differ by more, a
centimetre is longer in one direction of the table than in the other, as where somebody showed its
corners roughly."""

NEEDED = 4
"""The size is known once this many cards have shown it."""

LATEST = 40
"""The size is the median over this many of the latest cards, at most."""

WRONG_IN_A_ROW = 4
"""The size is wrong where this many cards in a row do not have it."""

COVERS = 0.08
"""A card lies where no more than this part of an outline looks like the bare table."""

FAR = 0.05
"""The cost of a distance of one card's height from the outline that was found. It is added to the
part that shows bare table; the outline with the least sum is taken."""

PLACES = np.array(list(product((0, -1, 1), repeat=2)))
"""Where a part of a card may lie in it, across and down: 0 in the middle, -1 or 1 at an edge."""

RESCALED = 0.03
"""Where a card's height in pixels changes by more than this part, the sizes are measured anew."""

REMEMBERED, NEAR = 200, 0.05
"""How many of the latest outlines are remembered; and how near, as a part of a card's height, the
middle of one must be to a card's for it to be that card's."""


class CardSize:
    """The sides of the cards of one table, in centimetres as they are measured there.

    While they are not known, outlines stay as they are.

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
        self._wrong = 0  # how many cards in a row did not have this size

    def see(self, plane: Plane, cards: Iterable[tuple[int, NDArray[np.floating]]]) -> None:
        """Learns the size from cards that lie there and were seen well.

        Where the outlines of several cards in a row had to be given this size, the size is wrong,
        and is forgotten.

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
        """Whether all outlines of a card were given their size here, so that it tells no size."""
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
        """An outline, given a card's size where it has another: that of a part, or of two cards.

        Args:
            corners: shape (4, 2), in the frame's pixels, clockwise.
            plane: where the table is.
            bare: the part of an outline, shape (4, 2), in the frame's pixels, that looks like the
                bare table, 0–1; None where nobody knows.

        Returns:
            The corners, shape (4, 2), clockwise, a shorter side first. They stay as they were where
            the outline is far too small or too large, and while the size of a card is not known.
        """
        sides, outline = self.sides, np.asarray(corners, np.float32)
        if sides is None:
            return outline
        quad = plane.to_table(np.asarray(corners, np.float64))
        across, down = _axes(quad)
        wide, tall = _lengths(across, down)
        if wide > tall:  # a card that lies across, seen at a low angle, looks so
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
    """The outline of the first of some cards; or, if that shows bare table, of the best one.

    Args:
        cards: see ``_cards_of``.
        away: see ``_cards_of``.
        plane: where the table is.
        bare: see ``CardSize.resized``.
    """
    first = plane.to_frame(cards[0])
    shown = bare(first)
    if shown is None or shown <= COVERS:
        return first.astype(np.float32)
    outlines = plane.to_frame(cards.reshape(-1, 2)).reshape(-1, 4, 2)
    costs = FAR * away + [bare(outline) or 0.0 for outline in outlines]
    return np.asarray(outlines[int(np.argmin(costs))], np.float32)


def card_heights(plane: Plane) -> NDArray[np.float64]:
    """A French card's height in the middle of the table, in pixels, laid along x and along y.

    Returns:
        Shape (2,).
    """
    middle = plane.outline.mean(axis=0)
    ends = plane.to_frame(middle + np.array([[0, 0], [CARD_CM[1], 0], [0, CARD_CM[1]]]))
    return np.asarray(np.linalg.norm(ends[1:] - ends[0], axis=1), np.float64)


def _median(shown: Sequence[NDArray[np.float64]]) -> NDArray[np.float64] | None:
    """The median sides, shape (2,); None where cards are few, too different, or of an odd size."""
    if len(shown) < NEEDED:
        return None
    low, sides, high = np.quantile(shown, (0.25, 0.5, 0.75), axis=0)
    alike = (high - low <= SPREAD * sides).all()
    return sides if alike and (np.abs(sides / CARD_CM - 1) <= ODD).all() else None


def _axes(quad: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sides of an outline as vectors: the mean of the two across, and of the two down."""
    a, b, c, d = quad
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def _lengths(*axes: NDArray[np.float64]) -> list[float]:
    return [float(np.linalg.norm(axis)) for axis in axes]
