"""The host chooses a camera, sees how well it sees, and has the deck counted and learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper.storage.ledger import Ledger
from scorekeeper.text.i18n import LANGUAGES
from tests.webui.camera.test_counting import spread
from tests.webui.phones import begin, header, host_of
from tests.webui.presenters.test_screens import check
from tests.webui.watching import SEES, SETUP, WATCHES, FakeSupervisor, hint
from vision.health import Problem
from vision.process.status import LaidCard
from webui.app import create_app
from webui.camera.camera import SETUP_SECONDS
from webui.presenters.screens import fragment
from webui.presenters.table_state import state
from webui.table.access import VIEWER, Grant
from webui.table.room import Room

HOST = Grant(host=True)
FOLDER = str(Path(__file__).parent)


def shown(room: Room, grant: Grant = HOST) -> dict:
    return state(room.snapshot(), grant, "en")["camera"]


# --- which camera ---


def test_a_camera_is_chosen_on_the_way_to_the_table(room, host, started, webcams):
    answer = host.send("/host/setup", {**SETUP, "watched": "camera"})
    assert answer.headers["Location"] == "/host/camera"
    page = host.page("/host/camera")
    assert [name in page for name in ('value="Laptop"', 'value="2"', 'value="4"')] == [True] * 3
    answer = host.send("/host/camera/choose", {"camera": "Laptop"})
    assert answer.headers["Location"] == "/host/camera"
    assert [each.config.source for each in started] == ["Laptop"]
    assert "The camera is being started" in host.page("/host/camera")


@pytest.mark.parametrize(
    ("fields", "status", "source"),
    [
        ({"camera": "address", "address": " http://phone:8080/video "}, 302, "http://phone:8080/video"),
        ({"camera": "address", "address": "192.168.1.5:8080"}, 302, "http://192.168.1.5:8080"),
        ({"camera": "2"}, 302, "2"),
        ({"camera": "none"}, 302, None),
        ({"camera": "address", "address": " "}, 422, None),
        ({"camera": "address", "address": "/"}, 422, None),
        ({"camera": "address", "address": FOLDER}, 422, None),
        ({"camera": "address", "address": "Laptop"}, 422, None),
        ({"camera": "address", "address": "phone:8080/" + "x" * 500}, 422, None),
        ({"camera": FOLDER}, 422, None),
        ({"camera": "0"}, 422, None),
        ({}, 422, None),
    ],
)  # fmt: skip
def test_a_choice_is_kept_or_refused(room, host, started, webcams, memory, fields, status, source):
    room.prepare(header("trut"))
    answer = host.send("/host/camera/choose", fields)
    assert answer.status_code == status
    assert ("write the address of a stream" in answer.text) == (status == 422)
    assert [each.config.source for each in started] == ([] if source is None else [source])
    assert memory.data.get("camera") == source


def test_an_address_of_something_else_is_refused_in_one_sentence(room, host, started):
    room.prepare(header("trut"))
    fields = {"camera": "address", "address": f"file://{FOLDER}"}
    answer = host.send("/host/camera/choose", fields)
    assert (answer.status_code, started) == (422, [])
    assert "is no stream that can be read" in answer.text
    assert f'value="{fields["address"]}"' in answer.text  # to be put right


def test_a_password_is_on_no_page_and_kept_where_the_address_stays(room, host, started):
    room.prepare(header("trut"))
    address = "http://ana:secret@phone:8080/video"
    for typed in (address, "http://phone:8080/video"):
        assert "secret" not in host.page("/host/camera?choose")
        sent = host.send("/host/camera/choose", {"camera": "address", "address": typed})
        assert sent.status_code == 302
    assert [each.config.source for each in started] == [address]
    assert 'value="http://phone:8080/video"' in host.page("/host/camera?choose")
    assert all("secret" not in host.page(path) for path in ("/host", "/host/camera"))


def test_a_film_of_the_command_line_stays_where_the_address_stays(room, host, started):
    room.prepare(header("trut"))
    room.use_camera(FOLDER)
    sent = host.send("/host/camera/choose", {"camera": "address", "address": FOLDER})
    assert (sent.status_code, [each.config.source for each in started]) == (302, [FOLDER])


def test_who_chooses_no_camera_plays_by_hand(ready, room, host):
    host.send("/host/camera/choose", {"camera": "none"})
    assert room.camera is None
    assert "Let a camera keep the score" in host.page("/host")
    assert ready.stopped.wait(30)


def test_the_set_up_page_remembers_who_keeps_the_score(ready, room, host):
    host.send("/host/clear")
    assert 'value="camera" checked' in host.page("/host")
    host.send("/host/setup", SETUP)
    assert room.camera is None


def test_a_camera_that_comes_in_the_middle_of_a_match_watches_it(room, host, started, webcams):
    begin(room, "trut")
    host.send("/host/camera/choose", {"camera": "2"})
    assert [each.tables for each in started] == [[room.table]]
    assert host.get("/host/camera").headers["Location"] == "/host"


def test_only_the_host_may_use_the_cameras_page(ready, client, seated):
    for phone in (client, seated(1)):
        assert phone.get("/host/camera").status_code == 403
        assert phone.get("/host/camera/markers.pdf").status_code == 403
        assert phone.get("/host/camera/deck").status_code == 403
        assert phone.send("/host/camera/choose", {"camera": "2"}).status_code == 403
        assert phone.send("/host/camera/deck/learn", {"name": "x"}).status_code == 403
        assert phone.send("/host/camera/deck/keep", {"name": "x"}).status_code == 403
        assert phone.send("/host/camera/deck/forget", {"name": "x"}).status_code == 403


# --- how it sees ---


@pytest.mark.parametrize(
    ("report", "bad", "next_"),
    [
        ({}, [], "Lay a card on the table."),
        ({"laid": (LaidCard("KS", 1.0, 0),)}, [], "All set: go to the table."),
        ({"lack": ("Lay a card.", {}), "spots": ()}, ["Table"], "Lay a card."),
        ({"complaints": (Problem.GLARE,)}, ["Light"], "A lamp is reflected on a card. Move the"),
        ({"complaints": tuple(Problem)}, ["Picture", "Light", "Focus", "Size of the cards",
                                          "Camera steady", "Deck"], "The picture is mirrored."),
        ({"trouble": ("{name} is gone.", {"name": "Brio"})}, ["Picture"], "Brio is gone."),
        ({"ended": True}, ["Picture"], "The film has ended."),
    ],
)  # fmt: skip
def test_its_health_says_what_to_do_next(ready, room, report, bad, next_):
    ready.see(**{**SEES, **report})
    setup = shown(room)["setup"]
    assert [row["heading"] for row in setup["health"] if row["state"] == "bad"] == bad
    assert setup["next"].startswith(next_)
    assert setup["ready"] == ("All set" in next_)


ROUND = (("KS", 0, 1.0), ("9H", 1, 1.0))


@pytest.mark.parametrize(("laid", "cut", "grant", "seen"), [
    (ROUND, [], HOST, {0: "K", 1: "9"}),
    (ROUND, [], Grant(1), {1: "9"}),
    (ROUND, [], VIEWER, {}),
    (ROUND, [(0, "K")], HOST, {1: "9"}),
    (ROUND, [(0, "K"), (1, "K")], HOST, {1: "9"}),
    ((("KS", 0, 0.8), ("9H", 1, 1.0)), [], HOST, {1: "9"}),
    ((*ROUND, ("AD", 0, 1.0)), [], HOST, {1: "9"}),
    ((("KS", None, 1.0), ("2H", 1, 1.0), ("XJ", 0, 1.0)), [], HOST, {}),
])  # fmt: skip
def test_la_2_the_cards_that_are_cut_for_the_first_deal_are_seen(
    ready, room, laid, cut, grant, seen
):
    for seat, rank in cut:
        room.cut(seat, rank)
    ready.see(**SEES, laid=tuple(LaidCard(card, chance, seat) for card, seat, chance in laid))
    found = state(room.snapshot(), grant, "en")["cuts_seen"]
    assert {each["seat"]: each["rank"] for each in found} == seen


def test_the_card_that_is_seen_is_said_and_marked_where_it_is_tapped(ready, host):
    ready.see(**SEES, laid=(LaidCard("KS", 1.0, 0),))
    page = host.page("/host")
    assert "The camera sees K♠." in page
    assert page.count('class="card seen"') == 1


@pytest.mark.parametrize(
    ("laid", "words"),
    [
        (LaidCard("KS", 1.0, 0), {"words": "K♠ in front of Ana", "sure": True}),
        (LaidCard("10H", 0.6, None), {"words": "10♥", "sure": False}),
        (LaidCard("XJ", 1.0, 1), {"words": "no card of this game in front of Bea", "sure": True}),
    ],
)
def test_a_card_that_is_laid_is_read(ready, room, laid, words):
    ready.see(**SEES, laid=(laid,))
    assert shown(room)["setup"]["cards"] == [words]


def test_names_stand_where_people_sit(ready, room):
    assert shown(room)["setup"]["spots"] == [
        {"name": "Ana", "x": 50, "y": 90},
        {"name": "Bea", "x": 50, "y": 10},
    ]


def test_nobody_else_sees_what_lies_there_and_nobody_does_in_a_match(ready, room, seated):
    ready.see(**SEES, laid=(LaidCard("KS", 1.0, 0),))
    assert [shown(room, grant)["setup"] for grant in (VIEWER, Grant(0))] == [None, None]
    room.begin_draft(0, who="host")
    assert shown(room)["setup"] is None


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_is_drawn(app, ready, room, host, code):
    for report in ({}, {"complaints": tuple(Problem), "laid": (LaidCard("KS", 0.4, 0),)}):
        ready.see(WATCHES, **{**SEES, **report})
        ready.hint(hint("refused"))
        with app.test_request_context("/"):
            check(fragment("camera", state(room.snapshot(), HOST, code), HOST, code))
    page = host.page(f"/host/camera?lang={code}")
    assert "/host/camera/markers.pdf" in page


@pytest.mark.parametrize("paper", ["", "letter", "nonsense"])
def test_markers_are_printed_from_the_page(ready, host, paper):
    answer = host.get(f"/host/camera/markers.pdf?paper={paper}")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    assert answer.data.startswith(b"%PDF")


def test_cards_that_are_dealt_too_early_shut_the_picture_until_nobody_holds_any(ready, room, host):
    assert host.get("/host/camera/picture.jpg").status_code == 200
    ready.see(**SEES, held=True)
    assert host.get("/host/camera/picture.jpg").status_code == 204
    ready.shown = spread("7S")
    assert "viewfinder" not in host.page("/host/camera")
    assert host.send("/host/camera/show").status_code == 422  # they still lie there
    ready.see(**SEES)
    assert host.get("/host/camera/picture.jpg").status_code == 204  # they were taken up
    for _ in range(2):
        assert "0 of 32 cards." in host.page("/host/camera/deck")
    assert host.send("/host/camera/show").status_code == 200
    assert host.get("/host/camera/picture.jpg").status_code == 200


def test_in_set_up_the_picture_is_gone_when_the_host_has_done_nothing_for_long(
    ready, room, host, later
):
    assert host.send("/host/camera/turn").status_code == 200
    FakeSupervisor.started[-1].see(**SEES)
    seconds, shut, touched = later[-1]
    assert seconds == SETUP_SECONDS
    assert host.get("/host/camera/picture.jpg").status_code == 200
    shut(touched - 1)  # what was done before is past
    assert host.get("/host/camera/picture.jpg").status_code == 200
    shut(touched)
    assert host.get("/host/camera/picture.jpg").status_code == 204
    assert host.send("/host/camera/show").status_code == 200
    assert host.get("/host/camera/picture.jpg").status_code == 200


def test_a_table_goes_on_with_the_camera_that_it_remembers(ledger: Ledger, memory, started):
    room = Room(ledger, memory)
    room.prepare(header("trut"))
    room.use_camera("2")
    room.use_camera("2")  # a second tap
    assert [each.config.source for each in started] == ["2"]
    host = host_of(create_app(room), room)
    assert host.page("/host/camera")
    room.close()
    assert started[0].stopped.is_set()
