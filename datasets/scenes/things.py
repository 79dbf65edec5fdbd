"""Draws what is no card: phones, papers, coins, notes, pens, printed markers, hands.

A thing is drawn upright as a BGRA picture, and then laid into the scene like a card. A hand is
drawn into the scene itself, over the cards.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scenes.furnishings import keyboard, screen, window
from datasets.scenes.textures import Image, clutter, colour, newsprint, noise, pattern
from vision.geometry.markers import (
    CALL_CM,
    CALL_NUMBERS,
    CALLS_A_SEAT,
    CORNER_CM,
    CORNER_IDS,
    FIRST_CALL,
    MOST_SEATS,
)

Thing = NDArray[np.uint8]


def _sheet(width: int, height: int, picture: Image, radius: int = 0) -> Thing:
    thing = np.zeros((height, width, 4), np.uint8)
    thing[..., :3] = picture
    if radius <= 0:
        thing[..., 3] = 255
        return thing
    shape = np.zeros((height, width), np.uint8)
    cv2.rectangle(shape, (radius, 0), (width - radius, height), 255, -1)
    cv2.rectangle(shape, (0, radius), (width, height - radius), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(shape, (x, y), radius, 255, -1)
    thing[..., 3] = shape
    return thing


def phone(rng: np.random.Generator) -> Thing:
    """A phone, its screen dark or lit."""
    width, height = 150, 310
    body = np.empty((height, width, 3), np.uint8)
    body[:] = rng.integers(5, 60, 3)
    if rng.random() < 0.6:
        screen = body[12:-12, 7:-7]
        if rng.random() < 0.5:
            screen[:] = clutter(rng, height - 24, width - 14)
        else:
            shade = np.linspace(rng.uniform(20, 120), rng.uniform(20, 250), height - 24)
            screen[:] = shade[:, None, None]
    return _sheet(width, height, body, 18)


def paper(rng: np.random.Generator) -> Thing:
    """A sheet, blank or written on; the hardest thing to tell from a card."""
    height = int(rng.integers(180, 420))
    width = int(height * rng.uniform(0.5, 0.95))
    page = np.full((height, width, 3), rng.uniform(200, 255), np.uint8)
    kind = rng.random()
    if kind < 0.35:
        page = newsprint(rng, height, width)
    elif kind < 0.75:
        step = int(rng.integers(10, 26))
        for y in range(step, height - 4, step):
            if rng.random() < 0.8:
                end = (int(width * rng.uniform(0.3, 0.92)), y)
                cv2.line(page, (int(width * 0.08), y), end, colour(rng, 0, 160).tolist(), 2)
    return _sheet(width, height, page)


def picture_card(rng: np.random.Generator) -> Thing:
    """A postcard, a book, a box: a rectangle with a picture, perhaps with a white border."""
    height = int(rng.integers(200, 420))
    width = int(height * rng.uniform(0.55, 1.2))
    make = clutter if rng.random() < 0.6 else pattern
    page = make(rng, height, width)
    if rng.random() < 0.3:
        margin = int(rng.integers(6, 24))
        cv2.rectangle(page, (0, 0), (width - 1, height - 1), (245, 245, 245), margin)
    return _sheet(width, height, page, int(rng.choice([0, 0, 10])))


def note(rng: np.random.Generator) -> Thing:
    """A bank note."""
    width, height = 300, 150
    page = noise(rng, height, width, 6)[..., None] * 14 + colour(rng, 90, 220)
    for _ in range(12):
        centre = (int(rng.integers(0, width)), int(rng.integers(0, height)))
        radius = int(rng.integers(8, 60))
        cv2.circle(page, centre, radius, colour(rng, 60, 220).tolist(), 1)
    return _sheet(width, height, np.clip(page, 0, 255).astype(np.uint8))


def label(rng: np.random.Generator) -> Thing:
    """A visiting card, a label, a small box: of a card's shape, with print, a badge or bars."""
    height = int(rng.integers(200, 320))
    width = int(height * rng.uniform(0.5, 0.8))
    page = np.empty((height, width, 3), np.uint8)
    page[:] = colour(rng, 200, 255) if rng.random() < 0.75 else colour(rng, 0, 255)
    ink = colour(rng, 0, 140).tolist()
    for _ in range(int(rng.integers(1, 5))):
        x, y = int(rng.uniform(0.05, 0.7) * width), int(rng.uniform(0.05, 0.9) * height)
        kind = int(rng.integers(0, 4))
        if kind == 0:
            text = "".join(chr(97 + int(c)) for c in rng.integers(0, 26, int(rng.integers(2, 14))))
            if rng.random() < 0.4:
                text = text.upper()
            size = float(rng.uniform(0.4, 1.6))
            font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
            cv2.putText(page, text, (x // 2, y), font, size, ink, 2, cv2.LINE_AA)
        elif kind == 1:
            w, h = int(rng.integers(20, 120)), int(rng.integers(20, 120))
            block = page[y : y + h, x : x + w]
            if block.size:
                block[:] = clutter(rng, block.shape[0], block.shape[1])
        elif kind == 2:
            for bar in range(x, min(x + int(rng.integers(30, 90)), width), 4):
                end = (bar + int(rng.integers(0, 3)), y + 40)
                cv2.rectangle(page, (bar, y), end, ink, -1)
        else:
            axes = (int(rng.integers(8, 50)), int(rng.integers(8, 50)))
            cv2.ellipse(
                page, (x, y), axes, 0, 0, 360, colour(rng, 0, 220).tolist(), -1, cv2.LINE_AA
            )
    return _sheet(width, height, page, int(rng.choice([0, 6, 14])))


def coin(rng: np.random.Generator) -> Thing:
    """A coin, a chip, a coaster, a cup seen from above: rings on a disk."""
    size = 120
    thing = np.zeros((size, size, 4), np.uint8)
    tint = colour(rng, 60, 230)
    canvas = np.zeros((size, size, 4), np.float32)
    radius = size // 2 - 2
    while radius > 8:
        shade = np.clip(tint * rng.uniform(0.5, 1.3), 0, 255)
        cv2.circle(canvas, (size // 2, size // 2), radius, (*shade.tolist(), 255), -1, cv2.LINE_AA)
        radius -= int(rng.integers(4, 30))
    thing[:] = canvas
    return thing


_PIXELS_A_CM = 40
_CALL_CARD_CM, _CORNER_CARD_CM = (6.2, 8.0), (8.2, 8.2)


def marker(rng: np.random.Generator) -> Thing:
    """A calling card with its word, or the marker of a table's corner, on white paper."""
    if rng.random() < 0.3:
        number, black, size = int(rng.choice(CORNER_IDS)), CORNER_CM, _CORNER_CARD_CM
    else:
        number = FIRST_CALL + int(rng.integers(0, MOST_SEATS * CALLS_A_SEAT))
        black, size = CALL_CM, _CALL_CARD_CM
    width, height = (round(side * _PIXELS_A_CM) for side in size)
    page = np.full((height, width, 3), rng.uniform(225, 255), np.uint8)
    side = round(black * _PIXELS_A_CM)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    squares = np.maximum(cv2.aruco.generateImageMarker(family, number, side), rng.integers(5, 50))
    left = (width - side) // 2
    page[left : left + side, left : left + side] = squares[..., None]
    if number >= FIRST_CALL:
        call = (number - FIRST_CALL) % CALLS_A_SEAT
        words = next(word for word, own in CALL_NUMBERS.items() if own == call)
        text = words.replace("_", " ").capitalize()
        font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX]))
        (wide, tall), _ = cv2.getTextSize(text, font, 1.0, 2)
        at = ((width - wide) // 2, min(2 * left + side + tall, height - 8))
        cv2.putText(page, text, at, font, 1.0, (30, 30, 30), 2, cv2.LINE_AA)
    return _sheet(width, height, page)


def pen(rng: np.random.Generator) -> Thing:
    """A pen, a stick, a knife: something long and thin."""
    height, width = 340, int(rng.integers(8, 26))
    body = np.empty((height, width, 3), np.float32)
    shade = 0.5 + 0.8 * np.sin(np.linspace(0.2, 2.9, width, dtype=np.float32))
    body[:] = colour(rng, 10, 240) * shade[None, :, None]
    body[: int(height * 0.2)] *= rng.uniform(0.3, 1.0)
    return _sheet(width, height, np.clip(body, 0, 255).astype(np.uint8), width // 3)


_THINGS = (
    phone, paper, paper, picture_card, picture_card, label, label, label, note, coin, pen, marker,
    keyboard, screen, window, window,
)  # fmt: skip
_HEIGHTS = {
    phone: 15.0, paper: 17.0, picture_card: 13.0, label: 8.0, note: 7.0, coin: 4.0, pen: 14.0,
    marker: 8.0, keyboard: 12.0, screen: 20.0, window: 9.0,
}  # fmt: skip


def random_thing(rng: np.random.Generator) -> tuple[Thing, float]:
    """A random thing and its height on the table, in centimetres."""
    make = _THINGS[int(rng.integers(0, len(_THINGS)))]
    return make(rng), _HEIGHTS[make] * float(rng.uniform(0.6, 1.5))


def draw_cable(rng: np.random.Generator, scene: Image) -> Image:
    """Draw a cable or a string across a scene, in place; returns where it covers it, 0–255."""
    height, width = scene.shape[:2]
    ends = rng.uniform(-0.2, 1.2, (4, 2)) * (width, height)
    t = np.linspace(0, 1, 40)[:, None]
    curve = (
        (1 - t) ** 3 * ends[0] + 3 * (1 - t) ** 2 * t * ends[1]
        + 3 * (1 - t) * t**2 * ends[2] + t**3 * ends[3]
    )  # fmt: skip
    mask = np.zeros((height, width), np.uint8)
    points = [np.round(curve).astype(np.int32)]
    cv2.polylines(mask, points, False, 255, int(rng.integers(2, 10)), cv2.LINE_AA)
    share = mask[..., None].astype(np.float32) / 255
    scene[:] = scene * (1 - share) + colour(rng, 0, 230) * share
    return mask


def _finger(
    layer: NDArray[np.float32], mask: Image, start: tuple[float, float], angle: float,
    length: float, thickness: float, skin: NDArray[np.float32], bend: float,
) -> None:  # fmt: skip
    """One finger as a chain of disks, darker at its sides, with a nail at the tip."""
    x, y = start
    steps = 14
    trail = []
    for step in range(steps):
        radius = thickness / 2 * (1 - 0.25 * step / steps)
        trail.append((x, y, radius))
        angle += bend / steps
        x += math.cos(angle) * length / steps
        y += math.sin(angle) * length / steps
    for shrink, shade in ((1.0, 0.72), (0.82, 0.9), (0.55, 1.02)):
        for x, y, radius in trail:
            centre, size = (round(x), round(y)), max(round(radius * shrink), 1)
            cv2.circle(layer, centre, size, (skin * shade).tolist(), -1, cv2.LINE_AA)
            if shrink == 1.0:
                cv2.circle(mask, centre, size, 255, -1, cv2.LINE_AA)
    tip_x, tip_y, radius = trail[-2]
    nail = (max(round(radius * 0.6), 1), max(round(radius * 0.4), 1))
    light = np.minimum(skin * 1.12 + 12, 255).tolist()
    centre = (round(tip_x), round(tip_y))
    cv2.ellipse(layer, centre, nail, math.degrees(angle), 0, 360, light, -1, cv2.LINE_AA)


def draw_hand(
    rng: np.random.Generator, scene: Image, at: tuple[float, float], towards: float, size: float
) -> Image:
    """Draw a hand into a scene, in place.

    Args:
        rng: draws its shape and skin.
        scene: the BGR picture.
        at: where the finger tips are, in pixels.
        towards: the direction from the wrist to the finger tips, in radians.
        size: the length of a finger, in pixels.

    Returns:
        The hand's coverage, 0–255, of the scene's size.
    """
    height, width = scene.shape[:2]
    layer = scene.astype(np.float32)
    mask = np.zeros((height, width), np.uint8)
    tone = rng.uniform(0.25, 1.05)
    skin = np.clip(np.array([140, 165, 215], np.float32) * tone, 15, 250)
    back = (at[0] - math.cos(towards) * size, at[1] - math.sin(towards) * size)
    thickness = size * rng.uniform(0.24, 0.34)
    wrist = (
        back[0] - math.cos(towards) * size * 2.6, back[1] - math.sin(towards) * size * 2.6
    )  # fmt: skip
    sleeve = colour(rng, 10, 220) if rng.random() < 0.4 else skin
    for width_factor, shade in ((1.0, 0.75), (0.75, 0.92), (0.4, 1.0)):
        line = max(round(size * 0.95 * width_factor), 1)
        ends = ((round(back[0]), round(back[1])), (round(wrist[0]), round(wrist[1])))
        cv2.line(layer, *ends, (skin * shade).tolist(), line, cv2.LINE_AA)
        if width_factor == 1.0:
            cv2.line(mask, *ends, 255, line, cv2.LINE_AA)
    middle = ((back[0] + wrist[0]) / 2, (back[1] + wrist[1]) / 2)
    ends = ((round(middle[0]), round(middle[1])), (round(wrist[0]), round(wrist[1])))
    cv2.line(layer, *ends, sleeve.tolist(), max(round(size * 1.02), 1), cv2.LINE_AA)
    cv2.line(mask, *ends, 255, max(round(size * 1.02), 1), cv2.LINE_AA)
    fingers = int(rng.integers(1, 5))
    across = towards + math.pi / 2
    for finger in range(fingers):
        offset = (finger - (fingers - 1) / 2) * thickness * 0.95
        start = (back[0] + math.cos(across) * offset, back[1] + math.sin(across) * offset)
        angle = towards + (finger - (fingers - 1) / 2) * rng.uniform(0.02, 0.2)
        length = size * rng.uniform(0.8, 1.1)
        _finger(layer, mask, start, angle, length, thickness, skin, float(rng.uniform(-0.4, 0.4)))
    layer += noise(rng, height, width, 3.0)[..., None] * 4
    share = mask[..., None].astype(np.float32) / 255
    scene[:] = np.clip(scene * (1 - share) + layer * share, 0, 255)
    return mask
