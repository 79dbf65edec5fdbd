"""How high a raise may go (section 3 of the rules), and calls and answers (LT-10 … LT-18)."""

from dataclasses import replace
from itertools import product

import pytest

from scorekeeper.engine.state import End, Phase
from scorekeeper.errors import RuleError
from scorekeeper.games.raises import REMAINDER, raise_limits
from scorekeeper.games.rules import GAMES
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, TRUT, deal, event, legal, ranks, say, table

ACE, SEVEN = GAMES[LT_ACE].rules, GAMES[LT_SEVEN].rules


def offers(rules, own, other, value):
    limits = raise_limits(rules, own=own, other=other, value=value)
    remainder = [f"remainder {rules.target - own}"] if limits.remainder else []
    return [str(limit) for limit in limits.values] + remainder


@pytest.mark.parametrize(
    ("own", "other", "value", "either", "raiser"),
    [
        (0, 0, 1, "2", "2"),
        (0, 0, 2, "4", "4"),
        (0, 0, 4, "8", "8"),
        (0, 0, 8, "remainder 12", "remainder 12"),
        (7, 0, 4, "remainder 5", "remainder 5"),
        (7, 0, 2, "4", "4"),
        (3, 0, 4, "8", "8"),
        (0, 9, 2, "remainder 12", "4"),
        (0, 10, 2, "remainder 12", "4"),
        (3, 11, 1, "remainder 9", "2"),
        (10, 0, 1, "2", "2"),
        (8, 8, 2, "4", "4"),
        (11, 3, 1, "", ""),
        (11, 11, 1, "", ""),
    ],
)
def test_LT16_LT17_limits(own, other, value, either, raiser):
    assert offers(ACE, own, other, value) == [either] * bool(either)
    assert offers(SEVEN, own, other, value) == [raiser] * bool(raiser)


def test_L5_the_two_scopes_differ_in_73_of_576_states():
    states = list(product(range(12), range(12), (1, 2, 4, 8)))
    assert len(states) == 576
    assert sum(offers(ACE, *state) != offers(SEVEN, *state) for state in states) == 73


@pytest.mark.parametrize(
    ("step", "target", "ladder"),
    [
        ("double", 12, "1 2 4 8 remainder"),
        ("two", 12, "1 2 4 6 8 10 12"),
        ("double", 16, "1 2 4 8 16"),
        ("two", 16, "1 2 4 6 8 10 12 14 16"),
    ],
)
def test_ladders_from_nothing(step, target, ladder):
    rules, values = replace(ACE, step=step, target=target), [1]
    while values[-1] != REMAINDER and offers(rules, 0, 0, values[-1]):
        limits = raise_limits(rules, own=0, other=0, value=values[-1])
        values.append(limits.values[0] if limits.values else REMAINDER)
    assert " ".join(map(str, values)) == ladder


def test_LV3_any_whole_amount_within_the_limit():
    assert offers(replace(ACE, step="any"), 7, 3, 2) == ["3", "4", "5"]


@pytest.mark.parametrize(
    ("remainder", "expected"), [("anytime", ["2", "remainder 12"]), ("off", ["2"])]
)
def test_LT17_options_of_the_remainder(remainder, expected):
    assert offers(replace(ACE, remainder=remainder), 0, 0, 1) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param("", "0 deal 3", id="LT-11-before-the-deal"),
        pytest.param("0 deal 3", "1 ask|1 i_play|1 play|1 raise 2", id="LT-11-leader-may-raise"),
        pytest.param("0 deal 3, 1 i_play", "1 play|1 raise 2", id="LT-6-asking-is-over"),
        pytest.param("0 deal 3, 1 raise 2", "0 accept|0 reject", id="LT-14-yes-or-no"),
        pytest.param("0 deal 3, 1 raise 2, 0 accept", "1 play", id="LT-12-one-offer-a-turn"),
        pytest.param(
            "0 deal 3, 1 raise 2, 0 accept, 1 play KS", "0 play|0 raise 4", id="LT-13-next-turn"
        ),
        pytest.param(
            "0 deal 3, 1 raise 2, 0 accept, 1 play KS, 0 play QS", "1 play|1 raise 4",
            id="LT-13-twice-running-by-one-side",
        ),
    ],
)  # fmt: skip
def test_ladder_of_two(before, expected):
    assert legal(say(table(LT_ACE), before)) == expected.split("|")


def test_LT13_alternate_bars_the_side_accepted_last():
    match = table(LT_ACE, options={"reraise": "alternate"})
    match = say(match, "0 deal 3, 1 raise 2, 0 accept, 1 play KS, 0 play QS")
    assert legal(match) == ["1 play"]
    assert legal(say(match, "1 play JS")) == ["0 play", "0 raise 4"]


@pytest.mark.parametrize(
    ("calls", "scores", "value"),
    [
        pytest.param("1 raise 2, 0 reject", (0, 1), 1, id="LT-15-first-offer"),
        pytest.param(
            "1 raise 2, 0 accept, 1 play KS, 0 raise 4, 1 reject", (2, 0), 2, id="LT-15-second"
        ),
    ],
)
def test_LT15_a_refusal_pays_the_value_before_the_offer(calls, scores, value):
    match = say(deal(table(LT_ACE)), calls)
    assert tuple(score.points for score in match.scores) == scores
    assert (match.hand.end, match.hand.value) == (End.RAISE_REJECTED, value)


@pytest.mark.parametrize(
    ("answer", "plays", "scores"),
    [
        pytest.param("1 reject", "", (11, 9), id="LT-17-no-pays-the-value"),
        pytest.param("1 accept", "K Q A J", (12, 9), id="LT-17-yes-and-won"),
        pytest.param("1 accept", "Q K A J", (10, 12), id="LT-17-yes-and-lost"),
        pytest.param("1 accept", "A A K K Q Q", (10, 9), id="LT-8-three-spoiled-nobody-scores"),
    ],
)
def test_LT17_remainder(answer, plays, scores):
    match = deal(table(LT_ACE, scores=(10, 9), first_dealer=1, options={"remainder": "anytime"}))
    match = ranks(say(match, "0 remainder", answer), plays)
    assert tuple(score.points for score in match.scores) == scores
    assert not match.in_progress


def test_LT17_value_of_an_accepted_remainder():
    match = deal(table(LT_ACE, scores=(7, 0), first_dealer=1))
    match = say(match, "0 raise 2, 1 accept, 0 play KS, 1 raise 4, 0 accept, 1 play QS")
    assert legal(match) == ["0 play", "0 remainder"]
    match = say(match, "0 remainder, 1 accept")
    assert match.hand.value == REMAINDER
    assert legal(match) == ["0 play"]


@pytest.mark.parametrize(
    ("speakers", "caller", "answerers", "turn"),
    [("anyone", 1, [0, 2], None), ("captains", 1, [0], 0)],
)
def test_L44_who_answers_for_a_side(speakers, caller, answerers, turn):
    match = deal(table(LT_ACE, 4, options={"speakers": speakers}))
    match = say(match, f"{caller} raise 2")
    assert match.asked_seats() == answerers
    assert match.turn == turn


def test_L44_captains_alone_raise():
    match = say(deal(table(LT_ACE, 4, options={"speakers": "captains"})), "1 play KS")
    assert legal(match) == ["2 play"]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("never", ["0 accept", "0 reject"]),
        ("on_turn", ["0 accept", "0 raise 4", "0 reject"]),
        ("always", ["0 accept", "0 raise 4", "0 reject"]),
    ],
)
def test_TS16_raising_back_as_an_option_of_the_ladder(mode, expected):
    match = deal(table(LT_ACE, options={"reraise_as_answer": mode, "late_call": True}))
    match = say(match, "1 play KS, 1 raise 2")
    assert legal(match) == expected


def test_LT12_holds_after_raising_back_too():
    match = deal(table(LT_ACE, options={"reraise_as_answer": "always"}))
    assert legal(say(match, "1 raise 2, 0 raise 4, 1 accept")) == ["1 play"]


def test_LT12_one_offer_a_turn_also_where_late_calls_are_allowed():
    match = deal(table(LT_ACE, options={"late_call": True}))
    assert legal(say(match, "1 raise 2, 0 accept, 1 play KS")) == ["0 play", "0 raise 4"]


def test_raising_back_accepts_first():
    match = deal(table(LT_ACE, options={"reraise_as_answer": "always"}))
    match = say(match, "1 raise 2, 0 raise 4")
    assert (match.hand.value, match.hand.offer.value, match.turn) == (2, 4, 1)
    assert [s.points for s in say(match, "1 reject").scores] == [2, 0]


@pytest.mark.parametrize("text", ["0 raise 2", "1 raise 3", "1 raise 1", "1 remainder"])
def test_LT16_what_is_not_allowed_is_refused(text):
    match = deal(table(LT_ACE))
    with pytest.raises(RuleError, match=r"LT-1[167]"):
        say(match, text)


def test_LT16_the_sentence_says_what_is_allowed():
    with pytest.raises(RuleError) as caught:
        say(deal(table(LT_ACE)), "1 raise 5")
    assert caught.value.sentence() == "seat 1 cannot raise to 5 now: score and value allow 2"
    assert event("1 raise 2") in caught.value.legal


def test_LT19_the_score_stops_at_the_target():
    match = deal(table(LT_SEVEN, scores=(0, 11), first_dealer=1))
    match = ranks(say(match, "0 raise 2, 1 accept"), "9 7 7 9")
    assert [score.points for score in match.scores] == [0, 12]
    assert match.hand.award == ("points", 1)
    assert match.phase is Phase.MATCH_OVER


def test_trut_is_always_worth_one():
    assert deal(table(TRUT)).hand.value == 1
