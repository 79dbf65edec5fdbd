"""What of a card other cards and hands cover, by a grid of points all over it."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.scenes.geometry import Points

FINGERS, FINGERS_WIDE, PALM_WIDE, ARM = 7.0, 5.0, 6.8, 100.0
"""A hand from the finger tips on: fingers' length and width, palm's and arm's width, all's length,
in centimetres."""

_COLUMNS, _ROWS = 7, 9
POINTS = _COLUMNS * _ROWS
ALL = (1 << POINTS) - 1
"""The grid's points, each a bit."""


class Pose(NamedTuple):
    """Where something is: place, angle, and how far above the table."""

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
"""Points all over a card, shape (2, N), as shares of its width and height from its middle."""

_INDEX = sum(1 << row * _COLUMNS + column for row in range(2) for column in range(2))
INDICES = (_INDEX, sum(1 << _COLUMNS * _ROWS - 1 - place
                        for place in range(_COLUMNS * _ROWS) if _INDEX >> place & 1))  # fmt: skip
"""The points of each of a card's two indices."""


def mask_of(points: NDArray[np.bool_]) -> int:
    """A bit for each point of ``GRID``."""
    return int.from_bytes(np.packbits(points, bitorder="little").tobytes(), "little")


def _seen_from(other: Pose, pose: Pose, size: tuple[float, float]) -> Points:
    """The grid's points of a card, shape (2, N), as they lie before something: aside, and back."""
    c, s = math.cos(pose.turn - other.turn), math.sin(pose.turn - other.turn)
    turned = np.array([[c * size[0], -s * size[1]], [s * size[0], c * size[1]]])
    c, s = math.cos(other.turn), math.sin(other.turn)
    dx, dy = pose.x - other.x, pose.y - other.y
    return np.asarray(turned @ GRID + [[dx * c + dy * s], [dy * c - dx * s]], np.float64)


@functools.lru_cache(maxsize=4096)
def under_card(pose: Pose, other: Pose, size: tuple[float, float]) -> int:
    """Which points of a card another one covers."""
    side, back = np.abs(_seen_from(other, pose, size))
    return mask_of((side < size[0] / 2) & (back < size[1] / 2))


@functools.lru_cache(maxsize=4096)
def under_hand(pose: Pose, hand: Pose, size: tuple[float, float]) -> int:
    """Which points of a card a hand and its arm cover."""
    side, back = _seen_from(hand, pose, size)
    side = np.abs(side)
    wide = np.where(back < FINGERS, FINGERS_WIDE / 2, PALM_WIDE / 2)
    return mask_of((back >= 0) & (back < ARM) & (side < wide))
