"""Draws suit signs as masks of coverage, with random parameters, so that printings differ.

A mask has one channel, 0–255. A sign is drawn on a square of 256 pixels, which it nearly fills. It
is averaged down to the size that is asked for, so that its edge is smooth.
"""

import math
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

_CANVAS = 256


def _polygon(points: list[tuple[float, float]], canvas: Mask) -> None:
    """Fill a polygon whose points are fractions of the canvas."""
    array = np.round(np.array(points) * _CANVAS).astype(np.int32)
    cv2.fillPoly(canvas, [array], 255)


def _disk(canvas: Mask, x: float, y: float, radius: float) -> None:
    centre = (round(x * _CANVAS), round(y * _CANVAS))
    cv2.circle(canvas, centre, round(radius * _CANVAS), 255, -1)


def _bezier(
    start: tuple[float, float],
    first: tuple[float, float],
    second: tuple[float, float],
    end: tuple[float, float],
) -> list[tuple[float, float]]:
    points = []
    for step in range(17):
        t = step / 16
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append(
            (
                a * start[0] + b * first[0] + c * second[0] + d * end[0],
                a * start[1] + b * first[1] + c * second[1] + d * end[1],
            )
        )
    return points


def _mirrored(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Complete a left half, which runs down from top to bottom, with its mirror image."""
    return points + [(1 - x, y) for x, y in reversed(points)]


def _heart(rng: Random) -> Mask:
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    dip, belly = rng.uniform(0.18, 0.3), rng.uniform(0.4, 0.52)
    left = _bezier((0.5, dip), (0.42, -0.02), (0.02, -0.02), (0.04, 0.36))
    left += _bezier((0.04, 0.36), (0.05, belly), (0.34, 0.72), (0.5, 0.97))
    _polygon(_mirrored(left), canvas)
    return canvas


def _spade(rng: Random) -> Mask:
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    waist = rng.uniform(0.62, 0.72)
    left = _bezier((0.5, 0.03), (0.4, 0.24), (0.05, 0.38), (0.05, 0.58))
    left += _bezier((0.05, 0.58), (0.06, 0.86), (0.4, 0.84), (0.48, waist))
    _polygon(_mirrored(left), canvas)
    _stem(canvas, rng, 0.62)
    return canvas


def _stem(canvas: Mask, rng: Random, top: float) -> None:
    foot = rng.uniform(0.1, 0.2)
    left = _bezier((0.5, top), (0.5, 0.85), (0.45, 0.93), (0.5 - foot, 0.97))
    _polygon(_mirrored(left), canvas)


def _club(rng: Random) -> Mask:
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    radius = rng.uniform(0.2, 0.235)
    _disk(canvas, 0.5, radius + 0.02, radius)
    for side in (-1, 1):
        _disk(canvas, 0.5 + side * rng.uniform(0.25, 0.28), 0.56, radius)
    _polygon([(0.4, 0.4), (0.6, 0.4), (0.56, 0.65), (0.44, 0.65)], canvas)
    _stem(canvas, rng, 0.45)
    return canvas


def _diamond(rng: Random) -> Mask:
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    half, bend = rng.uniform(0.34, 0.46), rng.uniform(-0.02, 0.1)
    left = _bezier(
        (0.5, 0.02), (0.5 - half * 0.3, 0.2 + bend), (0.5 - half * 0.7, 0.38), (0.5 - half, 0.5)
    )
    lower = [(x, 1 - y) for x, y in reversed(left)]
    _polygon(_mirrored(left + lower), canvas)
    return canvas


_FRENCH = {"H": _heart, "S": _spade, "C": _club, "D": _diamond}


def french_pip(suit: str, rng: Random, size: int) -> Mask:
    """A French suit sign of ``size``×``size`` pixels."""
    return cv2.resize(_FRENCH[suit](rng), (size, size), interpolation=cv2.INTER_AREA).astype(
        np.uint8
    )


def star(points: int, inner: float) -> Mask:
    """A star of so many points, 256 pixels wide; ``inner`` is the inner by the outer radius."""
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    corners = []
    for step in range(points * 2):
        radius = 0.48 if step % 2 == 0 else 0.48 * inner
        angle = math.pi * step / points
        corners.append((0.5 + radius * math.sin(angle), 0.5 - radius * math.cos(angle)))
    _polygon(corners, canvas)
    return canvas
