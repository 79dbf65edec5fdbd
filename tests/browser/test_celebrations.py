"""A won trick, hand, game and match are celebrated, each more than the one before.

If people want no motion, nothing moves.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import TV, Hall, card

# The events of each end before the last card of a trick, a hand, a game and a match.
WON = {
    "trick": ("0 deal 3, 1 i_play, 1 play AS", "K", 1),
    "hand": ("0 deal 3, 1 i_play, 1 play AS, 0 play KH, 1 play AD", "K", 1),
    "game": ("award 1 11, 0 deal 3, 1 i_play, 1 play AS, 0 play KH, 1 play AD", "K", 3),
    "match": ("award 1 11, 0 deal 3, 1 i_play, 1 play AS, 0 play KH, 1 play AD", "K", 1),
}

TONES = "what => TONES[what].reduce((most, [, begins, lasts]) => Math.max(most, begins + lasts), 0)"


def won(hall: Hall, what: str, motion: str) -> Page:
    """A TV just after something was won: ``what`` is a trick, a hand, a game or a match."""
    before, last, best_of = WON[what]
    hall.desk.table("le_truc_ace", before, best_of=best_of)
    tv = hall.open("/tv", TV, reduced_motion=motion)
    expect(tv.locator("#live")).to_have_attribute("data-number", hall.desk.number())
    ana = hall.phone(0)
    hall.tap(card(ana, last))
    hall.desk.post("/host/revoke", seat=0)  # so that the next one can take the seat
    ana.close()
    expect(tv.locator("body")).to_have_attribute("data-won", what)
    return tv


def test_each_is_celebrated_more_than_the_one_before(hall: Hall) -> None:
    found = []
    for what in WON:
        tv = won(hall, what, "no-preference")
        flying = tv.locator(".flying").count()
        size = tv.locator(".ended, .taken").first.evaluate(
            "one => parseFloat(getComputedStyle(one).fontSize)"
        )
        found.append(
            (flying, size, tv.evaluate("what => WON[what].shown", what), tv.evaluate(TONES, what))
        )
        tv.close()
    for less, more in pairwise(found):
        assert all(a < b for a, b in zip(less, more, strict=True)), found


@pytest.mark.parametrize("what", WON)
def test_whoever_wants_no_motion_sees_what_was_won_and_nothing_moves(hall: Hall, what: str) -> None:
    tv = won(hall, what, "reduce")
    expect(tv.locator(".ended, .taken").first).to_be_visible()
    assert tv.evaluate("document.getAnimations().length") == 0
    assert tv.locator(".flying").count() == 0


def test_set_up_offers_sound_and_a_tv_too(hall: Hall) -> None:
    host = hall.host()
    host.locator(".sounds").get_by_label("Sounds").check()
    assert host.evaluate("settings.get('sound')") == "1"
    tv = hall.tv()
    tv.get_by_label("Sounds on this TV").check()
    assert tv.evaluate("settings.get('sound')") == "1"
    tv.mouse.move(9, 9)
    tv.get_by_text("Language, sound, looks").click()
    expect(tv.get_by_label("Sounds", exact=True)).to_be_checked()
