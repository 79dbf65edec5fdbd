"""Times the screens, also under load: ``python -m tests.benchmarks.screens``.

The server is the real one, in a process of its own. The viewers are in another process on the same
machine. ``--minutes 10`` checks for so long that no viewer is dropped, ``--viewers 1000`` adds so
many viewers, and ``--forged 10000`` sends so many forged requests a minute meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil

from scorekeeper.engine.events import Event
from tests.benchmarks.stages import spread
from tests.scorekeeper.playouts import long_match
from tests.webui.serving import ROOT, Phone, Site, Stream

BEFORE = 300
"""The match has so many events before the first one that is timed."""

TAPS, WAKES, STARTS = 200, 20, 5
PACE = 0.16
"""Seconds between two taps: a seat may not write more often."""

CHANGES = 600
"""At most so many taps with many viewers: a long evening has so many."""

SETTLED = 0.2
"""After this part of the time, 0–1, memory should not grow any more."""

NEVER = float("inf")
SERVERS = ("gevent", "cheroot")


class Bench:
    """A table late in the evening, with two phones that play; times them."""

    def __init__(self, site: Site, server: str, events: int, viewers: int) -> None:
        header, self._events = long_match(BEFORE + events)
        site.begin(header, self._events[:BEFORE])
        self.site, self.seen = site, BEFORE
        command = None
        if server == "cheroot":
            place = [str(site.port), str(viewers + 20)]
            command = [sys.executable, "-m", "tests.benchmarks.serve_with_cheroot", *place]
        site.start(command)
        site.await_answer()
        self.phones = [Phone(site).sit(0), Phone(site).sit(1)]
        self.stream = Stream(self.phones[1], "seat")
        self.number = self.stream.number()

    def tap(self) -> float:
        """Taps the next event on the phone of its seat; returns when it was tapped."""
        event: Event = self._events[self.seen]
        at = time.monotonic()
        status, answer = self.phones[event.seat or 0].say(event, self.seen)
        assert status == 200, answer
        self.seen += 1
        self.number += 1
        return at

    def tap_and_see(self) -> float:
        """Seconds from a tap on one phone to its change on another."""
        at = self.tap()
        while self.stream.number() < self.number:
            pass
        return time.monotonic() - at

    def taps(self, seconds: float) -> Iterator[float]:
        """Taps for so many seconds, at an even pace; yields when each tap was."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until and self.seen < len(self._events):
            yield self.tap_and_see()
            time.sleep(max(PACE - (time.monotonic() - now), 0))

    def memory(self) -> float:
        """The server's resident memory in MB."""
        assert self.site.process is not None
        return float(psutil.Process(self.site.process.pid).memory_info().rss / 1e6)

    def wake(self) -> float:
        """Seconds until a phone that connects again has the whole screen."""
        time.sleep(PACE)
        self.tap_and_see()
        at = time.monotonic()
        stream = Stream(self.phones[0], "seat")
        assert stream.number() == self.number
        stream.close()
        return time.monotonic() - at


@contextmanager
def bench(server: str, events: int, viewers: int) -> Iterator[Bench]:
    """Serves a table for the benchmark."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        site = Site(Path(folder))
        try:
            yield Bench(site, server, events, viewers)
        finally:
            site.end()


def start_up() -> float:
    """Seconds from ``trucam play`` to the first answered board."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        site = Site(Path(folder))
        at = time.monotonic()
        site.start()
        site.await_answer()
        found = time.monotonic() - at
        site.end()
    return found


@contextmanager
def beside(module: str, *arguments: object) -> Iterator[Callable[[str], Any]]:
    """Runs another process beside. It is ready when this yields.

    Yields:
        A function that sends the process a line, and returns what it then prints, read as JSON.
    """
    command = [sys.executable, "-m", f"{__package__}.{module}", *map(str, arguments)]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield lambda last: json.loads(process.communicate(f"{last}\n")[0])


def many_viewers(table: Bench, seconds: float, *, viewers: int, forged: int) -> dict[str, str]:
    """Taps with many viewers; returns when the last one had each change, and who was dropped."""
    before = table.memory()
    with ExitStack() as stack:
        port = table.site.port
        looked = stack.enter_context(beside("viewers", port, viewers))
        refused = stack.enter_context(beside("forgers", port, forged)) if forged else None
        latest, sent = [], {}
        until = time.monotonic() + seconds
        pace = max(PACE, seconds / CHANGES)
        assert table.site.process is not None
        server = psutil.Process(table.site.process.pid)
        worked, began = sum(server.cpu_times()[:2]), time.monotonic()
        early, settled = None, began + seconds * SETTLED
        while (now := time.monotonic()) < until:
            if early is None and now >= settled:
                early = table.memory()
            at = table.tap()
            sent[table.number] = at
            while table.stream.number() < table.number:
                pass
            latest.append(time.monotonic() - at)
            time.sleep(max(pace - (time.monotonic() - now), 0))
        load = (sum(server.cpu_times()[:2]) - worked) / (time.monotonic() - began)
        memory = table.memory()
        statuses = refused("") if refused else {}
        report = looked(str(table.number))
    arrived = [arrivals(dict(seen), list(sent)) for seen in report["seen"]]
    waited = [max(came) - at for at, *came in zip(sent.values(), *arrived, strict=True)]
    missed = sum(came.count(NEVER) for came in arrived)
    found = {
        f"a change to the last of {viewers} viewers": spread(waited),
        "meanwhile, a tap to the other phone": spread(latest),
        "changes × viewers; missed; dropped": (
            f"{len(sent)} × {viewers}; {missed}; {report['dropped']}"
        ),
        "memory, without and with viewers": f"{before:.0f} MB, {memory:.0f} MB",
        f"memory since {SETTLED:.0%} of the time": f"{memory / (early or memory) - 1:+.1%}",
        "processor, of one core": f"{load:.0%}",
    }
    if forged:
        answers = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
        found["forged requests, by status"] = answers
    return found


def arrivals(seen: dict[int, float], numbers: list[int]) -> list[float]:
    """Taps with many viewers; returns when the last had each change, and who was dropped."""
    found, at = [], NEVER
    for number in reversed(numbers):
        at = min(at, seen.get(number, NEVER))
        found.append(at)
    return found[::-1]


def measured(server: str, seconds: float, *, viewers: int, forged: int) -> dict[str, str]:
    """All figures of a server."""
    events = TAPS + WAKES + min(int(seconds / PACE), CHANGES) + 10
    with bench(server, events, viewers) as table:
        table.tap_and_see()  # not timed: the first drawing compiles the templates
        found = {"a tap to the other phone": spread(table.taps(TAPS * PACE))}
        found["a phone that slept has the state"] = spread(table.wake() for _ in range(WAKES))
        return found | many_viewers(table, seconds, viewers=viewers, forged=forged)


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=0.5, help="how long the viewers look")
    parser.add_argument("--viewers", type=int, default=300)
    parser.add_argument("--forged", type=int, default=0, help="forged requests a minute")
    parser.add_argument("--server", choices=SERVERS, action="append", help="only this one")
    options = parser.parse_args()
    print(f"from trucam play to the board:  {spread(start_up() for _ in range(STARTS))}")
    for server in options.server or SERVERS:
        print(f"{server}:", flush=True)
        found = measured(
            server, 60 * options.minutes, viewers=options.viewers, forged=options.forged
        )
        for what, figure in found.items():
            print(f"  {what:40}{figure}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
