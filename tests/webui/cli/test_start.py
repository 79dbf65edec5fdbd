"""How ``play`` and ``replay`` prepare their tables; the server is replaced."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import click
import numpy as np
import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import start
from scorekeeper.errors import ScorekeeperError
from scorekeeper.history.record import Reading, read_record
from tests.test_repository import ROOT
from tests.webui.phones import Phone
from tests.webui.watching import camera_of
from vision.detection import deck_templates
from webui.app import create_app
from webui.cli import play, replay
from webui.requests.addresses import Address

RECORD = ROOT / "tests" / "golden" / "trut-evening.jsonl"


class Enough(Exception):
    """Ends a replay, which would go on for ever."""


@pytest.fixture
def served(folder, monkeypatch) -> list[dict[str, Any]]:
    """Replaces the server: it is ready at once, and ends. The list has what it was to serve."""
    found: list[dict[str, Any]] = []

    def serve_room(room, listener, *, ready, **more: Any) -> None:
        with listener:
            found.append({"room": room, "port": listener.getsockname()[1], **more})
            ready()

    for command in (play, replay):
        monkeypatch.setattr(command, "serve_room", serve_room)
    monkeypatch.setattr(play, "addresses", lambda: [Address("192.168.1.20", "eth0", True)])
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return found


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """The pages that were opened in the browser."""
    found: list[str] = []
    monkeypatch.setattr(play.webbrowser, "open", found.append)
    return found


def run(command: click.Command, *words: object) -> None:
    command.main([str(word) for word in words], standalone_mode=False)


def test_the_hosts_link_and_every_address_are_told(served, opened, capsys) -> None:
    run(play.play)
    (what,) = served
    told = capsys.readouterr().out
    key = what["room"].access.host_key
    assert f"  http://127.0.0.1:{what['port']}/host?key={key}\n" in told
    assert f"  http://192.168.1.20:{what['port']}/   (eth0)\n" in told
    assert "Good night.\n" in told  # there is no match that could be saved
    assert (what["local"], what["name"], opened) == (False, "table", [])


def test_a_table_that_stays_here_names_no_other_address(served, opened, capsys) -> None:
    run(play.play, "--local", "--table", "second", "--host-name", "club.example")
    told = capsys.readouterr().out
    assert "It stays on this machine" in told
    assert "192.168" not in told
    assert "http://club.example:" in told
    assert (served[0]["local"], served[0]["name"]) == (True, "second")


def test_a_terminal_shows_the_code_of_the_likely_address(served, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run(play.play, "--no-browser")
    assert "▀" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "opens"), [((), True), (("--no-browser",), False)], ids=["screen", "no browser"]
)
def test_the_browser_opens_where_there_is_a_screen(served, opened, monkeypatch, words, opens):
    monkeypatch.setenv("DISPLAY", ":0")
    run(play.play, *words)
    assert [link.split("?")[0].rsplit(":", 1)[1].split("/", 1)[1] for link in opened] == (
        ["host"] if opens else []
    )


def test_a_camera_that_is_not_there_is_told_and_the_table_starts(
    served, monkeypatch, capsys
) -> None:
    monkeypatch.setattr("vision.capture.frames.list_webcams", list)
    with camera_of(monkeypatch):
        run(play.play, "--camera", "none.mp4")
    assert len(served) == 1
    assert "There is no file or folder called none.mp4" in capsys.readouterr().err


def test_a_deck_that_is_not_kept_is_refused_before_it_is_remembered(
    served, folder, monkeypatch
) -> None:
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: folder / "decks")
    with pytest.raises(deck_templates.DeckError, match="none is called 'Home'"):
        run(play.play, "--camera", "Brio", "--deck", "Home")
    assert not served
    assert not (folder / "tables" / "table.json").exists()


def test_the_camera_that_was_named_or_chosen_is_remembered(served, folder, monkeypatch) -> None:
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: folder / "decks")
    deck_templates.keep_deck("Home", {"AS": np.zeros((9, 9, 3), np.uint8)})
    with camera_of(monkeypatch):
        for words, source, turn in (
            (("--camera", "Brio", "--turn", "1", "--deck", "Home"), "Brio", 1),
            ((), "Brio", 1),
            (("--camera", "0"), "0", 0),
            (("--camera", "none"), None, 0),
            ((), None, 0),
        ):
            run(play.play, *words)
            room = served[-1]["room"]
            assert (room.camera and room.camera.view.source) == source
            kept = json.loads((folder / "tables" / "table.json").read_text())
            assert (kept["camera"], kept["turn"], kept["deck"]) == (source, turn, "Home")


def test_a_take_is_kept_in_a_new_file_whatever_camera_is_chosen(
    served, folder, monkeypatch, capsys
) -> None:
    take = folder / "evening.gz"
    with camera_of(monkeypatch):
        run(play.play, "--camera", "Brio", "--take", take)
        room = served[-1]["room"]
        assert room.camera._take == str(take)
        room.use_camera("0")
        assert room.camera._take == str(take)
    assert "there is no take" in capsys.readouterr().out
    assert not take.exists()  # nobody played


def test_where_the_take_is_and_how_large_is_told_at_the_end(served, folder, monkeypatch, capsys):
    take = folder / "evening.gz"

    def watched(room, listener, **more) -> None:
        listener.close()
        take.write_bytes(bytes(1_200_000))

    monkeypatch.setattr(play, "serve_room", watched)
    run(play.play, "--take", take)
    assert f"The take of the evening is in {take} (1.2 MB)." in capsys.readouterr().out


def test_a_file_that_is_there_is_never_written_over(served, folder) -> None:
    take = folder / "evening.gz"
    take.write_text("mine")
    with pytest.raises(click.UsageError, match="is there already"):
        run(play.play, "--take", take)
    assert take.read_text() == "mine"
    assert served == []


def test_without_the_option_no_take_is_kept(served, monkeypatch) -> None:
    with camera_of(monkeypatch):
        run(play.play, "--camera", "Brio")
    assert served[-1]["room"].camera._take is None


def test_wrong_certificates_end_before_the_table_is_touched(served, folder) -> None:
    with pytest.raises(ScorekeeperError, match="are no certificate and its key"):
        run(play.play, "--tls", folder / "a", folder / "b")
    assert served == []
    assert not (folder / "tables").exists()


def test_a_replay_is_shown_on_this_machine_and_kept_by_nobody(
    served, opened, folder, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(replay, "perform", lambda *_: None)
    run(replay.replay, RECORD)
    (what,) = served
    assert what["local"]
    assert opened == [f"http://127.0.0.1:{what['port']}/tv"]
    assert "on this machine only" in capsys.readouterr().out
    assert list(folder.iterdir()) == []


def test_a_replay_says_every_event_and_begins_again(room, monkeypatch) -> None:
    with RECORD.open("rb") as stream:
        reading = read_record(stream)
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2 * (len(reading.events) + 1):
            raise Enough

    monkeypatch.setattr(replay.time, "sleep", sleep)
    with pytest.raises(Enough):
        replay.perform(room, reading, 10.0)
    assert room.ledger.ids() == [1, 2]
    assert room.table.moment.match.scores == reading.match.scores
    assert room.table.moment.seq == len(reading.events)
    assert pauses[len(reading.events)] == replay.CURTAIN_SECONDS / 10
    assert all(0 <= pause <= replay.LONGEST_PAUSE / 10 for pause in pauses)


def test_a_replay_that_runs_all_night_does_not_fill_the_disk(room, monkeypatch) -> None:
    laps = 0

    def sleep(seconds: float) -> None:
        nonlocal laps
        laps += 1
        if laps == replay.KEPT + 3:
            raise Enough

    monkeypatch.setattr(replay.time, "sleep", sleep)
    reading = Reading(start(Header(game="put", seats=("Ana", "Bea"))), [], ())
    with pytest.raises(Enough):
        replay.perform(room, reading, 1.0)
    assert room.ledger.ids() == [4, 5, 6, 7, 8]


def at(do: str, seconds: float) -> Event:
    moment = datetime(2026, 11, 21, 20, tzinfo=UTC) + timedelta(seconds=seconds)
    said = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Event(do, 0, remarks={"_at": said, "_utc_offset": 0})


@pytest.mark.parametrize(
    ("events", "pauses"),
    [
        ([], []),
        ([Event("deal", 0, cards=3), Event("play", 1)], [5.0, 2.5]),
        ([at("deal", 0), at("play", 4)], [5.0, 4.0]),
        ([at("deal", 0), at("play", 4000)], [5.0, 20.0]),
        ([at("deal", 9), at("play", 4)], [5.0, 0.0]),
        ([at("deal", 0), Event("raise", 0, to=2)], [5.0, 3.0]),
    ],
)
def test_pauses_are_those_of_the_record_and_never_long(events, pauses) -> None:
    assert [seconds for seconds, _ in replay.paced(events)] == pauses
    assert [event for _, event in replay.paced(events)] == events


@pytest.mark.parametrize("name", ["café", "стол", "x-1"])
def test_a_table_of_any_name_has_its_cookie(room, name) -> None:
    phone = Phone(create_app(room, name=name))
    phone.send("/language", {"code": "ca"})
    assert '<html lang="ca">' in phone.page("/")
