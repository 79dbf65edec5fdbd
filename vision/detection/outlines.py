"""Finding the cards of a frame: from the finder's two maps to corners.

The finder divides the frame into cells of :data:`STRIDE` pixels. For every cell it says how sure it
is that a card's middle lies there, and what that card's outline is. The middle of a picture's first
pixel is (0.5, 0.5).

Most cards look the same turned by half, so no network can tell their first corner from their third:
asked for corners in order it would learn the average of both orders. An outline is therefore given
by eight numbers that are the same for both: the middle ``c``; the half axes ``u`` (across) and
``v`` (down), each with its angle doubled; and ``w``, by which perspective bends the parallelogram.
The corners are ``c - u - v + w``, ``c + u - v - w``, ``c + u + v + w`` and ``c - u + v - w``.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

STRIDE = 8
"""Pixels of the finder's input in one cell."""

OUTLINE_SCALE = 64.0
"""Pixels of the finder's input that one unit of its map of outlines stands for."""

NEAR = 1.0
"""A cell counts only if the middle of its outline is at most this many cells away, across and down.
In a heap the middles of two cards may lie in neighbouring cells. So a cell is not left out because
the one beside it is surer; of outlines that are nearly the same the surest one stays."""

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Fit:
    """How a frame was fitted into the finder's input.

    Attributes:
        scale: pixels of the input in one of the frame.
        width: of the frame in the input, in pixels, without what is padded.
        height: likewise.
    """

    scale: float
    width: int
    height: int


@dataclass(frozen=True)
class Found:
    """A card that was found.

    Corners come clockwise, beginning with the card's upper edge or, just as likely, its lower one:
    which end is up is for the reader to say.

    Attributes:
        corners: shape (4, 2), in the frame's pixels, clockwise; corners 0–1 are the card's upper or
            lower edge.
        score: how sure the finder is that this is a card, 0–1.
    """

    corners: NDArray[np.float32]
    score: float


def fit(frame: Image, longest: int) -> tuple[Image, Fit]:
    """Scale a frame so that its longest side is ``longest``, and pad it to multiples of 32.

    Args:
        frame: BGR, 8 bits.
        longest: pixels, a multiple of 32.

    Returns:
        The BGR picture for the finder, grey where it is padded (right and below), and the fit.
    """
    height, width = frame.shape[:2]
    scale = longest / max(height, width)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(frame, size, interpolation=method)
    right, below = -size[0] % 32, -size[1] % 32
    padded = cv2.copyMakeBorder(
        small, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114)
    )
    return padded.astype(np.uint8), Fit(scale, size[0], size[1])


def outline_numbers(corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """The eight numbers of an outline: ``c``, ``v`` and ``u`` with doubled angles, ``w``.

    Args:
        corners: shape (4, 2), clockwise, beginning with the card's upper or lower edge.
    """
    first, second, third, fourth = np.asarray(corners, np.float64)
    u = (second + third - first - fourth) / 4
    v = (third + fourth - first - second) / 4
    w = (first - second + third - fourth) / 4
    return np.concatenate([corners.mean(axis=0), _doubled(v), _doubled(u), w])


def _doubled(axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """A vector of the same length at twice the angle."""
    x, y = axis
    doubled = np.array([x * x - y * y, 2 * x * y])
    return np.asarray(doubled / max(float(np.hypot(x, y)), 1e-9), np.float64)


def _halved(doubled: NDArray[np.floating]) -> NDArray[np.float64]:
    """One of the two opposite vectors from which :func:`_doubled` makes this one."""
    x, y = (float(value) for value in doubled)
    angle, length = np.arctan2(y, x) / 2, np.hypot(x, y)
    return np.asarray(np.array([np.cos(angle), np.sin(angle)]) * length, np.float64)


def outline_corners(numbers: NDArray[np.floating]) -> NDArray[np.float32]:
    """The corners of an outline, shape (4, 2), from its eight numbers."""
    c, w = numbers[:2], numbers[6:]
    v, u = _halved(numbers[2:4]), _halved(numbers[4:6])
    if u[0] * v[1] - u[1] * v[0] < 0:  # clockwise, as all cards are seen from above
        u = -u
    return np.array([c - u - v + w, c + u - v - w, c + u + v + w, c - u + v - w], np.float32)


def decode(
    heat: NDArray[np.float32], outlines: NDArray[np.float32], fitted: Fit, *,
    threshold: float, overlap: float = 0.6, most: int = 64,
) -> list[Found]:  # fmt: skip
    """Read cards out of the finder's maps.

    Args:
        heat: shape (rows, columns), 0–1.
        outlines: shape (8, rows, columns): the outlines' numbers, the middle relative to the cell's
            own, in units of :data:`OUTLINE_SCALE` pixels.
        fitted: how the frame was fitted.
        threshold: the least score of a card, 0–1.
        overlap: cards whose outlines overlap more than this (intersection over union) are one.
        most: no more cards than this are returned.

    Returns:
        The cards, the surest first.
    """
    away = np.abs(outlines[:2]).max(axis=0) * (OUTLINE_SCALE / STRIDE)
    rows, columns = np.nonzero((heat >= threshold) & (away <= NEAR))
    order = np.argsort(-heat[rows, columns], kind="stable")[: most * 16]
    cards = []
    for row, column in zip(rows[order], columns[order], strict=True):
        numbers = outlines[:, row, column].astype(np.float64) * OUTLINE_SCALE
        numbers[:2] += (np.array([column, row]) + 0.5) * STRIDE
        quad = outline_corners(numbers / fitted.scale)
        if is_outline(quad):
            cards.append(Found(quad, float(heat[row, column])))
    return without_doubles(cards, overlap)[:most]


def is_outline(corners: NDArray[np.float32]) -> bool:
    """Whether corners go once around a convex outline of some size."""
    return bool(cv2.isContourConvex(corners)) and float(cv2.contourArea(corners)) > 16


def without_doubles(cards: list[Found], overlap: float = 0.6) -> list[Found]:
    """The cards, the surest first, without those that lie nearly on a surer one."""
    kept: list[Found] = []
    for card in sorted(cards, key=lambda card: -card.score):
        if all(overlaps(card.corners, other.corners)[0] <= overlap for other in kept):
            kept.append(card)
    return kept


def overlaps(first: NDArray[np.floating], second: NDArray[np.floating]) -> tuple[float, float]:
    """What two convex outlines share.

    Returns:
        As a part of both together (intersection over union), and of the smaller one; each 0–1.
    """
    first, second = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(first, second)
    if shared <= 0:
        return 0.0, 0.0
    areas = cv2.contourArea(first), cv2.contourArea(second)
    return float(shared / max(sum(areas) - shared, 1e-6)), float(shared / max(min(areas), 1e-6))


def moved_by(before: Found, after: Found) -> float:
    """How far a refinement moved the corner that it moved most, in heights of the card."""
    sides = np.linalg.norm(after.corners - np.roll(after.corners, 1, axis=0), axis=1)
    away = np.linalg.norm(after.corners - before.corners, axis=1)
    return float(away.max() / max(sides.max(), 1e-6))


def turned_back(width: int, height: int, turn: int) -> NDArray[np.float32]:
    """The 2×3 matrix from pixels of a turned picture back to pixels of the picture as it was.

    Args:
        width: of the picture before it was turned.
        height: likewise.
        turn: quarter turns, counterclockwise.
    """
    matrices = (
        ((1, 0, 0), (0, 1, 0)),
        ((0, -1, width), (1, 0, 0)),
        ((-1, 0, width), (0, -1, height)),
        ((0, 1, 0), (-1, 0, height)),
    )
    return np.array(matrices[turn % 4], np.float32)
