"""``trucam demo``: begins a match for each lap of the film, and enters the calls in time."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from scorekeeper.engine.said import SOURCE, Source
from scorekeeper.errors import LedgerError
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import event
from tests.test_repository import ROOT
from tests.webui.cli.test_start import opened, run, served
from tests.webui.phones import Phone, begin, header
from tests.webui.watching import WATCHES, FakeSupervisor, camera_of
from webui.app import create_app
from webui.camera import camera as cameras
from webui.camera.camera import Camera
from webui.cli import demo, play
from webui.cli.demo import LONGEST_WAIT, Call, Show
from webui.cli.replay import KEPT
from webui.table.room import Room

__all__ = ["opened", "served"]

SAID = (Call(7.0, 2, event("1 trut")), Call(8.5, 3, event("0 see")))
LARGEST = 8_000_000


class Clock:
    """Replaces the module ``time``; tests set the time."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(demo, "time", clock)
    monkeypatch.setattr(cameras, "time", clock)
    return clock


@pytest.fixture
def camera(tmp_path, monkeypatch) -> Iterator[Camera]:
    monkeypatch.setenv("TRUCAM_CAMERAS", str(tmp_path / "cameras"))
    with camera_of(monkeypatch, pace="loop") as camera:
        camera.film = tmp_path / "match.mp4"
        camera.film.write_bytes(bytes(range(200)))
        yield camera


@pytest.fixture
def room(ledger: Ledger, memory, camera) -> Room:
    return Room(ledger, memory, camera)


@pytest.fixture
def show(room, camera, clock) -> Show:
    """The show of a demo whose camera watches, in the first lap."""
    show = Show(room, camera, header("trut", first_dealer=1), SAID)
    show.step()
    lap(clock)
    show.step()
    return show


def lap(clock: Clock) -> None:
    """The film begins again."""
    (supervisor,) = FakeSupervisor.started
    supervisor.see(WATCHES, lap=clock.now)


def seen(room: Room, *texts: str) -> None:
    """The camera writes events that it has seen."""
    for text in texts:
        room.table.say(event(text), seen=room.table.moment.seq, source=Source.CAMERA)


def verbs(room: Room) -> list[str]:
    return [said.do for said in room.table.log()[1]]


def test_the_table_is_open_before_the_film_begins(room, camera, clock):
    show = Show(room, camera, header("trut"), SAID)
    assert show.step() == LONGEST_WAIT
    assert room.table.moment.seq == 0
    clock.now += 20
    show.step()
    assert verbs(room) == []
    assert room.ledger.ids() == [1]


def test_what_is_said_waits_for_its_time(show, room, clock):
    seen(room, "1 deal 3", "0 play KS")
    clock.now += 6.5
    assert show.step() == pytest.approx(0.5)
    assert verbs(room) == ["deal", "play"]
    clock.now += 0.5
    assert show.step() == pytest.approx(1.0)
    assert verbs(room) == ["deal", "play", "trut"]
    clock.now += 1.5
    show.step()
    assert verbs(room) == ["deal", "play", "trut", "see"]
    assert {said.remarks[SOURCE] for said in room.table.log()[1][2:]} == {"operator"}
    clock.now += 50
    assert show.step() == LONGEST_WAIT
    assert len(verbs(room)) == 4


def test_what_is_said_waits_for_the_card_before_it(show, room, clock):
    seen(room, "1 deal 3")
    clock.now += 9
    assert show.step() == LONGEST_WAIT
    seen(room, "0 play KS")
    show.step()
    assert verbs(room) == ["deal", "play", "trut", "see"]


def test_somebody_who_plays_along_breaks_nothing(show, room, clock):
    seen(room, "1 deal 3", "0 play KS", "1 trut", "0 lie_down")
    clock.now += 9
    show.step()
    assert verbs(room) == ["deal", "play", "trut", "lie_down"]


def test_each_lap_is_a_match_and_the_latest_are_kept(show, room, clock):
    assert room.ledger.ids() == [1]  # nothing was said before the first lap
    for _ in range(KEPT + 2):
        seen(room, "1 deal 3", "0 play KS")
        clock.now += 7
        show.step()
        assert verbs(room) == ["deal", "play", "trut"]
        clock.now += 60
        lap(clock)
        show.step()
        assert verbs(room) == []
    assert room.ledger.ids() == list(range(4, 4 + KEPT))
    assert len(FakeSupervisor.started) == 1


def test_a_watcher_that_is_gone_says_nothing_until_the_film_begins_again(show, room, clock):
    seen(room, "1 deal 3", "0 play KS")
    FakeSupervisor.started[0].see(alive=False, lap=None)
    clock.now += 9
    assert show.step() == LONGEST_WAIT
    assert verbs(room) == ["deal", "play"]
    lap(clock)
    show.step()
    assert verbs(room) == []


def test_a_table_that_the_host_has_cleared_is_opened_again(show, room):
    room.clear()
    show.step()
    assert room.table.moment.match.seats == 2


def test_a_lap_that_cannot_be_written_is_tried_again(show, room, monkeypatch):
    room.clear()
    begun = Mock(side_effect=LedgerError("The disk is full."))
    monkeypatch.setattr(room, "begin", begun)
    monkeypatch.setattr(room.channel, "wait", Mock(side_effect=[None, None, KeyboardInterrupt]))
    with pytest.raises(KeyboardInterrupt):
        show.run()
    assert begun.call_count == 3


def test_the_film_is_on_the_boards_of_a_demo_alone(room, ledger, memory, clock, monkeypatch):
    phone = Phone(create_app(room))
    begin(room, "trut")
    for page, there in {"/": True, "/tv": True, "/tv?bare": False}.items():
        assert ("<video" in phone.page(page)) is there, page
    with phone.get("/film/match.mp4", headers={"Range": "bytes=10-19"}) as answer:
        assert answer.data == bytes(range(10, 20))
    assert phone.get("/film/clock").status_code == 204
    lap(clock)
    clock.now += 3.25
    assert phone.get("/film/clock").json == {"at": 3.25}
    with camera_of(monkeypatch) as real:
        phone = Phone(create_app(Room(ledger, memory, real)))
        assert "<video" not in phone.page("/tv")
        assert phone.get("/film/match.mp4").status_code == 404
        assert phone.get("/film/clock").status_code == 404


def test_the_tv_of_a_demo_shows_phones_the_way_while_it_plays(room, ledger, memory, monkeypatch):
    begin(room, "trut")
    for local in (False, True):
        tv = Phone(create_app(room, LOCAL=local)).page("/tv")
        assert ('class="qr"' in tv) is not local
    with camera_of(monkeypatch) as real:
        tv = Phone(create_app(Room(ledger, memory, real), LOCAL=False)).page("/tv")
        assert 'class="score"' in tv
        assert 'class="qr"' not in tv


def test_the_demo_keeps_nothing_and_phones_may_join(
    served, opened, folder, monkeypatch, capsys
) -> None:
    started: list[object] = []
    thread = SimpleNamespace(start=lambda: started.append(True))
    monkeypatch.setattr(demo.threading, "Thread", lambda **_: thread)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(demo, "serve_room", play.serve_room)
    run(demo.demo)
    (what,) = served
    told = capsys.readouterr().out
    here = f"http://127.0.0.1:{what['port']}"
    assert started == [True]
    assert (what["local"], what["name"], opened) == (False, "demo", [f"{here}/tv"])
    assert f"{here}/host?key={what['room'].access.host_key}" in told
    assert "http://192.168.1.20:" in told
    assert list(folder.iterdir()) == []


def test_the_film_is_small_and_its_record_ends_in_order():
    assert demo.FILM.stat().st_size < LARGEST
    reading = demo.record_of(demo.FILM)
    assert reading.match.hand_number == 3
    calls = demo.calls_of(reading.events)
    assert [call.event.do for call in calls] == ["trut", "see", "trut", "lie_down"]
    assert [call.at for call in calls] == sorted(call.at for call in calls)
    assert (ROOT / "webui" / "demo" / "NOTICE").read_text(encoding="utf-8")
