"""Hints of the camera: how long they are shown, to whom, and not twice."""

from __future__ import annotations

from tests.webui.camera.test_camera import HOST, camera, room, shown, supervisor
from tests.webui.evening import say
from tests.webui.watching import hint
from vision.belief.proposals import Choice, Question
from webui.camera import camera as cameras

__all__ = ["camera", "room", "supervisor"]


def test_a_hint_holds_until_something_is_said(room, supervisor):
    supervisor.hint(hint("not_due"))
    assert [one["kind"] for one in shown(room)["hints"]] == ["not_due"]
    say(room, "1 play KS")
    assert shown(room)["hints"] == []


def test_a_hint_goes_after_a_while_and_one_about_the_deal_stays(room, supervisor, later):
    supervisor.hint(hint("too_many_backs"))
    supervisor.hint(hint("not_due"))
    ((seconds, forget, hinted),) = later
    assert seconds == cameras.HINT_SECONDS
    number = room.snapshot().number
    forget(hinted)
    assert [one["kind"] for one in shown(room)["hints"]] == ["too_many_backs"]
    assert room.snapshot().number == number + 1


def test_a_hint_does_not_say_what_is_asked_already(room, supervisor):
    early = Question(3, "early", 1, (Choice("hold"), Choice("drop")), 5, 1.0)
    supervisor.hint(hint("not_due"))
    supervisor.see(questions=(early,))
    assert shown(room)["hints"] == []


def test_what_the_referee_refuses_is_for_the_host(room, supervisor):
    supervisor.hint(hint("refused", text="KS was played already"))
    assert shown(room)["hints"] == []
    assert shown(room, HOST)["hints"][0]["text"] == "KS was played already"


def test_a_card_shown_in_dealing_opens_the_button_for_a_new_deal(
    app, room, supervisor, client, host
):
    assert '<details class="misdeal" id="misdeal">' in host.page("/host")
    supervisor.hint(hint("exposed"))
    assert '<details class="misdeal" id="misdeal" open>' in host.page("/host")
    assert "the same dealer may deal again" in client.page("/")
