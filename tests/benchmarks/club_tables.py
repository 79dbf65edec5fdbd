"""Tables of a club that play at random. Each has its own process and its own ledger."""

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
"""Within so many seconds after the end, all events must have reached the club."""


class Told(NamedTuple):
    """An event that a table's process has reported, after writing it to its own ledger.

    Attributes:
        table: The number of the table.
        match: The number of the match in the table's ledger.
        seq: The number of the event.
        at: When it was tapped.
        event: The event.
    """

    table: int
    match: int
    seq: int
    at: float
    event: object


def own_ledger(folder: str | Path, table: int) -> str:
    """The file of a table's own ledger."""
    return str(Path(folder) / f"table-{table}.sqlite3")


def ending(folder: str | Path) -> Path:
    """A file that exists once all tables are to stop."""
    return Path(folder) / "ending"


def tap(folder: str, code: str, pace: float, seconds: float, *, waits: bool) -> None:
    """Plays the matches that are drawn for a table at random; prints each event once it is written.

    Args:
        folder: The folder of its ledger.
        code: The code with which it joins the club.
        pace: Seconds between two events.
        seconds: How long it plays.
        waits: Whether it prints that it is ready, and reads a line before it begins; at the end it
            reads another one.
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
                continue  # the match is over, and the next one is not drawn yet
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
    """A process for each table, and the events that they have reported.

    Args:
        folder: The folder for their ledgers.
        codes: The codes with which they join the club.
        pace: Seconds between two events of a table.
        seconds: How long they play.
        together: Whether they all begin at the same time, once all are ready.
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
        """Kills the process of a table, and starts it again."""
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
        """Has all tables stop; their events are still sent to the club."""
        ending(self.folder).touch()

    def kill(self) -> None:
        """Kills the processes that still run."""
        for process in self.processes.values():
            process.kill()
            process.wait()

    @property
    def going(self) -> bool:
        """Whether some tables still play, or still send events."""
        return any(process.poll() is None for process in self.processes.values())

    def wait(self) -> None:
        """Waits until all have played.

        Those that began together also end together, a little later: fifty programs that end at the
        same time would delay the last events.
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
    """How many matches differ between a table and the club: events are lost, doubled or changed.

    What a process reported as written must be in its own ledger, and the club must have the same.
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
