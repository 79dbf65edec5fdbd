"""The 37 vectors of section 13 of the rules, by their numbers."""

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import start, undone
from scorekeeper.engine.state import End, Phase
from tests.scorekeeper.talk import (
    LT_ACE,
    LT_SEVEN,
    NAMES,
    TRUC,
    TRUT,
    deal,
    legal,
    ranks,
    say,
    table,
)


def points(match):
    return [score.points for score in match.scores]


def ended(match):
    return match.hand.end, match.hand.winner, len(match.hand.tricks)


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        pytest.param("K A 8 Q J 7", (End.DECIDED, 1, 3), id="V1"),
        pytest.param("A A Q 8", (End.DECIDED, 1, 2), id="V2"),
        pytest.param("A A K K Q Q", (End.VOID, None, 3), id="V4"),
        pytest.param("K A 8 8", (End.DECIDED, 0, 2), id="V5"),
    ],
)
def test_le_truc_hands(plays, expected):
    match = ranks(deal(table(LT_ACE)), plays)
    assert ended(match) == expected
    assert points(match) == [int(expected[1] == side) for side in (0, 1)]


def test_V3_seat_1_leads_again():
    assert ranks(deal(table(LT_ACE)), "A A").turn == 1


def test_V6_a_rejected_raise_gives_the_raiser_one():
    assert points(say(deal(table(LT_ACE)), "1 raise 2, 0 reject")) == [0, 1]


def test_V7_a_second_raise_rejected_gives_two():
    match = ranks(say(deal(table(LT_ACE)), "1 raise 2, 0 accept"), "K")
    assert points(say(match, "0 raise 4, 1 reject")) == [2, 0]


def test_V8_the_same_player_has_no_second_raise():
    assert legal(say(deal(table(LT_ACE)), "1 raise 2, 0 accept")) == ["1 play"]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(LT_ACE, ["0 play", "0 remainder"], id="V9"),
        pytest.param(LT_SEVEN, ["0 play", "0 raise 4"], id="V10"),
    ],
)
def test_limits_at_0_to_9(game, expected):
    match = say(deal(table(game, scores=(0, 9))), "1 raise 2, 0 accept")
    assert legal(ranks(match, "K")) == expected


@pytest.mark.parametrize(
    ("said", "plays", "expected"),
    [
        pytest.param("0 remainder, 1 accept", "7 9", [12, 0], id="V11-won"),
        pytest.param("0 remainder, 1 accept", "9 7", [7, 12], id="V11-lost"),
        pytest.param("0 remainder, 1 reject", "", [11, 0], id="V11-declined"),
    ],
)
def test_V11_remainder_at_7_to_0_value_4(said, plays, expected):
    match = deal(table(LT_SEVEN, scores=(7, 0), first_dealer=1))
    match = ranks(say(match, "0 raise 2, 1 accept"), "A")
    match = ranks(say(match, "1 raise 4, 0 accept"), "A")
    assert legal(match) == ["0 play", "0 remainder"]
    assert points(ranks(say(match, said), plays)) == expected


@pytest.mark.parametrize(
    ("dealer", "expected"),
    [
        pytest.param(0, ["1 ask", "1 i_play", "1 play"], id="V12-side-with-11"),
        pytest.param(1, ["0 ask", "0 i_play", "0 play", "0 remainder"], id="V12-side-with-3"),
    ],
)
def test_V12_limits_at_3_to_11(dealer, expected):
    assert legal(deal(table(LT_ACE, scores=(3, 11), first_dealer=dealer))) == expected


@pytest.mark.parametrize("game", [LT_ACE, LT_SEVEN])
def test_V13_no_second_ask(game):
    match = say(deal(table(game)), "1 ask, 0 refuse")
    assert match.phase is Phase.PLAY
    assert "1 ask" not in legal(match)


@pytest.mark.parametrize(("lead", "seat"), [("last_player", 0), ("spoiler", 2)])
def test_V14_lead_after_a_spoiled_trick(lead, seat):
    match = deal(table(TRUT, 4, options={"lead_after_spoiled": lead}))
    match = ranks(match, "7 7 10 9")
    assert (match.hand.tricks[0].spoiled, match.turn) == (True, seat)


def test_V15_partners_tie():
    match = ranks(deal(table(TRUT, 4)), "9 7 10 7")
    assert (match.hand.tricks[0].winner, match.turn) == (0, 2)


def test_V16_won_then_spoiled():
    match = ranks(deal(table(TRUT)), "9 7 8 8")
    assert (ended(match), match.hand.award) == ((End.DECIDED, 0, 2), ("small", 1))


@pytest.mark.parametrize(
    ("said", "award"),
    [pytest.param("", "small", id="V17"), pytest.param("1 trut, 0 see", "long", id="V18")],
)
def test_one_each_then_spoiled(said, award):
    match = ranks(say(deal(table(TRUT)), said), "9 7 10 8 K K")
    assert (ended(match), match.hand.award.kind) == ((End.DECIDED, 0, 3), award)


def test_V19_trut_out_of_turn_and_lie_down():
    match = say(deal(table(TRUT)), "0 trut, 1 lie_down")
    assert match.hand.award == ("small", 1)
    assert match.hand.winner == 0


@pytest.mark.parametrize(
    ("dealer", "asked"), [pytest.param(0, [2, 0], id="V20"), pytest.param(1, [2, 0], id="V21")]
)
def test_fortial_is_asked(dealer, asked):
    match = deal(table(TRUT, 4, tokens=((6, 2), (3, 1)), first_dealer=dealer))
    first = match.turn
    match = say(match, f"{first} pass")
    assert [first, match.turn] == asked
    match = say(match, f"{match.turn} pass")
    assert match.scores[1] == (3, 2)


def test_V22_a_trut_at_fortial_that_is_not_seen():
    match = deal(table(TRUT, 4, tokens=((6, 2), (3, 1))))
    assert say(match, "2 trut, 3 lie_down, 1 lie_down").winner == 0


def test_V23_both_at_fortial():
    assert deal(table(TRUT, tokens=((6, 2), (6, 2)))).phase is Phase.PLAY


def test_V24_converting_at_five_longs_is_not_fortial():
    match = ranks(deal(table(TRUT, tokens=((5, 2), (4, 2)))), "9 7 7 9")
    assert match.scores == ((6, 0), (4, 0))
    assert deal(match).phase is Phase.PLAY


def test_V25_order_of_seats():
    match = ranks(deal(table(TRUC, 4)), "6 A 2 3")
    assert [play.seat for play in match.hand.tricks[0].plays] == [3, 2, 1, 0]
    assert match.turn == 0


def test_V26_drawn():
    assert ranks(deal(table(TRUC, 4)), "6 A 3 3").turn == 3


def test_V27_one_card_drawn():
    match = ranks(deal(table(TRUC, 4), 1), "6 A 3 3")
    assert (ended(match), points(match)) == ((End.DECIDED, 1, 1), [0, 1])


def test_V28_a_card_accepts_a_late_truc():
    match = ranks(say(ranks(deal(table(TRUC, 4), 1), "6"), "3 truc"), "A 2 3")
    assert (match.hand.winner, points(match)) == (0, [2, 0])


def test_V29_truc_before_the_card():
    match = say(deal(table(TRUC, 4), 1), "3 truc")
    assert legal(match) == ["2 accept", "3 play", "2 reject"]
    assert legal(ranks(match, "6")) == ["2 accept", "2 play", "2 reject", "2 retruc"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("3 truc, 2 reject", [0, 1], id="V30"),
        pytest.param("3 play 6S, 3 truc, 2 retruc, 1 reject", [2, 0], id="V31"),
    ],
)
def test_truc_rejected(said, expected):
    assert points(say(deal(table(TRUC, 4)), said)) == expected


def test_V32_who_may_retruc():
    match = say(deal(table(TRUC, 4)), "3 truc, 2 accept")
    assert legal(match) == ["3 play"]
    assert legal(ranks(match, "6")) == ["2 play", "2 retruc"]


def test_V33_a_late_call_after_a_lost_trick():
    match = say(ranks(deal(table(TRUC, 4)), "6 A 2 4"), "0 truc")
    assert legal(match) == ["3 accept", "3 reject"]


def test_V34_drawn_then_won_is_over():
    match = ranks(deal(table(TRUC, 4)), "6 A 3 3 5 7 K Q")
    assert ended(match) == (End.DECIDED, 1, 2)


def test_V35_eleven_declined():
    match = table(TRUC, 4, scores=(11, 9))
    assert legal(match) == ["1 cut"]
    assert points(say(deal(match), "0 decline")) == [11, 10]


def test_V36_eleven_played():
    match = say(deal(table(TRUC, 4, scores=(11, 9))), "2 play_on")
    assert (match.hand.value, legal(match)) == (3, ["3 play"])


def test_V37_eleven_each():
    match = deal(table(TRUC, 4, scores=(11, 11)))
    assert (match.phase, match.hand.value, legal(match)) == (Phase.PLAY, 1, ["3 play", "3 truc"])


def test_a_match_starts_with_nothing():
    match = start(Header(game=TRUT, seats=NAMES[:2]))
    assert (match.hands(), match.event, undone(match)) == ([], None, match)
