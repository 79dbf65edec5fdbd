"""Streams and polling: screens get every change, equal roles equal bytes, and nobody a key."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from scorekeeper.engine.said import Source
from tests.scorekeeper.talk import event
from tests.webui.phones import Phone, begin
from webui.presenters.screens import SCREENS
from webui.requests.addresses import qr_svg
from webui.table.access import SEATS


class Stream:
    """A stream that a phone has opened."""

    def __init__(self, phone: Phone, path: str) -> None:
        self.answer = phone.get(path, buffered=False)
        assert self.answer.status_code == 200
        assert self.answer.mimetype == "text/event-stream"
        self._chunks: Iterator[bytes] = self.answer.iter_encoded()
        assert next(self._chunks) == b"retry: 1000\n\n"

    def chunk(self) -> bytes:
        """The bytes of the next message."""
        return next(self._chunks)

    def next(self) -> dict:
        """The next message."""
        text = self.chunk().decode()
        assert text.startswith("data: ")
        assert text.endswith("\n\n")
        assert text.count("\n") == 2
        return json.loads(text.removeprefix("data: "))

    def close(self) -> None:
        self.answer.close()


@pytest.fixture
def open_stream():
    """Opens streams; they are closed after the test."""
    streams = []

    def opened(phone: Phone, path: str) -> Stream:
        streams.append(Stream(phone, path))
        return streams[-1]

    yield opened
    for stream in streams:
        stream.close()


def secrets(room) -> list[str]:
    return [
        room.access.host_key,
        room.access.cookie_secret,
        *map(room.access.seat_key, range(SEATS)),
    ]


@pytest.mark.parametrize("stage", ["setup", "cutting", "match"])
def test_nobody_but_the_host_gets_keys(room, host, client, seated, stage) -> None:
    from tests.webui.phones import header

    if stage == "cutting":
        room.prepare(header(seats=4))
    elif stage == "match":
        begin(room, seats=4)
    seat = seated(2)
    for phone in (client, seat):
        for path in [
            *(f"/live/{name}/poll" for name in SCREENS),
            "/", "/tv", "/host", "/seat/2", "/seat/0", "/api/v1/state", "/api/v1/events",
            "/about", "/evenings",
        ]:  # fmt: skip
            text = phone.get(path).text
            for secret in secrets(room):
                assert secret not in text, path
            assert 'class="qr"' not in text, path
    text = host.page("/live/host/poll")
    assert (room.access.seat_key(2) in text) == (stage != "setup")
    assert room.access.cookie_secret not in text


def test_the_hosts_stream_loses_the_keys_when_the_host_is_revoked(
    room, app, host, open_stream
) -> None:
    from tests.webui.phones import host_of

    begin(room)
    other = host_of(app, room)
    mine, yours = open_stream(host, "/live/host"), open_stream(other, "/live/host")
    assert room.access.seat_key(0) in yours.next()["html"]
    assert room.access.seat_key(0) in mine.next()["html"]
    assert host.send("/host/revoke").status_code == 200
    blind = yours.next()["html"]
    assert "data-reload" in blind
    assert "data-event" not in blind
    assert not any(secret in blind for secret in secrets(room))
    assert room.access.seat_key(0) in mine.next()["html"]
    assert other.get("/host").status_code == 403
    assert (
        other.post("/api/v1/events", {"seen": 0, "event": {"do": "void_hand"}}).status_code == 403
    )


def test_the_stream_of_a_revoked_seat_has_no_buttons(room, host, seated, open_stream) -> None:
    begin(room)
    phone = seated(0)
    stream = open_stream(phone, "/live/seat")
    assert "data-event" in stream.next()["html"]
    assert host.send("/host/revoke", {"seat": 0}).status_code == 200
    assert "data-event" not in stream.next()["html"]
    answer = phone.say({"do": "deal", "seat": 0, "cards": 3})
    assert (answer.status_code, answer.json["error"]) == (403, "403")
    assert room.table.moment.seq == 0


def test_every_change_comes_at_once_and_whole(room, client, open_stream) -> None:
    stream = open_stream(client, "/live/tv?lang=fr")
    assert stream.next()["match"] is None
    match_id = begin(room)
    found = stream.next()
    assert found["match"] == match_id
    assert found["calls"] == []
    assert "Ana" in found["html"]
    room.table.say(event("0 deal 3"), seen=0, source=Source.PHONE)
    room.table.say(event("1 play KS"), seen=1, source=Source.PHONE)
    found = stream.next()  # a screen that was slow gets the latest, and all calls
    assert [call["number"] for call in found["calls"]] == [1, 2]
    assert found["number"] == f"{room.channel.run}.{room.channel.number}"


def test_equal_roles_read_identical_bytes(room, app, seated, open_stream) -> None:
    begin(room)
    boards = [open_stream(Phone(app), "/live/board?lang=es") for _ in range(3)]
    seat = open_stream(seated(1), "/live/seat?lang=es")
    for stream in (*boards, seat):
        stream.next()
    room.table.say(event("0 deal 3"), seen=0, source=Source.PHONE)
    chunks = [stream.chunk() for stream in boards]
    assert len(set(chunks)) == 1
    assert seat.chunk() not in chunks


def test_a_quiet_table_gives_a_sign_of_life(client, open_stream, monkeypatch) -> None:
    monkeypatch.setattr("webui.requests.streams.BEAT_SECONDS", 0.01)
    stream = open_stream(client, "/live/board")
    stream.next()
    assert stream.chunk() == b"event: beat\ndata:\n\n"


def test_the_stream_of_the_api_is_the_state(room, seated, open_stream) -> None:
    begin(room)
    phone = seated(1)
    stream = open_stream(phone, "/api/v1/stream?lang=ca")
    assert stream.next()["state"] == phone.state("ca")


def test_polling_gets_what_is_newer_and_nothing_else(room, client) -> None:
    first = client.get("/live/board/poll").json
    assert client.get(f"/live/board/poll?seen={first['number']}").status_code == 204
    begin(room)
    second = client.get(f"/live/board/poll?seen={first['number']}").json
    assert second["match"] == 1
    for old in ("", "x", "0.1", first["number"]):
        assert client.get(f"/live/board/poll?seen={old}").status_code == 200


@pytest.mark.parametrize("path", ["/live/x", "/live/state", "/live/x/poll", "/live/setup"])
def test_an_unknown_screen_has_no_stream(client, path) -> None:
    assert client.get(path).status_code == 404


def test_a_new_run_of_the_program_is_seen_in_the_numbers(room, ledger, memory, client) -> None:
    from webui.app import create_app
    from webui.table.room import Room

    begin(room)
    number = client.get("/live/board/poll").json["number"]
    after = Phone(create_app(Room(ledger, memory)))
    found = after.get(f"/live/board/poll?seen={number}")
    assert found.status_code == 200
    assert found.json["number"] != number


def test_the_qr_code_of_a_key_is_a_secret_too(room, host, client) -> None:
    begin(room)
    drawn = qr_svg(f"http://127.0.0.1:80/host?key={room.access.host_key}")
    assert drawn in host.get("/live/host/poll").json["html"]
    assert drawn not in client.get("/live/host/poll").text
