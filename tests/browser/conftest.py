"""A served table, a browser, and the phones, the TV and the host's computer around it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser.hall import PATIENCE, Hall
from tests.browser.served import Desk, Served
from tests.vision.scripted_play import scripted

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip


def chromium() -> str | None:
    """This machine's Chromium; the one without windows comes first, as it takes half the time."""
    for name in ("chromium-headless-shell", "/usr/bin/chromium", "chromium", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives the browser."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One browser for all tests; each test has its own profiles in it."""
    program = chromium()
    if program is None:
        pytest.skip("there is no Chromium here")
    browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def served(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A table for the tests of one module; in the end, it must have reported no error.

    If the module has a ``SCRIPT``, a camera follows it; see ``tests.vision.scripted_worker``.
    """
    folder = tmp_path_factory.mktemp("table")
    script = [step.replace("FOLDER", str(folder)) for step in getattr(request.module, "SCRIPT", ())]
    camera: dict[str, Any] = {"program": scripted(*script), "options": ("--camera", "0")}
    served = Served(folder, **(camera if script else {}))
    served.start()
    yield served
    served.stop()
    assert served.errors.read_text().strip() == "" or "die" in str(script)


@pytest.fixture(scope="module")
def keeper(playwright: Playwright, served: Served) -> Iterator[Desk]:
    """The host of the module's table."""
    desk = Desk(playwright, served)
    yield desk
    desk.close()


@pytest.fixture
def desk(keeper: Desk, served: Served) -> Desk:
    """The host, at a table that is not set up, and where nobody sits."""
    keeper.post("/host/clear")
    for seat in served.held():
        keeper.post("/host/revoke", seat=seat)
    return keeper


@pytest.fixture
def hall(browser: Browser, served: Served, desk: Desk) -> Iterator[Hall]:
    """The screens around the table; in the end, no console may have an error."""
    hall = Hall(browser, served, desk)
    yield hall
    hall.close()
    hall.check()
