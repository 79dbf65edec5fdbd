"""Screens show the letters that the camera sees on the cards, unless a person chose others."""

from __future__ import annotations

from html import unescape

import pytest

from scorekeeper.text.printings import BY_HAND, PRINTING
from tests.webui.playing import UnlimitedWrites
from tests.webui.watching import FakeSupervisor, camera_of
from webui.presenters.table_state import state
from webui.table.access import VIEWER, Grant
from webui.table.room import Room

HOST = Grant(host=True)
FRENCH = {"game": "trut", "players": "2", "trut.suits": "french", "watched": "camera"}


@pytest.fixture
def camera(app, room: Room, monkeypatch):
    """A camera over the table."""
    app.extensions["writes"] = UnlimitedWrites()
    with camera_of(monkeypatch) as watching:
        room.camera = watching
        room._start_camera()
        yield watching


def set_up(host, printing: str = "") -> None:
    fields = {**FRENCH, "trut.french": printing} if printing else FRENCH
    assert host.send("/host/setup", fields).status_code == 302


def deal(host) -> None:
    host.send("/host/begin", {"dealer": "1"})
    assert host.say({"do": "deal", "seat": 1, "cards": 3}).status_code == 200


def drawn(room: Room, code: str = "en") -> list[str]:
    """The signs on the buttons of ace, king, queen and jack."""
    ranks = {one["rank"]: one["printed"] for one in state(room.snapshot(), HOST, code)["playable"]}
    return [ranks[rank] for rank in "AKQJ"]


def sees(name: str | None) -> None:
    FakeSupervisor.started[-1].see(alive=True, printing=name)


@pytest.mark.parametrize("code", ["en", "fr", "es", "ca"])
def test_all_screens_go_over_to_what_the_camera_sees(room, host, seated, camera, code):
    set_up(host)
    deal(host)
    phone = seated(0)
    assert drawn(room, code) == ["A", "K", "Q", "J"]
    before = room.channel.number
    sees("french")
    assert room.channel.number > before
    assert drawn(room, code) == ["1", "R", "D", "V"]
    host.say({"do": "play", "seat": 0, "card": "KS"})
    assert "R♠" in unescape(phone.page(f"/seat/0?lang={code}"))
    assert any("R♠" in told for told in phone.state(code)["last"])


def test_the_record_stays_as_it_is(room, host, camera):
    set_up(host)
    deal(host)
    sees("french")
    host.say({"do": "play", "seat": 0, "card": "KS"})
    moment, events = room.table.log()
    assert moment.match.header.remarks[PRINTING] == "english"
    assert str(events[-1].card) == "KS"


def test_what_was_chosen_by_hand_in_set_up_stays(room, host, camera):
    set_up(host, "german")
    assert room.snapshot().draft.remarks[BY_HAND] is True
    deal(host)
    sees("french")
    assert drawn(room) == ["A", "K", "D", "B"]


def test_what_set_up_only_offered_does_not_stay(room, host, camera):
    set_up(host, "english")
    assert BY_HAND not in room.snapshot().draft.remarks
    sees("french")
    deal(host)
    assert drawn(room) == ["1", "R", "D", "V"]


def test_the_host_sees_the_letters_and_may_choose_others(room, host, camera):
    set_up(host)
    deal(host)
    assert state(room.snapshot(), HOST, "en")["camera"]["printing"] is None
    sees("french")
    page = host.page("/host")
    assert "The deck prints 1 R D V." in page
    assert state(room.snapshot(), VIEWER, "en")["camera"]["printing"] is None
    assert host.send("/host/printing", {"printing": "french_a"}).status_code == 200
    assert drawn(room) == ["A", "R", "D", "V"]
    sees("german")  # what people said counts
    assert drawn(room) == ["A", "R", "D", "V"]
    assert host.send("/host/printing", {"printing": "latin"}).status_code == 400


def test_nobody_but_the_host_chooses(room, host, seated, camera):
    set_up(host)
    deal(host)
    assert seated(0).send("/host/printing", {"printing": "german"}).status_code == 403


def test_the_letters_that_were_seen_are_remembered_and_offered_in_set_up(room, host, camera):
    set_up(host)
    sees("french")
    sees(None)
    deal(host)
    assert drawn(room) == ["1", "R", "D", "V"]
    host.send("/host/clear")
    page = host.page("/host")
    assert page.count('<option value="french" selected>') >= 1
    assert '<option value="english" selected>' not in page
    set_up(host, "english")  # somebody knows better
    deal(host)
    assert drawn(room) == ["A", "K", "Q", "J"]


def test_a_choice_by_hand_is_offered_again_and_stays_one(room, host, camera):
    set_up(host, "german")
    host.send("/host/begin", {"dealer": "1"})
    host.send("/host/clear")
    sees("french") if FakeSupervisor.started[-1].tables else None
    set_up(host, "german")
    deal(host)
    assert drawn(room) == ["A", "K", "D", "B"]


def test_french_letters_say_nothing_of_a_spanish_deck(room, host, camera):
    fields = {**FRENCH, "game": "truc_spain", "truc_spain.suits": "spanish"}
    assert host.send("/host/setup", fields).status_code == 302
    before = room.snapshot().draft.remarks[PRINTING]
    sees("french")
    assert room.snapshot().draft.remarks[PRINTING] == before
    assert state(room.snapshot(), HOST, "en")["camera"]["printing"] is None
