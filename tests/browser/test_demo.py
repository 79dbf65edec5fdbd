"""The demo's film stands beside the board, in step with what the camera sees of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.hall import PATIENCE
from tests.browser.served import Served
from tests.vision.scripted_play import scripted

IN_STEP = """async () => {
  const film = document.querySelector("#film video");
  if (film.hidden || film.paused || film.seeking || film.readyState < 2) return false;
  const { at } = await (await fetch("/film/clock")).json();
  return at > 20 && Math.abs((at % film.duration) - film.currentTime) < 0.5;
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
