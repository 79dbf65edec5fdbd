"""A match through a phone's browser, with faults.

``python -m tests.benchmarks.phone_faults --faults 100`` shows the demo's film to a real Chromium,
as ``tests.benchmarks.phone`` does. At random times the phone's page crashes and is opened again,
the network between is cut (with or without closing connections), or the watching or the serving
process is killed. The host enters the calls, and taps what the camera has not seen after six
seconds. At the end the match is compared with the film's record. For each fault it prints how long
after its end the first new picture was looked at.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import psutil
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from datasets.films.stage import AT
from scorekeeper.engine.events import Event
from scorekeeper.engine.match import latest_events
from scorekeeper.history.record import read_record
from tests.benchmarks.faults import TAPPED_AFTER, _same
from tests.benchmarks.phone import FilmClock, film_browser, to_lens
from tests.benchmarks.stages import spread
from tests.webui.proxy import Proxy
from tests.webui.serving import Phone, Site
from vision.process.trace import NAMED_BY
from webui.cli.demo import FILM, record_of

EVERY, LASTS = (2.0, 5.0), (0.3, 3.0)
"""Seconds from the end of a fault to the next one, and how long a fault lasts; least and most."""
GIVEN_UP = 20.0
"""After so many seconds without a picture, it waits no longer."""
KEEPS = """
async () => {
  const video = document.createElement("video");
  video.id = "video";
  video.muted = true;
  video.srcObject = await navigator.mediaDevices.getUserMedia(
    { video: { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } } });
  document.body.replaceChildren(video);
  await video.play();
}
"""
"""Holds the camera open, so that the film goes on while the phone's page is gone."""


class Looks:
    """Tells which pictures were looked at, by what the watching processes write to a trace.

    Args:
        trace: The file of the trace; see ``vision.process.trace``.
    """

    def __init__(self, trace: Path) -> None:
        self._trace, self._read = trace, 0

    def first(self, after: float) -> float | None:
        """When the first picture that was taken after a time was looked at; None if none was."""
        with self._trace.open("rb") as noted:
            noted.seek(self._read)
            for line in noted:
                if not line.endswith(b"\n"):
                    return None
                self._read += len(line)
                at, _, stage, about = json.loads(line)
                if stage == "taken" and about["at"] > after:
                    return float(at)
        return None


class Match:
    """One showing of the film, with faults.

    Args:
        browser: The browser whose camera shows the film.
        folder: The folder for the table.
        chance: Decides which faults happen when.
        tell: Called after each fault with its kind, and how long it took until pictures came again.
    """

    def __init__(
        self, browser: Browser, folder: Path, chance: Random, tell: Callable[[str, float], None]
    ) -> None:
        self._chance, self._tell = chance, tell
        os.environ["TRUCAM_CAMERAS"] = str(folder / "cameras")
        os.environ[NAMED_BY] = str(folder / "trace")
        self._site = Site(folder)
        self.number = self._site.begin(record_of(FILM).match.header)
        self._site.start(self._site.command("--camera", "phone"))
        self._site.await_answer()
        self._host = Phone(self._site).host()
        self._looks = Looks(folder / "trace")
        self._proxy = Proxy(self._site.port)
        self._contexts: list[BrowserContext] = [
            browser.new_context(permissions=["camera"], locale="en-GB") for _ in range(2)
        ]
        self._keeper = self._contexts[0].new_page()
        self._keeper.goto(f"http://127.0.0.1:{self._site.port}/rules")
        self._truth = [(float(one.remarks[AT]), one) for one in record_of(FILM).events]
        self._stand: list[Event] = []
        self._mend: Callable[[], None] | None = None
        """Ends the fault that lasts now; None if none does."""
        self.put_right = 0

    def play(self, length: float) -> int:
        """Shows the film; returns how many events of the match are wrong."""
        while not self._host.state()["camera"]["troubles"]:  # waits until it says that none come
            time.sleep(0.2)
        self._keeper.evaluate(KEEPS)
        self._phone = self._scan()
        clock = FilmClock(self._keeper)
        faults = self._faults(clock)
        while clock.shown < length + TAPPED_AFTER - 2:
            clock.ask()
            next(faults)
            with suppress(OSError, ValueError, KeyError):  # the server may be starting again
                self._call_or_tap(clock.shown)
            self._keeper.wait_for_timeout(50)
        if self._mend is not None:
            self._mend()
        self._read_record()
        wrong = sum(
            not _same(one, other) for one, (_, other) in zip(self._stand, self._truth, strict=False)
        )
        return wrong + abs(len(self._stand) - len(self._truth))

    def close(self) -> None:
        """Closes the page and stops the server."""
        for context in self._contexts:
            context.close()
        self._proxy.close()
        self._site.end()

    def _scan(self) -> Page:
        page = self._contexts[1].new_page()
        key = self._site.keys["camera_key"]
        page.goto(f"http://127.0.0.1:{self._proxy.port}/phone?key={key}", wait_until="commit")
        return page

    # --- what goes wrong ---

    def _faults(self, clock: FilmClock) -> Any:
        """Causes faults, one after another. It goes on whenever ``next`` is called."""
        kinds = {"page crashed": self._crash, "network cut": self._cut,
                 "network silent": self._silence, "watching killed": self._kill_watcher,
                 "server killed": self._kill_server}  # fmt: skip
        first = True
        while True:
            # The film has no markers, so the table must be found first.
            until = time.monotonic() + (9.0 if first else self._chance.uniform(*EVERY))
            first = False
            while time.monotonic() < until:
                yield
            kind = self._chance.choice(list(kinds))
            self._mend = kinds[kind]()
            until = time.monotonic() + self._chance.uniform(*LASTS)
            while self._mend is not None and time.monotonic() < until:
                yield
            ended = time.monotonic()
            if self._mend is not None:
                self._mend()
            self._mend = None
            at = None
            while at is None and time.monotonic() < ended + GIVEN_UP:
                yield
                at = self._looks.first(ended)
            self._tell(kind, (at or float("inf")) - ended)

    def _crash(self) -> Callable[[], None]:
        def again() -> None:
            self._phone = self._scan()

        with suppress(Error):
            self._phone.goto("chrome://crash", timeout=2000)
        with suppress(Error):
            self._phone.close()
        return again

    def _cut(self) -> Callable[[], None]:
        self._proxy.cut(silent=False)
        return self._proxy.mend

    def _silence(self) -> Callable[[], None]:
        self._proxy.cut(silent=True)
        return self._proxy.mend

    def _kill_watcher(self) -> None:
        assert self._site.process is not None
        for process in psutil.Process(self._site.process.pid).children(recursive=True):
            with suppress(psutil.Error):  # it may just have ended
                if "vision.process.worker" in process.cmdline():
                    process.kill()

    def _kill_server(self) -> Callable[[], None]:
        assert self._site.process is not None
        self._site.process.kill()
        self._site.process.communicate()

        def again() -> None:
            self._site.start(self._site.command("--camera", "phone"))
            self._site.await_answer()

        return again

    # --- what is said ---

    def _call_or_tap(self, shown: float) -> None:
        state = self._state()
        if state["seq"] != len(self._stand):
            self._read_record()
        for one, (_, other) in zip(self._stand, self._truth, strict=False):
            if not _same(one, other):
                self.put_right += 1
                self._host.say(Event("undo"), state["seq"])
                return
        if len(self._stand) >= len(self._truth):
            return
        at, event = self._truth[len(self._stand)]
        if shown >= at + (TAPPED_AFTER if event.do in ("play", "deal") else 0.0):
            self._host.say(event, state["seq"])

    def _state(self) -> dict[str, Any]:
        try:
            return self._host.state()
        except Exception:  # the connection belonged to a killed server
            self._host = Phone(self._site).host()
            return self._host.state()

    def _read_record(self) -> None:
        record = Phone(self._site).get(f"/match/{self.number}.jsonl")[1]
        self._stand = list(latest_events(read_record(io.BytesIO(record)).match))


def main() -> int:
    """Plays matches until there were so many faults, and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    backs: defaultdict[str, list[float]] = defaultdict(list)
    chance = Random(options.seed)
    wrong = put_right = events = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lens = Path(folder) / "film.mjpeg"
        length = to_lens(FILM, lens)
        browser = film_browser(playwright, lens)
        while sum(len(each) for each in backs.values()) < options.faults:
            with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as table:
                match = Match(
                    browser, Path(table), chance,
                    lambda kind, back: backs[kind].append(back),
                )  # fmt: skip
                try:
                    found = match.play(length - TAPPED_AFTER)
                finally:
                    match.close()
                wrong, put_right = wrong + found, put_right + match.put_right
                events += len(record_of(FILM).events)
                print(f"{sum(map(len, backs.values()))} faults, wrong {wrong}, "
                      f"put right {put_right}", file=sys.stderr, flush=True)  # fmt: skip
        browser.close()
    for kind, each in sorted(backs.items()):
        print(f"{kind}: {len(each)}, back after {spread(each)}")
    every = [back for each in backs.values() for back in each]
    print(f"{len(every)} faults, back after {spread(every)}; {events} events: {wrong} lost, "
          f"doubled or wrong, {put_right} put right; load {os.getloadavg()[1]:.1f}")  # fmt: skip
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
