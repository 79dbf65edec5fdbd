"""Which points of the frame are hidden, and at which points of a card that is asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import Points

Covered = Callable[[Points], NDArray[np.bool_]]
"""Which points of the frame, shape (N, 2) in pixels, are covered by hands; shape (N,)."""

_SAMPLES = np.array(
    [
        ((1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b)
        for a in (0.12, 0.5, 0.88)
        for b in (0.1, 0.37, 0.63, 0.9)
    ]
)
"""Points of a card at which cover is measured: the weights of its four corners for each of them."""

_NEXT = [1, 2, 3, 0]  # corners of an outline, each after the one before


def covered_by(mask: NDArray[np.bool_], scale: float = 1.0) -> Covered:
    """What a mask says is covered.

    Args:
        mask: shape (height, width); true where something is between table and camera.
        scale: the mask's pixels in one pixel of the frame.
    """

    def look(points: Points) -> NDArray[np.bool_]:
        places = np.floor(np.asarray(points) * scale).astype(int)
        height, width = mask.shape
        x, y = np.clip(places[:, 0], 0, width - 1), np.clip(places[:, 1], 0, height - 1)
        return np.asarray(mask[y, x], np.bool_)

    return look


def samples(quad: NDArray[np.floating]) -> Points:
    """Points all over a card, shape (N, 2)."""
    return np.asarray(_SAMPLES @ quad, np.float64)


def inside(points: Points, quads: Points) -> NDArray[np.bool_]:
    """Which points lie inside which convex outlines.

    Args:
        points: shape (N, 2).
        quads: shape (M, 4, 2).

    Returns:
        Shape (N, M).
    """
    edges = quads[:, _NEXT] - quads
    away = points[:, None, None] - quads
    side = edges[..., 0] * away[..., 1] - edges[..., 1] * away[..., 0]
    return np.asarray((side >= 0).all(axis=-1) | (side <= 0).all(axis=-1), np.bool_)
