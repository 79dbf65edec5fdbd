"""Trut: the call, its answers, Smalls and Longs, fortial (TR-1 … TR-23)."""

import pytest

from scorekeeper.engine.state import End, Phase
from scorekeeper.errors import RuleError
from scorekeeper.games.scoring import IN_TOKENS, Score
from tests.scorekeeper.talk import TRUT, deal, legal, ranks, say, table

FORTIAL = ((6, 2), (3, 1))


def scores(match):
    return tuple(tuple(score) for score in match.scores)


@pytest.mark.parametrize(
    ("tokens", "add", "expected"),
    [
        pytest.param(((0, 0), (0, 0)), IN_TOKENS.add_small, ((0, 1), (0, 0)), id="TR-13"),
        pytest.param(
            ((0, 1), (0, 2)), IN_TOKENS.add_small, ((0, 2), (0, 2)), id="TR-13-others-kept"
        ),
        pytest.param(
            ((0, 2), (4, 2)), IN_TOKENS.add_small, ((1, 0), (4, 0)), id="TR-15-TR-16-converts"
        ),
        pytest.param(
            ((2, 2), (3, 1)), IN_TOKENS.add_long, ((3, 2), (3, 0)), id="T10-winner-keeps-Smalls"
        ),
        pytest.param(((5, 2), (4, 2)), IN_TOKENS.add_small, ((6, 0), (4, 0)), id="V24"),
    ],
)
def test_tokens(tokens, add, expected):
    given = tuple(Score(*score) for score in tokens)
    assert add(given, 0) == tuple(Score(*score) for score in expected)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("", "1 play|0 trut|1 trut|2 trut|3 trut", id="TR-8-anybody"),
        pytest.param("2 trut", "3 lie_down|3 see", id="TR-10-left-of-the-truter-first"),
        pytest.param("2 trut, 3 lie_down", "1 lie_down|1 see", id="TR-10-then-the-other"),
        pytest.param("2 trut, 3 see", "1 play", id="TR-10-one-see-is-enough"),
        pytest.param("2 trut, 3 lie_down, 1 see", "1 play", id="TR-9-one-trut-a-round"),
        pytest.param(
            "1 play 9S, 0 trut, 1 see", "2 play", id="TR-11-play-goes-on-where-it-stopped"
        ),
    ],
)
def test_trut_and_its_answers(said, expected):
    assert legal(say(deal(table(TRUT, 4)), said)) == expected.split("|")


def test_TR8_no_trut_without_a_card():
    match = ranks(deal(table(TRUT, 2)), "7 9 9 7 9")
    assert legal(match) == ["1 play", "1 trut"]
    with pytest.raises(RuleError, match="TR-8"):
        say(match, "0 trut")


@pytest.mark.parametrize(
    ("said", "end", "expected"),
    [
        pytest.param("0 trut, 1 lie_down", End.LAY_DOWN, ((0, 1), (0, 0)), id="TR-11-lie-down"),
        pytest.param("", End.DECIDED, ((0, 1), (0, 0)), id="TR-13-no-trut"),
        pytest.param("0 trut, 1 see", End.DECIDED, ((1, 0), (0, 0)), id="TR-14-truter-wins"),
        pytest.param("1 trut, 0 see", End.DECIDED, ((1, 0), (0, 0)), id="TR-14-truter-loses"),
    ],
)
def test_what_a_hand_scores(said, end, expected):
    match = say(deal(table(TRUT)), said)
    if match.in_progress:
        match = ranks(match, "9 7 7 9")
    assert (match.hand.end, scores(match)) == (end, expected)


def test_TR7e_cancelled_round_makes_a_seen_trut_void():
    match = ranks(say(deal(table(TRUT)), "0 trut, 1 see"), "7 7 8 8 A A")
    assert (match.hand.end, match.hand.award, scores(match)) == (End.VOID, None, ((0, 0), (0, 0)))
    assert match.dealer == 1


@pytest.mark.parametrize(
    ("tokens", "dealer", "asked"),
    [
        pytest.param(FORTIAL, 0, [2, 0], id="V20"),
        pytest.param(FORTIAL, 1, [2, 0], id="V21"),
        pytest.param(FORTIAL, 2, [0, 2], id="TR-19-order-from-the-dealers-left"),
        pytest.param(((6, 1), (0, 0)), 0, [], id="TR-18-one-Small-is-not-fortial"),
        pytest.param(((5, 2), (0, 0)), 0, [], id="TR-18-five-Longs-are-not"),
        pytest.param(((6, 2), (6, 2)), 0, [], id="TR-22-both"),
    ],
)
def test_TR19_who_is_asked(tokens, dealer, asked):
    match = deal(table(TRUT, 4, tokens=tokens, first_dealer=dealer))
    seats = []
    while match.in_progress and match.phase is Phase.FORTIAL:
        seats.append(match.turn)
        match = say(match, f"{match.turn} pass")
    assert seats == asked


@pytest.mark.parametrize(
    ("said", "end", "kind", "expected", "winner"),
    [
        pytest.param("2 pass, 0 pass", End.FORTIAL_PASSED, "small", ((6, 2), (3, 2)), None,
                     id="TR-21"),
        pytest.param("2 trut, 3 lie_down, 1 lie_down", End.FORTIAL_REFUSED, "game",
                     ((7, 2), (3, 0)), 0, id="TR-20-V22-refused"),
        pytest.param("2 pass, 0 trut, 1 lie_down, 3 lie_down", End.FORTIAL_REFUSED, "game",
                     ((7, 2), (3, 0)), 0, id="TR-20-by-the-partner"),
    ],
)  # fmt: skip
def test_fortial_without_play(said, end, kind, expected, winner):
    match = say(deal(table(TRUT, 4, tokens=FORTIAL)), said)
    assert (match.hand.end, match.hand.award.kind) == (end, kind)
    assert (scores(match), match.winner) == (expected, winner)


@pytest.mark.parametrize(
    ("plays", "kind", "expected", "winner"),
    [
        pytest.param("9 7 7 9", "long", ((7, 2), (3, 0)), 0, id="TR-20-won"),
        pytest.param("7 9 7 9", "long", ((6, 0), (4, 1)), None, id="TR-20-lost"),
    ],
)
def test_fortial_seen(plays, kind, expected, winner):
    match = say(deal(table(TRUT, tokens=FORTIAL)), "0 trut, 1 see")
    assert legal(match) == ["1 play"]  # TR-9: that was the trut of this hand
    match = ranks(match, plays)
    assert (match.hand.award.kind, scores(match), match.winner) == (kind, expected, winner)


def test_TR21_a_third_Small_by_passing_takes_the_fortial_sides_Smalls():
    match = say(deal(table(TRUT, tokens=((6, 2), (3, 2)))), "0 pass")
    assert scores(match) == ((6, 0), (4, 0))
    assert deal(match).phase is Phase.PLAY


def test_TR22_both_at_fortial_play_for_the_game():
    match = deal(table(TRUT, 4, tokens=((6, 2), (6, 2))))
    assert legal(match) == ["1 play"]
    with pytest.raises(RuleError, match="TR-22"):
        say(match, "2 trut")
    match = ranks(match, "7 9 10 J 7 9 10 J")
    assert (match.hand.award.kind, scores(match), match.winner) == ("game", ((6, 0), (7, 2)), 1)


def test_TR23_a_cancelled_round_leaves_fortial():
    match = ranks(say(deal(table(TRUT, tokens=FORTIAL)), "0 trut, 1 see"), "7 7 8 8 A A")
    assert deal(match).phase is Phase.FORTIAL


def test_fortial_switched_off():
    match = deal(table(TRUT, tokens=FORTIAL, options={"fortial": False}))
    assert legal(match) == ["1 play", "0 trut", "1 trut"]


def test_TR17_target_of_five():
    match = table(TRUT, tokens=((4, 2), (0, 0)), options={"target": 5})
    assert deal(match).phase is Phase.FORTIAL
    assert say(match, "award 0 1").winner == 0


def test_TR66_worked_example():
    match = ranks(deal(table(TRUT, 4, first_dealer=3)), "7 9 10 J")
    assert match.turn == 0
    match = ranks(say(match, "2 trut, 3 see"), "9 7 7 10")
    assert (match.hand.winner, match.hand.award.kind, len(match.hand.tricks)) == (0, "long", 2)
