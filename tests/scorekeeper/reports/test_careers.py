"""The figures of a player over evenings, each for a short record that was counted by hand."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.match import latest_events, replay
from scorekeeper.engine.state import Match
from scorekeeper.games.tricks import side_of
from scorekeeper.reports.spreadsheets import careers_sheet
from scorekeeper.reports.statistics import Calls, chronicle
from scorekeeper.reports.tallies import Played, Tally, by_player, career, in_order, tell
from scorekeeper.storage.ledger import MatchEntry
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, PUT, TABLES, TRUC, TRUT, deal, say, table

FRIDAY = datetime(2026, 11, 20, 21, tzinfo=UTC)
WON_BY_1 = "1 play 7S, 0 play 9S, 1 play 7H, 0 play 9H"
NEVER: dict[str, Any] = {}


def played(match: Match, begun: datetime = FRIDAY) -> Played:
    return tell(MatchEntry(1, match.header, begun), match)


def figures(*said: Match) -> dict[str, dict[str, Any]]:
    """The figures of each player that are not 0, without the numbers of matches and hands."""
    left_out = {"matches", "matches_won", "games", "games_won", "hands", "hands_won"}
    return {
        name: {
            key: value
            for key, value in tally._asdict().items()
            if value not in (0, Calls()) and key not in left_out
        }
        for name, tally in by_player(map(played, said)).items()
    }


CASES: dict[str, tuple[str, int, dict[str, Any], str, dict[str, dict[str, Any]]]] = {
    "a raise that is refused": (
        LT_ACE, 2, NEVER, "1 raise 2, 0 reject",
        {"Ana": {"raises_answered": Calls(1, 1), "points_lost": 1},
         "Bea": {"raises": Calls(1, 1), "points": 1}},
    ),
    "a raise that is accepted, and lost by who raised": (
        LT_ACE, 2, NEVER, "1 raise 2, 0 accept, 1 play 7S, 0 play AS, 0 play AH, 1 play 8S",
        {"Ana": {"raises_answered": Calls(1, 0, 1, 0), "points": 2, "tricks_won": 2},
         "Bea": {"raises": Calls(1, 0, 0, 1), "points_lost": 2}},
    ),
    "an accepted raise in a hand that goes on": (
        LT_ACE, 2, NEVER, "1 raise 2, 0 accept",
        {"Ana": {"raises_answered": Calls(1)}, "Bea": {"raises": Calls(1)}},
    ),
    "an answer that was taken back counts as the one that stands": (
        LT_ACE, 2, NEVER, "1 raise 2, 0 reject, undo, 0 accept",
        {"Ana": {"raises_answered": Calls(1)}, "Bea": {"raises": Calls(1)}},
    ),
    "a misdeal takes calls and answers with it": (
        LT_ACE, 2, NEVER, "1 raise 2, 0 accept, misdeal, 0 deal 3", {"Ana": {}, "Bea": {}},
    ),
    "of four the one who answers": (
        LT_ACE, 4, NEVER, "1 raise 2, 2 reject",
        {"Ana": {"points_lost": 1}, "Bea": {"raises": Calls(1, 1), "points": 1},
         "Carles": {"raises_answered": Calls(1, 1), "points_lost": 1}, "Dani": {"points": 1}},
    ),
    "a card accepts (TS-13)": (
        TRUC, 2, NEVER, "1 play 4S, 1 truc, 0 play 3S",
        {"Ana": {"raises_answered": Calls(1), "tricks_won": 1}, "Bea": {"raises": Calls(1)}},
    ),
    "a higher call accepts (TS-16)": (
        TRUC, 2, NEVER, "1 play 4S, 1 truc, 0 retruc, 1 reject",
        {"Ana": {"raises": Calls(1, 1), "raises_answered": Calls(1, 0, 1, 0), "points": 2},
         "Bea": {"raises": Calls(1, 0, 0, 1), "raises_answered": Calls(1, 1), "points_lost": 2}},
    ),
    "a put that is refused": (
        PUT, 2, NEVER, "1 put, 0 reject",
        {"Ana": {"raises_answered": Calls(1, 1), "points_lost": 1},
         "Bea": {"raises": Calls(1, 1), "points": 1}},
    ),
    "a trut that nobody sees is a Small (TR-11)": (
        TRUT, 4, NEVER, "3 trut, 0 lie_down, 2 lie_down",
        {"Ana": {"truts_answered": Calls(1, 1), "smalls_lost": 1}, "Bea": {"smalls": 1},
         "Carles": {"truts_answered": Calls(1, 1), "smalls_lost": 1},
         "Dani": {"truts": Calls(1, 1), "smalls": 1}},
    ),
    "a trut that one folds to and the partner sees, and loses (TR-10, TR-14)": (
        TRUT, 4, NEVER, "3 trut, 0 lie_down, 2 see, 1 play 7S, 2 play 9S, 3 play 9H, 0 play 9D, "
        "1 play 7H, 2 play 10S, 3 play 10H, 0 play 10D",
        {"Ana": {"truts_answered": Calls(1, 1), "longs_lost": 1},
         "Bea": {"tricks_won": 2, "longs": 1},
         "Carles": {"truts_answered": Calls(1, 0, 0, 1), "longs_lost": 1},
         "Dani": {"truts": Calls(1, 0, 1, 0), "longs": 1}},
    ),
    "a retrut sees the trut (TR-24)": (
        TRUT, 2, {"options": {"retrut": "two_longs"}}, f"1 trut, 0 retrut, 1 see, {WON_BY_1}",
        {"Ana": {"truts": Calls(1, 0, 0, 1), "truts_answered": Calls(1, 0, 0, 1),
                 "longs_lost": 2},
         "Bea": {"truts": Calls(1, 0, 1, 0), "truts_answered": Calls(1, 0, 1, 0),
                 "tricks_won": 2, "longs": 2}},
    ),
    "the winner of the first trick claims the one that is spoiled later": (
        TRUT, 2, NEVER, "1 play 9S, 0 play 7S, 0 play 8S, 1 play 8H",
        {"Ana": {"tricks_won": 1, "tricks_claimed": 1, "smalls": 1},
         "Bea": {"tricks_spoiled": 1, "smalls_lost": 1}},
    ),
    "of partners, the one whose card wins a trick claims the one spoiled before": (
        TRUT, 4, NEVER, "1 play 7S, 2 play 7H, 3 play 10S, 0 play 9S, "
        "0 play 9H, 1 play 9D, 2 play 10H, 3 play 8S",
        {"Ana": {"smalls_lost": 1}, "Bea": {"smalls": 1},
         "Carles": {"tricks_spoiled": 1, "smalls_lost": 1},
         "Dani": {"tricks_won": 1, "tricks_claimed": 1, "smalls": 1}},
    ),
    "nobody claims a spoiled trick in a hand that is refused": (
        LT_ACE, 2, NEVER, "1 play KS, 0 play KH, 1 raise 2, 0 reject",
        {"Ana": {"tricks_spoiled": 1, "raises_answered": Calls(1, 1), "points_lost": 1},
         "Bea": {"raises": Calls(1, 1), "points": 1}},
    ),
    "the next winner claims, where a table plays so": (
        LT_ACE, 2, {"options": {"hand_rule": "next_winner"}},
        "1 play KS, 0 play AS, 0 play QS, 1 play QH, 0 play 7S, 1 play 8S",
        {"Ana": {"tricks_won": 1, "points_lost": 1},
         "Bea": {"tricks_won": 1, "tricks_spoiled": 1, "tricks_claimed": 1, "points": 1}},
    ),
    "no later trick is won: the first winner claims": (
        LT_ACE, 2, {"options": {"hand_rule": "next_winner"}},
        "1 play KS, 0 play AS, 0 play QS, 1 play QH, 0 play 7S, 1 play 7H",
        {"Ana": {"tricks_won": 1, "tricks_claimed": 2, "points": 1},
         "Bea": {"tricks_spoiled": 2, "points_lost": 1}},
    ),
    "one trick each and a spoiled third are nobody's, where a table plays so": (
        LT_ACE, 2, {"options": {"third_spoiled": "void"}},
        "1 play KS, 0 play AS, 0 play 7S, 1 play 8S, 1 play QS, 0 play QH",
        {"Ana": {"tricks_won": 1, "tricks_spoiled": 1}, "Bea": {"tricks_won": 1}},
    ),
    "spoiled tricks count for nobody where most tricks win": (
        TRUC, 2, NEVER, "1 play 4S, 0 play 4H, 1 play 3S, 0 play 5S",
        {"Ana": {"tricks_spoiled": 1, "points_lost": 1}, "Bea": {"tricks_won": 1, "points": 1}},
    ),
    "points by agreement count, and bring nobody a Small": (
        TRUT, 2, NEVER, "void_hand, award 0 3, award 1 1",
        {"Ana": {"longs": 1}, "Bea": {"longs_lost": 1}},
    ),
    "who takes over a seat has the hands from then on (V-21)": (
        LT_ACE, 2, NEVER, "1 raise 2, 0 reject, 1 player Zoe, 1 deal 3, 0 raise 2, 1 reject",
        {"Ana": {"raises": Calls(1, 1), "raises_answered": Calls(1, 1),
                 "points": 1, "points_lost": 1},
         "Bea": {"raises": Calls(1, 1)},
         "Zoe": {"raises_answered": Calls(1, 1), "points": 1, "points_lost": 1}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_each_figure_is_what_the_record_holds(case: str) -> None:
    game, seats, header, said, expected = CASES[case]
    assert figures(say(deal(table(game, seats, **header)), said)) == expected


def test_a_game_in_which_partners_won_is_told_for_each_of_them() -> None:
    match = say(table(TRUT, 4, best_of=3), "award 1 21, award 0 21, award 1 21")
    found = by_player([played(match)])
    assert [(t.matches, t.matches_won, t.games, t.games_won) for t in found.values()] == [
        (1, 0, 3, 1), (1, 1, 3, 2), (1, 0, 3, 1), (1, 1, 3, 2),
    ]  # fmt: skip


GAMES_OF = {
    "who takes over after the last hand": ("0 player Zoe, end_game 0", "Zoe"),
    "who takes over before any hand of it": ("0 player Zoe, award 0 12", "Zoe"),
    "who sat there when it ended": ("end_game 0, 0 player Zoe", "Ana"),
    "who sat there when it ended, whatever came next": (
        "end_game 0, 0 player Zoe, 1 deal 3", "Ana",
    ),
    "who sits there now, where it goes on": (
        "adjust 0 12, 0 player Zoe, adjust 0 -1, adjust 0 1", "Zoe",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", GAMES_OF)
def test_V_21_a_game_is_of_who_sat_there_at_its_end(case: str) -> None:
    texts, winner = GAMES_OF[case]
    match = say(deal(table(LT_ACE, best_of=3)), "1 raise 2, 0 reject", texts)
    found = by_player([played(match)])
    assert {name: (t.games, t.games_won) for name, t in found.items() if t.games} == {
        winner: (1, 1), "Bea": (1, 0),
    }  # fmt: skip


# --- over evenings ---


def test_a_career_is_told_by_evening_and_by_game() -> None:
    truc, trut = (say(deal(table(game)), "1 play 7S") for game in (TRUC, TRUT))
    won = say(table(LT_ACE), "award 0 12")
    lost = say(table(LT_ACE), "award 1 12")
    week = timedelta(days=7)
    shelf = [
        *(played(match, FRIDAY + week) for match in (won, lost, won, trut)),
        *(played(match) for match in (truc, won)),
    ]
    found = career(shelf, "Ana")
    first, second = date(2026, 11, 20), date(2026, 11, 27)
    assert list(found) == [(first, LT_ACE), (first, TRUC), (second, LT_ACE), (second, TRUT)]
    assert found[second, LT_ACE] == Tally(3, 2, 3, 2, points=24, points_lost=12)
    assert career(shelf, "Carles") == {}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_career_adds_up_to_what_the_evenings_tell(game: str, seats: int) -> None:
    header = next(h for h in HEADERS if (h.game, len(h.seats)) == (game, seats))
    matches = [replay(header, playout(header, Random(seed), 200)) for seed in range(3)]
    shelf = [played(match, FRIDAY + timedelta(days=n)) for n, match in enumerate(matches)]
    for name, tally in by_player(shelf).items():
        assert sum(career(shelf, name).values(), Tally()) == tally


def test_names_are_compared_as_written_without_the_blanks_around_them() -> None:
    match = say(table(LT_ACE), "award 0 12")
    header = replace(match.header, seats=(" Ana ", "ana"))
    one = played(replay(header, latest_events(match)))
    assert sum(career([one], "Ana").values(), Tally()).matches_won == 1
    assert sum(career([one], "ana").values(), Tally()).matches_won == 0
    assert career([one], "") == {}


def test_names_are_listed_as_in_an_index() -> None:
    assert in_order(["Zoe", "Émile", "eva", "Ana", "Àngels"]) == [
        "Ana", "Àngels", "Émile", "eva", "Zoe"
    ]  # fmt: skip


def test_a_sheet_has_a_line_for_each_evening_in_each_game() -> None:
    match = say(deal(table(TRUT)), f"1 trut, 0 see, {WON_BY_1}")
    header = replace(match.header, seats=("Ana", "=1+1"))
    shelf = [played(replay(header, latest_events(match)))]
    names = ("Ana", "=1+1")
    lines = "".join(careers_sheet({name: career(shelf, name) for name in names}))
    rows = list(csv.DictReader(io.StringIO(lines, newline="")))
    assert [(row["player"], row["evening"], row["game"]) for row in rows] == [
        ("Ana", "2026-11-20", "trut"), ("'=1+1", "2026-11-20", "trut"),
    ]  # fmt: skip
    assert [row["truts_answered_lost"] for row in rows] == ["1", "0"]
    assert [row["longs"] for row in rows] == ["0", "1"]


# --- laws ---


@given(st.integers(0, 2**32), st.integers(0, 300))
def test_what_one_side_calls_the_other_side_answers(seed: int, length: int) -> None:
    chance = Random(seed)
    header = chance.choice(HEADERS)
    told = chronicle(replay(header, playout(header, chance, length)))
    for side in (0, 1):
        own = [player for player in told.players if side_of(player.seat) == side]
        other = [player for player in told.players if side_of(player.seat) != side]
        made = sum((player.raises for player in own), Calls())
        answered = sum((player.raises_answered for player in other), Calls())
        assert (made.refused, made.won, made.lost) == (
            answered.refused, answered.lost, answered.won,
        )  # fmt: skip
        assert made.made >= answered.made
        made = sum((player.truts for player in own), Calls())
        answered = sum((player.truts_answered for player in other), Calls())
        assert (made.won, made.lost) == (answered.lost, answered.won)  # of partners one sees
        assert made.refused <= answered.refused
    claimed = sum(player.tricks_claimed for player in told.players)
    assert claimed <= sum(player.tricks_spoiled for player in told.players)
