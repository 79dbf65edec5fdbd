"""Calls and their answers, and the questions of the games before play, on phones."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.hall import Hall, call, card, points


def test_a_raise_is_declined_and_the_raiser_scores_the_value_before(hall: Hall) -> None:
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play")
    ana, bea, tv = hall.phone(0), hall.phone(1), hall.tv()
    hall.do(bea, "raise 2")
    expect(ana.locator(".buttons.due")).to_be_visible()  # the board waits for the right person
    expect(bea.locator(".buttons")).to_have_count(0)
    hall.do(ana, "reject")
    expect(points(tv)).to_have_text(["0", "1"])
    expect(tv.locator(".said")).to_contain_text("Ana")


def test_a_trut_out_of_turn_is_seen_and_play_goes_on_where_it_stopped(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3", seats=4)
    ana, bea, tv = hall.phone(0), hall.phone(1), hall.tv()
    expect(tv.locator(".chair.turn .name")).to_have_text("Bea")
    expect(card(ana, "7")).to_have_count(0)  # it is not her turn
    hall.do(ana, "trut")
    expect(tv.locator(".offer")).to_have_text("Ana truts. Bea: see or fold?")
    expect(tv.locator(".chair.turn .name")).to_have_text("Bea")
    hall.do(bea, "see")
    expect(tv.locator(".worth")).to_have_text("worth a Long")
    hall.do(bea, "8")
    expect(tv.locator(".chair.turn .name")).to_have_text("Carles")


def test_at_fortial_partners_are_asked_in_turn_and_a_refused_trut_wins_the_game(
    hall: Hall,
) -> None:
    # Eighteen Smalls by agreement make six Longs; then two more Smalls.
    hall.desk.table("trut", "award 0 18, award 0 2, 0 deal 3", seats=4)
    phones = [hall.phone(seat) for seat in range(4)]
    tv = hall.tv()
    expect(tv.locator(".notice.fortial")).to_have_text("Fortial for Ana & Carles")
    expect(call(phones[0], "trut")).to_have_count(0)  # only Carles may look and speak
    hall.do(phones[2], "pass")
    hall.do(phones[0], "trut")
    hall.do(phones[1], "lie_down")
    expect(tv.locator(".chair.turn .name")).to_have_text("Dani")
    hall.do(phones[3], "lie_down")
    expect(tv.locator(".side.won .names")).to_have_text("Ana & Carles")
    expect(phones[0].locator(".over")).to_contain_text("The match goes to Ana & Carles")


def test_at_eleven_the_side_decides_and_plays_for_three(hall: Hall) -> None:
    hall.desk.table("truc_spain", "award 0 11, award 1 9, 1 cut, 0 deal 3")
    ana, bea, tv = hall.phone(0), hall.phone(1), hall.tv()
    expect(tv.locator(".notice.eleven")).to_have_text("Ana: one point short")
    expect(bea.locator(".buttons")).to_have_count(0)
    hall.do(ana, "play_on")
    expect(tv.locator(".worth")).to_have_text("worth 3 points")
    expect(call(bea, "truc")).to_have_count(0)  # nothing can be called
    for phone, rank in ((bea, "3"), (ana, "2"), (bea, "3"), (ana, "2")):
        hall.do(phone, rank)
    expect(points(tv)).to_have_text(["11", "12"])
    expect(tv.locator(".side.won .names")).to_have_text("Bea")


def test_at_eleven_the_side_declines_and_the_other_scores_one(hall: Hall) -> None:
    hall.desk.table("truc_spain", "award 0 11, 1 cut, 0 deal 3")
    ana, tv = hall.phone(0), hall.tv()
    hall.do(ana, "decline")
    expect(points(tv)).to_have_text(["11", "1"])


def test_a_match_that_is_won_is_followed_by_another(hall: Hall) -> None:
    hall.desk.table("truc_spain", "award 0 11, award 1 11, 1 cut, 0 deal 3, 1 play 3S, 0 play 2S")
    ana, bea, tv = hall.phone(0), hall.phone(1), hall.tv()
    hall.do(bea, "3")
    hall.do(ana, "2")
    expect(tv.locator(".side.won .names")).to_have_text("Bea")
    hall.tap(ana.get_by_role("button", name="Play again"))
    expect(points(tv)).to_have_text(["0", "0"])
    expect(tv.locator(".chair", has_text="Bea").locator(".dealer")).to_be_visible()
