"""The demo shows its film beside the board, in step with what the camera sees."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.hall import PATIENCE, TV
from tests.browser.served import Served
from tests.browser.test_sizes import LOCALES, SMALL, WIDTH, off_screen
from tests.vision.scripted_play import scripted
from webui.cli.demo import FILM

IN_STEP = """async () => {
  const film = document.querySelector("#film video");
  if (film.hidden || film.paused || film.seeking || film.readyState < 2) return false;
  const { at } = await (await fetch("/film/clock")).json();
  return at > 20 && Math.abs((at % film.duration) - film.currentTime) < 0.5;
}"""

OVERFLOWS = """(what) => {
  const around = document.querySelector(what).getBoundingClientRect();
  return [...document.querySelectorAll(`${what} .card, ${what} p`)]
    .map((one) => one.getBoundingClientRect())
    .filter((box) => box.width &&
      (box.top < around.top || box.bottom > around.bottom || box.left < around.left))
    .map((box) => `${box.left}, ${box.top} to ${box.bottom} in ${around.top} to ${around.bottom}`);
}"""


@pytest.mark.parametrize("page", ["/", "/tv"])
def test_the_film_is_in_step_and_comes_back_into_it(
    browser: Browser, tmp_path: Path, page: str
) -> None:
    served = Served(tmp_path, command="demo", program=scripted("lap:20"))
    served.start()
    try:
        board = browser.new_page()
        board.goto(served.url + page)
        board.wait_for_function(IN_STEP, timeout=PATIENCE)
        expect(board.locator(".score")).to_be_visible()
        board.evaluate("document.querySelector('#film video').currentTime = 3")
        board.wait_for_function(IN_STEP, timeout=PATIENCE)
        board.close()
    finally:
        served.stop()
    assert served.errors.read_text().strip() == ""


def test_one_tap_ends_the_demo_for_a_table_of_ones_own(browser: Browser, tmp_path: Path) -> None:
    served = Served(tmp_path, command="demo", program=scripted("lap:20"))
    served.start()
    try:
        tv = browser.new_page()
        tv.goto(f"{served.url}/tv")
        tv.get_by_role("button", name="Play your own").click()
        expect(tv.get_by_role("heading", name="Set up a table")).to_be_visible(timeout=30_000)
        assert tv.url.startswith(served.url)
        tv.close()
    finally:
        served.stop()
    assert served.errors.read_text().strip() == ""


def test_what_the_table_believes_is_followed_and_fits_a_phone(
    browser: Browser, tmp_path: Path
) -> None:
    corners = [[0, 0], [6, 0], [6, 9], [0, 9]]
    readings = [["KS", 0.98], ["JS", 0.01], ["QS", 0.01]]
    seen = {"id": 7, "corners": corners, "readings": readings, "here": True, "meaning": "again"}
    plays = [
        [number % 2, card, 7] for number, card in enumerate(("KS", "8D", "9C", "7H", "AD", "JC"))
    ]
    whole = {
        "outline": [[-40, -30], [40, -30], [40, 30], [-40, 30]],
        "objects": [seen] * 6,
        "stories": [
            {"chance": 0.9, "plays": plays, "ended": True},
            {"chance": 0.1, "plays": plays[:5], "ended": False},
        ],
    }
    insights = [{**whole, "objects": [], "stories": []}, whole]
    program = scripted("lap:20", f"believes:{json.dumps(insights)}")
    served = Served(tmp_path, command="demo", program=program)
    served.start()
    try:
        for locale in LOCALES:
            page = browser.new_page(locale=locale, viewport={"width": SMALL[0], "height": SMALL[1]})
            page.goto(served.host_link)
            page.goto(f"{served.url}/host/insight")
            expect(page.locator(".objects li")).to_have_count(6, timeout=PATIENCE)
            expect(page.locator(".belief")).to_have_count(2)
            assert page.evaluate(WIDTH) <= SMALL[0]
            page.close()
    finally:
        served.stop()
    assert served.errors.read_text().strip() == ""


def test_the_tv_shows_all_of_a_spoiled_trick_beside_the_film(
    browser: Browser, tmp_path: Path
) -> None:
    record = tmp_path / "spoiled.jsonl"
    record.write_text("\n".join(FILM.with_suffix(".jsonl").read_text().splitlines()[:4]))
    served = Served(tmp_path, command="demo", program=scripted("lap:20", f"record:{record}"))
    served.start()
    try:
        for locale, (width, height) in product(LOCALES, [(1280, 720), TV]):
            tv = browser.new_page(locale=locale, viewport={"width": width, "height": height})
            tv.goto(f"{served.url}/tv")
            expect(tv.locator(".taken.spoiled")).to_be_visible(timeout=PATIENCE)
            assert off_screen(tv, ".chair, .said, .tricks") == [], (locale, width)
            assert tv.evaluate(OVERFLOWS, ".felt") == [], (locale, width)
            tv.close()
    finally:
        served.stop()
    assert served.errors.read_text().strip() == ""
