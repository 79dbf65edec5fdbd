"""Computes what other cards and hands cover of a card, at a grid of points all over it."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.scenes.geometry import Points

FINGERS, FINGERS_WIDE, PALM_WIDE, ARM = 7.0, 5.0, 6.8, 100.0
"""A hand, in centimetres: length of the fingers, width of the fingers, width of palm and arm, and
length from the finger tips to the end of the arm."""

_COLUMNS, _ROWS = 7, 9
POINTS = _COLUMNS * _ROWS
ALL = (1 << POINTS) - 1
"""A mask with the bits of all points: each point of the grid is a bit."""


class Pose(NamedTuple):
    """Where something is.

    Attributes:
        x: centimetres to the right of the table's middle.
        y: centimetres from the table's middle towards seat 0.
        turn: its angle clockwise, in radians; a card at 0 is upright for seat 0.
        lift: how far it is above the table, in centimetres.
    """

    x: float
    y: float
    turn: float
    lift: float


GRID = np.array(
    [
        ((column + 0.5) / _COLUMNS - 0.5, (row + 0.5) / _ROWS - 0.5)
        for row in range(_ROWS)
        for column in range(_COLUMNS)
    ]
).T
"""Points all over a card, shape (2, N): x and y from its middle, as parts of its width and height.
"""

_INDEX = sum(1 << row * _COLUMNS + column for row in range(2) for column in range(2))
INDICES = (_INDEX, sum(1 << _COLUMNS * _ROWS - 1 - place
                        for place in range(_COLUMNS * _ROWS) if _INDEX >> place & 1))  # fmt: skip
"""Two masks with the bits of the points on a card's indices, one for each index."""


def mask_of(points: NDArray[np.bool_]) -> int:
    """A mask of some points of ``GRID``; ``points`` says of each whether it is in it."""
    return int.from_bytes(np.packbits(points, bitorder="little").tobytes(), "little")


def _seen_from(other: Pose, pose: Pose, size: tuple[float, float]) -> Points:
    """A card's points in the frame of another thing, shape (2, N), in centimetres.

    The first coordinate runs to the right of the thing, the second one downwards from it.
    """
    c, s = math.cos(pose.turn - other.turn), math.sin(pose.turn - other.turn)
    turned = np.array([[c * size[0], -s * size[1]], [s * size[0], c * size[1]]])
    c, s = math.cos(other.turn), math.sin(other.turn)
    dx, dy = pose.x - other.x, pose.y - other.y
    return np.asarray(turned @ GRID + [[dx * c + dy * s], [dy * c - dx * s]], np.float64)


@functools.lru_cache(maxsize=4096)
def under_card(pose: Pose, other: Pose, size: tuple[float, float]) -> int:
    """The mask of the points of a card (``size`` in centimetres) that another card covers."""
    side, back = np.abs(_seen_from(other, pose, size))
    return mask_of((side < size[0] / 2) & (back < size[1] / 2))


@functools.lru_cache(maxsize=4096)
def under_hand(pose: Pose, hand: Pose, size: tuple[float, float]) -> int:
    """The mask of the points of a card (``size`` in centimetres) that a hand and its arm cover."""
    side, back = _seen_from(hand, pose, size)
    side = np.abs(side)
    wide = np.where(back < FINGERS, FINGERS_WIDE / 2, PALM_WIDE / 2)
    return mask_of((back >= 0) & (back < ARM) & (side < wide))
