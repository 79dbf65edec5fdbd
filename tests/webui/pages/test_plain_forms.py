"""Every form works without JavaScript, and leads back to its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from flask import Flask

from scorekeeper.storage.players import KeptPlayers
from tests.webui.camera.test_counting import CROP, spread
from tests.webui.evening import finish, say
from tests.webui.forms import BROWSER, Form, forms, submit
from tests.webui.phones import Phone, begin, header, host_of, seat_of
from tests.webui.playing import UnlimitedWrites
from tests.webui.watching import SEES, FakeSupervisor, camera_of
from vision.capture.captures import Webcam
from vision.detection import deck_templates
from webui.camera.camera import Camera
from webui.table.room import Room

HOST = -1
"""Stands for the host among the seats."""
LEADS_ON = {
    "/host/setup": "/host",
    "/host/resume": "/host",
    "/host/clear": "/host",
    "/seat/leave": "/",
    "/seat/0": "/seat/0",
    "/match/{n}/forget": "/evenings",
    "/player/{n}/drop": "/players",
    "/host/camera/choose": "/host/camera",
}
"""Forms that do not lead back to their page, and the page to which each leads."""


class Scene(NamedTuple):
    """A page with forms.

    Attributes:
        who: Whose browser shows it: ``HOST`` or a seat.
        path: Its path; ``{n}`` stands for the number of the latest match,
            ``{player}`` for that of the player whose name is kept.
        prepare: Prepares the table for it.
        forms: How many forms it has, without the choice of language.
    """

    who: int
    path: str
    prepare: Callable[[Room], object]
    forms: int


def cutting(room: Room, *cuts: str) -> None:
    room.prepare(header("trut"))
    for seat, rank in enumerate(cuts):
        room.cut(seat, rank)


def left(room: Room) -> None:
    begin(room, "trut")
    room.clear()


def known(room: Room) -> None:
    left(room)
    KeptPlayers(room.ledger).keep("Ana", datetime.now(UTC))


def over(room: Room) -> None:
    begin(room, "trut")
    finish(room)


def disputed(room: Room) -> None:
    begin(room)
    say(room, "0 deal 3", "1 play KS", "0 play KH", "1 play 9H")
    token = {"fix": "replace", "seq": 3, "events": [{"do": "play", "seat": 0, "card": "QC"}]}
    moment, log = room.table.log()
    room.proposals.make(
        room.table.match_id, seat=0, picture=3, case=frozenset({2, 3}), repair=token,
        match=moment.match, events=log,
    )  # fmt: skip


def watched(room: Room) -> None:
    cutting(room)
    (deck_templates.decks_folder() / "Home").mkdir(parents=True, exist_ok=True)
    (deck_templates.decks_folder() / "Home" / "7S.png").write_bytes(CROP)
    room.use_camera("0")
    FakeSupervisor.started[-1].see(**SEES)
    FakeSupervisor.started[-1].shown = spread("7S", "KS")


def watched_by_a_phone(room: Room) -> None:
    cutting(room)
    room.use_camera("phone")


def between_hands(room: Room) -> None:
    begin(room, "trut")
    room.use_camera("0")
    FakeSupervisor.started[-1].see(**SEES)


def pictured(room: Room) -> None:
    between_hands(room)
    assert room.camera is not None
    room.camera.show_picture()


SCENES = {
    "set-up": Scene(HOST, "/host", lambda room: None, 2),
    "set-up after a match": Scene(HOST, "/host", left, 3),
    "cutting, host": Scene(HOST, "/host", cutting, 7),
    "cutting, seat": Scene(0, "/seat/0", cutting, 2),
    "cut, host": Scene(HOST, "/host", lambda room: cutting(room, "7", "9"), 7),
    "cut, seat": Scene(1, "/seat/1", lambda room: cutting(room, "7", "9"), 3),
    "match, host": Scene(HOST, "/host", begin, 8),
    "match, seat": Scene(0, "/seat/0", begin, 5),
    "over, host": Scene(HOST, "/host", over, 6),
    "over, seat": Scene(1, "/seat/1", over, 3),
    "story": Scene(HOST, "/match/{n}", left, 3),
    "evenings": Scene(HOST, "/evenings", left, 1),
    "kept names": Scene(HOST, "/players", left, 1),
    "a player": Scene(HOST, "/player/{player}", known, 1),
    "proposal, its side": Scene(0, "/dispute/{n}/3", disputed, 1),
    "proposal, the other side": Scene(1, "/dispute/{n}/3", disputed, 1),
    "which camera": Scene(HOST, "/host/camera", cutting, 1),
    "camera": Scene(HOST, "/host/camera", watched, 5),
    "camera, phone": Scene(HOST, "/host/camera", watched_by_a_phone, 1),
    "camera between hands": Scene(HOST, "/host", between_hands, 10),
    "camera's picture": Scene(HOST, "/host", pictured, 12),
    "board": Scene(1, "/", begin, 0),
    "TV": Scene(1, "/tv", begin, 0),
}


@pytest.fixture(autouse=True)
def eyes(monkeypatch, tmp_path) -> Iterator[Camera]:
    """A fake camera."""
    monkeypatch.setenv("TRUCAM_CAMERAS", str(tmp_path / "cameras"))
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path / "decks")
    monkeypatch.setattr("vision.capture.captures.list_webcams", lambda: [Webcam(0, "Laptop", 0)])
    with camera_of(monkeypatch) as camera:
        yield camera


@contextmanager
def opened(app: Flask, room: Room, scene: Scene) -> Iterator[tuple[Phone, str, list[Form]]]:
    """Opens a page in a browser without JavaScript; yields the browser, the path and the forms."""
    app.extensions["writes"] = UnlimitedWrites()
    room.clear()
    for player in KeptPlayers(room.ledger).all():
        KeptPlayers(room.ledger).drop(player.id)
    if scene.who != HOST:
        room.access.revoke_seat(scene.who)
    scene.prepare(room)
    phone = host_of(app, room) if scene.who == HOST else seat_of(app, room, scene.who)
    if room.camera is not None and room.camera.may_count():
        for _ in range(2):  # a card counts once two pictures in a row show it
            phone.get("/host/camera/deck")
    kept = [one.id for one in KeptPlayers(room.ledger).all()]
    path = scene.path.format(n=max(room.ledger.ids(), default=0), player=max(kept, default=0))
    try:
        yield phone, path, forms(phone.page(path, headers=BROWSER))
    finally:
        room.use_camera(None)


@pytest.mark.parametrize("name", SCENES)
def test_each_form_of_a_page_works_and_leads_back(app, room, name) -> None:
    scene = SCENES[name]
    with opened(app, room, scene) as (_, _, found):
        sent = [form.action for form in found if form.action != "/language"]
    assert len(sent) == scene.forms, sent
    for place, form in enumerate(found):
        for button in dict.fromkeys([form.buttons[0], form.buttons[-1]]):
            with opened(app, room, scene) as (phone, path, again):
                action = again[place].action
                answer = submit(phone, again[place], button)
                n = path.split("/")[-1]
                told = (action, button, answer.status_code, answer.request.path)
                if answer.status_code == 422:  # the refusal says why, and leads back
                    assert f'href="{path}">Back to the page' in answer.text, told
                    continue
                assert answer.status_code == 200, told
                assert answer.request.path == LEADS_ON.get(action.replace(n, "{n}"), path), told
