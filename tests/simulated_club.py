"""Simulates a club's evening: tables play at random, and ``trucam club`` shows them.

``make club`` runs it. Each table has joined with its code, and has its own ledger. The club's
ledger is a private PostgreSQL database if PostgreSQL is installed, else an SQLite file. All of
them are removed at the end.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.header import System, TournamentHeader
from scorekeeper.club.pairing import draw
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import StaleAppend
from scorekeeper.storage.courier import Courier
from scorekeeper.storage.hall import Hall
from scorekeeper.storage.joining import parse_join
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from scorekeeper.storage.table_keys import TableKeys
from scorekeeper.storage.tournaments import Tournaments
from tests.private_postgres import private_postgres
from tests.scorekeeper.playouts import any_event

FIRST = ("Ana", "Bea", "Carles", "Dani", "Elena", "Ferran", "Gina", "Hugo", "Inés", "Jordi",
         "Katia", "Lluís", "Marta", "Nil", "Olga", "Pau", "Quim", "Rosa", "Sergi", "Tere",
         "Ugo", "Vera", "Xavi", "Zoë")  # fmt: skip
LAST = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def names(team: int) -> tuple[str, str]:
    """The names of a pair; no other pair has one of them."""
    one, other = 2 * (team - 1), 2 * (team - 1) + 1
    return tuple(f"{FIRST[n % len(FIRST)]} {LAST[n // len(FIRST)]}." for n in (one, other))  # type: ignore[return-value]


def opened(
    ledger: Ledger, tables: int, *, game: str = "trut", rounds: int = 5, **house: object
) -> Hall:
    """Opens a Swiss tournament with two pairs for each table, all checked in.

    Args:
        ledger: The club's ledger.
        tables: How many tables.
        game: Id of the game.
        rounds: How many rounds.
        **house: The house rules, by the names of their options.
    """
    header = TournamentHeader(
        title="Club night", game=game, players=4, system=System.SWISS, rounds=rounds, options=house
    )
    hall = Hall(ledger, Tournaments(ledger).begin(header, Said.now(Source.OPERATOR, "host")))
    for team in range(1, 2 * tables + 1):
        hall.say(ClubEvent("enter", team, names(team)), seen=hall.moment.seq)
        hall.say(ClubEvent("check_in", team), seen=hall.moment.seq)
    return hall


def play(folder: str, pace: float, seed: int, codes: Sequence[str]) -> None:
    """Plays at some tables for ever.

    Args:
        folder: Where the ledgers of the tables are.
        pace: Seconds between two events of a table, on average.
        seed: Decides all that is random.
        codes: The codes of these tables.
    """
    chance = Random(seed)
    with ExitStack() as stack:
        couriers = []
        for code in codes:
            join = parse_join(code)
            own = stack.enter_context(Ledger(f"{folder}/table-{join.table}.sqlite3"))
            courier = stack.enter_context(Courier(own, join))
            courier.start()
            couriers.append((own, courier))
        seated: dict[Courier, Table] = {}
        while True:
            for own, courier in couriers:
                latest = courier.view.latest
                if latest is not None and (
                    courier not in seated or seated[courier].match_id != latest
                ):
                    seated[courier] = Table(own, latest)
                if courier in seated:
                    say_something(seated[courier], chance)
                    courier.wake()
                time.sleep(pace * chance.uniform(0.5, 1.5) / len(couriers))


def say_something(table: Table, chance: Random) -> None:
    """Enters a random event that the rules allow, if the match is not over."""
    moment = table.moment
    event = None if moment.match.over else any_event(moment.match, chance, operator=0)
    if event is not None:
        with suppress(StaleAppend):
            table.say(event, seen=moment.seq, source=Source.PHONE)


def host(hall: Hall, pause: float) -> None:
    """Is the host: draws each round, and closes the tournament after the last one.

    Args:
        hall: The tournament.
        pause: Seconds between two rounds.
    """
    chance = Random(7)
    while True:
        hall.refresh()
        tournament = hall.moment.tournament
        if tournament.played_out:
            with suppress(StaleAppend):
                hall.say(ClubEvent("close"), seen=hall.moment.seq)
                return
        elif tournament.between_rounds:
            time.sleep(pause if tournament.rounds else 0)
            hall.refresh()
            with suppress(StaleAppend):
                seed = chance.randrange(1_000_000)
                hall.say(draw(hall.moment.tournament, seed), seen=hall.moment.seq)
        time.sleep(0.2)


def codes_for(ledger: Ledger, tables: int) -> list[str]:
    """The codes of so many tables; each has its own key if the ledger is on a server."""
    keys = TableKeys(ledger)
    for table in range(1, tables + 1):
        keys.make(table)
    return [str(keys.join(table)) for table in range(1, tables + 1)]


@contextmanager
def ledger_for(folder: Path, *, sqlite: bool) -> Iterator[str]:
    """Yields the address of a new ledger: on a private PostgreSQL server, if there can be one.

    Args:
        folder: Where an SQLite file goes.
        sqlite: Whether to use an SQLite file in any case.
    """
    with ExitStack() as stack:
        server = None if sqlite else stack.enter_context(private_postgres())
        yield str(folder / "ledger.sqlite3") if server is None else server.url


def main() -> None:
    """Runs the evening; Ctrl-C ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between a table's events")
    parser.add_argument("--processes", type=int, default=3, help="that play at the tables")
    parser.add_argument("--port", help="of the hall's pages")
    parser.add_argument("--sqlite", action="store_true", help="no PostgreSQL")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the same as Ctrl-C
    # A shell makes a program that it starts with & ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="trucam-club-") as name, ExitStack() as stack:
        folder = Path(name)
        where = stack.enter_context(ledger_for(folder, sqlite=chosen.sqlite))
        ledger = stack.enter_context(Ledger(where))
        hall = opened(ledger, chosen.tables)
        codes = codes_for(ledger, chosen.tables)
        print(f"{chosen.tables} tables play on {ledger}.", flush=True)
        environment = {**os.environ, "TRUCAM_LEDGER": where, "TRUCAM_TABLES": str(folder / "keys")}
        port = ["--port", chosen.port] if chosen.port else []
        served = subprocess.Popen(
            [sys.executable, "-c", "from webui.cli import main; main()", "club", *port],
            env=environment,
        )
        playing = [
            subprocess.Popen(
                [sys.executable, "-c", PLAYS, name, str(chosen.pace), str(seed),
                 *codes[seed :: chosen.processes]]
            )
            for seed in range(chosen.processes)
        ]  # fmt: skip
        try:
            host(hall, pause=15)
            print("All rounds are played. Ctrl-C ends it.", flush=True)
            served.wait()
        except KeyboardInterrupt:
            pass
        finally:
            for process in (served, *playing):
                process.send_signal(signal.SIGTERM)
            for process in (served, *playing):
                process.wait()


PLAYS = (
    "import sys; from tests.simulated_club import play; folder, pace, seed, *codes = "
    "sys.argv[1:]; play(folder, float(pace), int(seed), codes)"
)

if __name__ == "__main__":
    main()
