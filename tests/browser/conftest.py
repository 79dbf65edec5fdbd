"""What the tests in a browser share: the served program, a browser, and the screens of a table."""

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
    """The path of this machine's Chromium; the headless one if there is one, for it is faster."""
    for name in ("chromium-headless-shell", "/usr/bin/chromium", "chromium", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright, which drives the browser."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The browser of all tests; each screen has its own profile in it."""
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
    """The program, serving a table for the tests of a module. It must not report an error.

    If the module has a ``SCRIPT``, the table has a camera that follows these steps; see
    ``tests.vision.scripted_worker``.
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
    """The host of the module's table, without a page."""
    desk = Desk(playwright, served)
    yield desk
    desk.close()


@pytest.fixture
def desk(keeper: Desk, served: Served) -> Desk:
    """The host of a table that is not set up, and whose seats no phone holds."""
    keeper.post("/host/clear")
    for seat in served.held():
        keeper.post("/host/revoke", seat=seat)
    return keeper


@pytest.fixture
def hall(browser: Browser, served: Served, desk: Desk) -> Iterator[Hall]:
    """The screens of the table. No console may show an error."""
    hall = Hall(browser, served, desk)
    yield hall
    hall.close()
    hall.check()
