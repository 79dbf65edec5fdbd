"""Times an append at the end of a long match: ``python -m tests.benchmarks.ledger``.

It uses the disk of the working folder. Plain writes and appends alternate, so that other load on
the disk slows down both alike.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, replay
from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import News, Table
from tests.scorekeeper.playouts import long_match

LENGTH = 500
ROUNDS = 400
BLOCK = os.urandom(4096)


def main() -> int:
    """Measures and prints."""
    header, events = long_match(LENGTH + ROUNDS)
    told: list[News] = []
    bare, overwritten, appended, applied = [], [], [], []
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        log = os.open(Path(folder) / "log", os.O_WRONLY | os.O_CREAT)
        block = os.open(Path(folder) / "block", os.O_WRONLY | os.O_CREAT)
        with Ledger(str(Path(folder) / "ledger")) as ledger:
            said = Said.now(Source.OPERATOR)
            table = Table(ledger, ledger.add(header, events[:LENGTH], said, begun=said.at))
            table.subscribe(told.append)
            match = replay(header, events[:LENGTH])
            for event in events[LENGTH:]:
                bare.append(_timed(lambda: _write(log)))
                overwritten.append(_timed(lambda: _overwrite(block)))
                appended.append(_timed(lambda event=event: _append(table, event)))
                applied.append(_timed(lambda event=event, match=match: apply(match, event)))
                match = apply(match, event)
        os.close(log)
        os.close(block)
    assert len(told) == ROUNDS
    print(f"4 KB written at a file's end, and fsync:  {_us(bare)}")
    print(f"4 KB written over old ones, and fsync:    {_us(overwritten)}")
    print(f"one event appended after {LENGTH} others:    {_us(appended)}")
    print(f"of that, applying the event:              {_us(applied)}")
    print(f"an append costs {median(appended) / median(bare):.2f} bare writes at a file's end,")
    print(f"                {median(appended) / median(overwritten):.2f} bare writes over old ones")
    return 0


def _append(table: Table, event: Event) -> None:
    table.say(event, seen=table.moment.seq, source=Source.PHONE, who="Ana")


def _write(file: int) -> None:
    os.write(file, BLOCK)
    os.fsync(file)


def _overwrite(file: int) -> None:
    os.pwrite(file, BLOCK, 0)
    os.fsync(file)


def _timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _us(seconds: list[float]) -> str:
    return f"median {median(seconds) * 1e6:7.1f} µs"


if __name__ == "__main__":
    sys.exit(main())
