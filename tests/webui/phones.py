"""Phones for tests: they open links, and send what the scripts of the pages would send."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper.engine.header import Header
from webui.table.room import Room

NAMES = ("Ana", "Bea", "Carles", "Dani")
TOKEN = re.compile(r'<meta name="token" content="([^"]+)"')
BUTTON = re.compile(r"<button[^>]* data-event='([^']*)'[^>]*>")
MATCH = re.compile(r'id="live"[^>]* data-match="(\d+)"')
SEEN = re.compile(r' data-seen="(\d+)"')


class Tap(NamedTuple):
    """What a tap on a button sends.

    Attributes:
        match: The match that the page showed.
        seen: The number of its latest event that the page showed.
        event: The event.
    """

    match: int | None
    seen: int
    event: dict[str, Any]

    @property
    def body(self) -> dict[str, Any]:
        """The request's body, as the script of the pages makes it."""
        return {"match": self.match, "seen": self.seen, "event": self.event}


class Phone:
    """A browser: its cookies, and the token of the page that it shows."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()
        self._token: str | None = None

    def get(self, path: str, **more: Any) -> TestResponse:
        """Opens a page."""
        return self.client.get(path, **more)

    def page(self, path: str, **more: Any) -> str:
        """Opens a page, which must exist; returns its HTML."""
        answer = self.get(path, **more)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.text

    @property
    def token(self) -> str:
        """The token against forged requests, as the board shows it to this browser."""
        if self._token is None:
            found = TOKEN.search(self.page("/"))
            assert found is not None
            self._token = unescape(found[1])
        return self._token

    def send(self, path: str, fields: object = None, **more: Any) -> TestResponse:
        """Sends a form as the script of the pages does."""
        headers = {"X-CSRFToken": self.token, "Accept": "application/json"}
        return self.client.post(path, data=fields, headers=headers, **more)

    def post(self, path: str, body: object) -> TestResponse:
        """Sends JSON as the script of the pages does."""
        headers = {"X-CSRFToken": self.token, "Accept": "application/json"}
        return self.client.post(path, json=body, headers=headers)

    def state(self, code: str = "en") -> dict[str, Any]:
        """The table as this phone may see it."""
        answer = self.get(f"/api/v1/state?lang={code}")
        assert answer.status_code == 200
        found: dict[str, Any] = answer.json
        return found

    def say(self, event: dict[str, Any], **named: object) -> TestResponse:
        """Enters an event, as tapped now; ``named`` may give another match or number."""
        now = self.state()
        seen = {"match": now["match"], "seen": now["seq"], **named}
        return self.post("/api/v1/events", {**seen, "event": event})

    def taps(self, path: str) -> list[Tap]:
        """What a tap on each button of a page sends."""
        html = self.page(path)
        match = MATCH.search(html)
        return taps(html, int(match[1]) if match else None)


def taps(html: str, match: int | None) -> list[Tap]:
    """What a tap on each button of some HTML sends; disabled buttons are left out."""
    found = []
    for button in BUTTON.finditer(html):
        if " disabled" in button[0]:
            continue
        seen = SEEN.search(button[0])
        assert seen is not None, button[0]
        found.append(Tap(match, int(seen[1]), json.loads(unescape(button[1]))))
    return found


def host_of(app: Flask, room: Room) -> Phone:
    """A browser that has opened the host's link."""
    phone = Phone(app)
    assert phone.get(f"/host?key={room.access.host_key}").status_code == 302
    return phone


def seat_of(app: Flask, room: Room, seat: int) -> Phone:
    """A phone that has opened the link of a free seat."""
    phone = Phone(app)
    answer = phone.get(f"/seat/{seat}?key={room.access.seat_key(seat)}")
    assert answer.status_code == 302, answer.text
    return phone


def header(game: str = "le_truc_ace", seats: int = 2, **more: Any) -> Header:
    """The header of a match: who plays what."""
    return Header(game=game, seats=NAMES[:seats], **more)


def begin(room: Room, game: str = "le_truc_ace", seats: int = 2, **more: Any) -> int:
    """Begins a match at a table, and returns its number."""
    room.begin(header(game, seats, **more), who="host")
    return room.table.match_id
