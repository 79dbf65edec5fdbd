"""The deck is counted before the camera, in set-up and between hands."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.hall import PHONE, Hall, sheet
from tests.browser.test_accessible import size, violations
from tests.browser.test_sizes import FINGER, SMALL, TOO_SMALL, WIDTH

SCRIPT = [
    'tell:{"size":[1280,720],"spots":[[0.5,0.9],[0.5,0.1]],"laid":[["KS",1.0,0]]}',
    "spread:7S,KS,6D",
]
"""The camera sees three cards of a deck."""


def set_up(hall: Hall) -> None:
    """Sets a match up with the camera, at a table that knows no deck."""
    hall.desk.post("/host/setup", game="trut", players="2", name0="Ana", name2="Bea",
                      best_of="1", watched="camera")  # fmt: skip
    hall.desk.post("/host/camera/deck/use", name="")


def test_a_deck_is_counted_and_a_misread_card_put_right(hall: Hall) -> None:
    set_up(hall)
    host = hall.open(hall.served.host_link, PHONE)
    host.goto("/host/camera")
    expect(host.locator(".todo")).to_have_text("All set: go to the table.")
    expect(host.locator(".try")).to_have_text("I see: K♠ in front of Ana")
    for pixels in (SMALL, PHONE):
        host.set_viewport_size(size(pixels))
        assert host.evaluate(WIDTH) <= pixels[0]
        assert host.evaluate(TOO_SMALL, FINGER) == []
    host.locator("#deck summary").tap()
    count = host.locator("#deck .todo")
    expect(count).to_contain_text("2 of 32 cards. Not of this deck: 6♦.")
    assert host.evaluate(TOO_SMALL, FINGER) == []
    host.get_by_role("button", name="6♦").tap()
    assert violations(host) == []
    hall.tap_alone(sheet(host).get_by_role("button", name="8♦"))
    expect(count).to_have_text("3 of 32 cards.")
    assert violations(host) == []
    host.get_by_label("Name of the deck, if you like").fill("Home")
    assert hall.tap_alone(host.get_by_role("button", name="Count again")) == 200
    expect(count).to_contain_text("3 of 32 cards.")  # they still lie there


def test_who_has_not_shown_the_deck_is_led_to_it_from_the_table(hall: Hall) -> None:
    set_up(hall)
    host = hall.open(hall.served.host_link, PHONE)
    host.get_by_role("link", name="Show the deck").tap()
    expect(host.locator("#deck .todo")).to_contain_text("2 of 32 cards. Not of this deck: 6♦.")


def test_between_hands_the_deck_is_counted_until_the_next_deal(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3, void_hand")
    host = hall.host()
    expect(host.locator("#viewfinder")).to_have_count(0)
    hall.tap(host.get_by_role("button", name="Nobody holds cards"))
    expect(host.locator("#viewfinder img")).to_have_js_property("naturalWidth", 160)
    host.locator("#deck summary").click()
    expect(host.locator("#deck .todo")).to_contain_text("2 of 32 cards. Not of this deck: 6♦.")
    hall.tap(host.get_by_role("button", name="Dealt: 3 cards each"))
    for gone in ("#viewfinder", "#deck"):
        expect(host.locator(gone)).to_have_count(0)
    expect(host.get_by_text("The picture is off during a hand.")).to_be_visible()
    hall.expect_complaint("status of 404")  # a request for the count was under way


def test_what_was_learned_of_a_deck_is_kept_under_a_name(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3, void_hand")
    host = hall.open(hall.served.host_link, PHONE)
    host.get_by_text("Keep this deck for another evening").tap()
    kept = host.locator("#keep-deck")
    kept.get_by_label("Name of the deck").fill("Home")
    for pixels in (SMALL, PHONE):
        host.set_viewport_size(size(pixels))
        assert host.evaluate(WIDTH) <= pixels[0]
        assert host.evaluate(TOO_SMALL, FINGER) == []
    assert violations(host) == []
    assert hall.tap_alone(kept.get_by_role("button", name="Keep")) == 200
    expect(host.locator("#toast")).to_have_text("The deck is kept.")


def test_a_learned_deck_is_in_use_at_once_and_can_be_deleted(hall: Hall) -> None:
    set_up(hall)
    host = hall.open(hall.served.host_link, PHONE)
    host.goto("/host/camera#deck")
    expect(host.locator("#deck .todo")).to_contain_text("2 of 32 cards.")
    assert hall.tap_alone(host.get_by_role("button", name="Learn")) == 200
    decks = host.locator("section", has_text="Deck on the table")
    expect(decks.get_by_role("button", name="Deck 1", pressed=True)).to_be_visible()
    decks.get_by_text("Delete a deck").tap()
    for pixels in (SMALL, PHONE):
        host.set_viewport_size(size(pixels))
        assert host.evaluate(WIDTH) <= pixels[0]
        assert host.evaluate(TOO_SMALL, FINGER) == []
    assert violations(host) == []
    questions: list[str] = []
    host.once("dialog", lambda asked: questions.append(asked.message) or asked.accept())
    assert hall.tap_alone(decks.locator("details").get_by_role("button", name="Deck 1")) == 200
    assert questions == ["Delete the deck Deck 1 for good? It can be shown again."]
    expect(decks.get_by_role("button", name="Deck 1")).to_have_count(0)
