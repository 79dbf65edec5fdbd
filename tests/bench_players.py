"""The pages of evenings and of a player, over 200 matches: ``python -m tests.bench_players``."""

from __future__ import annotations

import argparse
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.players import KeptPlayers
from tests.scorekeeper.playouts import playout
from tests.scorekeeper.talk import NAMES, TABLES
from tests.webui.phones import Phone
from webui.app import create_app
from webui.table.memory import Memory
from webui.table.room import Room

BEGUN = datetime(2025, 9, 5, 21, tzinfo=UTC)
PAGES = ("/evenings", "/players", "/player/1", "/player/1.csv")


def fill(ledger: Ledger, matches: int) -> int:
    """Four matches a week, each of a game in turn, best of five; returns how many events."""
    chance, events = Random(1), 0
    for n in range(matches):
        game, seats = TABLES[n % len(TABLES)]
        header = Header(game=game, seats=NAMES[:seats], best_of=5)
        said = playout(header, chance, 300, operator=0)
        begun = BEGUN + timedelta(days=7 * (n // 4), minutes=45 * (n % 4))
        ledger.add(header, said, Said(begun, Source.PHONE), begun=begun)
        events += len(said)
    return events


def main() -> None:
    """Times each page once after a start, and then again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    matches = parser.parse_args().matches
    with (
        tempfile.TemporaryDirectory() as folder,
        Ledger(str(Path(folder) / "ledger")) as ledger,
        Memory("table", Path(folder)) as memory,
    ):
        print(f"{matches} matches, {fill(ledger, matches)} events")
        KeptPlayers(ledger).keep(NAMES[0], BEGUN)
        phone = Phone(create_app(Room(ledger, memory)))
        for told in ("first", "again"):
            for path in PAGES:
                began = time.perf_counter()
                phone.page(path)
                print(f"{told}: {path} {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main()
