"""Agreements of the table: the forms on the pages of host and seats, and who has to agree."""

from __future__ import annotations

import json
from html import unescape

import pytest

from scorekeeper.engine.match import latest_events
from scorekeeper.text.i18n import LANGUAGES
from tests.webui.evening import say
from tests.webui.forms import BROWSER, Form, forms, submit
from tests.webui.phones import Phone, begin


@pytest.fixture
def ana(app, room, seated) -> Phone:
    begin(room)
    return seated(0)


@pytest.fixture
def bea(ana, seated) -> Phone:
    return seated(1)


def entries(phone: Phone, path: str) -> dict[str, tuple[Form, tuple[str, str]]]:
    """The agreements that a page offers: the event of each button, and its form."""
    found = {}
    for form in forms(phone.page(path, headers=BROWSER)):
        if form.action == "/agreed":
            for button in form.buttons:
                found[unescape(button[1])] = (form, button)
    return found


def press(phone: Phone, path: str, event: dict[str, object], **fields: str):
    """Presses the button of an event; ``fields`` are filled in first."""
    for text, (form, button) in entries(phone, path).items():
        if json.loads(text) == event:
            kept = [(key, value) for key, value in form.fields if key not in fields]
            filled = form._replace(fields=[*kept, *fields.items()])
            return submit(phone, filled, button)
    raise AssertionError(f"no button for {event}")


HOSTS = [
    ({"do": "turn", "seat": 0}, {}),
    ({"do": "dealer", "seat": 1}, {}),
    ({"do": "deal_again"}, {}),
    ({"do": "void_hand"}, {}),
    ({"do": "concede", "side": 1}, {}),
    ({"do": "end_game"}, {"note": "rain"}),
    ({"do": "end_match", "side": 1}, {}),
    ({"do": "player", "seat": 1}, {"name": " Eva\t"}),
]


@pytest.mark.parametrize(("event", "fields"), HOSTS, ids=str)
def test_the_host_says_what_the_table_agrees_on(room, ana, host, event, fields) -> None:
    say(room, "0 deal 3")
    assert press(host, "/host", event, **fields).status_code == 200
    said = room.table.moment.match.event
    filled = {key: value.strip() for key, value in fields.items()}
    assert said.bare().to_json() == {**event, **filled}
    assert said.remarks["_agreed"] == [0, 1]
    assert said.remarks["_who"] == "host"


def test_points_are_multiplied_and_a_penalty_is_named(room, ana, host) -> None:
    event = {"do": "adjust", "side": 1, "points": 1}
    press(host, "/host", event, points="5", note="misplaced marker", agreed="1")
    assert room.table.moment.match.scores[1].points == 5
    assert room.table.moment.match.event.remarks["_agreed"] == [1]
    assert "Reason: misplaced marker." in host.page(f"/match/{room.table.match_id}")
    assert "Agreed by Bea." in host.page(f"/match/{room.table.match_id}")


def test_a_seat_asks_the_other_side_which_agrees(room, ana, bea) -> None:
    say(room, "0 deal 3")
    press(ana, "/seat/0", {"do": "turn", "seat": 0})
    assert room.table.moment.match.turn == 1
    assert "Ana plays out of turn" in bea.page("/seat/1")
    found = [
        form for form in forms(bea.page("/seat/1", headers=BROWSER)) if "answer" in form.action
    ]
    assert submit(bea, found[0], ("word", "agree")).status_code == 200
    assert room.table.moment.match.turn == 0
    assert room.table.moment.match.event.remarks["_agreed"] == [0, 1]


def test_what_a_side_gives_it_gives_alone(room, ana, bea) -> None:
    say(room, "0 deal 3")
    press(bea, "/seat/1", {"do": "concede", "side": 1})
    assert room.table.moment.match.scores[0].points == 1
    assert room.table.moment.match.event.remarks["_agreed"] == [1]


def test_another_player_gets_the_seat_its_code_and_the_next_match(room, ana, bea, host) -> None:
    press(host, "/host", {"do": "player", "seat": 1}, name="Eva", new_link="1")
    assert room.access.holder(1) is None
    assert "Eva" in host.page("/")
    press(host, "/host", {"do": "end_match", "side": 0})
    assert "Ana" in host.page("/evenings")
    host.send("/host/again")
    assert room.snapshot().header.seats == ("Ana", "Eva")
    room.clear()
    assert room.last_header().seats == ("Ana", "Eva")


@pytest.mark.parametrize(
    ("seat", "typed", "name"),
    [
        (0, "Bea", "Bea 2"),
        (0, " bea", "bea 2"),
        (1, "Ana", "Ana 2"),
        (0, "Ana", "Ana"),
        (0, "Eva", "Eva"),
        (0, "\u200b", "Player 1"),
    ],
)
def test_a_new_player_gets_a_name_that_no_other_seat_has(
    room, ana, host, seat, typed, name
) -> None:
    press(host, "/host", {"do": "player", "seat": seat}, name=typed)
    assert room.table.moment.match.seated.seats[seat] == name


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"event": "{"}, 400),
        ({"event": '{"do": "undo"}'}, 400),
        ({"event": '{"do": "player", "seat": 1}'}, 422),
        ({"event": '{"do": "turn", "seat": 7}'}, 422),
        ({"event": '{"do": "void_hand"}', "seen": "9"}, 409),
        ({"event": '{"do": "void_hand"}', "match": "9"}, 409),
        ({"event": '{"do": "adjust", "side": 0, "points": 1}', "note": "x" * 300}, 422),
        *(
            ({"event": '{"do": "adjust", "side": 0, "points": 1}', "points": times}, 422)
            for times in ("", "0", "100", "-1", "1.5", "five")
        ),
    ],
)
def test_an_impossible_agreement_is_refused_in_a_sentence(room, ana, host, fields, status) -> None:
    sent = {"match": str(room.table.match_id), "seen": "0", **fields}
    answer = host.send("/agreed", sent)
    assert answer.status_code == status
    assert answer.json["sentence"]
    assert room.table.moment.seq == 0


def test_only_people_of_the_table_may_enter_agreements(room, ana, client, seated) -> None:
    sent = {"match": "1", "seen": "0", "event": '{"do": "end_match"}'}
    assert client.send("/agreed", sent).status_code == 403
    assert seated(3).send("/agreed", sent).status_code == 403  # two play
    assert latest_events(room.table.moment.match) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_entry_has_its_words(room, ana, host, code) -> None:
    say(room, "0 deal 3")
    page = host.page(f"/host?lang={code}")
    assert page.count('action="/agreed"') == 6
