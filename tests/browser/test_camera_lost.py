"""A camera that is lost and found: the screens say so, and people play on meanwhile."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.hall import Hall, card, laid

SCRIPT = ["die_until:FOLDER/mended", "ask"]
"""The watching process ends at once, until the file ``mended`` exists."""


def test_the_game_goes_on_by_hand_until_the_camera_is_back(hall: Hall) -> None:
    tv = hall.tv()
    hall.desk.table("trut", "0 deal 3")
    lost = tv.locator(".trouble", has_text="The camera is lost")
    expect(lost).to_be_visible()
    expect(tv.locator(".sign.off")).to_be_visible()
    bea = hall.phone(1)
    assert hall.tap_alone(card(bea, "K")) == 200
    expect(laid(tv, "Bea")).to_have_text("K")
    (hall.served.folder / "mended").touch()
    expect(lost).to_have_count(0)
    expect(tv.locator(".sign:not(.off)")).to_be_visible()
    expect(bea.locator("[data-answer]")).to_have_count(2)  # it asks again
