"""Once the camera is ready, its page leads to the table by itself, unless a person touches it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, Hall

SEEN = '"size":[1280,720],"spots":[[0.5,0.9],[0.5,0.1]]'
SCRIPT = [
    f'tell:{{{SEEN},"laid":[]}}',
    "picture",  # the page is there by then
    f'tell:{{{SEEN},"laid":[["KS",1.0,0]]}}',
]
"""The camera sees a card only after the page was shown without one."""

CAMERA, TABLE = re.compile("/host/camera$"), re.compile("/host$")
SOON = "The table comes in a moment. Touch this page to stay and show the deck."


@pytest.fixture
def host(hall: Hall) -> Page:
    """The page of a camera that becomes ready; the test sets the clock of the page."""
    host = hall.open("/", PHONE)
    host.route("**/picture.jpg", lambda route: route.fulfill(status=204))  # /host asks for it, too
    host.goto(hall.served.host_link)
    hall.desk.post("/host/setup", game="trut", players="2", name0="Ana", name2="Bea",
                      best_of="1", watched="camera")  # fmt: skip
    host.clock.install()
    host.goto("/host/camera")
    expect(host.locator(".todo")).to_have_text("Lay a card on the table.")
    host.unroute("**/picture.jpg")
    return host


def wait(page: Page, seconds: int) -> None:
    """Lets so many seconds pass for the page's script."""
    page.clock.run_for(1000 * seconds)


def test_a_ready_camera_leads_to_the_table_by_itself(host: Page) -> None:
    expect(host.locator(".todo a")).to_be_visible()
    wait(host, 2)
    expect(host.locator("#toast")).to_have_text(SOON)
    wait(host, 6)
    expect(host).to_have_url(TABLE)


def test_whoever_touches_the_page_stays(host: Page) -> None:
    expect(host.locator(".todo a")).to_be_visible()
    wait(host, 2)
    host.get_by_role("heading", name="The camera").tap()
    wait(host, 20)
    expect(host).to_have_url(CAMERA)


def test_whoever_comes_back_to_a_camera_that_is_ready_stays(host: Page) -> None:
    expect(host.locator(".todo a")).to_be_visible()
    host.reload()
    expect(host.locator(".todo a")).to_be_visible()
    wait(host, 20)
    expect(host).to_have_url(CAMERA)
