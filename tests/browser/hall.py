"""The screens of a table: phones, a TV and the host's computer, and what people do on them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
)

from tests.browser.served import Desk, Served

PATIENCE = 10_000
"""Milliseconds that a screen may take: the machine may be busy, and this measures no times."""
PHONE = (390, 844)
TV = (1920, 1080)
COMPUTER = (1280, 900)


class Hall:
    """Opens screens, and collects the errors of their consoles.

    Args:
        browser: The browser in which all screens are opened.
        served: The program that serves the table.
        desk: The host, without a page.
    """

    def __init__(self, browser: Browser, served: Served, desk: Desk) -> None:
        self._browser, self.served, self.desk = browser, served, desk
        self._contexts: list[BrowserContext] = []
        self._pages: list[Page] = []
        self._complaints: list[str] = []
        self._expected: list[str] = []

    # --- screens ---

    def open(self, path: str, size: tuple[int, int] = PHONE, **more: Any) -> Page:
        """Opens a page in a new profile, as on another device."""
        width, height = size
        if size not in (TV, COMPUTER):
            more = {"has_touch": True, "is_mobile": True, **more}
        context = self._browser.new_context(
            base_url=self.served.url,
            viewport={"width": width, "height": height},
            locale=more.pop("locale", "en-GB"),
            **more,
        )
        self._contexts.append(context)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._complaints.append(str(error.error)))
        context.on("request", self._look_where)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(path)
        self._pages.append(page)
        return page

    def phone(self, seat: int, **more: Any) -> Page:
        """Opens a phone that has scanned the code of a seat."""
        return self.open(self.served.seat_link(seat), **more)

    def tv(self, **more: Any) -> Page:
        """Opens a TV that shows the board."""
        return self.open("/tv", TV, **more)

    def host(self, **more: Any) -> Page:
        """Opens the host's page on the computer that runs the program."""
        return self.open(self.served.host_link, COMPUTER, **more)

    # --- what they do ---

    def tap(self, button: Locator) -> int:
        """Taps a button that writes, and waits until all screens show the change.

        Returns:
            The status of the answer.
        """
        status = self.tap_alone(button)
        self.settle()
        return status

    def tap_alone(self, button: Locator) -> int:
        """Taps a button that writes, and waits for no other screen: some may be cut off.

        Returns:
            The status of the answer.
        """
        page = button.page
        with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            button.tap() if self._has_touch(page) else button.click()
        return answered.value.status

    def settle(self) -> None:
        """Waits until every screen shows the latest change. The camera may make further ones."""
        run, number = self.desk.number().split(".")
        later = "|".join(str(int(number) + more) for more in range(100))
        shown = re.compile(rf"^{run}\.({later})$")
        for page in self._pages:
            if not page.is_closed() and page.locator("#live").count():
                expect(page.locator("#live")).to_have_attribute("data-number", shown)

    def do(self, phone: Page, what: str) -> int:
        """Taps a card by its rank (``K``), or a call (``raise 2``, ``accept``)."""
        verb, *number = what.split()
        is_verb = verb[0].islower()  # ranks are capital letters and numbers
        return self.tap(call(phone, verb, *number) if is_verb else card(phone, what))

    @staticmethod
    def _has_touch(page: Page) -> bool:
        size = page.viewport_size
        return size is not None and (size["width"], size["height"]) not in (TV, COMPUTER)

    # --- what they complain of ---

    def expect_complaint(self, pattern: str) -> None:
        """Allows a message in the browser's console that this test causes on purpose."""
        self._expected.append(pattern)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def _look_where(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme in ("http", "https", "ws", "wss") and url.hostname != "127.0.0.1":
            self._complaints.append(f"a request to {request.url}")

    def close(self) -> None:
        """Closes all screens."""
        for context in self._contexts:
            context.close()

    def check(self) -> None:
        """Fails if a console showed an error, or if a page sent a request to another machine."""
        left = [
            said
            for said in self._complaints
            if not any(re.search(pattern, said) for pattern in self._expected)
        ]
        assert not left, "\n".join(left)


def card(phone: Page, rank: str) -> Locator:
    """The button that plays a rank."""
    return phone.locator(".buttons > .picker").get_by_role("button", name=rank, exact=True)


def call(phone: Page, verb: str, number: str = "") -> Locator:
    """The button of a call, by its verb, and by its number if there are several of them."""
    return phone.locator(f"button[id^='call-'][id*='-{verb}-{number}']")


def laid(screen: Page, name: str) -> Locator:
    """The card that lies before the player with this name."""
    return screen.locator(".chair", has_text=name).locator(".card .rank")


def points(screen: Page) -> Locator:
    """The large digits of both scores."""
    return screen.locator(".side .points")


def sheet(phone: Page) -> Locator:
    """The sheet that opens over the page when a person taps something to correct it."""
    return phone.locator("#sheet")
