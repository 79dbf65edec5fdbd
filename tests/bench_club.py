"""What a club's evening stands: ``python -m tests.bench_club``.

Tables, each a process of its own, write to one ledger: a private PostgreSQL, or an SQLite file
with ``--sqlite``. The hall is ``trucam club``, the real one, and viewers are in another process, on
the same machine. ``--kills`` ends the hall, a table or the database so often, each time without a
warning, and starts it again; afterwards every match is compared with what its table was told.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random

from scorekeeper.club.header import System
from scorekeeper.club.pairing import draw
from scorekeeper.engine.said import Source
from scorekeeper.errors import LedgerError, StaleAppend
from scorekeeper.storage.hall import Hall
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.private_postgres import Server, private_postgres
from tests.scorekeeper.club.tournaments import Evening, entered
from tests.scorekeeper.playouts import any_event
from tests.simulated_club import opened
from tests.stages import spread
from tests.webui.serving import Phone, Site, Stream

PAIRS, ROUNDS = 64, 7
CLUB = ("-c", "from webui.cli import main; main()", "club", "--no-browser", "--local")
TAPS = (
    "import sys; from tests.bench_club import tap; where, match, table, pace, seconds = "
    "sys.argv[1:]; tap(where, int(match), int(table), float(pace), float(seconds))"
)


def tap(where: str, match: int, table: int, pace: float, seconds: float) -> None:
    """Plays by chance, and prints for each event its number and the moment of its tap."""
    chance = Random(table)
    until = time.monotonic() + seconds
    ledger: Ledger | None = None
    played: Table | None = None
    while time.monotonic() < until:
        time.sleep(pace * chance.uniform(0.5, 1.5))
        try:
            if played is None:
                ledger = Ledger(where)
                played = Table(ledger, match)
            moment = played.moment
            event = any_event(moment.match, chance, operator=0)
            if event is None:
                break
            at = time.monotonic()
            seq = played.say(event, seen=moment.seq, source=Source.PHONE).seq
            print(json.dumps([table, seq, at, event.bare().to_json()]), flush=True)
        except (LedgerError, StaleAppend):
            # What was said may be on disk all the same: the ledger tells, once it answers.
            if ledger is not None:
                ledger.close()
            ledger = played = None


class Tables:
    """Processes that play, one a table, and what they have said they kept.

    Args:
        where: The ledger.
        hall: Its tournament.
        pace: Seconds between two events of a table.
        seconds: How long they play.
    """

    def __init__(self, where: str, hall: Hall, pace: float, seconds: float) -> None:
        self.taps: dict[tuple[int, int], float] = {}
        self.kept: dict[int, dict[int, object]] = {}
        self._where, self._pace, self._until = where, str(pace), time.monotonic() + seconds
        self._matches = {table: live.entry.id for table, live in hall.moment.tables.items()}
        self.processes: dict[int, subprocess.Popen[str]] = {}
        self._readers: list[threading.Thread] = []
        for table in self._matches:
            self.start(table)

    def start(self, table: int) -> None:
        """Starts the process of a table, or starts it again."""
        left = str(self._until - time.monotonic())
        arguments = [self._where, str(self._matches[table]), str(table), self._pace, left]
        process = subprocess.Popen(
            [sys.executable, "-c", TAPS, *arguments], stdout=subprocess.PIPE, text=True
        )
        self.processes[table] = process
        reader = threading.Thread(target=self._read, args=(process,))
        reader.start()
        self._readers.append(reader)

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.endswith("\n"):
                table, seq, at, event = json.loads(line)
                self.taps[table, seq] = at
                self.kept.setdefault(table, {})[seq] = event

    def wait(self) -> None:
        """Waits until all have played."""
        for process in self.processes.values():
            process.wait()
        for reader in self._readers:
            reader.join()


class Watcher:
    """A viewer of the hall's board, who notes when each event of each table was on it."""

    def __init__(self, site: Site) -> None:
        self.seen: dict[tuple[int, int], float] = {}
        self.covers: dict[int, list[tuple[int, int]]] = {}
        with closing(Phone(site)) as phone:
            self._stream = Stream(phone, "/live/board")
            self._have: dict[str, int] = self._stream.message()["tables"]
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        try:
            while True:
                message = self._stream.message()
                at, number = time.monotonic(), int(message["number"].partition(".")[2])
                for table, seq in message["tables"].items():
                    new = [(int(table), n) for n in range(self._have.get(table, 0) + 1, seq + 1)]
                    self.seen |= dict.fromkeys(new, at)
                    self.covers.setdefault(number, []).extend(new)
                    self._have[table] = seq
        except (EOFError, OSError, ValueError):
            return


@contextmanager
def evening(tables: int, *, sqlite: bool) -> Iterator[tuple[Site, str, Hall, Server | None]]:
    """A hall that is served, in its first round."""
    with tempfile.TemporaryDirectory(prefix="trucam-club-") as name, ExitStack() as stack:
        folder = Path(name)
        server = None if sqlite else stack.enter_context(private_postgres())
        where = str(folder / "ledger.sqlite") if server is None else server.url
        os.environ["TRUCAM_LEDGER"] = where
        site = Site(folder)
        site.ledger = where  # type: ignore[assignment]
        ledger = stack.enter_context(Ledger(where))
        hall = opened(ledger, tables, game="le_truc_ace", rounds=1)
        hall.say(draw(hall.moment.tournament, seed=1), seen=hall.moment.seq)
        serve(site)
        try:
            yield site, where, hall, server
        finally:
            if site.process is not None:
                site.end()


def serve(site: Site) -> None:
    """Starts ``trucam club`` and waits until it answers."""
    site.start([sys.executable, *CLUB, "--port", str(site.port)])
    site.await_answer()


def speed(tables: int, viewers: int, pace: float, seconds: float, *, sqlite: bool) -> None:
    """From a tap at a table to the hall's board, alone and with many viewers."""
    with evening(tables, sqlite=sqlite) as (site, where, hall, _):
        watcher = Watcher(site)
        many = subprocess.Popen(
            [sys.executable, "-m", "tests.viewers", str(site.port), str(viewers)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert many.stdout is not None
        assert many.stdout.readline() == "ready\n"
        playing = Tables(where, hall, pace, seconds)
        playing.wait()
        time.sleep(1)
        report = json.loads(many.communicate(f"{max(watcher.covers, default=0)}\n")[0])
        waited = [watcher.seen[key] - at for key, at in playing.taps.items() if key in watcher.seen]
        print(f"events; not on the board:         {len(playing.taps)}; "
              f"{len(playing.taps) - len(waited)}")  # fmt: skip
        print(f"tap → the hall's board:           {spread(waited)}")
        late = []
        for seen in report["seen"]:
            came = dict(seen)
            for number, keys in watcher.covers.items():
                arrived = min((at for n, at in came.items() if n >= number), default=float("inf"))
                late += [arrived - playing.taps[key] for key in keys if key in playing.taps]
        print(f"tap → {viewers} viewers:             {spread(late)}; dropped: {report['dropped']}")


def kills(tables: int, count: int, pace: float, *, sqlite: bool) -> int:
    """Ends something without a warning, again and again; returns how many matches are wrong."""
    chance = Random(1)
    with evening(tables, sqlite=sqlite) as (site, where, hall, server):
        seconds = count * 2.0
        playing = Tables(where, hall, pace, seconds)

        def end_hall() -> None:
            assert site.process is not None
            site.process.send_signal(signal.SIGKILL)
            site.process.communicate()
            serve(site)

        def end_table() -> None:
            table = chance.choice(list(playing.processes))
            playing.processes[table].kill()
            playing.processes[table].wait()
            playing.start(table)

        ways: list[Callable[[], None]] = [end_hall, end_table]
        if server is not None:

            def end_database(server: Server = server) -> None:
                server.kill()
                server.start()

            ways.append(end_database)
        done = {way.__name__: 0 for way in ways}
        for _ in range(count):
            way = chance.choice(ways)
            way()
            done[way.__name__] += 1
            time.sleep(0.3)
        playing.wait()
        wrong = check(where, playing, hall)
        told = sum(map(len, playing.kept.values()))
        print(
            f"kills: {done}; events told as kept: {told}; matches that lack or double one: {wrong}"
        )
        return wrong


def check(where: str, playing: Tables, hall: Hall) -> int:
    """How many matches do not hold exactly what their tables were told, or cannot be folded."""
    wrong = 0
    with Ledger(where) as ledger:
        for table, live in hall.moment.tables.items():
            entries = ledger.read(ledger.match(live.entry.id))
            stored = {entry.seq: entry.event.bare().to_json() for entry in entries}
            told = playing.kept.get(table, {})
            wrong += any(stored.get(seq) != event for seq, event in told.items())
            Table(ledger, live.entry.id)  # folds, or says why not
        found = Hall(ledger, hall.number).moment
        for table, live in found.tables.items():
            result = found.tournament.meeting(1, table).result
            wrong += live.match.over and (result is None or result.winner != live.match.winner)
    return wrong


def draws() -> None:
    """A Swiss tournament, played to its end."""
    night, took = Evening(entered(PAIRS, System.SWISS, rounds=ROUNDS), Random(1)), []
    for _ in range(ROUNDS):
        began = time.monotonic()
        draw(night.tournament, 7)
        took.append(time.monotonic() - began)
        night.play_round()
    met = [frozenset(one.teams) for round_ in night.tournament.rounds for one in round_.meetings]
    idle = sum(len(round_.byes) for round_ in night.tournament.rounds)
    print(f"{PAIRS} pairs, {ROUNDS} rounds, a draw:      {spread(took)}; "
          f"met twice: {len(met) - len(set(met))}; sat out: {idle}")  # fmt: skip


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--viewers", type=int, default=300)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between a table's events")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--sqlite", action="store_true")
    chosen = parser.parse_args()
    draws()
    if chosen.kills:
        return int(kills(chosen.tables, chosen.kills, chosen.pace, sqlite=chosen.sqlite) > 0)
    speed(chosen.tables, chosen.viewers, chosen.pace, chosen.seconds, sqlite=chosen.sqlite)
    return 0


if __name__ == "__main__":
    sys.exit(main())
