"""A camera of the real server: the watching process runs beside it."""

from __future__ import annotations

import sys

import pytest

from scorekeeper.engine.header import Header
from tests.scorekeeper.talk import event
from tests.vision.scripted_play import scripted
from tests.webui.serving import Phone, Site, Stream, served

HEADER = Header(game="trut", seats=("Ana", "Bea"))


class Watched(Site):
    """A served table whose watching process follows a script."""

    script: tuple[str, ...] = ()

    def command(self, *arguments: str) -> list[str]:
        options = ("play", "--no-browser", "--local", "--port", str(self.port), "--camera", "0")
        return [sys.executable, "-c", scripted(*self.script), *options, *arguments]


@pytest.fixture
def site(tmp_path):
    site = Watched(tmp_path)
    site.begin(HEADER, [event("0 deal 3")])
    return site


def until(stream: Stream, wanted) -> str:
    """Waits for a screen that shows what is wanted; returns its HTML."""
    for _ in range(100):
        html = stream.message()["html"]
        if wanted(html):
            return html
    raise AssertionError(html)


def test_a_question_is_asked_answered_and_withdrawn(site):
    site.script = ("ask",)
    with served(site):
        bea, ana = Phone(site).sit(1), Phone(site).sit(0)
        mine, board = Stream(bea, "seat"), Stream(ana, "board")
        assert "data-answer" in until(mine, lambda html: "Which card did Bea play?" in html)
        shown = until(board, lambda html: "Bea&#39;s phone or the host&#39;s page" in html)
        assert "data-answer" not in shown
        (question,) = bea.state()["camera"]["questions"]
        assert [one["key"] for one in question["answers"]] == ["play K", "no"]
        said = {"question": question["name"], "answer": "play K"}
        assert ana.post("/api/v1/answers", said)[0] == 403
        assert bea.post("/api/v1/answers", said) == (200, {"seq": 2})
        assert bea.post("/api/v1/answers", said)[0] == 409
        until(mine, lambda html: "Which card" not in html)
        assert bea.state()["camera"]["questions"] == []
        status, _, errors = site.end()
    assert (status, errors) == (0, "")
    _, play = site.stored(1)
    assert (play["card"], play["_source"], play["_who"]) == ("KS", "phone", "Bea")


def test_a_camera_whose_process_dies_comes_back_and_plays_nothing_twice(site):
    mended = site.folder / "mended"
    site.script = ("say:1 play KS", f"die_until:{mended}")
    with served(site):
        board = Stream(Phone(site), "board")
        until(board, lambda html: "The camera is lost" in html)
        mended.touch()
        until(board, lambda html: "The camera is lost" not in html)
        status, _, _ = site.end()
    assert status == 0
    _, play = site.stored(1)
    assert (play["card"], play["_source"]) == ("KS", "camera")


def test_a_hanging_watching_process_does_not_keep_the_server_from_ending(site):
    site.script = ("hang",)
    with served(site):
        board = Stream(Phone(site), "board")
        until(board, lambda html: "Camera on, keeps pictures" in html)
        status, _, errors = site.end()
    assert (status, errors) == (0, "")
