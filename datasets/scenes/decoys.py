"""Draws crops of what may be taken for a card: printed cloth, screens, cushions, hands, surfaces.

The things of ``datasets.scenes.things`` are seen whole. These fill the crop, as a finder would cut
them out; most of them have no edge where a card would have one. Pictures are BGR.
"""

import math
import string
from collections.abc import Callable

import cv2
import numpy as np

from datasets.scenes.textures import (
    Image,
    clutter,
    colour,
    felt,
    newsprint,
    noise,
    pattern,
    plain,
    surface,
)
from datasets.scenes.things import draw_hand

_LETTERS = string.ascii_uppercase + string.digits
_FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX)


def cloth(rng: np.random.Generator, height: int, width: int) -> Image:
    """A table's cloth with large print on it: letters, numbers, lines, fields."""
    page = (felt if rng.random() < 0.7 else pattern)(rng, height, width)
    for _ in range(int(rng.integers(1, 4))):
        ink = colour(rng, 0, 255).tolist()
        x, y = int(rng.uniform(-0.2, 0.8) * width), int(rng.uniform(0.1, 1.1) * height)
        thick = int(rng.integers(2, 9))
        kind = rng.random()
        if kind < 0.6:
            text = "".join(rng.choice(list(_LETTERS), int(rng.integers(1, 6))))
            size = float(rng.uniform(1.0, 5.0))
            cv2.putText(page, text, (x, y), int(rng.choice(_FONTS)), size, ink, thick, cv2.LINE_AA)
        elif kind < 0.8:
            end = (x + int(rng.integers(30, width)), y + int(rng.integers(30, height)))
            cv2.rectangle(page, (x, y), end, ink, thick)
        else:
            axes = (int(rng.integers(20, width)), int(rng.integers(20, height)))
            cv2.ellipse(page, (x, y), axes, 0, 0, 360, ink, thick, cv2.LINE_AA)
    return _turned(rng, page)


def screen(rng: np.random.Generator, height: int, width: int) -> Image:
    """A part of a screen: windows, lines of text, buttons, a picture."""
    dark = rng.random() < 0.4
    page = np.empty((height, width, 3), np.uint8)
    page[:] = colour(rng, 0, 70) if dark else colour(rng, 200, 255)
    for _ in range(int(rng.integers(2, 7))):
        x, y = (int(rng.uniform(-0.1, 0.9) * side) for side in (width, height))
        end = (x + int(rng.integers(20, width)), y + int(rng.integers(10, height)))
        cv2.rectangle(page, (x, y), end, colour(rng, 0, 255).tolist(), -1)
    if rng.random() < 0.4:
        tall, wide = height // 2, width // 2
        y, x = int(rng.integers(0, height - tall)), int(rng.integers(0, width - wide))
        page[y : y + tall, x : x + wide] = clutter(rng, tall, wide)
    step, ink = int(rng.integers(6, 22)), colour(rng, 0, 255).tolist()
    left = int(rng.uniform(0, 0.4) * width)
    for y in range(int(rng.integers(0, step)), height, step):
        if rng.random() < 0.7:
            end = (left + int(rng.uniform(0.1, 0.8) * width), y)
            cv2.line(page, (left, y), end, ink, max(step // 4, 1))
    return page


def cushion(rng: np.random.Generator, height: int, width: int) -> Image:
    """A patterned cushion, a sleeve, a curtain: cloth that is not flat."""
    page = pattern(rng, height, width) if rng.random() < 0.7 else felt(rng, height, width)
    fold = noise(rng, height, width, float(rng.uniform(25, 90)))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = np.hypot(x / width - rng.uniform(0.2, 0.8), y / height - rng.uniform(0.2, 0.8))
    shade = 1.1 - reach * float(rng.uniform(0.1, 0.8)) + fold * float(rng.uniform(0.03, 0.15))
    shaded = np.clip(page * shade[..., None], 0, 255).astype(np.uint8)
    bend = noise(rng, height, width, float(rng.uniform(40, 120))) * float(rng.uniform(2, 10))
    return cv2.remap(
        shaded, x + bend, y + bend[::-1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    ).astype(np.uint8)


def hand(rng: np.random.Generator, height: int, width: int) -> Image:
    """A hand, or a part of one, on something."""
    page = surface(rng, height, width)
    at = (width * float(rng.uniform(0.2, 0.8)), height * float(rng.uniform(0.1, 0.6)))
    size = height * float(rng.uniform(0.3, 1))
    draw_hand(rng, page, at, float(rng.uniform(0, 2 * math.pi)), size)
    return page


def page(rng: np.random.Generator, height: int, width: int) -> Image:
    """A printed page."""
    return _turned(rng, newsprint(rng, height, width))


def bare(rng: np.random.Generator, height: int, width: int) -> Image:
    """A piece of a table, perhaps with an edge of something in it."""
    page = surface(rng, height, width)
    if rng.random() < 0.5:
        other = (plain if rng.random() < 0.5 else surface)(rng, height, width)
        mask = np.zeros((height, width), np.uint8)
        points = rng.uniform(-0.4, 1.4, (4, 2)) * (width, height)
        cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.int32)), 255, cv2.LINE_AA)
        page[mask > 127] = other[mask > 127]
    return page


def _turned(rng: np.random.Generator, page: Image) -> Image:
    height, width = page.shape[:2]
    matrix = cv2.getRotationMatrix2D(
        (width / 2, height / 2), float(rng.uniform(0, 360)), float(rng.uniform(1, 2))
    )
    return cv2.warpAffine(page, matrix, (width, height), borderMode=cv2.BORDER_REFLECT).astype(
        np.uint8
    )


_DECOYS: tuple[Callable[[np.random.Generator, int, int], Image], ...] = (
    cloth, cloth, screen, cushion, cushion, hand, page, bare,
)  # fmt: skip


def decoy(rng: np.random.Generator, height: int, width: int) -> Image:
    """A random one of these pictures, of this size in pixels."""
    return _DECOYS[int(rng.integers(0, len(_DECOYS)))](rng, height, width)
