"""The page of a phone that is the camera, in a real browser whose camera shows a film."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import cv2
import psutil
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from tests.browser.conftest import FLAGS, chromium
from tests.browser.hall import Hall
from tests.browser.served import Served
from tests.browser.test_camera_setup import STARTED, table_with_markers
from tests.webui.proxy import Proxy

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def lens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The film that the browser's camera shows: a table with markers."""
    film = tmp_path_factory.mktemp("lens") / "table.mjpeg"
    jpeg = cv2.imencode(".jpg", table_with_markers(marked=True))[1].tobytes()
    film.write_bytes(jpeg * 30)
    return film


@pytest.fixture(scope="module")
def phones(playwright: Playwright, lens: Path) -> Iterator[Browser]:
    """A browser whose camera shows the film."""
    browser = playwright.chromium.launch(
        executable_path=chromium(),
        args=[*FLAGS, "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
              f"--use-file-for-fake-video-capture={lens}"],
    )  # fmt: skip
    yield browser
    browser.close()


class Scan(Protocol):
    """Opens the camera's link on a phone; ``lacks`` names a feature that its browser lacks."""

    def __call__(self, link: str, *, lacks: str = "") -> Page: ...


@pytest.fixture
def scan(phones: Browser) -> Iterator[Scan]:
    """Opens the camera's link on phones; they are closed after the test."""
    contexts: list[BrowserContext] = []

    def opened(link: str, *, lacks: str = "") -> Page:
        context = phones.new_context(viewport=PHONE, permissions=["camera"], locale="en-GB")
        contexts.append(context)
        if lacks:
            context.add_init_script(f"delete {lacks}")
        page = context.new_page()
        page.goto(link)
        return page

    yield opened
    for context in contexts:
        context.close()


def to_the_code(hall: Hall) -> Page:
    """The host sets a table up with a phone as its camera; opens the page with the code."""
    host = hall.host()
    host.locator("[name=game][value=trut]").check()
    host.locator("[name=name0]").fill("Ana")
    host.locator("[name=name2]").fill("Bea")
    host.get_by_text("A phone over the table").click()
    host.get_by_role("button", name="Next: the camera").click()
    expect(host.locator("#link-camera svg.qr")).to_be_visible()
    return host


def test_a_phone_is_the_camera_after_one_scan(hall: Hall, scan: Scan) -> None:
    host = to_the_code(hall)
    expect(host.locator(".todo")).to_have_text(
        re.compile("No phone sends pictures"), timeout=STARTED
    )
    link = host.locator("#link-camera a").get_attribute("href")
    assert link is not None
    phone = scan(link)
    expect(host.locator(".health .good", has_text="Found by its markers.")).to_be_visible(
        timeout=STARTED
    )
    expect(host.locator(".health .good", has_text="1920 × 1080")).to_be_visible()
    expect(phone.locator("#text")).to_have_text("Lay a card on the table.")
    assert phone.locator("#outline").get_attribute("points")
    expect(host.locator("#link-camera")).not_to_have_attribute("open", "")
    phone.close()
    expect(host.locator(".todo")).to_have_text(
        re.compile("No phone sends pictures"), timeout=STARTED
    )
    scan(link)  # the page is opened again, as after a call
    expect(host.locator(".health .good", has_text="1920 × 1080")).to_be_visible(timeout=STARTED)
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it may just have ended
            if "vision.process.worker" in process.cmdline():
                process.kill()
    lost = host.locator(".health .waiting", has_text="Picture")
    expect(lost).to_be_visible(timeout=STARTED)
    expect(host.locator(".health .good", has_text="1920 × 1080")).to_be_visible(timeout=STARTED)


@pytest.mark.parametrize("lacks", ["window.VideoEncoder", "AbortSignal.timeout"])
def test_a_browser_that_lacks_something_sends_pictures(hall: Hall, scan: Scan, lacks: str) -> None:
    host = to_the_code(hall)
    link = host.locator("#link-camera a").get_attribute("href")
    assert link is not None
    scan(link, lacks=lacks)
    expect(host.locator(".health .good", has_text="1920 × 1080")).to_be_visible(timeout=STARTED)


@pytest.fixture
def network(served: Served) -> Iterator[Proxy]:
    """The network between the phone and the table."""
    port = urlsplit(served.url).port
    assert port is not None
    proxy = Proxy(port)
    yield proxy
    proxy.close()


def over(network: Proxy, link: str | None) -> str:
    """The camera's link, changed to lead through the network."""
    assert link is not None
    return urlsplit(link)._replace(netloc=f"127.0.0.1:{network.port}").geturl()


def test_a_slow_network_gets_smaller_pictures(hall: Hall, scan: Scan, network: Proxy) -> None:
    link = to_the_code(hall).locator("#link-camera a").get_attribute("href")
    phone = scan(over(network, link), lacks="window.VideoEncoder")

    def size() -> int:
        """The size of the next picture, in bytes."""
        with phone.expect_request("**/phone/picture", timeout=STARTED) as asked:
            pass
        return len(asked.value.post_data_buffer or b"")

    first = size()
    network.rate = 40_000
    while size() > first / 3:
        pass


@pytest.mark.parametrize("silent", [False, True], ids=["refused", "silent"])
def test_a_cut_network_is_found_again(
    hall: Hall, scan: Scan, network: Proxy, *, silent: bool
) -> None:
    host = to_the_code(hall)
    phone = scan(over(network, host.locator("#link-camera a").get_attribute("href")))
    good = host.locator(".health .good", has_text="1920 × 1080")
    expect(good).to_be_visible(timeout=STARTED)
    network.cut(silent=silent)
    expect(phone.locator("#text")).to_have_text(re.compile("does not answer"), timeout=STARTED)
    expect(host.locator(".todo")).to_have_text(
        re.compile("No phone sends pictures"), timeout=STARTED
    )
    network.mend()
    expect(good).to_be_visible(timeout=STARTED)


def test_a_page_that_is_opened_again_is_the_same_phone(hall: Hall, scan: Scan) -> None:
    host = to_the_code(hall)
    link = host.locator("#link-camera a").get_attribute("href")
    assert link is not None
    before = scan(link)
    with before.expect_response(lambda answer: answer.ok and "/phone/picture" in answer.url):
        pass
    after = before.context.new_page()
    before.close()
    with after.expect_response("**/phone/picture", timeout=STARTED) as first:
        after.goto(link)
    assert first.value.ok  # no other phone is in its way
