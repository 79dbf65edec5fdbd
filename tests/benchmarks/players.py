"""Times the pages of evenings and of a player over 200 matches.

``python -m tests.benchmarks.players`` runs it. After its start, ``trucam play`` reads all matches
in the background. The pages are timed before it has read them, and after.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.players import KeptPlayers
from tests.scorekeeper.playouts import playout
from tests.scorekeeper.talk import NAMES, TABLES
from tests.webui.serving import Phone, Site, served

BEGUN = datetime(2025, 9, 5, 21, tzinfo=UTC)
PAGES = ("/evenings", "/players", "/player/1", "/player/1.csv")


def fill(ledger: Ledger, matches: int) -> int:
    """Adds four matches a week, best of five, of each game in turn; returns how many events."""
    chance, events = Random(1), 0
    for n in range(matches):
        game, seats = TABLES[n % len(TABLES)]
        header = Header(game=game, seats=NAMES[:seats], best_of=5)
        said = playout(header, chance, 300, operator=0)
        begun = BEGUN + timedelta(days=7 * (n // 4), minutes=45 * (n % 4))
        ledger.add(header, said, Said(begun, Source.PHONE), begun=begun)
        events += len(said)
    return events


def time_pages(site: Site, told: str) -> None:
    """Times each page once."""
    with closing(Phone(site)) as phone:
        for path in PAGES:
            began = time.perf_counter()
            status, page = phone.get(path)
            assert status == 200
            took = time.perf_counter() - began
            print(f"{told}: {path} {took:.2f} s, {len(page) / 1024:.0f} KiB")


def worst_answer(site: Site, seconds: float) -> float:
    """The longest time of an answer, if the board is asked for again and again so many seconds."""
    until, worst = time.perf_counter() + seconds, 0.0
    with closing(Phone(site)) as phone:
        while (began := time.perf_counter()) < until:
            phone.get("/")
            worst = max(worst, time.perf_counter() - began)
            time.sleep(0.01)
    return worst


def main() -> None:
    """Times each page: right after a start, once more, and a while after another start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--wait", type=float, default=30.0, help="seconds after the second start")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        with Ledger(str(site.ledger)) as ledger:
            print(f"{chosen.matches} matches, {fill(ledger, chosen.matches)} events")
            KeptPlayers(ledger).keep(NAMES[0], BEGUN)
        with served(site):
            time_pages(site, "at once")
            time_pages(site, "again")
        with served(site):
            worst = worst_answer(site, chosen.wait)
            print(f"meanwhile, the board's slowest answer: {worst:.3f} s")
            time_pages(site, f"{chosen.wait:.0f} s after a start")


if __name__ == "__main__":
    main()
