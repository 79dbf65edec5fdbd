"""The belief in the shadow of the umpire: both explain the same hands, and are compared.

``python -m datasets.benchmarks.shadow --seats 4 --grade bar --hands 60`` watches simulated films,
and with ``--takes data/takes`` the corpus. At the end of each hand ``vision.belief.hypotheses``
explains what was seen of it, and the words that were said, all at once. So it knows more than the
umpire did at any moment, and nobody answers it; it shows what the belief makes of the same objects.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.takes import opened_take, watch
from datasets.benchmarks.tally import Tally, in_both, said
from datasets.films.grades import GRADES
from datasets.simulation.seen import EYES, watched
from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.cards import parse_card
from scorekeeper.games.rules import GAMES
from vision.belief.hypotheses import Explainer, Hypothesis, Word
from vision.belief.objects import HandObjects
from vision.watched_table import Happened

HANDS_PER_FILM = 6


class Shadow:
    """Explains each hand of a film when it is over.

    Attributes:
        hands: hands by whether the umpire, and the belief, had all plays right.
        false_plays: of each, the plays that were none.
        notes: the hands in which they differ, in words.
        took: seconds of processor time.
    """

    def __init__(self) -> None:
        self.hands: Counter[tuple[bool, bool]] = Counter()
        self.false_plays = [0, 0]
        self.notes: list[str] = []
        self.took = 0.0

    def attach(self, run: Run) -> None:
        """From now on, a film's hands are explained, too."""
        see, close, objects = run.table.see, run.close_hand, HandObjects()

        def seen(*arguments: object, **named: object) -> Happened:
            happened = see(*arguments, **named)  # type: ignore[arg-type]
            objects.see(run.table.umpire.memory)
            return happened

        def closed() -> None:
            self._compare(run, objects)
            close()

        run.table.see = seen  # type: ignore[method-assign]
        run.close_hand = closed  # type: ignore[method-assign]

    def _compare(self, run: Run, objects: HandObjects) -> None:
        truth, times = run.hand_events, run.hand_times
        dealt = max(place for place, event in enumerate(truth) if event.do == "deal")
        match = run.before[run.hand]
        for event in truth[: dealt + 1]:
            match = apply(match, event)
        words = [
            Word(at, event.bare())
            for event, at in list(zip(truth, times, strict=True))[dealt + 1 :]
            if event.do != "play"
        ]
        began = time.process_time()
        seen = objects.since(times[dealt], match.seats)
        best = Explainer(match, seen).explain(words)[0]
        self.took += time.process_time() - began
        objects.forget(times[dealt])
        wanted = [said(event) for event in truth if event.do == "play"]
        written = [said(event) for event in run.hand_written if event.do == "play"][: len(wanted)]
        explained = [said(event) for event in _events(best)]
        self.hands[written == wanted, explained == wanted] += 1
        for place, told in enumerate((written, explained)):
            self.false_plays[place] += len(told) - in_both(told, wanted)
        if written != explained:
            self.notes.append(_told(run, wanted, written, explained, best))

    def told(self) -> str:
        """All of it, in words."""
        both, count = self.hands, self.hands.total()
        return (
            f"{count} hands: both right {both[True, True]}, only the umpire {both[True, False]}, "
            f"only the belief {both[False, True]}, neither {both[False, False]}; false plays: "
            f"umpire {self.false_plays[0]}, belief {self.false_plays[1]}; "
            f"{self.took / max(count, 1) * 1e3:.0f} ms a hand"
        )


def _events(hypothesis: Hypothesis) -> list[Event]:
    return [Event("play", play.seat, card=parse_card(play.card)) for play in hypothesis.plays]


def _told(
    run: Run, wanted: list[tuple[object, ...]], written: list[tuple[object, ...]],
    explained: list[tuple[object, ...]], best: Hypothesis,
) -> str:  # fmt: skip
    def line(plays: list[tuple[object, ...]]) -> str:
        return " ".join(f"{seat}:{rank}" for _, seat, rank, *_ in plays)

    header = run.stage.header
    why = " ".join(f"{play.object}:{play.card}{play.nats:+.1f}" for play in best.plays)
    return (
        f"{header.game} seed {run.stage.seed} hand {run.hand}\n  played  {line(wanted)}\n"
        f"  umpire  {line(written)}\n  belief  {line(explained)} ({best.nats:.1f} nats; {why})"
    )


def _films(options: argparse.Namespace, shadow: Shadow) -> None:
    games = [name for name, game in GAMES.items() if options.seats in game.rules.players]
    number = 0
    while shadow.hands.total() < options.hands:
        game, seed = games[number % len(games)], options.seed + number // len(games)
        stage = filmed(game, options.seats, options.grade, seed, HANDS_PER_FILM)
        run = Run(stage, Tally(), answer=True)
        shadow.attach(run)
        run.watch(watched(stage, EYES[options.eyes]))
        number += 1


def main(arguments: list[str] | None = None) -> int:
    """Compare the umpire and the belief on the same hands."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.shadow", description=main.__doc__)
    parser.add_argument("--takes", type=Path, help="a folder of takes, instead of simulated films")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=4)
    parser.add_argument("--grade", choices=list(GRADES), default="bar")
    parser.add_argument("--eyes", choices=list(EYES), default="floors")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--hands", type=int, default=60)
    options = parser.parse_args(arguments)
    shadow = Shadow()
    films: Callable[[], None] = partial(_films, options, shadow)
    try:
        if options.takes is None:
            films()
        else:
            for path in sorted(options.takes.glob("*.json.gz")):
                with opened_take(path) as (film, moments):
                    watch(film, moments, Tally(), attach=shadow.attach)
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.benchmarks.shadow: {error}", file=sys.stderr)
        return 2
    for note in shadow.notes:
        print(note)
    print(shadow.told())
    return 0


if __name__ == "__main__":
    sys.exit(main())
