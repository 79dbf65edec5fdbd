"""Browsers that send anything, and checks of what a refusal must look like."""

from __future__ import annotations

import json
import re

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source
from tests.scorekeeper.talk import event
from webui.requests.security import HEADERS
from webui.table.room import Room

HEADER = Header(game="trut", seats=("Ana", "Bea"))
BEGUN = ("0 deal 3", "1 play 7S", "0 play KH")
NEXT = {"do": "play", "seat": 1, "card": "QS"}
JSON = {"Accept": "application/json", "Content-Type": "application/json"}


class Visitor:
    """A browser: its cookies, and the token of the page that it shows."""

    def __init__(self, room: Room, client: FlaskClient) -> None:
        self.room, self.client = room, client
        self.token = ""

    def get(self, path: str) -> TestResponse:
        answer = self.client.get(path, follow_redirects=True)
        token = re.search(r'name="token" content="([^"]+)"', answer.text)
        self.token = self.token if token is None else token[1]
        return answer

    def sit(self, seat: int) -> Visitor:
        self.room.access.stand_up(self.room.access.holder(seat) or "")
        assert self.get(f"/seat/{seat}?key={self.room.access.seat_key(seat)}").status_code == 200
        return self

    def host(self) -> Visitor:
        assert self.get(f"/host?key={self.room.access.host_key}").status_code == 200
        return self

    def post(self, path: str, body: str | bytes, **headers: str) -> TestResponse:
        sent = JSON | {"X-CSRFToken": self.token}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(path, data=body, headers=sent)

    def say(self, said: object, seen: object | None = None, **headers: str) -> TestResponse:
        seen = self.room.table.moment.seq if seen is None else seen
        body = json.dumps({"seen": seen, "event": said})
        return self.post("/api/v1/events", body, **headers)

    def form(self, path: str, **fields: object) -> TestResponse:
        return self.client.post(path, data=fields, headers={"X-CSRFToken": self.token})


def begin(room: Room) -> None:
    """Begins a match, and plays as far as ``BEGUN``."""
    room.begin(HEADER, who=None)
    for text in BEGUN:
        room.table.say(event(text), seen=room.table.moment.seq, source=Source.PHONE)


def check_refused(answer: TestResponse, *statuses: int) -> None:
    """Checks that a request was refused in one sentence, as JSON or on a page, with all headers."""
    assert answer.status_code in statuses, (answer.status_code, answer.text)
    check_headers(answer)
    if answer.mimetype == "text/plain":
        sentence = answer.text
    elif answer.is_json:
        assert set(answer.json) == {"error", "sentence"}
        sentence = answer.json["sentence"]
    else:
        found = re.search("<h1>(.*?)</h1>", answer.text, re.DOTALL)
        assert found, answer.text
        sentence = found[1]
    assert 10 < len(sentence) < 400
    assert "\n" not in sentence
    assert "Traceback" not in answer.text


def check_headers(answer: TestResponse) -> None:
    for name, value in HEADERS.items():
        assert answer.headers[name] == value, name
