"""A whole hand of each game, played from two phones while a TV watches."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.hall import Hall, laid, points

NAMES = ("Ana", "Bea")

# What a seat does, and what the TV then shows.
HANDS = {
    "le_truc_ace": (
        ("0 deal 3", "Bea plays, or asks for new cards"),
        ("1 i_play", "worth 1 point"),
        ("1 K", "Bea plays K"),
        ("0 raise 2", "Ana raises. Bea: play for 2 points?"),
        ("1 accept", "worth 2 points"),
        ("0 A", "Trick: Ana"),
        ("0 9", "Bea to play"),
        ("1 9", "Spoiled claimed by Ana"),
        ("", "Score: Ana 2 points; Bea 0 points."),
    ),
    "le_truc_seven": (
        ("0 deal 3", "Bea plays, or asks for new cards"),
        ("1 ask", "Bea asks for new cards"),
        ("0 refuse", "Ana refuses"),
        ("1 A", "Bea plays A"),
        ("0 6", "Trick: Ana"),
        ("0 K", "Ana plays K"),
        ("1 7", "Trick: Bea"),
        ("1 raise 2", "Bea raises. Ana: play for 2 points?"),
        ("0 accept", "worth 2 points"),
        ("1 Q", "Bea plays Q"),
        ("0 J", "Hand for Bea: 2 points"),
        ("", "Score: Ana 0 points; Bea 2 points."),
    ),
    "trut": (
        ("0 deal 3", "worth a Small"),
        ("1 8", "Bea plays 8"),
        ("0 8", "Spoiled The first side to win a trick will claim it."),
        ("0 trut", "Ana truts. Bea: see or fold?"),
        ("1 see", "worth a Long"),
        ("0 9", "Ana plays 9"),
        ("1 10", "A Long for Bea"),
        ("", "Bea 1 Long, 0 Smalls"),
    ),
    "truc_spain": (
        ("1 cut", "Bea cuts the pack."),
        ("0 deal 3", "Bea to play"),
        ("1 truc", "Bea calls truc. Ana: play for 2 points?"),
        ("1 3", "Bea plays 3"),
        ("0 retruc", "Ana calls retruc. Bea: play for 3 points?"),
        ("1 accept", "worth 3 points"),
        ("0 3", "Spoiled counts for nobody"),
        ("1 2", "Bea plays 2"),
        ("0 A", "Hand for Bea: 3 points"),
        ("", "Score: Ana 0 points; Bea 3 points."),
    ),
}  # fmt: skip

FINAL = {
    "le_truc_ace": ["2", "0"],
    "le_truc_seven": ["0", "2"],
    "trut": ["0", "1"],
    "truc_spain": ["0", "3"],
}


@pytest.mark.parametrize("game", HANDS)
def test_a_hand_is_played_from_two_phones_and_the_tv_shows_it(hall: Hall, game: str) -> None:
    hall.desk.table(game)
    phones, tv = [hall.phone(0), hall.phone(1)], hall.tv()
    for step, shown in HANDS[game]:
        seat, _, what = step.partition(" ")
        if step:
            assert hall.do(phones[int(seat)], what) == 200
        expect(tv.locator("#live")).to_contain_text(shown)
        if what[:1].isupper() or what.isdigit():
            expect(laid(tv, NAMES[int(seat)])).to_have_text(what)
    for screen in (tv, *phones):
        expect(points(screen)).to_have_text(FINAL[game])
