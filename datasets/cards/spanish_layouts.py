"""Where the suit signs of a Spanish number card stand, in several ways that real decks have.

Oros and copas stand in columns, as French pips do. Espadas and bastos are long. They mostly stand
side by side in two rows; the last one of an odd number lies across the middle. Two or three of them
may fill the card's height.
"""

from random import Random
from typing import NamedTuple


class Place(NamedTuple):
    """Where a sign stands."""

    x: float
    """Place of its middle across the card, 0–1."""
    y: float
    """Place of its middle down the card, 0–1."""
    tall: float
    """Its length, as a part of the card's height."""
    turn: float = 0.0
    """How far it is turned clockwise, in degrees."""


_Grid = list[tuple[float, float]]

_TWO_COLUMNS: _Grid = [(0, 0), (1, 0), (0, 1), (1, 1)]
_SIX: _Grid = [*_TWO_COLUMNS, (0, 0.5), (1, 0.5)]
_EIGHT: _Grid = [(x, y) for y in (0, 1 / 3, 2 / 3, 1) for x in (0, 1)]
_GRIDS: dict[int, list[_Grid]] = {
    1: [[(0.5, 0.5)]],
    2: [[(0.5, 0), (0.5, 1)]],
    3: [
        [(0.5, 0), (0.5, 0.5), (0.5, 1)],
        [(0, 0), (1, 0.5), (0, 1)],
        [(0.5, 0), (0, 1), (1, 1)],
        [(0, 0), (1, 0), (0.5, 1)],
    ],
    4: [_TWO_COLUMNS],
    5: [[*_TWO_COLUMNS, (0.5, 0.5)]],
    6: [_SIX],
    7: [[*_SIX, (0.5, 0.25)], [*_SIX, (0.5, 0.5)]],
    8: [_EIGHT, [*_SIX, (0.5, 0.25), (0.5, 0.75)]],
    9: [
        [*_EIGHT, (0.5, 0.5)],
        [*_EIGHT, (0.5, 1 / 6)],
        [(x, y) for y in (0, 0.5, 1) for x in (0, 0.5, 1)],
    ],
}
_ROWS = {1: (0.5,), 2: (0.25, 0.75), 3: (0.24, 0.5, 0.76), 4: (0.2, 0.4, 0.6, 0.8)}


def layout(number: int, rng: Random, *, long: bool) -> list[Place]:
    """The places of a card's signs.

    Args:
        number: 1–9.
        rng: draws one of the ways.
        long: whether the signs are long, as espadas and bastos are.
    """
    if not long or rng.random() < 0.25:
        return _in_columns(number, rng, long=long)
    if number == 1:
        return [Place(0.5, 0.5, rng.uniform(0.55, 0.8), rng.choice([0, 180, -28, 28, 152]))]
    if number in (2, 3) and rng.random() < 0.8:
        tall = rng.uniform(0.62, 0.82)
        if rng.random() < 0.4:  # crossed
            turns = [-32, 32] if number == 2 else [-32, 32, 0]
            return [Place(0.5, 0.5, tall, turn + rng.choice([0, 180])) for turn in turns]
        lean = rng.choice([0, 0, 0, 6, -6])
        return [
            Place(x, 0.5, tall, (180 if place % 2 else 0) + lean)
            for place, x in enumerate(_ROWS[number])
        ]
    return _in_rows(number, rng)


def _in_columns(number: int, rng: Random, *, long: bool) -> list[Place]:
    grid = rng.choice(_GRIDS[number])
    rows = len({y for _, y in grid})
    tall = {1: 0.5, 2: 0.3, 3: 0.24}.get(rows, 0.2)
    tall *= rng.uniform(1.2, 1.6) if long and rows < 3 else rng.uniform(0.85, 1.05)
    left, top = rng.uniform(0.26, 0.32), 0.5 * tall + rng.uniform(0.06, 0.1)
    return [
        Place(
            left + x * (1 - 2 * left),
            top + y * (1 - 2 * top),
            tall,
            180 if long and y > 0.5 and number != 1 else 0,
        )
        for x, y in grid
    ]


def _in_rows(number: int, rng: Random) -> list[Place]:
    tall = rng.uniform(0.3, 0.37)
    lean = rng.uniform(20, 35) if number in (4, 5) and rng.random() < 0.5 else 0.0
    top = tall / 2 + rng.uniform(0.08, 0.11)
    upside = rng.choice([0, 180])
    row = _ROWS[number // 2] if number > 3 else _ROWS[1]
    places = []
    for x in row:
        outwards = lean if x < 0.5 else -lean
        places.append(Place(x, top, tall, upside - outwards))
        places.append(Place(x, 1 - top, tall, 180 - upside + outwards))
    if number % 2:
        across = rng.choice([90, -90, 90, -90, 0])
        between = 1 - 2 * top - tall  # of the two rows
        places.append(Place(0.5, 0.5, tall if across else max(between, 0.16), across))
    return places
