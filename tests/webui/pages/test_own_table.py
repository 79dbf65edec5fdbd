"""From the demo to one's own table by one tap, which only host and this computer may do."""

from __future__ import annotations

import signal

import pytest

from scorekeeper.storage.ledger import Ledger
from tests.webui.cli.test_demo import camera, clock
from tests.webui.cli.test_start import opened, run, served
from tests.webui.phones import Phone, begin, host_of
from webui.app import create_app
from webui.cli import demo, play
from webui.table.room import Room

__all__ = ["camera", "clock", "opened", "served"]

LINK = "/host?key=another"
BUTTON = "Play your own"


@pytest.fixture
def room(ledger: Ledger, memory, camera) -> Room:
    room = Room(ledger, memory, camera)
    begin(room, "trut")
    return room


def test_only_this_computer_and_the_host_may_end_the_demo(room) -> None:
    app = create_app(room, OWN_TABLE=lambda: LINK)
    here, guest, host = Phone(app), Phone(app), host_of(app, room)
    guest.client.environ_base["REMOTE_ADDR"] = "192.168.1.40"
    host.client.environ_base["REMOTE_ADDR"] = "192.168.1.41"
    for phone, may in ((here, True), (host, True), (guest, False)):
        page = phone.page("/tv")
        assert (BUTTON in page) is may
        assert "drawn by a program" in page
    assert guest.send("/film/own").status_code == 403
    answer = here.send("/film/own")
    assert (answer.status_code, answer.location) == (303, LINK)
    late = guest.get("/tv")
    assert (late.text, late.headers["Refresh"]) == ("", "1")


def test_a_replay_cannot_be_ended(room) -> None:
    here = Phone(create_app(room))
    assert BUTTON not in here.page("/tv")
    assert here.send("/film/own").status_code == 403


def test_the_table_of_ones_own_is_served_where_the_demo_was(
    served, opened, folder, monkeypatch, capsys
) -> None:
    told = []
    monkeypatch.setattr(demo.signal, "raise_signal", told.append)

    def serve_room(room, listener, *, own, ready, **more) -> None:
        with listener:
            ready()
            served.append({"port": listener.getsockname()[1], "link": own(), **more})

    monkeypatch.setattr(demo, "serve_room", serve_room)
    monkeypatch.setattr(demo.threading, "Thread", lambda **_: type("Idle", (), {"start": int})())
    run(demo.demo, "--local")
    shown, mine = served
    assert told == [signal.SIGINT]
    assert (shown["name"], mine["name"]) == ("demo", "table")
    assert shown["port"] == mine["port"]
    assert (shown["local"], mine["local"]) == (True, True)
    assert shown["link"] == f"/host?key={mine['room'].access.host_key}"
    assert [path.name for path in folder.iterdir()]  # it is kept, unlike the demo
    assert play.host_table is demo.host_table
