"""Compares what the belief makes of a whole hand with what the table wrote during the hand.

``python -m datasets.benchmarks.hindsight --seats 4 --grade bar --hands 60`` watches simulated
films. With ``--takes data/corpus`` it watches the corpus, and with ``--gathered
data/hands/*.jsonl.gz`` it takes hands that ``datasets.benchmarks.seen_hands`` gathered before. At
the end of each hand ``vision.belief.explainer`` explains all that was seen and said in it at once.
So it has seen more than the table had when it wrote, but nobody answers its questions. The log loss
says how unlikely it held what was really played.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from datasets.benchmarks.seen_hands import (
    Course,
    SeenHand,
    add_film_options,
    hands_in,
    of_films,
    of_takes,
)  # fmt: skip
from datasets.benchmarks.table_score import Run
from datasets.benchmarks.tally import in_both
from datasets.benchmarks.term_sums import course_of, explained
from scorekeeper.errors import ScorekeeperError
from vision.belief.hypotheses import Hypothesis
from vision.belief.likelihoods import USUAL

LEAST = -30.0
"""Where no hypothesis is true, the truth counts as if one were so likely: nats below the best."""


class Hindsight:
    """Explains each hand when it is over, and counts.

    Attributes:
        hands: numbers of hands, by whether all plays are right as written, and in hindsight.
        false_plays: plays that were not played: as written, and in hindsight.
        losses: the log loss of each hand, in nats.
        notes: the hands that are written otherwise than explained, in words.
        took: processor time of the explanations, in seconds.
    """

    def __init__(self) -> None:
        self.hands: Counter[tuple[bool, bool]] = Counter()
        self.false_plays = [0, 0]
        self.losses: list[float] = []
        self.notes: list[str] = []
        self.took = 0.0

    def compare(self, hand: SeenHand) -> None:
        """Explains a hand, and compares the likeliest explanation with what the table wrote."""
        began = time.process_time()
        found = explained(hand, [USUAL])
        self.took += time.process_time() - began
        best = found[0]
        course = course_of(best)
        self.losses.append(_loss(hand, found))
        self.hands[hand.written == hand.played, course == hand.played] += 1
        for place, told in enumerate((hand.written, course)):
            self.false_plays[place] += len(told) - in_both(told, hand.played)
        if hand.written != course:
            self.notes.append(_told(hand, course, best))

    def told(self) -> str:
        """All counts, in words."""
        both, count = self.hands, self.hands.total()
        return (
            f"{count} hands: both right {both[True, True]}, only as written {both[True, False]}, "
            f"only in hindsight {both[False, True]}, neither {both[False, False]}; false plays: "
            f"written {self.false_plays[0]}, in hindsight {self.false_plays[1]}; log loss "
            f"{np.mean(self.losses):.3f} nats a hand; "
            f"{self.took / max(count, 1) * 1e3:.0f} ms a hand"
        )


def _loss(hand: SeenHand, found: Sequence[Hypothesis]) -> float:
    nats = np.array([each.log_likelihood for each in found])
    true = [each.log_likelihood for each in found if course_of(each) == hand.played]
    whole = float(np.logaddexp.reduce(nats))
    return whole - float(np.logaddexp.reduce([*true, float(nats.max()) + LEAST]))


def _told(hand: SeenHand, course: Course, best: Hypothesis) -> str:
    def line(plays: Course) -> str:
        return " ".join(f"{seat}:{rank}" for seat, rank in plays)

    why = " ".join(f"{play.object}:{play.card}{play.log_likelihood:+.1f}" for play in best.plays)
    return (
        f"{hand.film} hand {hand.number}\n  played        {line(hand.played)}\n"
        f"  written       {line(hand.written)}\n"
        f"  in hindsight  {line(course)} ({best.log_likelihood:.1f} nats; {why})"
    )


def main(arguments: list[str] | None = None) -> int:
    """Compare what the table wrote of hands with what they look like in hindsight."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.hindsight", description=main.__doc__)
    add_film_options(parser)
    parser.add_argument("--gathered", type=Path, nargs="+", help="files of gathered hands instead")
    options = parser.parse_args(arguments)
    hindsight = Hindsight()

    def take(run: Run, hand: SeenHand) -> None:
        del run
        hindsight.compare(hand)

    try:
        if options.gathered is not None:
            for hand in hands_in(options.gathered):
                hindsight.compare(hand)
        elif options.takes is not None:
            of_takes(options.takes, take)
        else:
            of_films(options, take)
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.benchmarks.hindsight: {error}", file=sys.stderr)
        return 2
    for note in hindsight.notes:
        print(note)
    print(hindsight.told())
    return 0


if __name__ == "__main__":
    sys.exit(main())
