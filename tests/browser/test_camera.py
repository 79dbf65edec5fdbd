"""A question of the camera is answered on a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.hall import Hall, laid

SCRIPT = ["pictured:7", "ask"]
"""The camera asks whether Bea has played the king."""


def test_a_question_is_answered_on_the_phone_of_its_seat(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3")
    ana, bea, tv = hall.phone(0), hall.phone(1), hall.tv()
    for screen in (tv, ana):
        expect(screen.locator(".asks")).to_have_text(
            "Which card did Bea play? Answer on Bea's phone or the host's page."
        )
        expect(screen.locator("[data-answer]")).to_have_count(0)
    expect(tv.locator(".sign")).to_have_text("Camera on, keeps pictures")
    for screen in (tv, ana):
        expect(screen.locator(".asks img")).to_have_count(0)  # the card may not be played yet
    expect(bea.locator(".asks img")).to_have_js_property("naturalWidth", 160)
    expect(bea.locator(".now")).to_have_count(0)  # the question is shown instead
    answers = bea.locator(".asks [data-answer]")
    expect(answers).to_have_text(["K♠", "None of these"])
    assert hall.tap_alone(answers.first) == 200
    expect(laid(tv, "Bea")).to_have_text("K")
    for screen in (tv, ana, bea):
        expect(screen.locator(".asks")).to_have_count(0)
