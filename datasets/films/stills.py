"""Makes stills of films, as scenes to train on: tables with hands, backs, a pack, moving cards.

``python -m datasets.films.stills --cache DIR --out DIR --films 400`` writes a folder like those of
``datasets.scenes.maker``. Its films have other seeds than those of the scoring sheet.
"""

import argparse
import sys
from collections.abc import Iterator
from random import Random
from types import MappingProxyType

import numpy as np

from datasets.cards.decks import Shelf, Split, open_shelf
from datasets.cards.labels import BACK
from datasets.films.covering import GRID
from datasets.films.director import direct
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, play_match
from datasets.films.paint import Painter
from datasets.films.stage import Seen, Stage
from datasets.scenes.geometry import Points, solve_homography
from datasets.scenes.scene import PICTURES_A_DECK, Scene, SceneCard, add_options, write_scenes
from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS, SPANISH
from scorekeeper.games.rules import GAMES
from vision.geometry.table_plane import CORNERS, mapped

FIRST_SEED = 500_000
_SMALLEST = 480
"""Least width of a still, in pixels: a still is a part of a frame, as watching reads parts too."""

_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
"""A card's corners in the coordinates of ``GRID``."""

_NEAR_A_CARD = 0.8
"""Share of the stills that are placed so that they show a card."""


def film_stills(shelf: Shelf, split: Split, number: int) -> list[Scene]:
    """The stills of a film; the same number gives the same stills.

    Args:
        shelf: the decks.
        split: the split whose decks are used.
        number: the film's number.
    """
    rng = Random(f"stills {split} {number}")
    seats = rng.choice([2, 4])
    spanish = rng.random() < 0.25
    games = [game for game in GAMES if seats in GAMES[game].rules.players]
    header = Header(
        game="truc_spain" if spanish else rng.choice(games), seats=NAMES[:seats], best_of=5,
        remarks=MappingProxyType({PACK_SUITS: SPANISH} if spanish else {}),
    )  # fmt: skip
    seed = FIRST_SEED + number
    record = play_match(header, seed, 2)
    stage = direct(
        record.header, record.events, grade=rng.choice(list(GRADES)), seed=seed,
        tilt=rng.uniform(0, 0.7), roll=rng.uniform(-3.1, 3.1),
    )  # fmt: skip
    markers = CORNERS if rng.random() < 0.5 else None
    painter = Painter(stage, shelf, split=split, markers=markers)
    cards = [rng.choice(stage.lying) for _ in range(PICTURES_A_DECK)]
    times = sorted(rng.uniform(card.keys[0].at, card.leaves) for card in cards)
    return [_cut(rng, stage, painter, min(at, stage.ends)) for at in times]


def _cut(rng: Random, stage: Stage, painter: Painter, at: float) -> Scene:
    """A random part of the frame at a time, as a scene."""
    frame = painter.frame(at)
    height, width = frame.shape[:2]
    across = rng.randint(_SMALLEST, width)
    down = min(round(across * rng.uniform(0.55, 0.9)), height)
    left, top = rng.randint(0, width - across), rng.randint(0, height - down)
    cards = [(seen, stage.card_at(seen.top, at), stage.tilt_of(seen.top)) for seen in stage.at(at)]
    if cards and rng.random() < _NEAR_A_CARD:
        x, y = (round(float(value)) for value in rng.choice(cards)[1].mean(axis=0))
        left = min(max(x - rng.randint(0, across), 0), width - across)
        top = min(max(y - rng.randint(0, down), 0), height - down)
    part = frame[top : top + down, left : left + across].copy()
    size = np.array([across, down])
    moved = [(seen, corners - (left, top), tilt) for seen, corners, tilt in cards]
    return Scene(part, tuple(_card(*card, size) for card in moved if _is_in(card[1], size)))


def _card(seen: Seen, corners: Points, tilt: float, size: Points) -> SceneCard:
    """A card in a picture of ``size`` pixels across and down; what lies outside is not visible."""
    points = mapped(solve_homography(_SQUARE, corners), GRID.T)
    seen = seen.cut(((points >= 0) & (points < size)).all(axis=1))
    readable = seen.readable and not seen.moving and seen.lying.card != BACK
    return SceneCard(seen.lying.card, corners, seen.visible, readable, tilt)


def _is_in(corners: Points, size: Points) -> bool:
    return bool((corners.max(axis=0) > 0).all() and (corners.min(axis=0) < size).all())


def _made(options: argparse.Namespace, part: int) -> Iterator[tuple[str, Scene]]:
    """One worker's stills."""
    shelf = open_shelf(options.cache)
    for number in range(options.first + part, options.first + options.films, options.workers):
        for still, scene in enumerate(film_stills(shelf, options.split, number)):
            yield f"film{number:05d}-{still:02d}.jpg", scene


def main(arguments: list[str] | None = None) -> int:
    """Write stills of films to a folder."""
    parser = argparse.ArgumentParser(prog="datasets.films.stills", description=main.__doc__)
    add_options(parser)
    parser.add_argument("--films", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first film")
    options = parser.parse_args(arguments)
    print(f"{write_scenes(_made, options)} stills of {options.films} films")
    return 0


if __name__ == "__main__":
    sys.exit(main())
