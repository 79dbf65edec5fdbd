"""Cutting for the first deal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.cutting import Cutting
from scorekeeper.engine.header import Header
from scorekeeper.errors import CardNotInPack, NotYourTurn, WrongPhase
from scorekeeper.games.rules import GAMES, make_rules
from scorekeeper.text.assistant import Assistant
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, NAMES, TRUC, TRUT


def cutting(game: str, cuts: str, seats: int = 4, **options: object) -> Cutting:
    """The cutting after these ranks were cut, each by the next seat that is due."""
    made = Cutting(rules=make_rules(GAMES[game], options=options), seats=seats)
    for rank in cuts.split():
        made = made.cut(made.due[0], rank)
    return made


@pytest.mark.parametrize(
    ("game", "options", "cuts", "dealer"),
    [
        pytest.param(LT_ACE, {}, "K A Q 7", 1, id="LA-2-highest-deals"),
        pytest.param(LT_SEVEN, {}, "A K 7 9", 2, id="LB-2-lowest-deals"),
        pytest.param(LT_SEVEN, {}, "7 6 9 A", 1, id="LB-2-six-is-lowest-though-it-beats-the-ace"),
        pytest.param(LT_SEVEN, {"alias": {"8": "6"}}, "7 8 9 A", 1, id="C-9-eight-cut-for-a-six"),
        pytest.param(LT_SEVEN, {"first_deal": "high"}, "7 6 9 A", 3, id="first-deal-is-an-option"),
        pytest.param(TRUT, {}, "7 8 A K", 2, id="TR-3-any-is-cut-high-ace-first"),
        pytest.param(TRUC, {}, "3 2 4 A", 3, id="TS-1-any-is-cut-high-though-3-beats-the-ace"),
        pytest.param(LT_ACE, {}, "A A Q 7", None, id="LA-3-equal-not-yet"),
        pytest.param(LT_ACE, {}, "A K A 7 9 Q", 2, id="L2-only-the-equal-ones-cut-again"),
        pytest.param(LT_ACE, {}, "A K A 7 9 9 8 9", 2, id="L2-again-and-again"),
        pytest.param(LT_ACE, {}, "7 7 K A", 3, id="equal-ones-that-are-not-best-do-not-matter"),
    ],
)
def test_who_deals_first(game, options, cuts, dealer):
    assert cutting(game, cuts, **options).dealer == dealer


@pytest.mark.parametrize(
    ("cuts", "due"),
    [
        ("", (0, 1, 2, 3)),
        ("A", (1, 2, 3)),
        ("A 7 A 8", (0, 2)),
        ("A 7 A 8 K", (2,)),
        ("A 7 8 9", ()),
    ],
)
def test_L2_who_still_cuts(cuts, due):
    assert cutting(LT_ACE, cuts).due == due


def test_any_seat_that_is_due_may_cut_first():
    made = cutting(LT_ACE, "", seats=2).cut(1, "A").cut(0, "K")
    assert made.dealer == 1


@pytest.mark.parametrize(
    ("cuts", "seat", "rank", "error", "rule"),
    [
        pytest.param("A", 0, "K", NotYourTurn, "LA/LB-2", id="twice"),
        pytest.param("A A 7 7", 2, "K", NotYourTurn, "LA/LB-2", id="not-among-the-equal-ones"),
        pytest.param("", 4, "K", NotYourTurn, "LA/LB-2", id="no-such-seat"),
        pytest.param("A K 7 7", 0, "K", WrongPhase, "LA/LB-2", id="it-is-settled"),
        pytest.param("", 0, "2", CardNotInPack, "C-9", id="not-in-the-reduced-pack"),
        pytest.param("", 0, "joker", CardNotInPack, "C-9", id="no-card"),
    ],
)
def test_a_cut_that_is_refused(cuts, seat, rank, error, rule):
    before = cutting(LT_ACE, cuts)
    with pytest.raises(error) as raised:
        before.cut(seat, rank)
    assert raised.value.rule == rule
    assert before == cutting(LT_ACE, cuts)


@given(
    st.sampled_from(sorted(GAMES)),
    st.sampled_from((2, 4)),
    st.sampled_from(("high", "low", "any")),
    st.data(),
)
def test_the_first_dealer_has_the_one_best_card_of_the_last_round(game, seats, first_deal, data):
    made = cutting(game, "", seats, first_deal=first_deal)
    for _ in range(12):
        if made.dealer is not None:
            break
        seat = data.draw(st.sampled_from(made.due))
        made = made.cut(seat, data.draw(st.sampled_from(made.rules.order)))
    cutters, cuts = made.rounds()[-1]
    assert (made.dealer is None) == bool(made.due)
    if made.dealer is not None:
        assert {cut.seat for cut in cuts} == set(cutters)
        worse = [cut.rank for cut in cuts if cut.seat != made.dealer]
        order = made.rules.cut_order
        best = order.index(next(cut.rank for cut in cuts if cut.seat == made.dealer))
        for rank in worse:
            place = order.index(rank)
            assert place < best if first_deal == "low" else place > best


def told(made: Cutting, header: Header) -> list[str]:
    """State and text of all steps, without those about the pack and about how to cut."""
    steps = Assistant(header, "en").first_deal(made)
    return [f"{step.state}: {step.text.text}" for step in steps[2:]]


@pytest.mark.parametrize(
    ("cuts", "expected"),
    [
        ("", ["now: Ana cuts.", "next: Bea cuts.", "next: Carles cuts.", "next: Dani cuts."]),
        ("A 7", ["done: Ana cuts: A.", "done: Bea cuts: 7.", "now: Carles cuts.",
                 "next: Dani cuts."]),
        ("A 7 A K", ["done: Ana cuts: A.", "done: Bea cuts: 7.", "done: Carles cuts: A.",
                     "done: Dani cuts: K.", "now: Equal: Ana & Carles cut again.",
                     "now: Ana cuts.", "next: Carles cuts."]),
        ("A 7 A K 9 Q", ["done: Ana cuts: A.", "done: Bea cuts: 7.", "done: Carles cuts: A.",
                         "done: Dani cuts: K.", "done: Equal: Ana & Carles cut again.",
                         "done: Ana cuts: 9.", "done: Carles cuts: Q.",
                         "now: Carles deals first."]),
    ],
)  # fmt: skip
def test_LA_2_what_is_said(cuts, expected):
    assert told(cutting(LT_ACE, cuts), Header(game=LT_ACE, seats=NAMES)) == expected


@pytest.mark.parametrize(
    ("game", "words", "rule"),
    [
        (LT_ACE, "the highest card deals", "LA/LB-2"),
        (LT_SEVEN, "the lowest card deals", "LA/LB-2"),
        (TRUT, "any way it likes", "TR-3"),
        (TRUC, "any way it likes", "TS-1"),
    ],
)
def test_how_the_first_dealer_is_found(game, words, rule):
    pack, how, *_ = Assistant(Header(game=game, seats=NAMES), "en").first_deal(cutting(game, ""))
    assert "take out" in pack.text.text
    assert words in how.text.text
    assert how.text.rules == (rule,)
