"""Checks the score of the demo's match, and how soon cards are shown.

``python -m tests.benchmarks.demo`` first watches the film alone (``tests.demo_alone``): this does
not depend on other load. Then it runs ``trucam demo`` for some laps, with phones on the same
machine. A delay is the time from a card's coming to rest in the film to the message with that card
on a phone's stream. It is followed by the times of its stages. ``--viewers 300`` adds so many
viewers.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from datasets.films.stage import AT
from scorekeeper.engine.events import Event
from scorekeeper.engine.match import latest_events
from scorekeeper.engine.said import is_guessed
from scorekeeper.history.record import read_record
from tests.benchmarks.screens import NEVER, arrivals
from tests.benchmarks.stages import Trace, Way, spread
from tests.demo_alone import watch_alone
from tests.webui.serving import ROOT, Phone, Site, Stream
from vision.process.trace import NAMED_BY
from webui.cli.demo import FILM, record_of

DEMO = ("-c", "from webui.cli import main; main()", "demo", "--local", "--no-browser")


class Change(NamedTuple):
    """One message of a stream.

    Attributes:
        number: The number of the table's change.
        match: The number of the match.
        seq: How many events the match has by then.
        at: When the message came.
    """

    number: int
    match: int
    seq: int
    at: float


class Follower:
    """Reads the messages of a stream, in a thread."""

    def __init__(self, stream: Stream) -> None:
        self.changes: list[Change] = []
        self.news = threading.Condition()
        self._stream = stream
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while True:
                message, now = self._stream.message(), time.monotonic()
                state: dict[str, Any] = message.get("state", {})
                number = int(message["number"].partition(".")[2])
                found = Change(number, message["match"] or 0, state.get("seq", 0), now)
                with self.news:
                    self.changes.append(found)
                    self.news.notify_all()
        except (EOFError, OSError, ValueError):
            return  # the stream was closed

    def wait_for_match(self, after: int) -> Change:
        """Waits for the first change of a match that began after the match ``after``."""
        with self.news:
            self.news.wait_for(lambda: any(one.match > after for one in self.changes))
            return next(one for one in self.changes if one.match > after)


class Lap(NamedTuple):
    """One showing of the film.

    Attributes:
        match: The number of its match.
        began: When the film began.
        told: The events of the match, as text.
    """

    match: int
    began: float
    told: Sequence[str]


def told(events: Sequence[Event]) -> list[str]:
    """Events as text; a guessed suit is left out (V-12)."""
    found = []
    for event in events:
        card = event.card
        named = "" if card is None else card.rank if is_guessed(event) else str(card)
        found.append(f"{event.do} {event.seat} {named} {event.cards or ''}".strip())
    return found


def watch_laps(site: Site, states: Follower, laps: int) -> list[Lap]:
    """Waits for so many whole laps. The first match begins before the film does."""
    phone, found, match = Phone(site), list[Lap](), 0
    while phone.get("/film/clock")[0] != 200:
        time.sleep(0.2)
    match = states.changes[-1].match
    while len(found) < laps:
        asked = time.monotonic()
        at = json.loads(phone.get("/film/clock")[1])["at"]
        began = (asked + time.monotonic()) / 2 - at
        states.wait_for_match(match)
        phone = Phone(site)  # a new one: the server closes a connection that is idle for a lap
        _, record = phone.get(f"/match/{match}.jsonl")
        reading = read_record(io.BytesIO(record))
        found.append(Lap(match, began, told(latest_events(reading.match))))
        print(".", end="", file=sys.stderr, flush=True)
        match += 1
    print(file=sys.stderr)
    return found


def seen_by(changes: Sequence[Change], lap: Lap, count: int) -> list[int]:
    """For each event of a lap, the number of the first change that has it; 0 for none."""
    of_lap = [one for one in changes if one.match == lap.match]
    return [
        next((one.number for one in of_lap if one.seq >= seq), 0) for seq in range(1, count + 1)
    ]


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--laps", type=int, default=20)
    parser.add_argument("--viewers", type=int, default=0, help="who look on besides")
    options = parser.parse_args()
    alone = watch_alone()
    print(f"one core, by its own time: card at rest to its event {spread(alone.delays)}, "
          f"one look {spread(alone.looks)}", flush=True)  # fmt: skip
    truth = record_of(FILM).events
    due = [(place, float(one.remarks[AT])) for place, one in enumerate(truth) if one.do == "play"]
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-"))
        site = Site(Path(folder))
        noted = Path(folder) / "trace"
        os.environ[NAMED_BY] = str(noted)  # the processes of the site inherit it
        site.start([sys.executable, *DEMO, "--port", str(site.port)])
        stack.callback(site.end)
        site.await_answer()
        board = Follower(Stream(Phone(site), "board"))
        states = Follower(Stream(Phone(site), "/api/v1/stream"))
        command = [
            sys.executable,
            "-m",
            "tests.benchmarks.viewers",
            str(site.port),
            str(options.viewers),
        ]
        crowd = None
        if options.viewers:
            crowd = stack.enter_context(
                subprocess.Popen(
                    command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            )
            assert crowd.stdout is not None
            assert crowd.stdout.readline() == "ready\n"
        laps = watch_laps(site, states, options.laps)
        report: dict[str, Any] = {"seen": [], "dropped": 0}
        if crowd is not None:
            report = json.loads(crowd.communicate(f"{states.changes[-1].number}\n")[0])
        trace = Trace(noted)
    right = sum(lap.told == told(truth) for lap in laps)
    print(f"{len(laps)} laps, {right} scored without an error; load {os.getloadavg()[1]:.1f}")
    for lap in laps:
        if lap.told != told(truth):
            print(f"  match {lap.match}: {', '.join(lap.told)}")
    here = {one.number: one.at for one in board.changes}
    ways = [Way(lap.match, place + 1, lap.began + at, numbers[place])
            for lap in laps
            for numbers in [seen_by(states.changes, lap, len(truth))]
            for place, at in due
            if numbers[place]]  # fmt: skip
    numbers = sorted({way.number for way in ways})
    everybody = [here, *(dict(seen) for seen in report["seen"])]
    came = [dict(zip(numbers, arrivals(seen, numbers), strict=True)) for seen in everybody]
    print(f"card at rest to a phone:  {spread(came[0][way.number] - way.rested for way in ways)}")
    print(*trace.report(ways, came[0]), sep="\n")
    if options.viewers:
        others = [seen[way.number] - way.rested for way in ways for seen in came[1:]]
        print(f"to each of {options.viewers} others:  {spread(others)}; "
              f"missed {others.count(NEVER)}, dropped {report['dropped']}")  # fmt: skip
    print(f"cards seen: {len(ways)} of {len(due) * len(laps)}, median lap {_lap(laps):.1f} s")
    return 0 if right == len(laps) else 1


def _lap(laps: Sequence[Lap]) -> float:
    between = [b.began - a.began for a, b in pairwise(laps)]
    return median(between) if between else 0.0


if __name__ == "__main__":
    sys.exit(main())
