"""Backs of cards, drawn by the project: lattices, dots, stripes, rosettes, perhaps a border.

A back looks the same turned by half, as backs do. Pictures are BGRA,
:data:`~datasets.decks.CARD_HEIGHT` pixels tall.
"""

from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import CARD_HEIGHT
from datasets.faces import Colour, blank_card
from datasets.vector import Picture

_INKS: tuple[Colour, ...] = (
    (40, 30, 170), (150, 60, 20), (90, 40, 20), (40, 90, 20), (30, 30, 30),
    (120, 30, 110), (30, 110, 190), (110, 110, 110),
)  # fmt: skip


def _lattice(canvas: NDArray[np.uint8], rng: Random, light: Colour) -> None:
    height, width = canvas.shape[:2]
    step, thick = rng.randint(8, 40), rng.randint(1, 4)
    slope = rng.choice([0.6, 1.0, 1.7])
    for start in range(-round(height * slope), width + round(height * slope), step):
        end = round(start + height * slope)
        cv2.line(canvas, (start, 0), (end, height), light, thick, cv2.LINE_AA)
        cv2.line(canvas, (width - start, 0), (width - end, height), light, thick, cv2.LINE_AA)


def _dots(canvas: NDArray[np.uint8], rng: Random, light: Colour) -> None:
    height, width = canvas.shape[:2]
    step = rng.randint(10, 36)
    radius = max(round(step * rng.uniform(0.12, 0.4)), 1)
    for row, y in enumerate(range(0, height + step, step)):
        for x in range(row % 2 * step // 2, width + step, step):
            cv2.circle(canvas, (x, y), radius, light, -1, cv2.LINE_AA)


def _stripes(canvas: NDArray[np.uint8], rng: Random, light: Colour) -> None:
    height, width = canvas.shape[:2]
    step = rng.randint(6, 30)
    across = rng.random() < 0.5
    for start in range(0, height if across else width, step):
        if across:
            canvas[start : start + step // 2] = light
        else:
            canvas[:, start : start + step // 2] = light


def _rosettes(canvas: NDArray[np.uint8], rng: Random, light: Colour) -> None:
    height, width = canvas.shape[:2]
    for _ in range(rng.randint(3, 9)):
        x, y = rng.randint(0, width), rng.randint(0, height)
        for radius in range(rng.randint(6, 20), rng.randint(25, 110), rng.randint(5, 14)):
            cv2.circle(canvas, (x, y), radius, light, rng.randint(1, 3), cv2.LINE_AA)


def draw_back(rng: Random) -> Picture:
    """Draw a back."""
    width = round(CARD_HEIGHT * rng.uniform(0.62, 0.72))
    tint = rng.randint(235, 255)
    card = blank_card(rng, width, (tint, tint, tint))
    border = rng.choice([0, rng.randint(6, 30)])
    inner = np.empty((CARD_HEIGHT - 2 * border, width - 2 * border, 3), np.uint8)
    ink = rng.choice(_INKS)
    inner[:] = ink
    light = rng.choice([(235, 235, 235), rng.choice(_INKS), (170, 215, 235)])
    layers = rng.choice([0, 1, 1, 1, 1, 2, 2, 2])
    for draw in rng.sample([_lattice, _dots, _stripes, _rosettes], layers):
        draw(inner, rng, light)
    half = inner.shape[0] // 2
    inner[-half:] = inner[:half][::-1, ::-1]
    card[border : CARD_HEIGHT - border, border : width - border, :3] = inner
    return card
