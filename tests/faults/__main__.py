"""Breaks what can break at a table, again and again: ``python -m tests.faults``.

Disks, clocks, databases, processes and phones fail while two phones play at the real server. After
each fault the match goes on; in the end every event that was acknowledged is in the ledger, once.
It prints a line for each kind of fault, and fails where one of these is not so, where an answer is
no sentence, or where the server has printed a traceback.
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
"""A longer match is read for longer by every page."""


def break_again_and_again(
    kind: type[Fault], rounds: int, seed: int, where: Path
) -> tuple[Counter[str], list[str]]:
    """One kind of fault, so many times; a new table for each some hundred events."""
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
    """Breaks what the command line names; all of it where it names nothing."""
    parser = argparse.ArgumentParser(prog="tests.faults", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="; ".join(
        f"{kind.__name__}: {(kind.__doc__ or '').splitlines()[0]}" for kind in FAULTS
    ))  # fmt: skip
    parser.add_argument("--share", type=float, default=1.0, help="of the usual number of faults")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 100_000)
    asked = parser.parse_args()
    logging.disable(logging.WARNING)  # that pictures cannot be kept is said here, too
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
