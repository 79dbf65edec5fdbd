"""What the screens show of a camera: its questions and troubles, to whom; and who may answer."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.engine.said import Source
from scorekeeper.errors import StaleAppend
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import event
from tests.webui.evening import say
from tests.webui.phones import Phone, begin, header, host_of, seat_of
from tests.webui.presenters.test_screens import draw_all
from tests.webui.watching import WATCHES, WHICH, FakeSupervisor, camera_of, hint
from vision.belief.proposals import Choice, Question
from vision.detection import deck_templates
from vision.geometry.calibration import open_plane
from vision.health import Problem
from vision.process.config import CameraConfig
from vision.process.status import Report
from webui.app import create_app
from webui.presenters.table_state import state
from webui.table.access import VIEWER, Grant
from webui.table.room import Room

HOST = Grant(host=True)
PATIENCE = 30.0
DEALT = Question(1, "deal", 0, (Choice("deal", event("0 deal 3")), Choice("no")), None, 1.0)
CROWDED = Question(2, "too_many", None, (Choice("drop"), Choice("hold")), 4, 1.0)


@pytest.fixture
def camera(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUCAM_CAMERAS", str(tmp_path / "cameras"))
    with camera_of(monkeypatch) as camera:
        yield camera


@pytest.fixture
def room(ledger: Ledger, memory, camera) -> Room:
    """A table with a camera, in the first trick of a hand of Trut."""
    room = Room(ledger, memory, camera)
    begin(room, "trut")
    say(room, "0 deal 3")
    return room


@pytest.fixture
def supervisor(room) -> FakeSupervisor:
    (supervisor,) = FakeSupervisor.started
    supervisor.see()
    return supervisor


def shown(room: Room, grant: Grant = VIEWER) -> dict:
    return state(room.snapshot(), grant, "en")["camera"]


# --- questions ---


@pytest.mark.parametrize(
    ("question", "grant", "may"),
    [
        (WHICH, HOST, True),
        (WHICH, Grant(1), True),
        (WHICH, Grant(0), False),
        (WHICH, VIEWER, False),
        (DEALT, Grant(0), True),
        (DEALT, Grant(1), False),
        (CROWDED, Grant(0), True),
        (CROWDED, Grant(1), True),
        (CROWDED, VIEWER, False),
    ],
)
def test_a_question_goes_to_its_seat_and_the_host_and_one_about_nobody_to_any_seat(
    room, supervisor, question, grant, may
):
    supervisor.see(questions=(question,))
    (asked,) = shown(room, grant)["questions"]
    assert [one["key"] for one in asked["answers"]] == [c.key for c in question.choices if may]


@pytest.mark.parametrize("grant", [VIEWER, Grant(0)])
def test_others_are_told_of_a_question_without_its_cards(room, supervisor, grant):
    supervisor.see(questions=(WHICH,))
    text = json.dumps(state(room.snapshot(), grant, "en")["camera"], ensure_ascii=False)
    assert "Which card did Bea play? Answer on Bea's phone or the host's page." in text
    assert not [card for card in ("K♠", "J♠", "KS", "JS", "play K") if card in text]


def test_the_seat_that_is_asked_sees_the_likeliest_card_first(room, supervisor):
    supervisor.see(questions=(WHICH,))
    (asked,) = shown(room, Grant(1))["questions"]
    assert asked["text"] == "Which card did Bea play?"
    assert [one["words"] for one in asked["answers"]] == ["K♠", "J♠", "None of these"]


def phone_of(app, room: Room, seat: int | None) -> Phone:
    """The phone of a seat; with None, a phone that only looks."""
    return Phone(app) if seat is None else seat_of(app, room, seat)


TAKEN = Question(3, "unseen", 1, (Choice("play", event("1 play KS")), Choice("no")), None, 1.0)


@pytest.mark.parametrize(
    ("question", "grant", "may"),
    [
        (WHICH, HOST, True),
        (WHICH, Grant(1), True),
        (WHICH, Grant(0), False),
        (WHICH, VIEWER, False),
        (TAKEN, Grant(0), True),
        (TAKEN, VIEWER, True),  # only plays are in it
    ],
)
def test_a_card_that_may_not_be_played_yet_is_shown_to_whoever_may_answer(
    app, room, supervisor, question, grant, may
):
    supervisor.pictured = {question.id: b"jpeg"}
    supervisor.see(questions=(question,))
    (asked,) = shown(room, grant)["questions"]
    assert asked["picture"] == (f"/api/v1/questions/{asked['name']}.jpg" if may else None)
    ((name, _, jpeg),) = room.camera.view.asked
    phone = host_of(app, room) if grant.host else phone_of(app, room, grant.seat)
    answer = phone.get(f"/api/v1/questions/{name}.jpg")
    assert (answer.status_code, answer.data == jpeg) == ((200, True) if may else (403, False))


def test_no_two_questions_have_the_same_name(ledger, memory, monkeypatch):
    names = set()
    for _ in range(2):  # the program is started again in the middle of the match
        with camera_of(monkeypatch) as camera:
            room = Room(ledger, memory, camera)
            begin(room, "trut")
            FakeSupervisor.started[-1].see(questions=(WHICH,))
            names |= {asked.name for asked in camera.view.asked}
    assert len(names) == 2


@pytest.mark.parametrize(("name", "pictured"), [(".99", True), (None, False)])
def test_a_question_that_is_past_or_was_not_pictured_has_no_picture(
    app, room, supervisor, name, pictured
):
    supervisor.pictured = {WHICH.id: b"jpeg"} if pictured else {}
    supervisor.see(questions=(WHICH,))
    (asked,) = shown(room, HOST)["questions"]
    path = f"/api/v1/questions/{asked['name'].replace('.7', name or '.7')}.jpg"
    assert host_of(app, room).get(path).status_code == 404


@pytest.mark.parametrize(
    ("seat", "first", "headline"),
    [
        (0, "Cards were dealt: how many to everybody?", False),
        (1, "Which card did Bea play?", False),
        (None, "Cards were dealt: how many to everybody?", True),
    ],
)
def test_a_question_is_large_for_those_who_may_answer_and_a_phones_headline(
    app, room, supervisor, seat, first, headline
):
    say(room, "1 play 8S")
    supervisor.see(questions=(DEALT, WHICH))
    page = phone_of(app, room, seat).page("/" if seat is None else f"/seat/{seat}")
    large = page.split('<section class="asks')[1].split("</section>")[0]
    assert first in large
    assert ('class="now' in page) is headline


def test_buttons_stay_where_they_are_while_chances_change(room, supervisor):
    supervisor.see(questions=(WHICH,))
    before, number = shown(room, HOST), room.snapshot().number
    king, knave, no = WHICH.choices
    other = replace_choices(WHICH, (knave._replace(chance=0.7), king._replace(chance=0.3), no))
    supervisor.see(questions=(other,))
    assert shown(room, HOST) == before
    assert room.snapshot().number == number  # and nothing is drawn anew
    supervisor.see(questions=(replace_choices(WHICH, (king, no)),))
    assert [one["key"] for one in shown(room, HOST)["questions"][0]["answers"]] == ["play K", "no"]


def replace_choices(question: Question, choices: tuple[Choice, ...]) -> Question:
    return question._replace(choices=choices)


def test_a_question_of_another_process_has_another_name(room, supervisor):
    supervisor.see(questions=(WHICH,))
    (first,) = shown(room, HOST)["questions"]
    supervisor.see(replace(WATCHES, starts=2), questions=(WHICH,))
    (second,) = shown(room, HOST)["questions"]
    assert first["name"] != second["name"]
    assert room.camera.asked(first["name"]) is None


@pytest.mark.parametrize(
    ("seat", "name", "answer", "status"),
    [
        (1, None, "play K", 200),
        (1, None, "no", 200),
        (0, None, "play K", 403),
        (None, None, "play K", 403),
        (1, "9.9.9", "play K", 409),
        (1, 7, "play K", 422),
        (1, None, None, 422),
    ],
)
def test_answers_over_http(app, room, supervisor, client, seated, seat, name, answer, status):
    supervisor.see(questions=(WHICH,))
    (asked,) = shown(room)["questions"]
    phone = client if seat is None else seated(seat)
    body = {"question": name or asked["name"], "answer": answer}
    assert phone.post("/api/v1/answers", body).status_code == status
    assert supervisor.answered == ([(7, answer, "Bea")] if status == 200 else [])
    if status == 200:
        assert phone.post("/api/v1/answers", body).status_code == 409  # the second of two taps


# --- what is wrong ---


@pytest.mark.parametrize(
    ("report", "kinds", "words"),
    [
        (WATCHES, [], ""),
        (Report(starts=1), ["lost"], "goes on by hand"),  # it has watched before
        (
            Report(starts=4, failed=("No deck {name}.", {"name": "x"})),
            ["failed"],
            "No deck x. The game goes on by hand",
        ),
        (replace(WATCHES, ended=True), ["ended"], "The film has ended."),
        (
            replace(WATCHES, trouble=("{name} has ended.", {"name": "a.mp4"})),
            ["trouble"],
            "a.mp4 has ended. The game goes on by hand",
        ),
        (replace(WATCHES, lack=("Lay a card.", {})), ["lack"], "Lay a card."),
        (replace(WATCHES, complaints=(Problem.DARK,)), ["complaint"], "Switch on a lamp"),
        (replace(WATCHES, hitches=(("Kept nowhere.", {}),)), ["hitch"], "Kept nowhere."),
        (
            replace(WATCHES, lack=("Lay a card.", {}), complaints=(Problem.BLUR, Problem.DARK)),
            ["lack", "complaint", "complaint"],
            "Wipe the lens",
        ),
    ],
)
def test_the_host_reads_all_that_is_wrong_and_what_to_do(room, supervisor, report, kinds, words):
    supervisor.see(report)
    troubles = shown(room, HOST)["troubles"]
    assert [one["kind"] for one in troubles] == kinds
    assert words in " ".join(one["text"] for one in troubles)


def test_the_board_says_the_gravest_alone_and_nothing_about_pictures(app, room, supervisor, client):
    supervisor.see(hitches=(("Kept nowhere.", {}),))
    assert shown(room)["troubles"] == []
    supervisor.see(complaints=(Problem.DARK, Problem.BLUR))
    html = client.page("/")
    assert "It is too dark" in html
    assert "out of focus" not in html


def test_a_camera_that_is_being_started_is_not_lost(room):
    assert shown(room, HOST)["troubles"] == []


def test_screens_are_drawn_anew_only_for_visible_changes(room, supervisor):
    number = room.snapshot().number
    supervisor.see(pace=14.0)
    assert room.snapshot().number == number
    supervisor.see(complaints=(Problem.DARK,))
    assert room.snapshot().number == number + 1


@pytest.mark.parametrize(("days", "sign"), [(30, "keeps pictures"), (0, "keeps no pictures")])
def test_the_sign_says_whether_pictures_are_kept(tmp_path, memory, monkeypatch, days, sign):
    monkeypatch.setenv("TRUCAM_EVIDENCE_DAYS", str(days))
    with Ledger(str(tmp_path / "other")) as ledger, camera_of(monkeypatch) as camera:
        room = Room(ledger, memory, camera)
        begin(room)
        FakeSupervisor.started[-1].see()
        assert shown(room)["sign"] == f"Camera on, {sign}"


@pytest.mark.parametrize(
    "seen",
    [
        {"alive": False},
        {"ended": True},
        {"trouble": ("The camera gives no pictures.", {})},
    ],
)
def test_the_sign_says_that_there_is_no_picture(room, supervisor, seen):
    supervisor.see(**seen)
    camera = shown(room)
    assert (camera["sign"], camera["watches"]) == ("No picture from the camera", False)
    supervisor.see(alive=True, ended=False, trouble=None)
    camera = shown(room)
    assert (camera["sign"], camera["watches"]) == ("Camera on, keeps pictures", True)


# --- the host's view ---

SQUARE = [[0.1, 0.2], [0.9, 0.2], [0.9, 0.8], [0.1, 0.8]]


def test_the_table_is_turned_and_stays_so(ledger, memory, camera, room, supervisor, host, seated):
    assert seated(1).send("/host/camera/turn").status_code == 403
    assert host.send("/host/camera/turn").status_code == 200
    assert [one.config.turn for one in FakeSupervisor.started] == [0, 1]
    assert supervisor.stopped.wait(PATIENCE)  # another thread stops it
    assert memory.data["turn"] == 1


@pytest.mark.parametrize(
    ("corners", "status"),
    [
        (SQUARE, 200),
        (SQUARE[::-1], 400),  # counterclockwise
        (SQUARE[:3], 422),
        ([*SQUARE[:3], [0.5, 1.5]], 422),
        ([*SQUARE[:3], ["a", 0]], 422),
        ("abcd", 422),
        (None, 422),
    ],
)
def test_the_tables_corners_are_kept_for_the_camera(room, supervisor, host, corners, status):
    supervisor.see(size=(1000, 500))
    body = {"corners": corners}
    assert host.post("/host/camera/corners", body).status_code == status
    kept = open_plane("0")
    assert (kept is not None) == (status == 200) == (len(FakeSupervisor.started) == 2)
    if kept is not None:
        there = kept.to_frame(kept.outline)
        assert np.allclose(there, np.array(SQUARE) * (1000, 500))
        assert host.send("/host/camera/turn").status_code == 200  # turns the kept place, too
        turned = open_plane("0")
        assert np.allclose(turned.to_frame(turned.outline), there)
        assert not np.allclose(turned.homography, kept.homography)


def test_what_was_kept_of_a_table_serves_two_and_four_players(room, supervisor, host):
    supervisor.see(size=(1000, 500))
    assert host.post("/host/camera/corners", {"corners": SQUARE}).status_code == 200
    assert [CameraConfig(source="0", seats=seats).plane().seats for seats in (2, 4)] == [2, 4]


def test_a_deck_that_is_not_kept_is_refused_and_the_camera_goes_on(
    room, supervisor, host, memory, tmp_path, monkeypatch
):
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path / "decks")
    answer = host.send("/host/camera/deck/use", {"name": "removed meanwhile"})
    assert answer.status_code == 400
    assert "is called 'removed meanwhile'" in answer.json["sentence"]
    assert memory.data.get("deck") is None
    assert not supervisor.stopped.is_set()


def test_a_seat_may_not_mark_the_tables_corners(room, supervisor, seated):
    supervisor.see(size=(1000, 500))
    assert seated(1).post("/host/camera/corners", {"corners": SQUARE}).status_code == 403


# --- from match to match ---


def test_the_same_supervisor_goes_on_with_the_next_match(room, supervisor):
    say(room, "void_hand")
    say(room, "award 0 60")
    supervisor.see(questions=(WHICH,))
    assert room.table.moment.match.winner is not None
    room.again(who="host")
    assert supervisor.tables == [supervisor.tables[0], room.table]
    assert shown(room)["questions"] == []
    assert not supervisor.stopped.is_set()


def test_another_number_of_seats_needs_another_supervisor(room, supervisor):
    begin(room, "trut", 4)
    assert [one.config.seats for one in FakeSupervisor.started] == [2, 4]
    supervisor.see(questions=(WHICH,))  # the old one, while it is being stopped
    supervisor.hint(hint("not_due"))
    assert shown(room)["questions"] == shown(room)["hints"] == []


def test_it_is_set_up_while_the_table_cuts_and_asks_nothing_yet(ledger, memory, camera):
    room = Room(ledger, memory, camera)
    room.prepare(header("trut"))
    (supervisor,) = FakeSupervisor.started
    (waiting,) = supervisor.tables
    assert waiting.match_id is None
    with pytest.raises(StaleAppend):
        waiting.say(event("0 deal 3"), seen=0, source=Source.CAMERA)
    supervisor.see(size=(1000, 500), questions=(WHICH,), lack=("Lay a card.", {}))
    supervisor.hint(hint("not_due"))
    assert shown(room, HOST)["questions"] == shown(room, HOST)["hints"] == []
    draw_all(app := create_app(room), room)
    host = host_of(app, room)
    assert "the host sees the live picture" in host.page("/tv")
    assert "Lay a card." in host.page("/host")
    assert host.get("/host/camera/picture.jpg").data == b"jpeg"
    assert host.post("/host/camera/corners", {"corners": SQUARE}).status_code == 200
    room.begin_draft(0, who="host")
    assert FakeSupervisor.started[-1].tables[1:] == [
        room.table
    ]  # the same process goes on with the match


def test_a_table_that_was_cutting_goes_on_with_its_camera(ledger, memory, camera):
    Room(ledger, memory).prepare(header("trut"))
    Room(ledger, memory, camera)
    assert len(FakeSupervisor.started) == 1


def test_after_a_match_there_is_neither_picture_nor_question(room, supervisor):
    room.clear()
    assert room.camera.picture() == b""
    supervisor.see(questions=(WHICH,))
    assert room.camera.view.asked == ()


def test_every_screen_is_drawn_with_all_that_a_camera_can_say(app, room, supervisor):
    supervisor.see(
        questions=(replace_choices(WHICH, WHICH.choices[:2]), DEALT, CROWDED),
        complaints=tuple(Problem),
        trouble=("{name} has ended.", {"name": "<b>"}),
        hitches=(("Kept nowhere.", {}),),
        lack=("Lay a card.", {}),
    )
    for kind in ("exposed", "too_few_backs", "refused"):
        supervisor.hint(hint(kind))
    draw_all(app, room)
