"""Draws keyboards and screens, which often lie beside held cards in photographs.

From them the reader learns that they are no backs. Mats and picture frames are also taken for
backs, but they are not drawn here, because some real back may look just like them. One picture
cannot tell those apart; only that all backs of a table look the same can.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scenes.textures import Image, clutter, colour, newsprint, pattern

Thing = NDArray[np.uint8]


def opaque(picture: Image) -> Thing:
    """A picture without any transparent part."""
    height, width = picture.shape[:2]
    return np.dstack([picture, np.full((height, width), 255, np.uint8)])


def keyboard(rng: np.random.Generator) -> Thing:
    """A keyboard: rows of keys with letters, in the colour of its body or in another one."""
    rows, columns = int(rng.integers(3, 7)), int(rng.integers(8, 18))
    key, gap = int(rng.integers(18, 30)), int(rng.integers(2, 7))
    body = _tinted(rng)
    keys = body * 0.7 if rng.random() < 0.4 else _tinted(rng)
    step, edge = key + gap, int(rng.integers(6, 40))
    page = np.empty((rows * step + 2 * edge, columns * step + 2 * edge, 3), np.uint8)
    page[:] = body
    ink = (250, 250, 250) if keys.mean() < 128 else (20, 20, 20)
    for row in range(rows):
        x = edge + int(rng.integers(0, step))
        while x + key < page.shape[1] - edge:
            wide = key if rng.random() < 0.85 else key + step * int(rng.integers(1, 5))
            wide = min(wide, page.shape[1] - edge - x)
            y = edge + row * step
            cv2.rectangle(page, (x, y), (x + wide, y + key), keys.tolist(), -1)
            if rng.random() < 0.9:
                letter = chr(65 + int(rng.integers(0, 26)))
                cv2.putText(page, letter, (x + 4, y + key // 2 + 4), 0, 0.35, ink, 1, cv2.LINE_AA)
            x += wide + gap
    return opaque(page)


def _tinted(rng: np.random.Generator) -> NDArray[np.float64]:
    """A random colour (BGR), mostly black, grey or white."""
    if rng.random() < 0.2:
        return colour(rng, 5, 250).astype(np.float64)
    dark = rng.uniform(10, 90) if rng.random() < 0.6 else rng.uniform(120, 245)
    return np.clip(dark + rng.uniform(-8, 8, 3), 0, 255)


def window(rng: np.random.Generator) -> Thing:
    """A window of a screen: text or a picture, most with a bar over it."""
    height = int(rng.integers(120, 320))
    page = np.empty((height, int(height * rng.uniform(0.5, 1.6)), 3), np.uint8)
    _fill_window(rng, page)
    return opaque(page)


def screen(rng: np.random.Generator) -> Thing:
    """A screen with several windows, one over the other, which show text or pictures."""
    height, width = 300, int(rng.integers(380, 560))
    backgrounds = (clutter, pattern, _plain)
    page = backgrounds[int(rng.integers(0, len(backgrounds)))](rng, height, width)
    for _ in range(int(rng.integers(1, 8))):
        tall, wide = int(rng.integers(40, 220)), int(rng.integers(40, 300))
        x, y = int(rng.integers(0, width - 30)), int(rng.integers(0, height - 30))
        view = page[y : y + tall, x : x + wide]
        _fill_window(rng, view)
    frame = int(rng.integers(0, 16))
    cv2.rectangle(page, (0, 0), (width - 1, height - 1), (15, 15, 15), max(frame, 1))
    return opaque(page)


def _plain(rng: np.random.Generator, height: int, width: int) -> Image:
    page = np.empty((height, width, 3), np.uint8)
    page[:] = colour(rng, 0, 255)
    return page


def _fill_window(rng: np.random.Generator, view: Image) -> None:
    height, width = view.shape[:2]
    dark = rng.random() < 0.5
    view[:] = colour(rng, 10, 60) if dark else colour(rng, 200, 255)
    kind = rng.random()
    if kind < 0.25:
        view[:] = clutter(rng, height, width)
    elif kind < 0.35:
        view[:] = newsprint(rng, height, width)
    else:
        step = int(rng.integers(5, 12))
        for y in range(step * 2, height - 2, step):
            indent = int(rng.integers(3, 30))
            ink = colour(rng, 120, 255) if dark else colour(rng, 0, 130)
            end = int(rng.uniform(indent + 5, max(width * 0.9, indent + 6)))
            cv2.line(view, (indent, y), (min(end, width - 3), y), ink.tolist(), 1)
    if rng.random() < 0.6:
        view[: max(height // 14, 4)] = colour(rng, 0, 255)
    if rng.random() < 0.5:
        cv2.rectangle(view, (0, 0), (width - 1, height - 1), colour(rng, 0, 255).tolist(), 1)
