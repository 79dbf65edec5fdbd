"""Kills the process that watches a match, again and again, and checks the match.

``python -m tests.benchmarks.pull_the_camera --rounds 100`` prints one line. It fails if an event is
lost, doubled or wrong. The watching process follows a record instead of a camera. It dies at random
moments, also in the middle of a message. A phone enters every tenth event before it does.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Condition
from typing import NamedTuple

from scorekeeper.engine.said import SOURCE, Source
from scorekeeper.errors import StaleAppend
from scorekeeper.history.record import read_record
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import News, Table
from vision.process import supervisor
from vision.process.config import CameraConfig
from vision.process.status import Report
from vision.process.supervisor import Supervisor

RECORD = Path(__file__).parents[1] / "golden" / "trut-evening.jsonl"
LIVES = 0.3
"""A process dies within so many seconds."""
PAUSE = 0.01
"""Seconds until the next process is started."""
PHONE_EVERY = 10
PATIENCE = 60.0
"""The check fails if nothing happens for so many seconds."""


class Tally(NamedTuple):
    """What is counted.

    Attributes:
        kills: Processes that died.
        events: Events that were appended.
        camera: Events that the watching process proposed.
        wrong: Events that differ from the record: lost, doubled or wrong ones.
    """

    kills: int = 0
    events: int = 0
    camera: int = 0
    wrong: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} processes killed, {self.events} events, {self.camera} of them by the "
            f"camera: {self.wrong} lost, doubled or wrong"
        )


class Evening:
    """Matches of one record, one after the other, watched by one supervisor.

    Args:
        folder: The folder for the ledger.
        rounds: How many processes are to die.
        lives: A process dies within so many seconds.
    """

    def __init__(self, folder: Path, rounds: int, lives: float) -> None:
        self._rounds, self._lives, self._changed = rounds, lives, Condition()
        self._deaths = 0
        self._ledger = Ledger(f"sqlite:///{folder}/ledger.sqlite3")
        with RECORD.open("rb") as stream:
            reading = read_record(stream)
        self._header, self._truth = reading.match.header, reading.events

    def run(self) -> Tally:
        """Plays until so many processes have died, and then to the end of the match."""
        tally = Tally()
        command = (sys.executable, "-m", "tests.vision.scripted_worker", f"dies:{self._lives}",
                   f"record:{RECORD}")  # fmt: skip
        config = CameraConfig(source="0", seats=len(self._header.seats))
        with self._ledger:
            table = self._new()
            man = Supervisor(
                config, table, self._ledger.pictures, on_report=self._saw, command=command
            )
            try:
                while True:
                    self._wait(lambda table=table: table.moment.seq >= len(self._truth))
                    tally = self._count(tally, table)
                    if self._deaths >= self._rounds:
                        return tally._replace(kills=self._deaths)
                    table = self._new()
                    man.begin(table)
            finally:
                man.stop()

    def _new(self) -> Table:
        table = Table.begin(self._ledger, self._header, source=Source.OPERATOR)
        table.subscribe(lambda news: self._play_along(table, news))
        return table

    def _play_along(self, table: Table, news: News) -> None:
        """Sometimes enters the next event on a phone, so that the camera's proposal is stale."""
        seq = news.now.seq
        if seq % PHONE_EVERY == 0 and seq < len(self._truth):
            with suppress(StaleAppend):
                table.say(self._truth[seq].bare(), seen=seq, source=Source.PHONE)
        self._notify()

    def _saw(self, report: Report) -> None:
        self._deaths = max(self._deaths, report.starts - 1)
        self._notify()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _wait(self, until: Callable[[], bool]) -> None:
        """Waits until something is true.

        Raises:
            AssertionError: Nothing has happened for ``PATIENCE`` seconds.
        """
        with self._changed:
            while not until():
                assert self._changed.wait(PATIENCE), "the match does not go on"

    def _count(self, tally: Tally, table: Table) -> Tally:
        _, events = table.log()
        wrong = sum(
            one.bare() != other.bare() for one, other in zip(events, self._truth, strict=False)
        )
        by_camera = sum(event.remarks.get(SOURCE) == Source.CAMERA for event in events)
        return tally._replace(
            events=tally.events + len(events),
            camera=tally.camera + by_camera,
            wrong=tally.wrong + wrong + abs(len(events) - len(self._truth)),
        )


def pull(folder: Path, rounds: int, lives: float = LIVES) -> Tally:
    """Has so many watching processes die. The supervisor starts the next one without a pause."""
    before = supervisor.FIRST_PAUSE, supervisor.LAST_PAUSE
    supervisor.FIRST_PAUSE = supervisor.LAST_PAUSE = PAUSE
    try:
        return Evening(folder, rounds, lives).run()
    finally:
        supervisor.FIRST_PAUSE, supervisor.LAST_PAUSE = before


def main() -> int:
    """Kills processes, and prints what was counted."""
    parser = argparse.ArgumentParser(
        prog="tests.benchmarks.pull_the_camera", description=main.__doc__
    )
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    logging.getLogger("vision.process.supervisor").setLevel(
        logging.ERROR
    )  # half a message is logged as a warning
    with tempfile.TemporaryDirectory() as folder:
        tally = pull(Path(folder), options.rounds)
    print(tally)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
