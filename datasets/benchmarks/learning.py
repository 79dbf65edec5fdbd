"""Measures whether the watching table learns a deck while it is played with.

``python -m datasets.benchmarks.learning --deck gnome-lattmann --films 3`` watches films of twenty
hands, painted with a deck that no model was trained on. It prints the figures of the first ten
hands and of the last ten. With ``--forget`` nothing is learned from hands that are over; the table
still learns from what people answer and put right.
"""

from __future__ import annotations

import argparse
import math
import sys

from datasets.benchmarks.corpus import told
from datasets.benchmarks.table_pixels import Pace, Studio, add_studio, studio_of, watch_stage
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.cards.vector import DrawingError
from datasets.films.grades import GRADES
from datasets.films.stage import Stage
from scorekeeper.engine.packs import FRENCH
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import GAMES
from vision.belief import associations

FIRST_SEED = 70_000
HANDS = 20  # of each film at most


def watch_halves(stage: Stage, studio: Studio, halves: tuple[Tally, Tally]) -> None:
    """Watches a film, and counts its first ten hands and the others in two tallies.

    Args:
        stage: the film.
        studio: what it is painted with, and read with.
        halves: the tally of the first ten hands, and that of the others.
    """
    first, second = halves

    def attach(run: Run) -> None:
        close = run.close_hand

        def closed() -> None:
            close()
            if run.hand + 1 == HANDS // 2:
                run.tally = second

        run.close_hand = closed  # type: ignore[method-assign]

    watch_stage(stage, studio, first, Pace(), attach=attach)


def main(arguments: list[str] | None = None) -> int:
    """Watch long films with a deck that nobody has shown."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.learning", description=main.__doc__)
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=4)
    parser.add_argument("--grade", choices=list(GRADES), default="bar")
    parser.add_argument("--pack", choices=list(SUIT_SYSTEMS), default=FRENCH)
    add_studio(parser)
    parser.add_argument("--rate", type=float, default=3.0, help="frames read a second")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="seed of the first film")
    parser.add_argument("--films", type=int, default=3)
    parser.add_argument(
        "--forget", action="store_true", help="learn nothing of hands that are over"
    )
    options = parser.parse_args(arguments)
    if options.forget:
        associations.BELIEVED = math.inf
    studio = studio_of(options, rate=options.rate)
    halves = Tally(), Tally()
    try:
        for seed in range(options.first, options.first + options.films):
            stage = filmed(
                options.game, options.seats, options.grade, seed, HANDS,
                pack=options.pack, resolution=options.resolution,
            )  # fmt: skip
            watch_halves(stage, studio, halves)
            print(f"{seed}: " + "; then ".join(map(told, halves)), flush=True)
    except (ScorekeeperError, DrawingError, OSError) as error:
        print(f"datasets.benchmarks.learning: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
