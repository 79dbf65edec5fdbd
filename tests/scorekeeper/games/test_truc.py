"""Truc of Spain: cut and tap, truc and retruc, the score of eleven (TS-1 … TS-20)."""

import pytest

from scorekeeper.engine.state import End, Phase
from scorekeeper.errors import RuleError
from tests.scorekeeper.talk import TRUC, deal, legal, ranks, say, table

# Four players, dealer 0: seat 3 leads, then 2, 1, 0.
CALLS = [
    pytest.param("", "3 play|3 truc", id="TS-10-on-turn-before-the-card"),
    pytest.param("3 truc", "2 accept|3 play|2 reject", id="TS-12-right-hand-neighbour-answers"),
    pytest.param(
        "3 truc, 3 play 6S", "2 accept|2 play|2 reject|2 retruc", id="TS-13-neighbour-now-on-turn"
    ),
    pytest.param("3 play 6S, 3 truc", "2 accept|2 play|2 reject|2 retruc", id="TS-10-late-call"),
    pytest.param("3 play 6S", "2 play|2 truc|3 truc", id="TS-10-late-until-next-acts"),
    pytest.param("3 play 6S, 2 play AS", "1 play|1 truc|2 truc", id="TS-11-late-call-gone"),
    pytest.param("3 truc, 2 accept", "3 play", id="TS-15-no-retruc-by-own-side"),
    pytest.param("3 truc, 2 accept, 3 play 6S", "2 play|2 retruc", id="TS-15-opponent-retrucs"),
    pytest.param("3 play 6S, 3 truc, 2 accept", "2 play|2 retruc", id="TS-11-call-ends-late"),
    pytest.param("3 play 6S, 3 truc, 2 play AS", "1 play|2 retruc", id="TS-13-playing-accepts"),
    pytest.param(
        "3 play 6S, 3 truc, 2 retruc", "1 accept|2 play|1 reject", id="TS-17-next-neighbour"
    ),
    pytest.param(
        "3 truc, 2 accept, 3 play 6S, 2 retruc, 1 accept", "2 play", id="TS-15-nothing-above-three"
    ),
    pytest.param("3 play 6S, 2 play AS, 1 play 2S, 0 truc", "3 accept|3 reject",
                 id="TS-13-card-would-complete-the-trick"),
    pytest.param("3 play 6S, 2 play AS, 1 play 2S, 0 play 3S", "0 play|0 truc",
                 id="TS-11-own-turn"),
    pytest.param("3 play 6S, 2 play AS, 1 play 2S, 0 play 4S", "1 play|0 truc|1 truc",
                 id="V33-late-after-a-lost-trick"),
    pytest.param("3 play 6S, 2 play AS, 1 play 2S, 0 play 4S, 0 truc", "3 accept|3 reject",
                 id="V33-words-only"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "expected"), CALLS)
def test_calls(said, expected):
    match = say(deal(table(TRUC, 4)), said)
    assert sorted(legal(match)) == sorted(expected.split("|"))


@pytest.mark.parametrize(
    ("options", "said", "expected"),
    [
        ({"late_call": False}, "3 play 6S", "2 play|2 truc"),
        ({"reraise_as_answer": "never"}, "3 play 6S, 3 truc", "2 accept|2 play|2 reject"),
        ({"reraise_as_answer": "always"}, "3 truc", "2 accept|3 play|2 reject|2 retruc"),
        ({"reraise": "anyone"}, "3 truc, 2 accept", "3 play|3 retruc"),
        ({"reraise": "anyone"}, "3 truc, 3 play 6O", "2 accept|2 play|2 reject|2 retruc"),
        ({"reraise": "anyone"}, "3 truc, 3 play 6O, 2 accept", "2 play|2 retruc|3 retruc"),
        ({"reraise": "anyone"}, "3 truc, 3 play 6O, 2 play 1O", "1 play|1 retruc|2 retruc"),
        ({"reraise": "anyone"}, "3 play 6O, 3 truc, 2 accept", "2 play|2 retruc"),
        (
            {"reraise": "anyone", "late_call": False},
            "3 truc, 3 play 6O, 2 accept",
            "2 play|2 retruc",
        ),
    ],
)
def test_options_of_the_calls(options, said, expected):
    match = say(deal(table(TRUC, 4, options=options)), said)
    assert sorted(legal(match)) == sorted(expected.split("|"))


@pytest.mark.parametrize(
    ("said", "scores"),
    [
        pytest.param("3 truc, 2 reject", (0, 1), id="TS-14-truc-pays-1"),
        pytest.param("3 play 6S, 3 truc, 2 retruc, 1 reject", (2, 0), id="TS-14-retruc-pays-2"),
        pytest.param("3 truc, 2 accept, 3 play 6S, 2 retruc, 1 reject", (2, 0), id="S11"),
    ],
)
def test_TS14_a_rejection_pays_the_last_agreed_value(said, scores):
    match = say(deal(table(TRUC, 4)), said)
    assert tuple(score.points for score in match.scores) == scores
    assert match.hand.end is End.RAISE_REJECTED


def test_TS3_cut_or_tap():
    match = table(TRUC, 4)
    assert (match.phase, match.turn) == (Phase.CUT, 1)
    assert legal(match) == ["1 cut", "1 tap"]
    assert legal(say(match, "1 cut")) == ["0 deal 3"]
    assert legal(say(match, "1 tap")) == ["0 deal 1", "0 deal 3"]


def test_TS3_tapping_switched_off():
    assert legal(table(TRUC, 4, options={"tap_allowed": False})) == ["1 cut"]


@pytest.mark.parametrize("scores", [(11, 0), (0, 11), (11, 11)])
def test_TS4_no_tap_where_a_side_has_eleven(scores):
    match = table(TRUC, 4, scores=scores)
    assert legal(match) == ["1 cut"]
    with pytest.raises(RuleError, match="TS-4"):
        say(match, "1 tap")


def test_TS4_looks_at_the_score_of_the_next_game():
    match = deal(table(TRUC, scores=(11, 11), best_of=3))
    match = ranks(match, "3 4 3 4")
    assert match.game_over
    assert legal(match) == ["0 cut", "0 tap"]


@pytest.mark.parametrize(
    ("scores", "asked"), [((11, 9), [0, 2]), ((9, 11), [1, 3]), ((11, 11), []), ((10, 10), [])]
)
def test_TS18_who_decides_at_eleven(scores, asked):
    match = deal(table(TRUC, 4, scores=scores))
    assert match.asked_seats() == asked
    assert (match.phase is Phase.ELEVEN) == bool(asked)
    assert match.turn == (None if asked else 3)


def test_TS18_declining_gives_one_point_and_passes_the_deal():
    match = say(deal(table(TRUC, 4, scores=(11, 9))), "2 decline")
    assert [score.points for score in match.scores] == [11, 10]
    assert (match.hand.end, match.dealer) == (End.ELEVEN_DECLINED, 3)


def test_TS18_playing_on_is_worth_three_without_calls():
    match = say(deal(table(TRUC, 4, scores=(11, 9))), "0 play_on")
    assert match.hand.value == 3
    assert legal(match) == ["3 play"]
    with pytest.raises(RuleError, match="TS-18"):
        say(match, "3 truc")


def test_TS18_the_one_to_lose_at_eleven():
    match = ranks(say(deal(table(TRUC, scores=(11, 9))), "0 play_on"), "3 4 3 4")
    assert [score.points for score in match.scores] == [11, 12]
    assert match.winner == 1


def test_TS18_switched_off():
    match = deal(table(TRUC, 4, scores=(11, 9), options={"eleven": False}))
    assert legal(match) == ["3 play", "3 truc"]


def test_TS19_both_at_eleven_play_as_usual():
    match = deal(table(TRUC, 4, scores=(11, 11)))
    assert (match.hand.value, legal(match)) == (1, ["3 play", "3 truc"])


@pytest.mark.parametrize(("clamp", "points"), [(False, 13), (True, 12)])
def test_TS20_no_clamping(clamp, points):
    match = deal(table(TRUC, scores=(10, 0), options={"clamp": clamp}))
    match = ranks(say(match, "1 truc, 0 accept, 1 play 4S, 0 retruc, 1 accept"), "3 3 4")
    assert match.scores[0].points == points


@pytest.mark.parametrize(
    ("plays", "tricks", "winner"),
    [
        pytest.param("3 3 3 2", 2, 1, id="TS-8-S-then-N-is-decided"),
        pytest.param("3 2 2 2", 2, 1, id="TS-8-N-then-S-is-decided"),
        pytest.param("2 3 2 2", 2, None, id="TS-8-D-then-S-goes-on"),
        pytest.param("2 3 2 2 7 7", 3, 0, id="S2-one-trick-two-drawn"),
    ],
)
def test_TS8_when_the_hand_is_decided(plays, tricks, winner):
    match = ranks(deal(table(TRUC)), plays)
    assert len(match.hand.tricks) == tricks
    assert match.hand.winner == winner
    assert match.in_progress == (winner is None)


def test_S15_no_late_call_by_the_last_of_a_one_card_deal():
    match = ranks(deal(table(TRUC, 4), 1), "6 A 3 2")
    assert (match.hand.end, match.hand.winner) == (End.DECIDED, 1)
