"""Shows the demo's film to a phone's browser: ``python -m tests.benchmarks.phone --laps 3``.

The film is the camera of a real Chromium, which opens the page of a phone that is the camera.
``trucam play`` on the same machine receives the pictures and scores the match; what players say
aloud is tapped at its time. Each frame of the film bears its number in black and white squares, so
that the page can tell when the film began.

It prints how many laps were scored without an error, the time from a card's coming to rest before
the phone to another phone's screen, and the pictures and bytes a second.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from datasets.films.stage import AT
from scorekeeper.engine.match import latest_events
from scorekeeper.history.record import read_record
from tests.benchmarks.demo import Change, Follower, told
from tests.benchmarks.stages import Trace, Way, spread
from tests.browser.conftest import FLAGS, chromium
from tests.webui.serving import Phone, Site, Stream
from vision.process.trace import NAMED_BY
from webui.cli.demo import FILM, Call, calls_of, record_of

RATE = 30
"""Frames a second that Chromium reads from such a film."""
BITS, SQUARE = 14, 8
"""How many squares tell a frame's number, in its upper left corner; their side in pixels."""
STARTED = 120
ASKED_EVERY = 0.5
"""Seconds between two questions to the page how far the film is."""
TRACE = "trace"
AFTER = 4.0
"""Seconds to wait for the last event after the film has shown it."""

COUNT = """
window.sent = [];
const ask = window.fetch;
window.fetch = (where, more) => {
  if (more?.body?.size) sent.push([performance.now(), more.body.size]);
  return ask(where, more);
};
"""
FRAME = f"""
() => new Promise((done) => document.getElementById("video").requestVideoFrameCallback(
(now, of) => {{
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [{BITS * SQUARE}, {SQUARE}];
  const context = canvas.getContext("2d");
  context.drawImage(document.getElementById("video"), 0, 0);
  let number = 0;
  for (let bit = 0; bit < {BITS}; bit++) {{
    const [red] = context.getImageData(bit * {SQUARE} + {SQUARE // 2}, {SQUARE // 2}, 1, 1).data;
    number += red > 128 ? 2 ** bit : 0;
  }}
  done([number / {RATE}, (performance.timeOrigin + (of.captureTime ?? now)) / 1000]);
}}))
"""


class Lap(NamedTuple):
    """The result of one showing of the film.

    Attributes:
        right: Whether the match was scored without an error.
        told: The events of the match, as text.
        delays: The delay of each card, in seconds.
        rate: Pictures a second.
        bits: Bits a second.
        stages: A line for each stage from the card to the screen, with its time.
    """

    right: bool
    told: list[str]
    delays: list[float]
    rate: float
    bits: float
    stages: list[str]


def to_lens(film: Path, lens: Path) -> float:
    """Writes a film as a file that Chromium can use as its camera, each frame with its number.

    Returns:
        The length of the film, in seconds.
    """
    capture = cv2.VideoCapture(str(film))
    rate, count = capture.get(cv2.CAP_PROP_FPS), 0
    with lens.open("wb") as out:
        frame, number = capture.read()[1], 0
        while True:
            while number < int(count * rate / RATE):
                there, after = capture.read()
                if not there:
                    return count / RATE
                frame, number = after, number + 1
            shown = frame.copy()
            for bit in range(BITS):
                shown[:SQUARE, bit * SQUARE : (bit + 1) * SQUARE] = 255 * (count >> bit & 1)
            out.write(cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())
            count += 1


class FilmClock:
    """Tells when the browser showed which part of the film: a busy browser shows it late.

    Args:
        page: The page with the camera.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._shown: list[float] = []
        self._at: list[float] = []
        self._asked = 0.0
        self.ask()

    def ask(self) -> None:
        """Asks the page how far the film is, at most twice a second."""
        now = time.monotonic()
        if now - self._asked >= ASKED_EVERY:
            self._asked = now
            shown, at = self._page.evaluate(FRAME)
            self._shown.append(shown)
            self._at.append(at + time.monotonic() - time.time())

    @property
    def shown(self) -> float:
        """How much of the film has been shown, in seconds."""
        return self._shown[-1] + time.monotonic() - self._at[-1]

    def when(self, shown: float) -> float:
        """When so many seconds of the film had been shown, by ``time.monotonic``."""
        return float(np.interp(shown, self._shown, self._at))


def say_calls(host: Phone, calls: list[Call], shown: float) -> None:
    """Enters the calls that are due."""
    while calls and shown >= calls[0].at:
        state = host.state()
        if state["seq"] < calls[0].after:
            return
        if host.say(calls[0].event, state["seq"])[0] == 200:
            calls.pop(0)


def show(page: Page, site: Site, length: float) -> Lap:
    """Shows the film once to a table with a match."""
    reading = record_of(FILM)
    host = Phone(site).host()
    states = Follower(Stream(Phone(site), "/api/v1/stream"))
    while not host.state()["camera"]["troubles"]:  # waits until it says that no pictures come
        time.sleep(0.2)
    page.goto(f"http://127.0.0.1:{site.port}/phone?key={site.keys['camera_key']}")
    film = FilmClock(page)
    calls = list(calls_of(reading.events))
    while film.shown < length:
        film.ask()
        say_calls(host, calls, film.shown)
        page.wait_for_timeout(50)
    sent = page.evaluate("window.sent")
    match = states.changes[-1].match
    found = read_record(io.BytesIO(Phone(site).get(f"/match/{match}.jsonl")[1]))
    events = told(latest_events(found.match))
    never = Change(0, match, 0, float("inf"))
    cards = [(place, film.when(float(event.remarks[AT])))
             for place, event in enumerate(reading.events) if event.do == "play"]  # fmt: skip
    seen = [next((one for one in states.changes if one.seq > place), never) for place, _ in cards]
    delays = [one.at - at for one, (_, at) in zip(seen, cards, strict=True)]
    ways = [Way(match, place + 1, at, one.number)
            for one, (place, at) in zip(seen, cards, strict=True)
            if one.number]  # fmt: skip
    stages = Trace(site.folder / TRACE).report(ways, {one.number: one.at for one in seen})
    seconds = (sent[-1][0] - sent[0][0]) / 1000
    bits = 8 * sum(size for _, size in sent) / seconds
    return Lap(events == told(reading.events), events, delays, len(sent) / seconds, bits, stages)


def lap(browser: Browser, length: float, *, jpeg: bool) -> Lap:
    """Shows the film once, to a new table and with a new phone."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        os.environ["TRUCAM_CAMERAS"] = str(Path(folder) / "cameras")
        os.environ[NAMED_BY] = str(Path(folder) / TRACE)
        site = Site(Path(folder))
        site.begin(record_of(FILM).match.header)
        site.start(site.command("--camera", "phone"))
        page = browser.new_page(permissions=["camera"])
        try:
            site.await_answer()
            page.add_init_script(COUNT)
            if jpeg:
                page.add_init_script("delete window.VideoEncoder")
            return show(page, site, length)
        finally:
            page.close()
            site.end()


def film_browser(playwright: Playwright, lens: Path) -> Browser:
    """A browser whose camera shows a film that ``to_lens`` has written."""
    return playwright.chromium.launch(
        executable_path=chromium(),
        args=[*FLAGS, "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
              f"--use-file-for-fake-video-capture={lens}"],
    )  # fmt: skip


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--laps", type=int, default=3)
    parser.add_argument("--jpeg", action="store_true", help="as browsers without WebCodecs do")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lens = Path(folder) / "film.mjpeg"
        length = to_lens(FILM, lens)
        last = float(record_of(FILM).events[-1].remarks[AT])
        browser = film_browser(playwright, lens)
        length = min(length, last + AFTER)
        laps = [lap(browser, length, jpeg=options.jpeg) for _ in range(options.laps)]
        browser.close()
    print(f"{len(laps)} laps, {sum(one.right for one in laps)} scored without an error; "
          f"load {os.getloadavg()[1]:.1f}")  # fmt: skip
    for one in laps:
        if not one.right:
            print(f"  {', '.join(one.told)}")
        print(*one.stages, sep="\n")
    delays = np.array([delay for one in laps for delay in one.delays])
    seen = delays[np.isfinite(delays)]
    print(f"cards seen: {len(seen)} of {len(delays)}")
    if len(seen):
        print(f"card at rest before the phone to a screen:  {spread(seen)}")
    print(f"{mean(one.rate for one in laps):.1f} pictures a second, "
          f"{mean(one.bits for one in laps) / 1e6:.1f} Mbit/s")  # fmt: skip
    return 0 if all(one.right for one in laps) else 1


if __name__ == "__main__":
    sys.exit(main())
