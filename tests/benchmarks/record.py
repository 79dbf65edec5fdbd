"""Times ``trucam score --json`` on 10,000 hands: ``python -m tests.benchmarks.record``."""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, start
from scorekeeper.games.cards import Card
from scorekeeper.history.record import write_record

HANDS = 10_000
RUNS = 5
SECONDS, MEGABYTES = 3.0, 200.0  # the limits that it should keep


def long_match() -> Iterator[str]:
    """The lines of a match of Trut for four. It does not end, for awards take Smalls back."""
    rng = random.Random(1)
    header = Header(game="trut", seats=("Ana", "Bea", "Carles", "Dani"))
    pack = [Card(rank, suit) for rank in header.rules.order for suit in "CDHS"]
    match, events, deck = start(header), [], list(pack)
    while match.hand_number < HANDS or match.in_progress:
        if match.in_progress:
            event = Event("play", match.turn, card=deck.pop())
        elif full := [side for side in (0, 1) if match.scores[side].smalls == 2]:
            event = Event("award", side=full[0], points=-2)
        else:
            event = Event("deal", match.dealer, cards=3)
            deck = rng.sample(pack, len(pack))
        match = apply(match, event)
        events.append(event)
    return write_record(header, events)


def measure(record: Path) -> tuple[float, float]:
    """The seconds and the peak memory, in megabytes, of the whole process."""
    command = [sys.executable, "-c", "from webui.cli import main; main()", "score", "--json"]
    with open(os.devnull, "wb") as nowhere:
        began = time.perf_counter()
        child = os.posix_spawn(
            sys.executable,
            [*command, str(record)],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)],
        )
        _, status, usage = os.wait4(child, 0)
        seconds = time.perf_counter() - began
    if status:
        raise SystemExit(f"trucam score failed with status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    """Prints the medians and their limits."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "long.jsonl"
        with record.open("w") as target:
            target.writelines(long_match())
        events = record.read_text().count("\n") - 1
        runs = [measure(record) for _ in range(RUNS)]
    seconds = statistics.median(seconds for seconds, _ in runs)
    peak = max(peak for _, peak in runs)
    print(f"score a record of {HANDS:,} hands, {events:,} events, as a whole process, {RUNS} runs:")
    print(
        f"  median {seconds:.2f} s (under {SECONDS} s), peak {peak:.0f} MB (under {MEGABYTES:.0f})"
    )


if __name__ == "__main__":
    main()
