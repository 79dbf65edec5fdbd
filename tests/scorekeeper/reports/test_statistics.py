"""The statistics of a match: games, hands, calls and players; and laws for any match."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.match import latest_events, replay
from scorekeeper.engine.state import End, Match
from scorekeeper.games.scoring import Score, winner_of
from scorekeeper.games.tricks import side_of
from scorekeeper.reports.statistics import Answer, Call, Calls, Chronicle, Fate, Mark, chronicle
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, ranks, say, table


def calls(match: Match) -> list[tuple[str, int, Fate]]:
    return [(call.do, call.seat, call.fate) for call in chronicle(match).hands[-1].calls]


def points(*marks: tuple[int, int, int]) -> tuple[Mark, ...]:
    return tuple(Mark(hand, (Score(first), Score(second))) for hand, first, second in marks)


def test_before_the_first_event_there_is_one_game_without_a_hand() -> None:
    told = chronicle(table(LT_ACE))
    assert [(game.number, game.hands, game.winner) for game in told.games] == [(1, (), None)]
    assert told.games[0].marks == points((0, 0, 0))


def test_a_hand_in_progress_is_told_without_an_end() -> None:
    match = ranks(say(deal(table(LT_ACE)), "1 raise 2, 0 accept"), "K 8")
    (hand,) = chronicle(match).hands
    assert (hand.number, hand.dealer, hand.value, hand.end, hand.winner) == (1, 0, 2, None, None)
    assert hand.calls == (Call("raise", 1, 2, Fate.OPEN, (Answer(0, yes=True),), "Bea"),)
    assert (hand.tricks_won(1), hand.tricks_won(0), hand.tricks_spoiled) == (1, 0, 0)
    assert chronicle(match).games[0].marks == points((0, 0, 0))


CASES = {
    "refused (LT-15)": (LT_ACE, 2, "1 raise 2, 0 reject", [("raise", 1, Fate.REFUSED)]),
    "accepted, then the other side's raise is refused": (
        LT_ACE, 2, "1 raise 2, 0 accept, 1 play 7S, 0 raise 4, 1 reject",
        [("raise", 1, Fate.LOST), ("raise", 0, Fate.REFUSED)],
    ),
    "accepted and won": (
        LT_ACE, 2, "1 raise 2, 0 accept, 1 play AS, 0 play 7S, 1 play AH, 0 play 8S",
        [("raise", 1, Fate.WON)],
    ),
    "accepted and lost": (
        LT_ACE, 2, "1 raise 2, 0 accept, 1 play 7S, 0 play AS, 0 play AH, 1 play 8S",
        [("raise", 1, Fate.LOST)],
    ),
    "accepted, nobody wins (LT-8)": (
        LT_ACE, 2, "1 raise 2, 0 accept, 1 play AS, 0 play AH, 1 play KS, 0 play KH, "
        "1 play QS, 0 play QH", [("raise", 1, Fate.VOID)],
    ),
    "the hand is void by agreement while the offer waits": (
        LT_ACE, 2, "1 raise 2, void_hand", [("raise", 1, Fate.VOID)],
    ),
    "the hand is conceded while the offer waits": (
        LT_ACE, 2, "1 raise 2, concede 0", [("raise", 1, Fate.VOID)],
    ),
    "a misdeal voids what was offered (V-7)": (
        LT_ACE, 2, "1 raise 2, misdeal, 0 deal 3, 1 raise 2, 0 reject",
        [("raise", 1, Fate.REFUSED)],
    ),
    "what was taken back was never called": (
        LT_ACE, 2, "1 raise 2, undo, 1 play AS", [],
    ),
    "a retruc follows an accepted truc (TS-15)": (
        TRUC, 2, "1 play 4S, 0 play 3S, 0 truc, 1 accept, 0 play 2S, 1 retruc, "
        "0 reject", [("truc", 0, Fate.LOST), ("retruc", 1, Fate.REFUSED)],
    ),
    "a trut that is not seen (TR-11)": (
        TRUT, 4, "3 trut, 0 lie_down, 2 lie_down", [("trut", 3, Fate.REFUSED)],
    ),
    "a trut that is seen and holds (TR-14)": (
        TRUT, 2, "1 trut, 0 see, 1 play 7S, 0 play 9S, 1 play 7H, 0 play 9H",
        [("trut", 1, Fate.WON)],
    ),
    "a trut that is seen and does not hold": (
        TRUT, 2, "0 trut, 1 see, 1 play 7S, 0 play 9S, 1 play 7H, 0 play 9H",
        [("trut", 0, Fate.LOST)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_becomes_of_a_call(case: str) -> None:
    game, seats, said, expected = CASES[case]
    assert calls(say(deal(table(game, seats)), said)) == expected


def test_a_fortial_trut_that_is_refused_wins_the_game() -> None:
    match = deal(table(TRUT, tokens=((6, 2), (3, 1))))
    told = chronicle(say(match, "0 trut, 1 lie_down"))
    assert told.hands[-1].calls == (
        Call("trut", 0, None, Fate.REFUSED, (Answer(1, yes=False),), "Ana"),
    )
    assert (told.hands[-1].end, told.games_won(0)) == (End.FORTIAL_REFUSED, 1)


def test_the_score_after_each_hand_each_agreement_and_in_each_game() -> None:
    match = table(LT_ACE, best_of=3)
    match = say(deal(match), "1 raise 2, 0 reject")
    match = say(match, "award 0 3")
    match = say(deal(match), "void_hand")
    match = say(match, "award 0 9, award 1 2")
    match = say(deal(match), "1 raise 2, 0 reject")
    first, second = chronicle(match).games
    assert first.marks == points((0, 0, 0), (1, 0, 1), (1, 3, 1), (2, 3, 1), (2, 12, 1))
    assert (first.winner, [hand.number for hand in first.hands]) == (0, [1, 2])
    assert second.marks == points((2, 0, 0), (2, 0, 2), (3, 0, 3))
    assert (second.winner, [hand.number for hand in second.hands]) == (None, [3])


def test_tokens_are_told_as_longs_and_smalls() -> None:
    match = say(deal(table(TRUT, tokens=((0, 2), (0, 1)))), "0 trut, 1 lie_down")
    (game,) = chronicle(match).games
    assert game.scores == (Score(1, 0), Score(0, 0))
    assert game.hands[0].scores == game.scores


def test_tricks_are_won_and_spoiled_by_people() -> None:
    # C-12: if partners tie, the first of them wins; the last one of a tie spoils a trick.
    match = ranks(deal(table(TRUT, 4)), "9 7 10 7  8 8 9 9")
    told = [(p.tricks_won, p.tricks_spoiled) for p in chronicle(match).players]
    assert told == [(0, 0), (0, 0), (1, 0), (0, 1)]


def test_calls_add_up() -> None:
    assert Calls(4, 1, 2, 1) + Calls(1, 1) == Calls(5, 2, 2, 1)


# --- laws ---


def told_of(seed: int, length: int) -> tuple[Match, Chronicle]:
    chance = Random(seed)
    header = chance.choice(HEADERS)
    match = replay(header, playout(header, chance, length))
    return match, chronicle(match)


@given(st.integers(0, 2**32), st.integers(0, 300))
def test_the_chronicle_agrees_with_the_match(seed: int, length: int) -> None:
    match, told = told_of(seed, length)
    assert (told.games_won(0), told.games_won(1)) == match.games_won
    assert told.games[-1].scores == match.scores
    found = [(h.dealer, h.value, h.end, h.winner, h.award, h.tricks) for h in told.hands]
    assert found == [(h.dealer, h.value, h.end, h.winner, h.award, h.tricks) for h in match.hands()]
    assert [hand.number for hand in told.hands] == list(range(1, match.hand_number + 1))


@given(st.integers(0, 2**32), st.integers(0, 300))
def test_each_game_ends_where_the_rules_end_it(seed: int, length: int) -> None:
    match, told = told_of(seed, length)
    if any(event.do in ("end_game", "end_match") for event in latest_events(match)):
        return  # V-19: a game ended by agreement
    for game in told.games:
        assert winner_of(match.rules, game.scores) == game.winner
        numbers = [mark.hand for mark in game.marks]
        assert numbers == sorted(numbers)
        # After a hand the table may change the score, and thereby end a game or reopen it (V-20).
        for mark, following in pairwise(game.marks):
            assert mark.hand == following.hand or winner_of(match.rules, mark.scores) is None
    assert all(game.winner is not None for game in told.games[:-1])


@given(st.integers(0, 2**32), st.integers(0, 300))
def test_players_share_out_the_tricks_and_calls_of_the_match(seed: int, length: int) -> None:
    _, told = told_of(seed, length)
    tricks = [trick for hand in told.hands for trick in hand.tricks]
    assert sum(p.tricks_spoiled for p in told.players) == sum(t.spoiled for t in tricks)
    for side in (0, 1):
        won = sum(p.tricks_won for p in told.players if side_of(p.seat) == side)
        assert won == sum(t.winner == side for t in tricks)
    calls = [call for hand in told.hands for call in hand.calls]
    assert sum(p.raises.made + p.truts.made for p in told.players) == len(calls)
    for counted in (p.raises + p.truts for p in told.players):
        assert counted.made >= counted.refused + counted.won + counted.lost
