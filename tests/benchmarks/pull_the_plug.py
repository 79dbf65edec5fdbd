"""Kills a process that appends to a ledger, again and again, and checks what is left.

``python -m tests.benchmarks.pull_the_plug --rounds 200`` prints one line. It fails if an
acknowledged event is lost, if only a part of a correction is there, or if the ledger does not open.
SIGKILL shows what happens if the program dies. That a commit also survives a power cut is up to
SQLite's ``synchronous=FULL``.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import sqlite3
import sys
import tempfile
import time
from itertools import groupby
from pathlib import Path
from random import Random
from typing import NamedTuple, NoReturn

from scorekeeper.engine.match import replay
from scorekeeper.engine.said import Source
from scorekeeper.history import corrections
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.scorekeeper.playouts import HEADERS, any_event

LONGEST_LIFE = 0.1
"""A child is killed within so many seconds. In some rounds they are counted from its start, so that
it dies while it opens the ledger; in the others, from the first event that it acknowledged."""
SIZE = "size"
"""The key of the number of events that a correction has."""


class Tally(NamedTuple):
    """What is counted.

    Attributes:
        rounds: Children that were killed.
        acknowledged: Events that were acknowledged.
        lost: Acknowledged events that were not in the ledger.
        halves: Corrections of which only a part was in the ledger.
        unopened: Ledgers that could not be opened or replayed.
    """

    rounds: int = 0
    acknowledged: int = 0
    lost: int = 0
    halves: int = 0
    unopened: int = 0

    @property
    def clean(self) -> bool:
        """Whether no error was counted."""
        return not (self.lost or self.halves or self.unopened)

    def __str__(self) -> str:
        return (
            f"{self.rounds} rounds, {self.acknowledged} events acknowledged: {self.lost} lost, "
            f"{self.halves} corrections half-written, {self.unopened} ledgers that did not open"
        )


def pull(folder: Path, rounds: int, seed: int) -> Tally:
    """Runs so many rounds. Some begin without a ledger."""
    chance = Random(seed)
    tally, path = Tally(), folder / "ledger-0"
    for number in range(rounds):
        if chance.random() < 0.2:
            path = folder / f"ledger-{number}"
        tally = _count(tally, path, _round(path, chance))
    return tally


def _round(path: Path, chance: Random) -> list[dict[str, object]]:
    """Lets a child append events until it is killed; returns those that it acknowledged."""
    reader, writer = os.pipe()
    seed, life = chance.random(), chance.uniform(0, LONGEST_LIFE)
    speaks_first = chance.random() < 0.7
    child = os.fork()
    if child == 0:
        os.close(reader)
        _live(path, writer, Random(seed))
    os.close(writer)
    heard = b""
    with open(reader, "rb", buffering=0) as pipe:
        if speaks_first:
            heard = pipe.read(65536)
        end = time.monotonic() + life
        while (left := end - time.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
            more = pipe.read(65536)
            if not more:
                break  # the child died by itself; the ledger is checked all the same
            heard += more
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        heard += pipe.read()
    return [json.loads(line) for line in heard.split(b"\n")[:-1]]


def _live(path: Path, writer: int, chance: Random) -> NoReturn:
    """The child: appends random legal events and corrections until it is killed."""
    try:
        ledger = Ledger(str(path))
        known = ledger.matches()
        if known and chance.random() < 0.7:
            table = Table(ledger, known[-1].id)
        else:
            table = Table.begin(ledger, chance.choice(HEADERS), source=Source.OPERATOR)
        while True:
            moment, log = table.log()
            event = any_event(moment.match, chance)
            stand = corrections.standing(log)
            if stand and (event is None or chance.random() < 0.2):
                made = corrections.remove(moment.match, log, chance.choice(stand[-20:]).seq).events
                size = {SIZE: len(made)}
                events = tuple(e._replace(remarks={**e.remarks, **size}) for e in made)
            else:
                assert event is not None
                events = (event,)
            now = table.say(*events, seen=moment.seq, source=Source.PHONE)
            kept = [e.to_json() for e in events]
            line = json.dumps({"match": table.match_id, "seq": now.seq, "events": kept})
            os.write(writer, line.encode() + b"\n")
    except BaseException as error:
        os.write(2, f"the child ended by itself: {error!r}\n".encode())
    finally:
        os._exit(1)


def _count(tally: Tally, path: Path, heard: list[dict[str, object]]) -> Tally:
    """Checks a ledger after a round."""
    tally = tally._replace(rounds=tally.rounds + 1)
    stored: dict[tuple[int, int], dict[str, object]] = {}
    try:
        with Ledger(str(path)) as ledger:
            for match in ledger.matches():
                entries = ledger.read(match)
                replay(match.header, [entry.event for entry in entries])
                stored |= {(match.id, e.seq): e.event.to_json() for e in entries}
        _check_integrity(path)
    except Exception as error:
        print(f"{path.name}: {error!r}", file=sys.stderr)
        return tally._replace(unopened=tally.unopened + 1)
    for said in heard:
        events, last, match_id = said["events"], said["seq"], said["match"]
        assert isinstance(events, list)
        assert isinstance(last, int)
        assert isinstance(match_id, int)
        first = last - len(events) + 1
        lost = sum(stored.get((match_id, first + i)) != event for i, event in enumerate(events))
        tally = tally._replace(
            acknowledged=tally.acknowledged + len(events), lost=tally.lost + lost
        )
    made = groupby(stored.items(), lambda item: (item[0][0], item[1].get("_group")))
    runs = [(group, [event for _, event in run]) for (_, group), run in made]
    halves = sum(group is not None and len(run) != run[0][SIZE] for group, run in runs)
    return tally._replace(halves=tally.halves + halves)


def _check_integrity(path: Path) -> None:
    connection = sqlite3.connect(path)
    (answer,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    if answer != "ok":
        raise sqlite3.DatabaseError(answer)


def main() -> int:
    """Runs the rounds that the command line asks for; returns 0 if no error was counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    asked = parser.parse_args()
    from scorekeeper.storage import migrations  # noqa: F401  loaded once, not by every child

    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".pull_the_plug-") as folder:
        tally = pull(Path(folder), asked.rounds, asked.seed)
    print(tally if tally.clean else f"{tally} (seed {asked.seed})")
    return 0 if tally.clean else 1


if __name__ == "__main__":
    sys.exit(main())
