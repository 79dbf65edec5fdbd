"""Draws where the camera stands, and how cards lie: scattered, in a row, a fan, a trick, a heap.

In a ``grid`` cards lie side by side, edge to edge or nearly so. ``held`` cards are a fan in a hand,
or lie nearly straight on one another, each shifted so that the lower one shows.
"""

import math
from random import Random

from datasets.scenes.geometry import CARD_HEIGHT_CM, Camera

COUNTS = {
    "scatter": (1, 9),
    "row": (2, 7),
    "fan": (2, 6),
    "trick": (2, 4),
    "heap": (3, 9),
    "grid": (3, 9),
    "held": (1, 4),
    "none": (0, 0),
}
"""Fewest and most cards of each layout."""

_TALLEST, _NEAR, _SMALLEST = 420.0, 130.0, 40.0  # heights of a card in the picture, in pixels
_OVER_A_TABLE = (38.0, 110.0)
"""How tall cards are in the picture of a camera that sees a whole table, in pixels: from, to."""

_PIVOT = 7.0
"""How far the middles of a fan's cards are from the point that they turn about, in centimetres."""

Pose = tuple[tuple[float, float], float, float, tuple[float, float]]
"""Place, turn, lift and lean of a card, as ``datasets.scenes.geometry.card_corners`` takes them."""


def draw_camera(rng: Random, size: tuple[int, int]) -> tuple[Camera, float]:
    """A random camera, and the height in pixels of a card in the middle of its picture."""
    smallest = rng.choice([_SMALLEST, _SMALLEST, _NEAR])
    low, high = _OVER_A_TABLE if rng.random() < 0.25 else (smallest, _TALLEST)
    tall = math.exp(rng.uniform(math.log(low), math.log(high)))
    focal = max(size) * rng.uniform(0.75, 1.6)
    tilt = rng.choice([rng.uniform(0, 0.25), rng.uniform(0, 0.7), rng.uniform(0.4, 1.05)])
    roll = rng.choice([rng.gauss(0, 0.1), rng.uniform(0, 2 * math.pi)])
    return Camera(focal, focal * CARD_HEIGHT_CM / tall, tilt, roll, size), tall


def poses(rng: Random, kind: str, count: int, camera: Camera, tall: float) -> list[Pose]:
    """The pose of every card of a layout, the lowest card first.

    Args:
        rng: draws the poses.
        kind: name of the layout, one of :data:`COUNTS`.
        count: how many cards there are.
        camera: the camera, in whose picture the cards should lie.
        tall: height of a card in the middle of that picture, in pixels.
    """
    width, height = camera.size
    cm = CARD_HEIGHT_CM / tall  # centimetres a pixel, in the middle of the picture
    spot = (rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height)
    if kind != "scatter" and tall > 200:
        spot = (rng.uniform(0.35, 0.65) * width, rng.uniform(0.35, 0.65) * height)
    x, y = camera.on_table(spot)
    reach = 0.35 * max(width, height) * cm
    x, y = max(min(x, reach), -reach), max(min(y, reach), -reach)
    turn = rng.uniform(0, 2 * math.pi)
    if kind == "grid":
        return _grid(rng, count, (x, y), turn)
    if kind == "held":
        return _held(rng, count, (x, y), turn)
    lying = []
    for index in range(count):
        lean = (0.0, 0.0)
        if rng.random() < 0.15:
            lean = (rng.gauss(0, 0.2), rng.gauss(0, 0.2))
        if kind == "scatter":
            place = (rng.uniform(-0.5, 0.5) * width * cm, rng.uniform(-0.5, 0.5) * height * cm)
            lying.append((place, rng.uniform(0, 2 * math.pi), 0.0, lean))
        elif kind == "row":
            step = (index - count / 2) * rng.uniform(2.0, 7.5)
            place = (x + math.cos(turn) * step, y + math.sin(turn) * step)
            lying.append((place, turn + rng.gauss(0, 0.08), 0.0, lean))
        elif kind == "fan":
            opening = rng.uniform(0.12, 0.35)
            angle = turn + (count / 2 - index) * opening
            place = (x - math.sin(angle) * _PIVOT, y + math.cos(angle) * _PIVOT)
            lying.append((place, angle, 0.02 * index, lean))
        else:
            spread = 3.5 if kind == "trick" else rng.choice([0.15, 1.0, 2.5, 5.0])
            place = (x + rng.gauss(0, spread), y + rng.gauss(0, spread))
            lying.append((place, rng.uniform(0, 2 * math.pi), 0.02 * index, lean))
    if kind == "fan":
        lean = (rng.gauss(0, 0.25), rng.gauss(0, 0.15))
        lying = [(place, angle, lift, lean) for place, angle, lift, _ in lying]
    return lying


def _grid(rng: Random, count: int, middle: tuple[float, float], turn: float) -> list[Pose]:
    """Rows of cards side by side: white next to white, so that their edges are hard to see."""
    columns = rng.choice([count, count, -(-count // 2), 1])
    rows = -(-count // columns)
    across = 6.3 * rng.choice([rng.uniform(0.3, 1.0), rng.uniform(0.97, 1.06), 1.2])
    down = CARD_HEIGHT_CM * rng.choice([rng.uniform(0.3, 1.0), rng.uniform(0.97, 1.06), 1.15])
    loose = rng.choice([0.01, 0.03, 0.08])
    lying = []
    for index in range(count):
        row, column = divmod(index, columns)
        right = (column - (columns - 1) / 2) * across + rng.gauss(0, loose * 4)
        up = ((rows - 1) / 2 - row) * down + rng.gauss(0, loose * 4)
        place = (
            middle[0] + math.cos(turn) * right - math.sin(turn) * up,
            middle[1] + math.sin(turn) * right + math.cos(turn) * up,
        )
        angle = turn + rng.gauss(0, loose) + (math.pi if rng.random() < 0.3 else 0)
        lying.append((place, angle, 0.0, (0.0, 0.0)))
    return lying


def _held(rng: Random, count: int, pivot: tuple[float, float], turn: float) -> list[Pose]:
    """The cards in one hand; all have the same lean."""
    lean = (rng.gauss(0, 0.3), rng.gauss(0, 0.25))
    opening, lying = rng.uniform(0.08, 0.4), []
    slide = rng.uniform(2.0, 5.5) if rng.random() < 0.3 else 0.0
    for index in range(count):
        angle = turn + (0.02 if slide else opening) * (count / 2 - index)
        reach = _PIVOT - slide * index
        place = (pivot[0] - math.sin(angle) * reach, pivot[1] + math.cos(angle) * reach)
        lying.append((place, angle, 0.02 * index, lean))
    return lying
