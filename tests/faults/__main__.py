"""Causes faults while a match is played, again and again: ``python -m tests.faults``.

Disks, clocks, databases, processes and phones fail while two phones play at the real server. It
prints a line for each kind of fault. It fails if a match does not go on after a fault; if an
acknowledged event is not in the ledger, or is there twice; if an answer is no sentence; or if the
server printed a traceback.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.fault import ALL, NOTHING, Fault
from tests.faults.game import Game, playing
from tests.faults.kinds import FAULTS

EVENTS_A_MATCH = 250
"""After so many events another match begins: pages of a long match take longer."""


def break_again_and_again(
    kind: type[Fault], rounds: int, seed: int, where: Path
) -> tuple[Counter[str], list[str]]:
    """Causes a kind of fault so many times; a new table begins after ``EVENTS_A_MATCH`` events."""
    chance = random.Random(f"{kind.__name__} {seed}")
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    while counts["faults"] < rounds and not wrong:
        folder = Path(tempfile.mkdtemp(dir=where))
        fault = kind(folder)
        with fault.site() as site, playing(site, chance) as game:
            while counts["faults"] < rounds and game.seq < EVENTS_A_MATCH and not game.wrong:
                _once(fault, game)
                counts["faults"] += 1
        counts += game.counts
        wrong += game.wrong
    return counts, wrong


def _once(fault: Fault, game: Game) -> None:
    game.goes_on()
    fault.strike(game)
    try:
        if game.site.process is not None:
            taken = game.tap()
            if taken and fault.meanwhile == NOTHING:
                game.wrong.append("a tap was taken that cannot have been kept")
            if not taken and fault.meanwhile == ALL:
                game.wrong.append("a tap was not taken, though by hand it could be")
            game.look()
    finally:
        fault.heal(game)
    game.goes_on()


def main() -> int:
    """Causes the faults that the command line names, or all kinds."""
    parser = argparse.ArgumentParser(prog="tests.faults", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="; ".join(
        f"{kind.__name__}: {(kind.__doc__ or '').splitlines()[0]}" for kind in FAULTS
    ))  # fmt: skip
    parser.add_argument("--share", type=float, default=1.0, help="of the usual number of faults")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 100_000)
    asked = parser.parse_args()
    logging.disable(logging.WARNING)  # else this process warns, too, that it cannot keep pictures
    all_counts: Counter[str] = Counter()
    failed = False
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".faults-") as folder:
        for kind in FAULTS:
            if asked.kinds and kind.__name__ not in asked.kinds:
                continue
            lack = kind.lacks()
            if lack is not None:
                print(f"{kind.__name__:16} left out: {lack}", flush=True)
                continue
            began = time.monotonic()
            rounds = max(1, round(kind.rounds * asked.share))
            counts, wrong = break_again_and_again(kind, rounds, asked.seed, Path(folder))
            all_counts += counts
            print(f"{kind.__name__:16} {_told(counts)}; {time.monotonic() - began:.0f} s",
                  flush=True)  # fmt: skip
            for sentence in wrong:
                print(f"  {sentence} (seed {asked.seed})", flush=True)
            failed |= bool(wrong)
    print(f"{'all':16} {_told(all_counts)}")
    return int(failed)


def _told(counts: Counter[str]) -> str:
    return (
        f"{counts['faults']} faults, {counts['acknowledged']} events acknowledged, "
        f"{counts['refused']} refused, {counts['unanswered']} unanswered: {counts['lost']} lost, "
        f"{counts['doubled']} doubled"
    )


if __name__ == "__main__":
    sys.exit(main())
