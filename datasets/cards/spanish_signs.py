"""Makes the suit signs of Spanish cards: drawn in random styles, or cut out of a deck's cards.

Oros are disks, copas goblets, espadas swords, bastos clubs. Pictures are BGRA and trimmed to the
sign.
"""

from dataclasses import dataclass
from random import Random

import cv2
import numpy as np

from datasets.cards.decks import Deck
from datasets.cards.indices import Colour, stamp
from datasets.cards.shapes import star
from datasets.cards.vector import Picture, tinted, trim

SIGN = 192
"""Side of the square that signs and figures are drawn in, in pixels."""

_YELLOWS: list[Colour] = [(20, 190, 235), (40, 170, 220), (60, 200, 250), (10, 150, 200)]
_REDS: list[Colour] = [(30, 30, 200), (40, 20, 170), (20, 50, 220)]
_BLUES: list[Colour] = [(190, 110, 30), (160, 60, 20), (200, 160, 90)]
_GREENS: list[Colour] = [(50, 130, 30), (40, 100, 20), (70, 160, 60)]
_BROWNS: list[Colour] = [(30, 70, 120), (20, 50, 90)]
SKIN: Colour = (170, 200, 240)
INK: Colour = (30, 30, 30)


@dataclass(frozen=True)
class Palette:
    """A printing's colours (BGR), and the width of its lines in pixels (0 for none)."""

    yellow: Colour
    red: Colour
    blue: Colour
    green: Colour
    brown: Colour
    paper: Colour
    line: int


def draw_palette(rng: Random) -> Palette:
    """The colours of a random printing."""
    line = rng.choice([0, 2, 3, 4])
    tint = rng.randint(228, 255)
    return Palette(
        rng.choice(_YELLOWS), rng.choice(_REDS), rng.choice(_BLUES), rng.choice(_GREENS),
        rng.choice(_BROWNS), (tint - rng.randint(0, 25), tint - rng.randint(0, 8), tint), line,
    )  # fmt: skip


def draw_signs(suit: str, ink: Palette, rng: Random) -> list[Picture]:
    """Draws a suit's sign in a random style; or two signs, which a card uses in turn."""
    draw = {"O": _oro, "U": _copa, "E": _espada, "B": _basto}[suit]
    signs = []
    for _ in range(2 if suit == "B" and rng.random() < 0.5 else 1):
        picture = np.zeros((SIGN, SIGN, 4), np.uint8)
        draw(picture, ink, rng)
        signs.append(trim(picture))
    return signs


_CUTS = {
    "O": [(0.18, 0.9, 0.07, 0.5)],
    "U": [(0.18, 0.9, 0.07, 0.5)],
    "E": [(0.15, 0.52, 0.05, 0.96)],
    "B": [(0.15, 0.52, 0.05, 0.96), (0.52, 0.88, 0.05, 0.95)],
}
"""Where signs stand on a printed deck's twos: left, right, top, bottom, as parts of the card."""


def cut_signs(deck: Deck, suit: str, rng: Random) -> list[Picture]:
    """Cuts a suit's signs out of a printed deck's two, and changes their colours a little.

    Returns:
        One or two signs; none where no outline is found.
    """
    card = deck.face(f"2{suit}")
    height, width = card.shape[:2]
    paper = np.median(card[height // 8 : -height // 8, width // 8 : -width // 8, :3], axis=(0, 1))
    hue, strength, lightness = rng.uniform(-8, 8), rng.uniform(0.7, 1.3), rng.uniform(0.75, 1.15)
    signs = []
    for left, right, top, bottom in _CUTS[suit]:
        part = card[
            round(top * height) : round(bottom * height), round(left * width) : round(right * width)
        ]
        ink = (np.abs(part[..., :3].astype(np.int16) - paper).max(axis=2) > 45).astype(np.uint8)
        outlines, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if not outlines:
            continue
        mask = np.zeros(ink.shape, np.uint8)
        cv2.drawContours(mask, [max(outlines, key=cv2.contourArea)], -1, 255, -1)
        sign = np.dstack([part[..., :3], mask]).astype(np.uint8)
        signs.append(trim(tinted(sign, hue=hue, strength=strength, lightness=lightness)))
    return signs


def fill(picture: Picture, points: list[tuple[float, float]], colour: Colour, line: int) -> None:
    """Fill a polygon, with an outline unless ``line`` is 0; its corners are parts of the square."""
    array = np.round(np.array(points) * SIGN).astype(np.int32)
    cv2.fillPoly(picture, [array], (*colour, 255), cv2.LINE_AA)
    if line:
        cv2.polylines(picture, [array], True, (*INK, 255), line, cv2.LINE_AA)


def disk(picture: Picture, x: float, y: float, radius: float, colour: Colour, line: int) -> None:
    """Fill a disk, with an outline unless ``line`` is 0; lengths are parts of the square."""
    centre, size = (round(x * SIGN), round(y * SIGN)), round(radius * SIGN)
    cv2.circle(picture, centre, size, (*colour, 255), -1, cv2.LINE_AA)
    if line:
        cv2.circle(picture, centre, size, (*INK, 255), line, cv2.LINE_AA)


def _oro(picture: Picture, ink: Palette, rng: Random) -> None:
    disk(picture, 0.5, 0.5, 0.47, ink.yellow, max(ink.line, 2))
    disk(picture, 0.5, 0.5, rng.uniform(0.36, 0.42), rng.choice([ink.yellow, ink.paper]), 2)
    disk(picture, 0.5, 0.5, rng.uniform(0.28, 0.34), ink.yellow, 2)
    points = rng.choice([6, 8, 12, 16])
    mask = cv2.resize(star(points, rng.uniform(0.5, 0.8)), (SIGN // 2, SIGN // 2))
    inner = rng.choice([ink.red, ink.brown, ink.green])
    stamp(picture, mask.astype(np.uint8), inner, SIGN / 2, SIGN / 2)
    disk(picture, 0.5, 0.5, rng.uniform(0.06, 0.12), ink.yellow, 2)


def _copa(picture: Picture, ink: Palette, rng: Random) -> None:
    wide, waist = rng.uniform(0.36, 0.45), rng.uniform(0.52, 0.62)
    cup, foot = rng.choice([(ink.yellow, ink.red), (ink.red, ink.yellow),
                            (ink.red, ink.green), (ink.yellow, ink.blue)])  # fmt: skip
    bowl = [(0.5 - wide, 0.12), (0.5 + wide, 0.12), (0.5 + wide * 0.9, 0.38)]
    bowl += [(0.57, waist), (0.43, waist), (0.5 - wide * 0.9, 0.38)]
    fill(picture, bowl, cup, ink.line)
    fill(picture, [(0.45, waist), (0.55, waist), (0.56, 0.78), (0.44, 0.78)], foot, ink.line)
    base = rng.uniform(0.24, 0.34)
    fill(picture, [(0.44, 0.76), (0.56, 0.76), (0.5 + base, 0.94), (0.5 - base, 0.94)],
          foot, ink.line)  # fmt: skip
    band = [(0.5 - wide * 0.95, 0.24), (0.5 + wide * 0.95, 0.24)]
    band += [(0.5 + wide * 0.9, 0.34), (0.5 - wide * 0.9, 0.34)]
    fill(picture, band, foot, ink.line)
    centre = (SIGN // 2, round(0.12 * SIGN))
    size = (round(wide * SIGN), round(0.07 * SIGN))
    cv2.ellipse(picture, centre, size, 0, 0, 360, (*ink.brown, 255), -1, cv2.LINE_AA)


def _espada(picture: Picture, ink: Palette, rng: Random) -> None:
    half = rng.uniform(0.05, 0.09)
    blade = [(0.5 - half, 0.7), (0.5 - half, 0.14), (0.5, 0.02), (0.5 + half, 0.14)]
    fill(picture, [*blade, (0.5 + half, 0.7)], ink.blue, max(ink.line, 2))
    guard = rng.uniform(0.16, 0.26)
    hilt = rng.choice([ink.yellow, ink.red])
    fill(picture, [(0.5 - guard, 0.68), (0.5 + guard, 0.68), (0.5 + guard, 0.75),
                    (0.5 - guard, 0.75)], hilt, ink.line)  # fmt: skip
    fill(picture, [(0.45, 0.75), (0.55, 0.75), (0.54, 0.92), (0.46, 0.92)],
          rng.choice([ink.red, ink.brown]), ink.line)  # fmt: skip
    disk(picture, 0.5, 0.94, 0.055, hilt, ink.line)


def _basto(picture: Picture, ink: Palette, rng: Random) -> None:
    woods = [(ink.green, ink.red), (ink.brown, ink.green)]
    woods += [(ink.green, ink.yellow), (ink.red, ink.green)]
    wood, leaf = rng.choice(woods)
    left: list[tuple[float, float]] = []
    right: list[tuple[float, float]] = []
    for step in range(9):
        y = 0.04 + 0.92 * step / 8
        half = 0.17 - 0.1 * step / 8 + (0.03 if step % 2 else 0) * rng.uniform(0.3, 1)
        left.append((0.5 - half, y))
        right.append((0.5 + half, y))
    fill(picture, left + right[::-1], wood, max(ink.line, 2))
    for _ in range(rng.randint(2, 5)):
        y, side = rng.uniform(0.12, 0.8), rng.choice([-1, 1])
        x = 0.5 + side * rng.uniform(0.03, 0.13)
        disk(picture, x, y, rng.uniform(0.03, 0.06), leaf, ink.line)
