"""A phone's pictures over slow networks: ``python -m tests.benchmarks.phone_slow --seconds 40``.

The demo's film is the camera of a real Chromium, as in ``tests.benchmarks.phone``. A proxy between
its page and ``trucam play`` limits the bits a second. It prints how old a picture is when the page
learns that the table has it, how many pictures come a second, and how large they are. Only the
second half of the time counts: by then the page has adapted to the network.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.phone import film_browser, to_lens
from tests.benchmarks.stages import spread
from tests.webui.proxy import Proxy
from tests.webui.serving import Site
from webui.cli.demo import FILM, record_of

FILMS = (3e6, 1e6, 256e3)
PICTURES = (16e6, 3e6, 1e6, 256e3)
"""Bits a second of the networks over which the browser sends single pictures. Those above are for a
browser that sends a film."""
NOTES = """
window.sent = [];
const ask = window.fetch;
window.fetch = async (where, more) => {
  const answer = await ask(where, more);
  const now = performance.timeOrigin + performance.now();
  if (more?.body?.size) {
    const old = now / 1000 - Number(more.headers["X-Taken"]);
    sent.push([performance.now() / 1000, old, more.body.size]);
  }
  return answer;
};
"""


def over(browser: Browser, rate: float, seconds: float, *, jpeg: bool) -> str:
    """A line with the figures of one network."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        os.environ["TRUCAM_CAMERAS"] = str(Path(folder) / "cameras")
        site = Site(Path(folder))
        site.begin(record_of(FILM).match.header)
        site.start(site.command("--camera", "phone"))
        site.await_answer()
        proxy = Proxy(site.port)
        page = browser.new_page(permissions=["camera"], locale="en-GB")
        try:
            page.add_init_script(NOTES)
            more = "&jpeg" if jpeg else ""
            page.goto(f"http://127.0.0.1:{proxy.port}/phone?key={site.keys['camera_key']}{more}")
            proxy.rate = rate / 8
            page.wait_for_timeout(seconds * 1000)
            sent = page.evaluate("window.sent")
            words = page.locator("#text").inner_text()
        finally:
            page.close()
            proxy.close()
            site.end()
    late = [one for one in sent if one[0] > sent[0][0] + seconds / 2]
    made = "JPEG" if jpeg else "H.264"
    if not late:
        return f"{rate / 1e6:g} Mbit/s, {made}: nothing came in the second half; page: {words}"
    took = late[-1][0] - late[0][0]
    size = sum(each for _, _, each in late)
    settled, whole = (spread(old for _, old, _ in some) for some in (late, sent))
    return (
        f"{rate / 1e6:g} Mbit/s, {made}: old {settled} (from the start: {whole}); "
        f"{len(late) / took:.1f} a second, {size / len(late) / 1000:.0f} kB each, "
        f"{8 * size / took / 1e6:.2f} Mbit/s; page: {words}"
    )


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lens = Path(folder) / "film.mjpeg"
        to_lens(FILM, lens)
        browser = film_browser(playwright, lens)
        for jpeg, rates in ((False, FILMS), (True, PICTURES)):
            for rate in rates:
                print(over(browser, rate, options.seconds, jpeg=jpeg), flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
