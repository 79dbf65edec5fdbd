"""Tables of a club that play by chance, each in a process of its own, on a ledger of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from sqlalchemy import select

from scorekeeper.engine.said import Source
from scorekeeper.storage.courier import Courier
from scorekeeper.storage.joining import parse_join
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.outbox import Outbox
from scorekeeper.storage.schema import outbox
from scorekeeper.storage.table import Table
from tests.scorekeeper.playouts import any_event

TAPS = (
    "import sys; from tests.benchmarks.club_tables import tap; "
    "folder, code, pace, seconds, waits = sys.argv[1:]; "
    "tap(folder, code, float(pace), float(seconds), waits=waits == 'waits')"
)
LINGER_SECONDS = 3.0
LAST_SECONDS = 60.0
"""In which everything must have been brought in the end."""


class Told(NamedTuple):
    """An event as its table's process has told of it, once it was on its own disk.

    Attributes:
        table: Number of the table.
        match: Number of the match in the table's ledger.
        seq: Number of the event.
        at: The moment of its tap.
        event: The event.
    """

    table: int
    match: int
    seq: int
    at: float
    event: object


def own_ledger(folder: str | Path, table: int) -> str:
    """Where a table's own ledger is."""
    return str(Path(folder) / f"table-{table}.sqlite3")


def ending(folder: str | Path) -> Path:
    """A file that is there once nobody plays on."""
    return Path(folder) / "ending"


def tap(folder: str, code: str, pace: float, seconds: float, *, waits: bool) -> None:
    """Plays what is drawn for a table by chance, and prints each event once it is kept.

    Args:
        folder: Where its ledger is.
        code: With which it joins.
        pace: Seconds between two events.
        seconds: How long it plays.
        waits: Whether it says that it is ready, and waits for a line before it begins; in the end
            it waits for another one.
    """
    join = parse_join(code)
    chance = Random(join.table * 1000 + int(seconds))
    with Ledger(own_ledger(folder, join.table)) as ledger, Courier(ledger, join) as courier:
        courier.start()
        if waits:
            while courier.view.latest is None:
                time.sleep(0.1)
            print("ready", flush=True)
            sys.stdin.readline()
        until = time.monotonic() + seconds
        played: Table | None = None
        while time.monotonic() < until and not ending(folder).exists():
            time.sleep(pace * chance.uniform(0.5, 1.5))
            latest = courier.view.latest
            if latest is None:
                continue
            if played is None or played.match_id != latest:
                played = Table(ledger, latest)
            moment = played.moment
            event = any_event(moment.match, chance, operator=0)
            if event is None:
                continue  # the match is over; the next one is not drawn yet
            at = time.monotonic()
            seq = played.say(event, seen=moment.seq, source=Source.PHONE).seq
            courier.wake()
            told = Told(join.table, played.match_id, seq, at, event.bare().to_json())
            print(json.dumps(told), flush=True)
        until = time.monotonic() + LAST_SECONDS
        waiting = Outbox(ledger, join.table)
        while waiting.backlog().events and time.monotonic() < until:
            time.sleep(0.1)
        if waits:
            sys.stdin.readline()


class Tables:
    """Processes that play, one a table, and what they have told.

    Args:
        folder: For their ledgers.
        codes: With which they join.
        pace: Seconds between two events of a table.
        seconds: How long they play.
        together: Whether they begin together, once all are there.
    """

    def __init__(self, folder: Path, codes: list[str], pace: float, seconds: float, *,
                 together: bool = False) -> None:  # fmt: skip
        self.told: list[Told] = []
        self.folder, self._pace = folder, str(pace)
        self._until, self._waits = time.monotonic() + seconds, "waits" if together else ""
        self._codes = dict(enumerate(codes, 1))
        self.processes: dict[int, subprocess.Popen[str]] = {}
        self._readers: list[threading.Thread] = []
        for table in self._codes:
            self.start(table)
        if together:
            for process in self.processes.values():
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
            for process in self.processes.values():
                assert process.stdin is not None
                process.stdin.write("begin\n")
                process.stdin.flush()
            self._until = time.monotonic() + seconds
        for process in self.processes.values():
            self._follow(process)

    def start(self, table: int) -> None:
        """Starts the process of a table."""
        left = str(max(0.0, self._until - time.monotonic()))
        arguments = [str(self.folder), self._codes[table], self._pace, left, self._waits]
        self.processes[table] = subprocess.Popen(
            [sys.executable, "-c", TAPS, *arguments],
            stdin=subprocess.PIPE if self._waits else None, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def again(self, table: int) -> None:
        """Ends the process of a table without a warning, and starts it again."""
        self.processes[table].kill()
        self.processes[table].wait()
        self.start(table)
        self._follow(self.processes[table])

    def _follow(self, process: subprocess.Popen[str]) -> None:
        reader = threading.Thread(target=self._read, args=(process,))
        reader.start()
        self._readers.append(reader)

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.endswith("\n"):
                self.told.append(Told(*json.loads(line)))

    def stop(self) -> None:
        """Has nobody play on; what was said is still brought to the club."""
        ending(self.folder).touch()

    def kill(self) -> None:
        """Ends whoever still plays."""
        for process in self.processes.values():
            process.kill()
            process.wait()

    @property
    def going(self) -> bool:
        """Whether some still play, or bring what they have said."""
        return any(process.poll() is None for process in self.processes.values())

    def wait(self) -> None:
        """Waits until all have played.

        Those that have begun together also end together, a little later: fifty programs that end
        at once hold up what was said last.
        """
        if self._waits:
            time.sleep(max(0.0, self._until - time.monotonic()) + LINGER_SECONDS)
            for process in self.processes.values():
                assert process.stdin is not None
                process.stdin.close()
        for process in self.processes.values():
            process.wait()
        for reader in self._readers:
            reader.join()


def wrong_matches(club: Ledger, playing: Tables) -> int:
    """How many matches of the tables the club has otherwise: with events lost, doubled or changed.

    What a process has told of as kept must be in its own ledger, and that must be the club's.
    """
    wrong = 0
    for table in playing.processes:
        with Ledger(own_ledger(playing.folder, table)) as own:
            with own.transaction() as connection:
                pairs = connection.execute(select(outbox.c.match_id, outbox.c.theirs)).all()
            for match, theirs in pairs:
                mine = own.read(own.match(match))
                told = [one for one in playing.told if one[:2] == (table, match)]
                lost = any(
                    one.seq > len(mine) or mine[one.seq - 1].event.bare().to_json() != one.event
                    for one in told
                )
                there = club.read(club.match(theirs))
                if lost or mine != there:
                    wrong += 1
                    print(f"table {table}, match {match}: {len(mine)} events, {len(told)} told; "
                          f"the club has {len(there)}")  # fmt: skip
    return wrong
