"""The live picture: only for the host, in set-up and between hands, and never if in doubt."""

from __future__ import annotations

import pytest

from tests.scorekeeper.talk import event
from tests.webui.camera.test_camera import HOST, camera, room, supervisor
from tests.webui.camera.test_counting import spread
from tests.webui.evening import say
from vision.belief.proposals import Choice, Question
from vision.detection.spread import SpreadCard
from webui.camera import camera as cameras
from webui.presenters.table_state import state
from webui.table.access import Grant

__all__ = ["camera", "room", "supervisor"]

DEALT = Question(1, "deal", 0, (Choice("deal", event("0 deal 3")), Choice("no")), None, 1.0)


@pytest.mark.parametrize(
    ("said", "report", "opens"),
    [
        ((), {}, False),
        (("1 play KS",), {}, False),
        (("void_hand",), {}, True),
        (("undo",), {}, True),
        (("void_hand",), {"questions": (DEALT,)}, False),
        (("void_hand",), {"held": True}, False),  # cards lie there: a deal may have been missed
    ],
)
def test_the_picture_is_for_the_host_between_hands_once_nobody_holds_cards(
    room, supervisor, host, seated, said, report, opens
):
    for text in said:
        say(room, text)
    supervisor.see(**report)
    bea = seated(1)
    assert host.get("/host/camera/picture.jpg").status_code == 204
    assert bea.send("/host/camera/show").status_code == 403
    assert host.send("/host/camera/show").status_code == (200 if opens else 422)
    answer = host.get("/host/camera/picture.jpg")
    status, data = (200, b"jpeg") if opens else (204, b"")
    assert (answer.status_code, answer.data) == (status, data)
    assert answer.headers["Cache-Control"] == "no-store"
    assert ("viewfinder" in host.page("/host")) == opens
    assert ("the host sees the live picture" in host.page("/tv")) == opens
    assert bea.get("/host/camera/picture.jpg").status_code == 403


@pytest.mark.parametrize(
    "report",
    [
        {"came": 1},
        {"held": True},
        {"questions": (DEALT,)},
        {"starts": 2},
        {"alive": False},
    ],
)
def test_the_picture_is_gone_with_whatever_may_be_a_hand(room, supervisor, host, report):
    say(room, "void_hand")
    host.send("/host/camera/show")
    supervisor.see(lack=("Lay a card.", {}))
    assert host.get("/host/camera/picture.jpg").status_code == 200
    supervisor.see(**report)
    assert host.get("/host/camera/picture.jpg").status_code == 204
    supervisor.see()
    assert host.get("/host/camera/picture.jpg").status_code == 204  # it stays so
    assert not state(room.snapshot(), HOST, "en")["camera"]["picture"]


def test_the_picture_is_gone_after_a_while(room, supervisor, host, later):
    say(room, "void_hand")
    host.send("/host/camera/show")
    ((seconds, shut, touched),) = later
    assert seconds == cameras.PICTURE_SECONDS
    shut(touched)
    assert host.get("/host/camera/picture.jpg").status_code == 204


def test_a_hand_that_begins_while_the_picture_comes_keeps_it_back(
    room, supervisor, host, monkeypatch
):
    say(room, "void_hand")
    host.send("/host/camera/show")

    def picture() -> bytes:
        say(room, "1 deal 3")
        return b"jpeg"

    monkeypatch.setattr(supervisor, "picture", picture)
    assert host.get("/host/camera/picture.jpg").status_code == 204


def test_everybody_is_told_of_the_picture_also_while_it_stands_still(room, supervisor, host):
    say(room, "void_hand")
    assert host.send("/host/camera/show").status_code == 200
    supervisor.see(trouble=("The camera gives no pictures.", {}))
    seen = state(room.snapshot(), Grant(), "en")["camera"]
    assert seen["sign"] == "Camera on, the host sees the live picture"


def test_between_hands_a_deck_is_counted_while_the_picture_is_shown(room, supervisor, host):
    supervisor.shown = spread("7S", "KS")
    assert host.get("/host/camera/deck").status_code == 404
    say(room, "void_hand")
    assert host.get("/host/camera/deck").status_code == 404
    host.send("/host/camera/show")
    assert "Show the deck once" in host.page("/host")
    assert "0 of 32 cards." in host.page("/host/camera/deck")
    assert "2 of 32 cards." in host.page("/host/camera/deck")
    say(room, "1 deal 3")
    assert host.get("/host/camera/deck").status_code == 404
    assert host.get("/host/camera/deck/1.png").status_code == 404
    say(room, "void_hand")
    host.send("/host/camera/show")
    assert "0 of 32 cards." in host.page("/host/camera/deck")


def test_a_hand_that_begins_while_a_deck_is_counted_is_none_of_it(
    room, supervisor, host, monkeypatch
):
    say(room, "void_hand")
    host.send("/host/camera/show")

    def dealt() -> list[SpreadCard]:
        say(room, "1 deal 3")
        return spread("7S")

    monkeypatch.setattr(supervisor, "spread", dealt)
    for _ in range(2):
        host.get("/host/camera/deck")
    assert not room.camera.counting.cards


def test_the_picture_stays_while_a_deck_is_laid_out(room, supervisor, host, later):
    say(room, "void_hand")
    host.send("/host/camera/show")
    for cards, shows in ((("7S",), True), (("7S", "KS"), True), (("7S", "KS"), False)):
        _, shut, touched = later[-1]
        supervisor.shown = spread(*cards)
        for _ in range(2):
            host.page("/host/camera/deck")
        shut(touched)  # no new card was laid: people may be dealing by now
        assert (host.get("/host/camera/picture.jpg").status_code == 200) is shows
