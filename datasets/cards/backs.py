"""Draws backs of cards: a pattern in two inks, perhaps a medallion, perhaps a border.

A back looks the same when it is turned by half, as real backs do. It has one plain colour only
inside a wide white border, because without one it would look like any piece of paper. Pictures are
BGRA, :data:`~datasets.cards.decks.CARD_HEIGHT` pixels tall.
"""

import math
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.decks import CARD_HEIGHT, Shelf, Split
from datasets.cards.faces import blank_card
from datasets.cards.indices import Colour
from datasets.cards.labels import BACK
from datasets.cards.vector import Picture

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


def _tiles(canvas: NDArray[np.uint8], rng: Random, light: Colour) -> None:
    """One small figure repeated all over: a lozenge, a triangle, a star."""
    height, width = canvas.shape[:2]
    step, tips = rng.randint(12, 44), rng.choice([3, 4, 4, 5, 6])
    outer, inner = step * rng.uniform(0.25, 0.55), rng.uniform(0.35, 1.0)
    turn, tall = rng.uniform(0, math.pi), rng.uniform(0.7, 1.6)
    angles = turn + np.arange(2 * tips) * math.pi / tips
    reach = outer * np.where(np.arange(2 * tips) % 2, inner, 1.0)
    figure = np.column_stack([np.cos(angles) * reach, np.sin(angles) * reach * tall])
    for row, y in enumerate(np.arange(0, height + step, step * tall)):
        for x in range(row % 2 * step // 2, width + step, step):
            there = np.round(figure + np.array([x, y])).astype(np.int32)
            cv2.fillPoly(canvas, [there], light, cv2.LINE_AA)


def _waves(canvas: NDArray[np.uint8], rng: Random, light: Colour) -> None:
    """Wavy lines, as on banknotes."""
    height, width = canvas.shape[:2]
    swing, length = rng.uniform(4, 30), rng.uniform(20, 120)
    step, thick = rng.randint(6, 24), rng.randint(1, 3)
    along = np.arange(0, max(height, width) + 4, 4)
    across = rng.random() < 0.5
    for sign in (1, -1) if rng.random() < 0.6 else (1,):
        bow = sign * swing * np.sin(along * (2 * math.pi / length))
        for start in range(-step, max(height, width) + step, step):
            line = np.column_stack([along, start + bow] if across else [start + bow, along])
            cv2.polylines(canvas, [line.round().astype(np.int32)], False, light, thick, cv2.LINE_AA)


def _medallion(canvas: NDArray[np.uint8], rng: Random, inks: tuple[Colour, Colour]) -> None:
    """A figure in the middle, of rings and petals."""
    height, width = canvas.shape[:2]
    middle, size = (width // 2, height // 2), rng.uniform(0.2, 0.48) * width
    petals, depth = rng.choice([4, 6, 8, 12]), rng.uniform(0.0, 0.35)
    angles = np.linspace(0, 2 * math.pi, 96, endpoint=False)
    for ring in range(rng.randint(2, 6)):
        reach = size * (1 - ring * rng.uniform(0.1, 0.25)) * (1 + depth * np.cos(petals * angles))
        if reach.max() < 3:
            break
        shape = np.column_stack([np.cos(angles) * reach, np.sin(angles) * reach]) + middle
        cv2.fillPoly(canvas, [shape.round().astype(np.int32)], inks[ring % 2], cv2.LINE_AA)


def _paler(ink: Colour, rng: Random) -> Colour:
    share = rng.uniform(0.3, 0.7)
    blue, green, red = (round(255 - (255 - channel) * share) for channel in ink)
    return blue, green, red


def any_back(shelf: Shelf, split: Split, rng: Random) -> Picture:
    """A random back: one of a deck of this split, or one that is drawn here."""
    decks = [deck for deck in shelf.decks if deck.split == split and BACK in deck.cards]
    if not decks or rng.random() < 0.6:
        return draw_back(rng)
    return rng.choice(decks).face(BACK)


def draw_back(rng: Random) -> Picture:
    """Draw a random back."""
    width = round(CARD_HEIGHT * rng.uniform(0.62, 0.72))
    tint = rng.randint(235, 255)
    card = blank_card(rng, width, (tint, tint, tint))
    border = rng.choice([0, *(rng.randint(6, 30) for _ in range(3))])
    inner = np.empty((CARD_HEIGHT - 2 * border, width - 2 * border, 3), np.uint8)
    light: Colour = rng.choice(
        [(235, 235, 235), (235, 235, 235), rng.choice(_INKS), (170, 215, 235)]
    )
    inks = (rng.choice([ink for ink in _INKS if ink != light]), light)
    if rng.random() < 0.2:  # pale ones, printed in little ink
        inks = (_paler(inks[0], rng), inks[1])
    if rng.random() < 0.4:  # the dark ink on the light ground
        inks = inks[::-1]
    inner[:] = inks[0]
    plain = border > 12 and inks[0] != light and rng.random() < 0.15
    for draw in () if plain else rng.sample(_PATTERNS, rng.choice([1, 1, 2])):
        draw(inner, rng, inks[1])
    if rng.random() < 0.3:
        _medallion(inner, rng, inks[:: rng.choice([1, -1])])
    if rng.random() < 0.4:
        inset, thick = rng.randint(2, 16), rng.randint(1, 5)
        corner = (inner.shape[1] - inset, inner.shape[0] - inset)
        cv2.rectangle(inner, (inset, inset), corner, inks[1], thick)
    half = inner.shape[0] // 2
    inner[-half:] = inner[:half][::-1, ::-1]
    card[border : CARD_HEIGHT - border, border : width - border, :3] = inner
    return card


_PATTERNS = (_lattice, _dots, _stripes, _rosettes, _tiles, _waves)
