"""The page with what the table believes: only for the host, and while nobody holds cards."""

from __future__ import annotations

import pytest

from tests.webui.camera.test_camera import camera, room, supervisor
from tests.webui.evening import say
from vision.process.insight import Insight, SeenObject, Story, StoryPlay

__all__ = ["camera", "room", "supervisor"]

SQUARE = [(-40.0, -30.0), (40.0, -30.0), (40.0, 30.0), (-40.0, 30.0)]
CARD = [(0.0, 0.0), (6.0, 0.0), (6.0, 9.0), (0.0, 9.0)]
BELIEVES = Insight(
    SQUARE,
    [
        SeenObject(7, CARD, [("KS", 0.998), ("JS", 0.002)], True, "play"),
        SeenObject(9, CARD, [("7H", 0.6), ("unknown", 0.4)], False, "none"),
        SeenObject(12, CARD, [("back", 0.9)], True, ""),
    ],
    [
        Story(0.93, [StoryPlay(1, "KS", 7), StoryPlay(0, "8D", None)], False),
        Story(0.004, [StoryPlay(1, "JS", 7), StoryPlay(0, "8D", None)], True),
    ],
)


@pytest.fixture(autouse=True)
def believes(supervisor) -> None:
    supervisor.believes = BELIEVES


def test_it_is_shown_between_hands_once_nobody_holds_cards(room, supervisor, host, seated):
    assert "somebody may hold cards" in host.page("/host/insight")
    say(room, "void_hand")
    supervisor.see()
    assert "somebody may hold cards" in host.page("/host/insight")
    assert host.send("/host/camera/show").status_code == 200
    assert 'href="/host/insight"' in host.page("/host")
    page = host.page("/host/insight")
    assert "somebody may hold cards" not in page
    assert "93%" in page
    bea = seated(1)
    assert bea.get("/host/insight").status_code == 403
    say(room, "1 deal 3")
    assert "93%" not in host.page("/host/insight?part")


def test_objects_and_stories_are_told_in_words(room, supervisor, host):
    say(room, "void_hand")
    supervisor.see()
    host.send("/host/camera/show")
    answer = host.get("/host/insight?part")
    assert answer.headers["Cache-Control"] == "no-store"
    part = answer.text
    assert "<html" not in part
    for words in (
        "Bea played it to trick 1", "no card of this hand", "left out", "face down", "taken away",
        "&gt; 99%", "&lt; 1%", "not seen", "of spades",
    ):  # fmt: skip
        assert words in part, words
    assert part.count("Then the hand ended") == 1
    assert part.count("differs") == 1  # the jack, in the story that is less likely


def test_without_a_camera_there_is_no_such_page(room, supervisor, host):
    room.use_camera(None)
    assert host.get("/host/insight").status_code == 404
