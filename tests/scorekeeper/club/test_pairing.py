"""Laws of the draw. They hold for any tournament and any results, also if teams come and go."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.club.header import LIVES, System, TournamentHeader
from scorekeeper.club.pairing import draw
from scorekeeper.club.standing import standing
from scorekeeper.club.state import Tournament
from scorekeeper.club.tournament import apply, can
from scorekeeper.errors import TournamentError
from tests.scorekeeper.club.tournaments import Evening, entered, header

SIZES = st.integers(2, 17)
SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=15)
"""Few examples, for each is a whole tournament."""


def played(size: int, system: System, seed: int, rounds: int = 30) -> Tournament:
    """A tournament that was played to its end, or for so many rounds."""
    evening = Evening(entered(size, system, rounds=rounds), Random(seed))
    for _ in range(rounds):
        if evening.tournament.played_out or not evening.can_draw():
            break
        evening.play_round()
    return evening.tournament


@FEW
@given(SIZES, SEEDS)
def test_in_a_swiss_tournament_nobody_meets_twice(size, seed):
    tournament = played(size, System.SWISS, seed)
    met = [frozenset(one.teams) for round_ in tournament.rounds for one in round_.meetings]
    assert len(met) == len(set(met))


@FEW
@given(SIZES, SEEDS)
def test_in_every_system_each_team_is_drawn_once_a_round(size, seed):
    for system in System:
        for round_ in played(size, system, seed, rounds=6).rounds:
            drawn = [*round_.byes, *(team for one in round_.meetings for team in one.teams)]
            assert len(drawn) == len(set(drawn))
            assert [one.table for one in round_.meetings] == list(
                range(1, len(round_.meetings) + 1)
            )


@FEW
@given(SIZES, SEEDS)
def test_at_most_one_team_sits_out(size, seed):
    for system in System:
        assert all(len(one.byes) <= 1 for one in played(size, system, seed, rounds=6).rounds)


@FEW
@given(st.sampled_from(range(3, 18, 2)), SEEDS)
def test_nobody_sits_out_twice_before_all_have(size, seed):
    tournament = played(size, System.SWISS, seed, rounds=(size + 1) // 2)
    assert len(tournament.rounds) == (size + 1) // 2  # by Dirac's theorem a draw always exists
    sat = Counter(team for round_ in tournament.rounds for team in round_.byes)
    assert max(sat.values()) == 1


@FEW
@given(st.sampled_from(range(3, 18, 2)), SEEDS)
def test_of_those_who_have_not_sat_out_one_with_the_fewest_points_does(size, seed):
    evening = Evening(entered(size, System.SWISS, rounds=3), Random(seed))
    for _ in range(min(3, size - 1)):
        before = evening.tournament
        points = {row.team: row.points for row in standing(before)}
        sat = {team for round_ in before.rounds for team in round_.byes}
        evening.play_round()
        (bye,) = evening.tournament.rounds[-1].byes
        assert points[bye] == min(points[team] for team in before.field if team not in sat)


@FEW
@given(SIZES, SEEDS)
def test_in_a_round_robin_everybody_meets_everybody_once(size, seed):
    tournament = played(size, System.ROUND_ROBIN, seed)
    met = Counter(frozenset(one.teams) for round_ in tournament.rounds for one in round_.meetings)
    assert met == Counter(map(frozenset, combinations(range(1, size + 1), 2)))
    assert len(tournament.rounds) == size - 1 + size % 2 == tournament.rounds_to_play


@FEW
@given(SIZES, SEEDS)
def test_a_knock_out_ends_with_one_team_and_all_others_out(size, seed):
    tournament = played(size, System.KNOCK_OUT, seed)
    losses = {team.number: tournament.losses(team.number) for team in tournament.teams}
    (winner,) = (team for team, lost in losses.items() if lost < LIVES)
    assert tournament.played_out
    assert sorted(losses.values())[1:] == [LIVES] * (size - 1)
    assert standing(tournament)[0].team == winner


@FEW
@given(SIZES, SEEDS)
def test_in_a_knock_out_equal_losses_meet_as_far_as_numbers_allow(size, seed):
    evening = Evening(entered(size, System.KNOCK_OUT), Random(seed))
    while not evening.tournament.played_out:
        before = evening.tournament
        evening.play_round()
        unequal = sum(
            before.losses(one.teams[0]) != before.losses(one.teams[1])
            for one in evening.tournament.rounds[-1].meetings
        )
        assert unequal <= 1


@FEW
@given(SIZES, SEEDS)
def test_the_same_seed_draws_the_same_round_and_teams_come_in_any_order(size, seed):
    for system in System:
        tournament = played(size, system, seed, rounds=2)
        if can_draw(tournament):
            assert draw(tournament, seed) == draw(tournament, seed)


@FEW
@given(SIZES, SEEDS)
def test_what_is_drawn_is_possible_and_may_be_taken_back(size, seed):
    for system in System:
        tournament = played(size, system, seed, rounds=2)
        if can_draw(tournament):
            event = draw(tournament, seed)
            drawn = apply(tournament, event)
            cancel = event._replace(do="cancel_draw", pairs=None, byes=None, seed=None, note="late")
            assert can(drawn, event) is False
            assert can(drawn, cancel) is bool(event.pairs)
            if event.pairs:
                assert apply(drawn, cancel) == tournament


@FEW
@given(st.integers(4, 17), SEEDS)
def test_who_comes_late_or_leaves_is_drawn_from_then_on_or_no_more(size, seed):
    for system in System:
        evening = Evening(entered(size, system, rounds=5), Random(seed), comes_and_goes=True)
        for _ in range(5):
            if not evening.can_draw():
                break
            evening.play_round()
            round_ = evening.tournament.rounds[-1]
            assert len(round_.meetings) + len(round_.byes) > 0


def can_draw(tournament: Tournament) -> bool:
    try:
        draw(tournament, 0)
    except TournamentError:
        return False
    return True


def test_where_nobody_is_left_to_meet_it_says_so():
    evening = Evening(entered(3, System.SWISS, rounds=9), Random(1))
    for _ in range(3):
        evening.play_round()
    with pytest.raises(TournamentError, match="no draw is left in which nobody meets again"):
        draw(evening.tournament, 1)


def test_64_pairs_play_7_swiss_rounds_without_meeting_twice():
    tournament = played(64, System.SWISS, seed=7, rounds=7)
    met = {frozenset(one.teams) for round_ in tournament.rounds for one in round_.meetings}
    assert len(met) == 7 * 32
    unequal = [
        abs(a - b)
        for number, round_ in enumerate(tournament.rounds)
        for points in [points_after(tournament, number)]
        for a, b in [(points[one.teams[0]], points[one.teams[1]]) for one in round_.meetings]
    ]
    assert max(unequal) <= 2  # one match


def points_after(tournament: Tournament, rounds: int) -> dict[int, int]:
    return {
        row.team: row.points
        for row in standing(tournament._replace(rounds=tournament.rounds[:rounds]))
    }


def test_a_header_that_no_game_allows_is_refused():
    with pytest.raises(ValueError, match="put is played by 2 players"):
        TournamentHeader(title="Put", game="put", players=4)
    assert header(System.SWISS).team_size == 2
