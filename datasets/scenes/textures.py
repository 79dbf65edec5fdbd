"""Draws surfaces that cards lie on: wood, felt, cloth, carpet, tiles, newsprint, clutter.

Every surface is a BGR picture (8 bits) of the size that is asked for. The generator that is passed
in draws its looks. Fine noise is cut out of one fixed field, because to draw it would take longer
than all the rest of a scene.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Field = NDArray[np.float32]

_FIELD_SIZE = 1536
_FIELD: Field = (
    np.random.default_rng(20260101).standard_normal((_FIELD_SIZE, _FIELD_SIZE)).astype(np.float32)
)


def noise(rng: np.random.Generator, height: int, width: int, grain: float = 1.0) -> Field:
    """Normal noise (mean 0, deviation 1) whose grains are about ``grain`` pixels wide."""
    rows, columns = min(int(height / grain) + 3, 1400), min(int(width / grain) + 3, 1400)
    top = int(rng.integers(0, _FIELD_SIZE - rows))
    left = int(rng.integers(0, _FIELD_SIZE - columns))
    field = _FIELD[top : top + rows, left : left + columns]
    if rng.random() < 0.5:
        field = field[::-1]
    if grain == 1.0 and field.shape[0] >= height and field.shape[1] >= width:
        return np.ascontiguousarray(field[:height, :width])
    return cv2.resize(field, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def colour(rng: np.random.Generator, low: int = 0, high: int = 255) -> Field:
    """A random BGR colour with channels in ``low``–``high``, more often dull than bright."""
    channels = rng.uniform(low, high, 3)
    keep = rng.uniform(0.15, 1.0)
    return np.asarray(channels * keep + channels.mean() * (1 - keep), np.float32)


def _finish(picture: Field) -> Image:
    return np.clip(picture, 0, 255).astype(np.uint8)


def wood(rng: np.random.Generator, height: int, width: int) -> Image:
    """Grain along one direction, in the browns of tables; sometimes boards with joints."""
    red = float(rng.uniform(50, 220))
    green = red * rng.uniform(0.5, 0.85)
    base = np.array([green * rng.uniform(0.4, 0.9), green, red], np.float32)
    stretch = int(rng.integers(8, 30))
    grain = cv2.resize(
        noise(rng, max(height // 2, 4), max(width // stretch, 4)), (width, height),
        interpolation=cv2.INTER_CUBIC,
    )  # fmt: skip
    broad = noise(rng, height, width, float(rng.uniform(60, 160)))
    shade = 1 + grain * rng.uniform(0.03, 0.14) + broad * 0.06
    picture = base * shade[..., None]
    if rng.random() < 0.4:
        board = int(rng.integers(50, 200))
        for y in range(int(rng.integers(0, board)), height, board):
            picture[y : y + 2] *= rng.uniform(0.3, 0.7)
    return _finish(picture)


def felt(rng: np.random.Generator, height: int, width: int) -> Image:
    """One colour with noise: felt, cloth, leather, carpet."""
    base = colour(rng, 10, 200) if rng.random() < 0.5 else np.array([50, 100, 20], np.float32)
    strength = rng.choice([0.03, 0.08, 0.3])
    grain = float(rng.choice([1.0, 2.0, 4.0]))
    shade = 1 + noise(rng, height, width, grain) * strength
    shade += noise(rng, height, width, 90) * 0.06
    return _finish(base * shade[..., None])


def plain(rng: np.random.Generator, height: int, width: int) -> Image:
    """A smooth table top, often pale, brighter at one side."""
    base = colour(rng, 150, 250) if rng.random() < 0.6 else colour(rng, 5, 150)
    base = base * 0.3 + base.mean() * 0.7
    slope = np.linspace(rng.uniform(0.7, 1.1), rng.uniform(0.7, 1.1), width, dtype=np.float32)
    shade = slope[None, :] + noise(rng, height, width, 150) * 0.04
    return _finish(base * shade[..., None])


def pattern(rng: np.random.Generator, height: int, width: int) -> Image:
    """A patterned cloth: stripes, checks, dots, tiles."""
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = colour(rng, 20, 250)
    second, step = colour(rng, 0, 250), int(rng.integers(8, 80))
    thickness = max(int(step * rng.uniform(0.1, 0.6)), 1)
    kind = rng.integers(0, 4)
    if kind in (0, 1):
        for x in range(int(rng.integers(0, step)), width, step):
            picture[:, x : x + thickness] = second
    if kind == 1:
        for y in range(int(rng.integers(0, step)), height, step):
            picture[y : y + thickness] = picture[y : y + thickness] * 0.5 + second * 0.5
    if kind == 2:
        for y in range(0, height + step, step):
            for x in range((y // step % 2) * step // 2, width + step, step):
                cv2.circle(picture, (x, y), thickness, second.tolist(), -1)
    if kind == 3:
        third = colour(rng, 0, 250)
        for _ in range(int(rng.integers(30, 120))):
            centre = (int(rng.integers(0, width)), int(rng.integers(0, height)))
            axes = (int(rng.integers(3, step + 4)), int(rng.integers(2, thickness + 4)))
            turn = float(rng.uniform(0, 180))
            shade = (second if rng.random() < 0.5 else third).tolist()
            cv2.ellipse(picture, centre, axes, turn, 0, 360, shade, -1)
    picture *= (1 + noise(rng, height, width, 1.0) * 0.05)[..., None]
    return _finish(picture)


def newsprint(rng: np.random.Generator, height: int, width: int) -> Image:
    """Printed pages: columns of letters, headlines, grey pictures."""
    picture = np.full((height, width, 3), rng.uniform(190, 250), np.float32)
    ink = rng.uniform(20, 110)
    line, column = int(rng.integers(6, 18)), int(rng.integers(80, 260))
    letters = noise(rng, height, width, 1.0) > 0.1
    letters &= noise(rng, height, width, line / 3) > -0.6
    rows = (np.arange(height) % line) < line * 0.55
    columns = (np.arange(width) % column) < column * 0.9
    picture[letters & rows[:, None] & columns[None, :]] = ink
    for _ in range(int(rng.integers(0, 4))):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        w, h = int(rng.integers(30, 200)), int(rng.integers(20, 150))
        block = picture[y : y + h, x : x + w]
        if block.size:
            grey = noise(rng, block.shape[0], block.shape[1], 8.0) * 50 + 130
            block[:] = grey[..., None]
    return _finish(picture)


def clutter(rng: np.random.Generator, height: int, width: int) -> Image:
    """A jumble of shapes and colours: a room, a sofa, a full table."""
    picture = noise(rng, height, width, 70)[..., None] * colour(rng, 0, 25) + colour(rng, 40, 200)
    for _ in range(int(rng.integers(8, 40))):
        tint = colour(rng).tolist()
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        size = int(rng.integers(10, 160))
        kind = rng.integers(0, 3)
        if kind == 0:
            points = rng.integers(-size, size + 1, (int(rng.integers(3, 7)), 2))
            points += np.array([x, y])
            cv2.fillPoly(picture, [points.astype(np.int32)], tint)
        elif kind == 1:
            end = (x + int(rng.integers(-200, 200)), y + int(rng.integers(-200, 200)))
            cv2.line(picture, (x, y), end, tint, int(rng.integers(1, 14)))
        else:
            axes = (size // 2 + 1, int(rng.integers(4, size + 5)))
            cv2.ellipse(picture, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, tint, -1)
    picture += noise(rng, height, width, 2.0)[..., None] * 6
    return _finish(picture)


_SURFACES: tuple[tuple[Callable[[np.random.Generator, int, int], Image], float], ...] = (
    (wood, 0.26), (felt, 0.24), (plain, 0.2), (pattern, 0.14), (newsprint, 0.05), (clutter, 0.11),
)  # fmt: skip


def surface(rng: np.random.Generator, height: int, width: int) -> Image:
    """A random surface, turned by a random angle."""
    weights = np.array([weight for _, weight in _SURFACES])
    make = _SURFACES[int(rng.choice(len(_SURFACES), p=weights / weights.sum()))][0]
    size = max(height, width)
    picture = make(rng, size, size)
    angle, zoom = float(rng.uniform(0, 360)), float(rng.uniform(1.0, 2.2))
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), angle, zoom)
    matrix[:, 2] += np.array([width / 2 - size / 2, height / 2 - size / 2])
    return cv2.warpAffine(
        picture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    ).astype(np.uint8)
