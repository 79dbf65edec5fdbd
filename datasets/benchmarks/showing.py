"""Measures how well a deck is learned that is shown before the match.

``python -m datasets.benchmarks.showing --cache data/decks`` lays decks that no model was trained on
before the camera, eight cards at a time, and prints what the camera's page makes of each
(``datasets.films.shown``).
"""

from __future__ import annotations

import argparse
import sys
from functools import partial

from datasets.benchmarks.table_pixels import add_studio, opened, studio_of
from datasets.benchmarks.table_score import filmed
from datasets.cards.vector import DrawingError
from datasets.films.grades import GRADES
from datasets.films.matches import pack_of
from datasets.films.shown import show_deck
from scorekeeper.engine.match import start
from scorekeeper.engine.packs import FRENCH
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import GAMES

FIRST_SEED = 60_000


def main(arguments: list[str] | None = None) -> int:
    """Show decks before the match, and count what was learned."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.showing", description=main.__doc__)
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--grade", choices=list(GRADES), default="bar")
    parser.add_argument("--pack", choices=list(SUIT_SYSTEMS), default=FRENCH)
    add_studio(parser)
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="seed of the first showing")
    parser.add_argument("--showings", type=int, default=10)
    options = parser.parse_args(arguments)
    studio = studio_of(options)
    try:
        print("| deck | cards | right | wrong | taps |\n|---|--:|--:|--:|--:|")
        for seed in range(options.first, options.first + options.showings):
            shelf, reader = opened(studio)
            stage = filmed(
                options.game, 2, options.grade, seed, 1,
                pack=options.pack, resolution=options.resolution,
            )  # fmt: skip
            paint = partial(studio.painter, shelf)
            found = show_deck(stage, reader, paint)
            name, cards = paint(stage).faces.name, len(pack_of(start(stage.header)))
            print(
                f"| {name} | {cards} | {found.right} | {found.wrong} | {found.taps} |", flush=True
            )
    except (ScorekeeperError, DrawingError, OSError) as error:
        print(f"datasets.benchmarks.showing: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
