"""Deal, new cards, misdeal, and the operator's events: undo, void hand, award."""

import pytest

from scorekeeper.engine.state import End, Phase
from scorekeeper.errors import FormatError, RuleError
from tests.scorekeeper.playouts import operator_events
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, legal, ranks, say, table


@pytest.mark.parametrize(("game", "seats", "dealers"), [(LT_ACE, 2, [0, 1, 0]),
                         (TRUT, 4, [0, 1, 2, 3, 0]), (TRUC, 4, [0, 3, 2, 1, 0])])  # fmt: skip
def test_C6_the_deal_passes_after_every_hand(game, seats, dealers):
    match = table(game, seats)
    seen = []
    for _ in dealers:
        seen.append(match.dealer)
        match = say(deal(match), "void_hand")
    assert seen == dealers


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("", "1 ask|1 i_play|1 play|1 raise 2", id="LT-4-leader-may-ask"),
        pytest.param("1 ask", "0 grant|0 refuse", id="LT-4-dealer-answers"),
        pytest.param("1 ask, 0 refuse", "1 play|1 raise 2", id="LT-5-once"),
        pytest.param("1 ask, 0 grant", "0 deal 3", id="LT-4-new-cards"),
        pytest.param("1 ask, 0 grant, 0 deal 3", "1 play|1 raise 2", id="LT-5-once-granted"),
        pytest.param("1 i_play", "1 play|1 raise 2", id="LT-6-i-play"),
        pytest.param("1 play KS", "0 play|0 raise 2", id="LT-6-leading-a-card"),
        pytest.param("1 raise 2, 0 accept", "1 play", id="LT-6-offering-a-raise"),
    ],
)
def test_redeal(said, expected):
    assert legal(say(deal(table(LT_ACE)), said)) == expected.split("|")


def test_redeal_switched_off():
    assert legal(deal(table(LT_ACE, options={"redeal": False}))) == ["1 play", "1 raise 2"]


@pytest.mark.parametrize("game", [TRUT, TRUC])
def test_redeal_as_an_option_of_other_games(game):
    match = deal(table(game, options={"redeal": True}))
    assert {"1 ask", "1 i_play", "1 play"} <= set(legal(match))
    match = say(match, "1 ask, 0 grant, 0 deal 3")
    assert match.phase is Phase.PLAY


def test_L42_only_the_first_leader_asks_and_only_the_dealer_answers():
    match = deal(table(LT_ACE, 4, first_dealer=2))
    assert [text for text in legal(match) if "ask" in text] == ["3 ask"]
    assert legal(say(match, "3 ask")) == ["2 grant", "2 refuse"]


@pytest.mark.parametrize(
    ("game", "before", "phase", "expected"),
    [
        (LT_ACE, "0 deal 3", Phase.DEALING, ["0 deal 3"]),
        (LT_ACE, "0 deal 3, 1 ask", Phase.DEALING, ["0 deal 3"]),
        (LT_ACE, "0 deal 3, 1 raise 2", Phase.DEALING, ["0 deal 3"]),
        (LT_ACE, "0 deal 3, 1 ask, 0 grant, 0 deal 3", Phase.DEALING, ["0 deal 3"]),
        (TRUT, "0 deal 3, 1 trut, 0 see", Phase.DEALING, ["0 deal 3"]),
        (TRUC, "1 cut, 0 deal 3, 1 truc", Phase.DEALING, ["0 deal 3"]),
        (TRUC, "1 tap, 0 deal 1", Phase.DEAL_SIZE, ["0 deal 1", "0 deal 3"]),
    ],
)
def test_V7_misdeal_goes_back_to_before_the_deal(game, before, phase, expected):
    match = say(table(game), before, "misdeal")
    assert (match.phase, match.dealer, legal(match)) == (phase, 0, expected)
    assert len(match.hands()) == 1


def test_V7_what_was_asked_before_a_redeal_stays_asked():
    match = say(deal(table(LT_ACE)), "1 ask, 0 grant, 0 deal 3, misdeal, 0 deal 3")
    assert "1 ask" not in legal(match)


def test_V7_what_was_said_after_the_deal_is_void_too():
    assert "1 ask" in legal(say(deal(table(LT_ACE)), "1 ask, 0 refuse, misdeal, 0 deal 3"))
    assert "1 trut" in legal(say(deal(table(TRUT)), "1 trut, 0 see, misdeal, 0 deal 3"))


@pytest.mark.parametrize("before", ["", "0 deal 3, 1 play KS", "0 deal 3, misdeal",
                                    "0 deal 3, 1 raise 2, 0 reject"])  # fmt: skip
def test_V7_no_misdeal_here(before):
    match = say(table(LT_ACE), before)
    with pytest.raises(RuleError, match="V-7"):
        say(match, "misdeal")


@pytest.mark.parametrize("before", ["1 cut", "1 cut, 0 deal 3", "1 cut, 0 deal 3, 1 truc",
                                    "1 cut, 0 deal 3, 1 play 3S"])  # fmt: skip
def test_void_hand_at_any_time_from_its_opening(before):
    match = say(table(TRUC, 2), before, "void_hand")
    assert (match.hand.end, match.dealer, match.phase) == (End.VOID_HAND, 1, Phase.HAND_OVER)
    assert [score.points for score in match.scores] == [0, 0]


@pytest.mark.parametrize("before", ["", "0 deal 3, void_hand"])
def test_void_hand_needs_a_hand(before):
    with pytest.raises(FormatError):
        say(table(LT_ACE), before, "void_hand")


@pytest.mark.parametrize(
    ("game", "awards", "expected"),
    [
        pytest.param(LT_ACE, "award 0 5, award 0 -2", ((3, 0), (0, 0)), id="taken-away"),
        pytest.param(LT_ACE, "award 0 5, award 0 -9", ((0, 0), (0, 0)), id="never-below-0"),
        pytest.param(LT_ACE, "award 1 30", ((0, 0), (12, 0)), id="LT-19-clamped"),
        pytest.param(TRUC, "award 1 30", ((0, 0), (30, 0)), id="TS-20-not-clamped"),
        pytest.param(TRUT, "award 0 4", ((1, 1), (0, 0)), id="TR-15-Smalls-convert"),
        pytest.param(TRUT, "award 1 2, award 0 3", ((1, 0), (0, 0)), id="TR-16-Smalls-lost"),
        pytest.param(TRUT, "award 0 5, award 0 -9", ((1, 0), (0, 0)), id="Longs-stay"),
        pytest.param(TRUT, "award 0 99", ((7, 0), (0, 0)), id="stops-when-won"),
    ],
)
def test_award(game, awards, expected):
    assert say(table(game), awards).scores == expected


def test_award_may_win_a_game_and_then_belongs_to_the_next():
    match = say(table(LT_ACE, best_of=3), "award 0 12")
    assert (match.games_won, match.game_over, match.winner) == ((1, 0), True, None)
    match = say(match, "award 1 4")
    assert ([s.points for s in match.scores], match.game_over) == ([0, 4], False)


@pytest.mark.parametrize("before", ["0 deal 3", "award 0 12"])
def test_no_award_in_mid_hand_or_after_the_match(before):
    match = say(table(LT_ACE), before)
    with pytest.raises(FormatError):
        say(match, "award 0 1")


def test_LV5_best_of_three():
    match = table(LT_ACE, best_of=3)
    for games in ((1, 0), (2, 0)):
        match = say(match, "award 0 11")
        dealer, leader = match.dealer, 1 - match.dealer
        match = deal(match)
        plays = "K A K 9" if leader == 1 else "K 9 K 9"
        match = ranks(match, plays.replace("K 9 K 9", "A 9 K 9"))
        assert (match.games_won, match.dealer) == (games, 1 - dealer)
    assert (match.winner, match.phase, legal(match)) == (0, Phase.MATCH_OVER, [])


@pytest.mark.parametrize(
    ("before", "undos"),
    [
        pytest.param("0 deal 3, 1 play KS", 1, id="a-card"),
        pytest.param("0 deal 3, 1 raise 2, 0 reject", 1, id="the-end-of-a-hand"),
        pytest.param("award 0 11, 0 deal 3, 1 play 9S, 0 play AS, 0 play KS, 1 play 9H", 2,
                     id="the-end-of-a-match"),
        pytest.param("award 0 11, award 1 3", 2, id="awards"),
        pytest.param("0 deal 3, misdeal, 0 deal 3", 2, id="a-misdeal"),
    ],
)  # fmt: skip
def test_undo_is_the_state_before(before, undos):
    *kept, _ = texts = before.split(",")
    kept = texts[: len(texts) - undos]
    undone = say(table(LT_ACE), before, *["undo"] * undos)
    assert undone == say(table(LT_ACE), *kept)


def test_undo_with_nothing_to_take_back():
    with pytest.raises(FormatError, match="nothing to take back"):
        say(table(LT_ACE), "0 deal 3, undo, undo")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", "adjust award dealer end_match player"),
        (
            "0 deal 3",
            "concede deal_again dealer end_game end_match misdeal player turn undo void_hand",
        ),
        (
            "0 deal 3, 1 play KS",
            "concede deal_again end_game end_match player undo void_hand",
        ),
        ("0 deal 3, void_hand", "adjust award dealer end_game end_match player undo"),
        ("award 0 12", "adjust undo"),
    ],
)
def test_operator_events(before, expected):
    assert " ".join(operator_events(say(table(LT_ACE), before))) == expected
