"""Corrections on a phone: a person taps what is wrong, then what is right; the TV shows it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.hall import Hall, call, card, laid, points, sheet


def open_sheet(button: Locator) -> Locator:
    """Taps what is wrong; returns the sheet that opens."""
    button.tap()
    opened = sheet(button.page)
    expect(opened).to_be_visible()
    return opened


def offer(phone: Page, name: str | re.Pattern[str]) -> Locator:
    """A correction that an open sheet offers, by its name."""
    return (
        sheet(phone)
        .locator("button[data-repair]:visible")
        .and_(phone.get_by_role("button", name=name))
    )


def test_a_spoiled_trick_is_corrected_by_two_taps(hall: Hall) -> None:
    hall.desk.table("le_truc_ace", "0 deal 3, 1 play KS, 0 play KH")
    bea, tv = hall.phone(1), hall.tv()
    expect(tv.locator(".taken.spoiled")).to_be_visible()
    open_sheet(bea.locator(".felt .chair", has_text="Ana").locator("button.card"))
    hall.tap(sheet(bea).locator(".picker:visible button", has_text="Q").first)
    expect(sheet(bea)).to_be_hidden()
    expect(laid(tv, "Ana")).to_have_text("Q")
    expect(tv.locator(".taken")).to_have_text("Trick: Bea")
    expect(tv.locator(".chair.turn .name")).to_have_text("Bea")


def test_what_would_fall_away_is_shown_before_the_second_tap(hall: Hall) -> None:
    # If Bea's first card was a king, she leads the second trick: Ana has led her ten out of turn.
    hall.desk.table("le_truc_ace", "0 deal 3, 1 play 9S, 0 play QH, 0 play 10H")
    bea = hall.phone(1)
    open_sheet(bea.locator(".tricks li").first.locator("button.card").first)
    expect(sheet(bea).locator(".falls").first).to_contain_text("10")
    bea.keyboard.press("Escape")
    expect(laid(bea, "Ana")).to_have_text("10")


def test_a_play_that_was_missed_is_added_in_mid_hand_through_its_gap(hall: Hall) -> None:
    # The camera missed Ana's ace: her nine, which led the second trick, was written instead.
    hall.desk.table("le_truc_ace", "0 deal 3, 1 play KS, 0 play 9H")
    ana, tv = hall.phone(0), hall.tv()
    expect(tv.locator(".taken")).to_have_text("Trick: Bea")
    open_sheet(ana.get_by_role("button", name="Correct…"))
    gap = sheet(ana).get_by_role("button", name=re.compile("missing before this: .*9"))
    gap.tap()
    hall.tap(sheet(ana).locator(".picker:visible button", has_text="A").first)
    expect(laid(tv, "Ana")).to_have_text("9")
    expect(tv.locator(".tricks li")).to_have_count(2)
    expect(tv.locator(".tricks li").first).to_contain_text("→ Ana")
    expect(tv.locator(".chair.turn .name")).to_have_text("Bea")


def test_a_truc_that_was_missed_is_added_with_its_answer(hall: Hall) -> None:
    hall.desk.table("truc_spain", "1 cut, 0 deal 3, 1 play 3S, 0 play 2S")
    ana, tv = hall.phone(0), hall.tv()
    expect(tv.locator(".worth")).to_have_text("worth 1 point")
    open_sheet(ana.get_by_role("button", name="Correct…"))
    sheet(ana).get_by_role(
        "button", name=re.compile("missing before this: .*2♠|missing before this: .*2")
    ).tap()
    hall.tap(offer(ana, re.compile("truc.*accept", re.I)).first)
    expect(tv.locator(".worth")).to_have_text("worth 2 points")
    expect(laid(tv, "Ana")).to_have_text("2")
    hall.do(hall.phone(1), "2")  # and play goes on


def test_undo_goes_back_over_the_end_of_a_game(hall: Hall) -> None:
    game = "award 0 11, award 1 11, 0 deal 3, 1 play AS, 0 play KS, 1 play AH, 0 play QS"
    hall.desk.table("le_truc_ace", game, "1 deal 3", best_of=3)
    ana, tv = hall.phone(0), hall.tv()
    expect(points(tv)).to_have_text(["0", "0"])
    expect(tv.locator(".side-1 .games .full")).to_have_count(1)
    for taken_back, left in (("deal", ["11", "12"]), ("Q", ["11", "11"])):
        open_sheet(ana.get_by_role("button", name="Undo"))
        found = sheet(ana).locator("button[data-repair]").first
        expect(found).to_contain_text(re.compile(taken_back, re.I))
        hall.tap(found)
        expect(points(tv)).to_have_text(left)
    expect(tv.locator(".side-1 .games .full")).to_have_count(0)
    expect(tv.locator(".chair.turn .name")).to_have_text("Ana")
    hall.do(ana, "A")  # it was an ace: the trick is spoiled, and the game is Bea's all the same
    expect(points(tv)).to_have_text(["11", "12"])


def test_it_was_not_me_gives_the_word_to_whose_it_was(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3, 2 trut", seats=4)
    carles, tv = hall.phone(2), hall.tv()
    expect(tv.locator(".offer")).to_have_text("Carles truts. Dani: see or fold?")
    open_sheet(carles.get_by_role("button", name="It was not me"))
    hall.tap(offer(carles, re.compile("Ana")).first)
    expect(tv.locator(".offer")).to_have_text("Ana truts. Bea: see or fold?")


def test_it_was_not_me_can_take_the_word_back(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3, 1 trut")
    bea, tv = hall.phone(1), hall.tv()
    open_sheet(bea.get_by_role("button", name="It was not me"))
    hall.tap(sheet(bea).locator("button.danger").first)
    expect(tv.locator(".offer")).to_have_count(0)
    expect(call(bea, "trut")).to_be_visible()
    expect(card(bea, "7")).to_be_visible()
