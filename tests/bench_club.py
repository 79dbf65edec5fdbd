"""What a club's evening stands: ``python -m tests.bench_club``.

Tables, each a process of its own with its own ledger and key, bring what is said to the club's: a
private PostgreSQL, or an SQLite file with ``--sqlite``. The hall is ``trucam club``, the real one,
and viewers are in another process, on the same machine. ``--kills`` ends the hall, a table or the
database so often, each time without a warning, and starts it again, or cuts the tables' network, at
first for a minute; afterwards every match is compared with what its table was told.
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
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from sqlalchemy import make_url

from scorekeeper.club.header import System
from scorekeeper.club.pairing import draw
from scorekeeper.errors import LedgerError, StaleAppend
from scorekeeper.storage.hall import Hall, score_of
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from scorekeeper.storage.tournaments import Tournaments
from tests.club_tables import Tables, wrong_matches
from tests.private_postgres import Server, private_postgres
from tests.scorekeeper.club.tournaments import Evening, entered
from tests.simulated_club import codes_for, opened
from tests.stages import spread
from tests.webui.proxy import Proxy
from tests.webui.serving import Phone, Site, Stream

PAIRS, ROUNDS = 64, 7
MINUTE = 60.0
CLUB = ("-c", "from webui.cli import main; main()", "club", "--no-browser", "--local")
FAULT_SECONDS = 0.3
"""Between two faults."""
CUT_SECONDS = 5.0
"""How long the network is cut, but for the first time."""


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


class Club(NamedTuple):
    """A hall that is served, in its first round.

    Attributes:
        site: The hall's pages.
        where: Its ledger.
        ledger: The same, as the bench itself has it open.
        hall: The tournament.
        server: The database's server; None where the ledger is a file.
        folder: For what the tables keep.
    """

    site: Site
    where: str
    ledger: Ledger
    hall: Hall
    server: Server | None
    folder: Path


@contextmanager
def evening(tables: int, *, sqlite: bool, rounds: int = 1) -> Iterator[Club]:
    """A hall that is served, in its first round."""
    with tempfile.TemporaryDirectory(prefix="trucam-club-") as name, ExitStack() as stack:
        folder = Path(name)
        server = None if sqlite else stack.enter_context(private_postgres())
        where = str(folder / "ledger.sqlite") if server is None else server.url
        os.environ["TRUCAM_LEDGER"] = where
        site = Site(folder)
        site.ledger = where  # type: ignore[assignment]
        ledger = stack.enter_context(Ledger(where))
        hall = opened(ledger, tables, game="le_truc_ace", rounds=rounds)
        hall.say(draw(hall.moment.tournament, seed=1), seen=hall.moment.seq)
        serve(site)
        try:
            yield Club(site, where, ledger, hall, server, folder)
        finally:
            if site.process is not None:
                site.end()


def serve(site: Site) -> None:
    """Starts ``trucam club`` and waits until it answers."""
    site.start([sys.executable, *CLUB, "--port", str(site.port)])
    site.await_answer()


def speed(tables: int, viewers: int, pace: float, seconds: float, *, sqlite: bool) -> None:
    """From a tap at a table to the hall's board, alone and with many viewers."""
    with evening(tables, sqlite=sqlite) as club:
        site = club.site
        watcher = Watcher(site)
        many = subprocess.Popen(
            [sys.executable, "-m", "tests.viewers", str(site.port), str(viewers)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert many.stdout is not None
        assert many.stdout.readline() == "ready\n"
        codes = codes_for(club.ledger, tables)
        playing = Tables(club.folder, codes, pace, seconds, together=True)
        playing.wait()
        time.sleep(1)
        taps = {(one.table, one.seq): one.at for one in playing.told}
        report = json.loads(many.communicate(f"{max(watcher.covers, default=0)}\n")[0])
        waited = [watcher.seen[key] - at for key, at in taps.items() if key in watcher.seen]
        print(f"events; not on the board:         {len(taps)}; "
              f"{len(taps) - len(waited)}")  # fmt: skip
        print(f"tap → the hall's board:           {spread(waited)}")
        late = []
        for seen in report["seen"]:
            came = dict(seen)
            for number, keys in watcher.covers.items():
                arrived = min((at for n, at in came.items() if n >= number), default=float("inf"))
                late += [arrived - taps[key] for key in keys if key in taps]
        print(f"tap → {viewers} viewers:             {spread(late)}; dropped: {report['dropped']}")


def kills(tables: int, count: int, pace: float, *, sqlite: bool) -> int:
    """Ends or cuts something without a warning, again and again; returns how many are wrong."""
    chance = Random(1)
    with evening(tables, sqlite=sqlite, rounds=ROUNDS) as club, ExitStack() as stack:
        codes, proxy = codes_for(club.ledger, tables), None
        if club.server is not None:
            port = make_url(club.where).port or 5432
            proxy = stack.enter_context(closing(Proxy(port)))
            codes = [code.replace(f":{port}/", f":{proxy.port}/") for code in codes]
        playing = Tables(club.folder, codes, pace, seconds=count * 2.0 + MINUTE)

        def end_hall() -> None:
            assert club.site.process is not None
            club.site.process.send_signal(signal.SIGKILL)
            club.site.process.communicate()
            serve(club.site)

        def end_table() -> None:
            playing.again(chance.choice(list(playing.processes)))

        ways: list[Callable[[], None]] = [end_hall, end_table]
        if club.server is not None and proxy is not None:

            def end_database(server: Server = club.server) -> None:
                server.kill()
                server.start()

            def cut_network(network: Proxy = proxy) -> None:
                network.cut(silent=chance.random() < 0.5)
                seconds = CUT_SECONDS if done["cut_network"] else MINUTE
                threading.Timer(seconds, network.mend).start()

            ways += [end_database, cut_network]
        done = {way.__name__: 0 for way in ways}
        for _ in range(count):
            way = chance.choice(ways)
            way()
            done[way.__name__] += 1
            until = time.monotonic() + FAULT_SECONDS
            while time.monotonic() < until:
                host(club.hall)
                time.sleep(0.1)
        playing.wait()
        time.sleep(1)  # the hall that is served may be writing the last result down
        wrong = wrong_matches(club.ledger, playing) + wrong_results(club)
        rounds = len(club.hall.moment.tournament.rounds)
        print(f"faults: {done}; rounds: {rounds}; events told as kept: {len(playing.told)}; "
              f"matches or results that are wrong: {wrong}")  # fmt: skip
        return wrong


def host(hall: Hall) -> None:
    """Draws the next round where the one before is over, if the database answers."""
    with suppress(LedgerError, StaleAppend):
        hall.refresh()
        tournament = hall.moment.tournament
        if tournament.between_rounds and not tournament.played_out:
            hall.say(draw(tournament, seed=len(tournament.rounds)), seen=hall.moment.seq)


def wrong_results(club: Club) -> int:
    """How many results of the tournament are not those of their matches, told again from events."""
    found, _ = Tournaments(club.ledger).folded(club.hall.number)
    wrong = 0
    for round_ in found.rounds:
        for fixture in Tournaments(club.ledger).fixtures(club.hall.number, round_.number):
            match = Table(club.ledger, fixture.match).moment.match
            result = round_.meetings[fixture.table - 1].result
            there = None if result is None else (result.winner, result.score)
            if there != ((match.winner, score_of(match)) if match.over else None):
                wrong += 1
                print(f"round {round_.number}, table {fixture.table}: {there}; the match: "
                      f"{match.over} {match.winner} {score_of(match)}")  # fmt: skip
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
