"""The demo's film before a phone's browser: ``python -m tests.bench_phone --laps 3``.

A real Chromium shows the film to the camera page as its lens. ``trucam play`` takes the pictures
in, watches, and scores the match; what players say aloud is tapped at its time. Both run on this
machine. Each frame of the film carries its number in black and white squares, so that the page
tells when the film began. Printed are the laps that were scored without an error, the time from a
card at rest in front of the phone to a screen of another phone, and the pictures and bytes a
second.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

from datasets.films.stage import AT
from scorekeeper.engine.match import latest_events
from scorekeeper.history.record import read_record
from tests.bench_demo import Follower, told
from tests.browser.conftest import FLAGS, chromium
from tests.stages import spread
from tests.webui.serving import Phone, Site, Stream
from webui.cli.demo import FILM, Call, calls_of, record_of

RATE = 30
"""Frames a second that Chromium takes from such a film."""
BITS, SQUARE = 14, 8
"""Of a frame's number, in the upper left corner: how many squares, and their side in pixels."""
STARTED = 120
AFTER = 4.0
"""Seconds after the last event of the film in which it may still come."""

COUNT = """
window.sent = [];
const ask = window.fetch;
window.fetch = (where, more) => {
  if (more?.body?.size) sent.push([performance.now(), more.body.size]);
  return ask(where, more);
};
"""
FRAME = f"""
() => new Promise((done) => document.getElementById("video").requestVideoFrameCallback(() => {{
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [{BITS * SQUARE}, {SQUARE}];
  const context = canvas.getContext("2d");
  context.drawImage(document.getElementById("video"), 0, 0);
  let number = 0;
  for (let bit = 0; bit < {BITS}; bit++) {{
    const [red] = context.getImageData(bit * {SQUARE} + {SQUARE // 2}, {SQUARE // 2}, 1, 1).data;
    number += red > 128 ? 2 ** bit : 0;
  }}
  done([number, Date.now() / 1000]);
}}))
"""


class Lap(NamedTuple):
    """What came of one showing of the film.

    Attributes:
        right: Whether it was scored without an error.
        told: What stands in the record.
        delays: Of each card, in seconds.
        rate: Pictures a second.
        bits: Sent a second.
    """

    right: bool
    told: list[str]
    delays: list[float]
    rate: float
    bits: float


def to_lens(film: Path, lens: Path) -> float:
    """Writes a film as Chromium takes it, each frame with its number; returns its length."""
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


def film_began(page: Page) -> float:
    """When the film began, in seconds of ``time.monotonic``."""
    frames = [page.evaluate(FRAME) for _ in range(9)]
    now = time.monotonic() - time.time()
    return float(median(at - number / RATE for number, at in frames)) + now


def say_calls(host: Phone, calls: list[Call], began: float, page: Page) -> None:
    """Says what is due."""
    while calls and time.monotonic() - began >= calls[0].at:
        state = host.state()
        if state["seq"] < calls[0].after:
            return
        if host.say(calls[0].event, state["seq"])[0] == 200:
            calls.pop(0)


def show(page: Page, site: Site, length: float, more: str) -> Lap:
    """Shows the film once to a table that waits for it."""
    reading = record_of(FILM)
    host = Phone(site).host()
    states = Follower(Stream(Phone(site), "/api/v1/stream"))
    while not host.state()["camera"]["troubles"]:  # it says that no phone sends pictures
        time.sleep(0.2)
    page.goto(f"http://127.0.0.1:{site.port}/phone?key={site.keys['camera_key']}{more}")
    began = film_began(page)
    calls = list(calls_of(reading.events))
    while time.monotonic() < began + length:
        say_calls(host, calls, began, page)
        page.wait_for_timeout(50)
    sent = page.evaluate("window.sent")
    match = states.changes[-1].match
    found = read_record(io.BytesIO(Phone(site).get(f"/match/{match}.jsonl")[1]))
    events = told(latest_events(found.match))
    delays = [
        next((one.at for one in states.changes if one.seq > place), float("inf"))
        - began - float(event.remarks[AT])
        for place, event in enumerate(reading.events)
        if event.do == "play"
    ]  # fmt: skip
    seconds = (sent[-1][0] - sent[0][0]) / 1000
    bits = 8 * sum(size for _, size in sent) / seconds
    return Lap(events == told(reading.events), events, delays, len(sent) / seconds, bits)


def lap(browser: Any, length: float, *, jpeg: bool) -> Lap:
    """One lap, with a table and a phone of its own."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        os.environ["TRUCAM_CAMERAS"] = str(Path(folder) / "cameras")
        site = Site(Path(folder))
        site.begin(record_of(FILM).match.header)
        site.start(site.command("--camera", "phone"))
        page = browser.new_page(permissions=["camera"])
        try:
            site.await_answer()
            page.add_init_script(COUNT)
            return show(page, site, length, "&jpeg" if jpeg else "")
        finally:
            page.close()
            site.end()


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
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=[*FLAGS, "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                  f"--use-file-for-fake-video-capture={lens}"],
        )  # fmt: skip
        length = min(length, last + AFTER)
        laps = [lap(browser, length, jpeg=options.jpeg) for _ in range(options.laps)]
        browser.close()
    print(f"{len(laps)} laps, {sum(one.right for one in laps)} scored without an error; "
          f"load {os.getloadavg()[1]:.1f}")  # fmt: skip
    for one in laps:
        if not one.right:
            print(f"  {', '.join(one.told)}")
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
