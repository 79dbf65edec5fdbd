"""Measures and tests a club's evening under load: ``python -m tests.benchmarks.club``.

Each table is a process with its own ledger and key. It sends its events to the club's ledger: a
private PostgreSQL database, or with ``--sqlite`` a file. ``trucam club`` serves the hall, and
viewers are in another process on the same machine.

``--kills`` causes so many faults. The hall, a table or the database is killed and started again, or
the network of the tables is cut for ``--cut`` seconds while the other faults go on. Afterwards it
compares every match with the events that its table reported, every result with its match, and the
standing that the hall shows with the results.
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
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from sqlalchemy import func, make_url, select

from scorekeeper.club.header import System
from scorekeeper.club.pairing import draw
from scorekeeper.errors import LedgerError, StaleAppend
from scorekeeper.reports.spreadsheets import standing_sheet
from scorekeeper.storage.hall import Hall, score_of
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.schema import events
from scorekeeper.storage.table import Table
from scorekeeper.storage.tournaments import Tournaments
from tests.benchmarks.club_tables import Tables, wrong_matches
from tests.benchmarks.stages import spread
from tests.private_postgres import Server, private_postgres
from tests.scorekeeper.club.tournaments import Evening, entered
from tests.simulated_club import codes_for, opened
from tests.webui.proxy import Proxy
from tests.webui.serving import Phone, Site, Stream
from webui.club.room import LOOK_SECONDS

PAIRS, ROUNDS = 64, 7
MINUTE = 60.0
CLUB = ("-c", "from webui.cli import main; main()", "club", "--no-browser", "--local")
FAULT_SECONDS = 0.3
"""Seconds between two faults."""
LONGEST_SECONDS = 3600.0
"""Tables play for at most so many seconds, whatever faults there are."""
WHOLE_SECONDS = 15.0
"""Seconds between two cuts of the network: a table waits ten seconds before it tries again."""
UNDERWAY_SECONDS = 1.0
"""So many seconds after a cut, what was on its way then has arrived or is lost."""


class Watcher:
    """A viewer of the hall's board. It notes when each event of each table appeared there."""

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
    """A club's hall that is served, in its first round.

    Attributes:
        site: The served hall.
        where: The address of its ledger.
        ledger: The same ledger, opened by this benchmark.
        hall: The tournament.
        server: The server of the database; None if the ledger is a file.
        folder: The folder for the ledgers of the tables.
    """

    site: Site
    where: str
    ledger: Ledger
    hall: Hall
    server: Server | None
    folder: Path


@contextmanager
def evening(tables: int, *, sqlite: bool, rounds: int = 1) -> Iterator[Club]:
    """Serves a club's hall, in its first round."""
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
    """Measures the time from a tap at a table to the hall's board, with one and many viewers."""
    with evening(tables, sqlite=sqlite) as club:
        site = club.site
        watcher = Watcher(site)
        many = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.viewers", str(site.port), str(viewers)],
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


class Cut(NamedTuple):
    """A cut of the tables' network.

    Attributes:
        seconds: How long it lasted.
        silent: Whether open connections stayed open.
        said: How many events the tables wrote meanwhile.
        came: How many events came to the club meanwhile.
    """

    seconds: float
    silent: bool
    said: int
    came: int


class Network:
    """The network between the tables and the club's database, which can be cut.

    Args:
        towards: The port of the database.
        seconds: How long a cut lasts.
        ledger: The club's ledger, opened without this network.
        chance: Decides whether a cut is silent.
    """

    def __init__(self, towards: int, seconds: float, ledger: Ledger, chance: Random) -> None:
        self.proxy, self._seconds = Proxy(towards), seconds
        self._ledger, self._chance = ledger, chance
        self._cutting: threading.Thread | None = None
        self._mended = -WHOLE_SECONDS
        self.cuts: list[Cut] = []

    @property
    def is_cut(self) -> bool:
        """Whether it is cut now."""
        return self._cutting is not None and self._cutting.is_alive()

    @property
    def may_be_cut(self) -> bool:
        """Whether it is not cut, and all tables have had time to catch up since the last cut."""
        return not self.is_cut and time.monotonic() > self._mended + WHOLE_SECONDS

    def cut(self, playing: Tables) -> None:
        """Cuts it, in a thread that mends it later."""
        self._cutting = threading.Thread(target=self._cut, args=(playing,))
        self._cutting.start()

    def _cut(self, playing: Tables) -> None:
        silent, began, told = self._chance.random() < 0.5, time.monotonic(), len(playing.told)
        self.proxy.cut(silent=silent)
        time.sleep(UNDERWAY_SECONDS)
        counts: list[int] = []
        while time.monotonic() < began + self._seconds:
            with suppress(LedgerError):  # the database may have been killed meanwhile
                counts.append(self._at_the_club())
            time.sleep(0.2)
        said = len(playing.told) - told
        self.proxy.mend()
        self._mended = time.monotonic()
        self.cuts.append(
            Cut(
                time.monotonic() - began,
                silent,
                said,
                max(counts, default=0) - min(counts, default=0),
            )
        )

    def _at_the_club(self) -> int:
        with self._ledger.transaction() as connection:
            return int(connection.execute(select(func.count()).select_from(events)).scalar_one())

    def close(self) -> None:
        """Waits until it is mended, and closes it."""
        if self._cutting is not None:
            self._cutting.join()
        self.proxy.close()


def kills(tables: int, count: int, pace: float, cut: float, seed: int, *, sqlite: bool) -> int:
    """Kills or cuts something, again and again; returns how many errors were found."""
    chance = Random(seed)
    with evening(tables, sqlite=sqlite, rounds=ROUNDS) as club, ExitStack() as stack:
        codes, network = codes_for(club.ledger, tables), None
        if club.server is not None:
            port = make_url(club.where).port or 5432
            network = stack.enter_context(closing(Network(port, cut, club.ledger, chance)))
            codes = [code.replace(f":{port}/", f":{network.proxy.port}/") for code in codes]
        playing = Tables(club.folder, codes, pace, seconds=LONGEST_SECONDS)
        stack.callback(playing.kill)

        def end_hall() -> None:
            assert club.site.process is not None
            club.site.process.send_signal(signal.SIGKILL)
            club.site.process.communicate()
            serve(club.site)

        def end_table() -> None:
            playing.again(chance.choice(list(playing.processes)))

        def end_database() -> None:
            assert club.server is not None
            club.server.kill()
            club.server.start()

        def cut_network() -> None:
            assert network is not None
            network.cut(playing)

        while len({one.table for one in playing.told}) < tables:  # all have joined
            host_for(club.hall, FAULT_SECONDS)
        done = Counter[str]()
        for _ in range(count):
            ways = [end_hall, end_table]
            if network is not None:
                ways += [end_database, cut_network] if network.may_be_cut else [end_database]
            way = chance.choice(ways)
            way()
            done[way.__name__] += 1
            host_for(club.hall, FAULT_SECONDS)
        while network is not None and network.is_cut:
            host_for(club.hall, FAULT_SECONDS)
        playing.stop()
        while playing.going:
            host_for(club.hall, FAULT_SECONDS)
        playing.wait()
        if network is not None:
            network.close()
        time.sleep(LOOK_SECONDS + 1)  # the served hall may still be writing the last result
        wrong = wrong_matches(club.ledger, playing) + wrong_results(club) + wrong_standing(club)
        rounds = len(club.hall.moment.tournament.rounds)
        print(f"faults: {dict(done)}; rounds: {rounds}; events told as kept: {len(playing.told)}; "
              f"matches, results or standings that are wrong: {wrong}")  # fmt: skip
        for one in network.cuts if network is not None else ():
            how = "silently" if one.silent else "with refusals"
            print(f"network cut for {one.seconds:.0f} s {how}: "
                  f"{one.said} events kept at the tables meanwhile, {one.came} came")  # fmt: skip
            wrong += one.came
        return wrong


def host_for(hall: Hall, seconds: float) -> None:
    """Is the host for so many seconds; see ``host``."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        host(hall)
        time.sleep(0.1)


def host(hall: Hall) -> None:
    """Draws the next round if the last one is over, and if the database answers."""
    with suppress(LedgerError, StaleAppend):
        hall.refresh()
        tournament = hall.moment.tournament
        if tournament.between_rounds and not tournament.played_out:
            hall.say(draw(tournament, seed=len(tournament.rounds)), seen=hall.moment.seq)


def wrong_results(club: Club) -> int:
    """How many results differ from the results of their matches, replayed from the events."""
    found, _ = Tournaments(club.ledger).replayed(club.hall.number)
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


def wrong_standing(club: Club) -> int:
    """1 if the standing that the hall shows does not follow from the results in the ledger."""
    found, _ = Tournaments(club.ledger).replayed(club.hall.number)
    with closing(Phone(club.site)) as phone:
        status, body = phone.get("/standing.csv")
    served = body.decode().removeprefix("\ufeff")
    if status == 200 and served == "".join(standing_sheet(found)):
        return 0
    print(f"the hall's standing: {served}")
    return 1


def draws() -> None:
    """Times the draws of a Swiss tournament, and counts who met twice and who sat out."""
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
    parser.add_argument("--cut", type=float, default=MINUTE, help="seconds without network")
    parser.add_argument("--seed", type=int, default=1, help="of the faults and their order")
    parser.add_argument("--sqlite", action="store_true")
    chosen = parser.parse_args()
    draws()
    if chosen.kills:
        wrong = kills(
            chosen.tables, chosen.kills, chosen.pace, chosen.cut, chosen.seed, sqlite=chosen.sqlite
        )
        return int(wrong > 0)
    speed(chosen.tables, chosen.viewers, chosen.pace, chosen.seconds, sqlite=chosen.sqlite)
    return 0


if __name__ == "__main__":
    sys.exit(main())
