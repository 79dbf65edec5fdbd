"""Put: the game, its call, and trick and tie (PU-1 … PU-9)."""

import pytest

from scorekeeper.engine.cutting import Cutting
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.state import End, Phase
from scorekeeper.errors import RuleError
from scorekeeper.games.rules import GAMES, find_game, make_rules
from scorekeeper.reports.answer import answer
from scorekeeper.text.customs import Customs
from scorekeeper.text.i18n import LANGUAGES
from scorekeeper.text.narrator import Narrator
from tests.scorekeeper.talk import PUT, deal, legal, ranks, say, table


def points(match):
    return tuple(score.points for score in match.scores)


def test_the_pack_and_the_table():
    rules = GAMES[PUT].rules
    assert (rules.pack_size, rules.suit_systems, rules.players) == (52, ("french",), (2,))
    assert " ".join(rules.order) == "3 2 A K Q J 10 9 8 7 6 5 4"
    assert find_game("Putt") is GAMES[PUT]
    with pytest.raises(RuleError, match="put is played by 2 players"):
        Header(game=PUT, seats=("Ana", "Bea", "Carles", "Dani"))


@pytest.mark.parametrize(
    ("options", "cuts", "dealer"),
    [
        pytest.param({}, "A 3", 1, id="PU-1-the-best-card-deals-not-the-ace"),
        pytest.param({}, "2 K", 0, id="PU-1-a-two-beats-a-king"),
        pytest.param({}, "3 3 4 5", 1, id="PU-1-equal-ones-cut-again"),
        pytest.param({"first_deal": "low"}, "4 A", 0, id="PU-1-option-low"),
    ],
)
def test_PU1_the_first_dealer(options, cuts, dealer):
    made = Cutting(rules=make_rules(GAMES[PUT], options=options), seats=2)
    for number, rank in enumerate(cuts.split()):
        made = made.cut(number % 2, rank)
    assert made.dealer == dealer


def test_PU3_the_other_player_leads_and_who_led_a_tie_leads_again():
    match = deal(table(PUT))
    assert (match.dealer, match.turn) == (0, 1)
    assert ranks(match, "K K").turn == 1
    assert ranks(match, "K A").turn == 0
    assert deal(ranks(match, "K A 3 4")).turn == 0


@pytest.mark.parametrize(
    ("plays", "end", "scores"),
    [
        pytest.param("4 3 2 A", End.DECIDED, (1, 0), id="two-tricks-end-the-hand"),
        pytest.param("4 3 4 K 4 9", End.DECIDED, (1, 0), id="won-twice-running"),
        pytest.param("4 3 9 Q Q 5", End.DECIDED, (0, 1), id="one-each-then-the-third"),
        pytest.param("4 3 9 9 Q 5", End.DECIDED, (1, 0), id="a-trick-a-tie-and-a-trick"),
        pytest.param("K K 9 9 5 Q", End.DECIDED, (1, 0), id="one-trick-and-two-ties-win"),
        pytest.param("K K 9 9 5 5", End.VOID, (0, 0), id="three-ties"),
    ],
)
def test_PU4_what_wins_a_hand(plays, end, scores):
    match = deal(table(PUT))
    for rank in plays.split():
        if match.in_progress:
            match = ranks(match, rank)
    assert (match.hand.end, points(match)) == (end, scores)


@pytest.mark.parametrize(
    "plays",
    [
        pytest.param("4 3 4 9 5 5", id="one-each-and-the-third"),
        pytest.param("K K 4 3 4 9", id="the-first"),
        pytest.param("4 3 9 9 5 K", id="the-second"),
    ],
)
def test_PU4_trick_and_tie_is_void(plays):
    match = deal(table(PUT))
    for rank in plays.split():
        match = ranks(match, rank)
    assert (match.hand.end, points(match), match.dealer) == (End.VOID, (0, 0), 1)
    told = Narrator(match.header, "en").hand_end(match, match, match.hand)[0]
    assert str(told) == (
        "Trick and tie, one each and one spoiled: the hand is void, and nobody scores. [PU-4]"
    )


@pytest.mark.parametrize(
    ("call_at", "plays", "expected"),
    [
        pytest.param("turn", "", True, id="before-the-first-card"),
        pytest.param("turn", "K", True, id="answering-a-card"),
        pytest.param("turn", "K A 4", True, id="in-a-later-trick"),
        pytest.param("lead", "", True, id="E26-before-leading"),
        pytest.param("lead", "K", False, id="E26-not-answering-a-card"),
        pytest.param("lead", "K A", True, id="E26-before-leading-the-second"),
        pytest.param("first", "", True, id="E3-the-letter-of-Cotton"),
        pytest.param("first", "K A", False, id="E3-no-later"),
    ],
)
def test_PU5_when_one_may_put(call_at, plays, expected):
    match = ranks(deal(table(PUT, options={"call_at": call_at})), plays)
    assert (f"{match.turn} put" in legal(match)) == expected
    assert f"{1 - match.turn} put" not in legal(match)


@pytest.mark.parametrize(
    ("call_at", "plays", "reason"),
    [
        ("lead", "K", "only who leads a trick may call"),
        ("first", "K A", "calls come before the first card of the hand"),
    ],
)
def test_PU5_why_it_is_too_late(call_at, plays, reason):
    match = ranks(deal(table(PUT, options={"call_at": call_at})), plays)
    with pytest.raises(RuleError, match=f"PU-5: .*{reason}"):
        say(match, f"{match.turn} put")


def test_PU6_the_answer_comes_before_any_card():
    match = say(deal(table(PUT)), "1 put")
    assert (match.phase, match.turn) == (Phase.RAISE_ANSWER, 0)
    assert legal(match) == ["0 accept", "0 reject"]
    with pytest.raises(RuleError, match="PU-6"):
        say(match, "1 play KS")


def test_PU6_no_gives_the_putter_a_point():
    match = say(deal(table(PUT, scores=(3, 3))), "1 put, 0 reject")
    assert (points(match), match.hand.end) == ((3, 4), End.RAISE_REJECTED)


@pytest.mark.parametrize(
    ("plays", "scores", "winner"),
    [
        pytest.param("4 3 3 9", (5, 2), 0, id="the-putter-loses-the-game"),
        pytest.param("3 4 9 4", (0, 5), 1, id="the-putter-wins-it"),
        pytest.param("K K 9 9 5 5", (0, 2), None, id="trick-and-tie-wins-nothing"),
    ],
)
def test_PU7_a_put_that_is_seen_is_for_the_whole_game(plays, scores, winner):
    match = say(deal(table(PUT, scores=(0, 2))), "1 put, 0 accept")
    assert match.hand.value == "game"
    match = ranks(match, plays)
    assert (points(match), match.winner) == (scores, winner)


def test_PU5_once_a_hand():
    match = ranks(say(deal(table(PUT)), "1 put, 0 accept"), "K")
    assert legal(match) == ["0 play"]
    with pytest.raises(RuleError, match="put is said once a hand"):
        say(match, "0 put")


@pytest.mark.parametrize(
    ("said", "scores"),
    [
        pytest.param("concede 0", (0, 1), id="the-hand"),
        pytest.param("1 put, 0 accept, concede 0", (0, 5), id="after-a-put-the-game"),
    ],
)
def test_PU8_throwing_the_cards_in(said, scores):
    assert points(say(deal(table(PUT)), said)) == scores


@pytest.mark.parametrize("code", LANGUAGES)
def test_PU8_what_is_told_of_it_names_the_put(code):
    told = Customs(Header(game=PUT, seats=("Ana", "Bea")), code).sentences()
    assert ["put" in one.text.lower() for one in told if one.rules == ("PU-8",)] == [True]


def test_PU9_five_points_win_the_game():
    match = deal(table(PUT, scores=(4, 4)))
    assert match.phase is Phase.PLAY
    assert ranks(match, "4 3 3 9").winner == 0
    assert answer(ranks(match, "4 3 3 9"))["score"] == [{"points": 5}, {"points": 4}]


@pytest.mark.parametrize("do", ["raise", "remainder", "truc", "trut", "ask", "cut", "decline"])
def test_no_verb_of_another_game(do):
    assert do not in Header(game=PUT, seats=("Ana", "Bea")).verbs
    assert Event(do, 1).do == do
