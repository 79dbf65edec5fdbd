"""The draw: who meets whom next. Nothing here is stored; a ``draw`` event holds what came out.

Swiss and knock-out are one problem, a matching of least cost: an edge for each two teams that may
meet, and one for each bye. What is worse counts more by whole orders of magnitude, so that no sum
of small faults outweighs a large one; what is equal is decided by lot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from scorekeeper.club.events import MOST_TEAMS, ClubEvent
from scorekeeper.club.header import System
from scorekeeper.club.standing import standing
from scorekeeper.club.state import Tournament
from scorekeeper.club.tournament import check_round
from scorekeeper.errors import TournamentError
from scorekeeper.messages import N_

NOBODY = 0
"""Stands for the rival of the team that has none; teams count from 1."""
SEEDS = 1_000_000
"""Seeds are below this: few enough digits to be read out."""

Edge = tuple[int, int, int]
"""Two teams and what it costs that they meet."""


def draw(tournament: Tournament, seed: int) -> ClubEvent:
    """Draws the next round.

    Args:
        tournament: The tournament, between two rounds.
        seed: Decides the lot: the same tournament and the same seed give the same round.

    Raises:
        TournamentError: No round can be drawn now, or nobody is left whom a team has not met.
    """
    check_round(tournament)
    chance = Random(seed)
    system = tournament.header.system
    if system is System.ROUND_ROBIN:
        pairs, byes = _turned(tournament, chance)
    else:
        pairs, byes = _matched(tournament, chance)
    return ClubEvent(
        "draw", round=len(tournament.rounds) + 1, pairs=tuple(pairs), byes=tuple(byes), seed=seed
    )


# --- round robin ---


def _turned(tournament: Tournament, chance: Random) -> tuple[list[tuple[int, int]], list[int]]:
    """The circle method: one place stays, all others move on by one each round."""
    circle = list(tournament.starters)
    if not circle:
        circle = list(tournament.field)
        chance.shuffle(circle)
    if len(circle) % 2:
        circle.append(NOBODY)
    turn = len(tournament.rounds)
    moving = circle[1:]
    circle = [circle[0], *moving[turn:], *moving[:turn]]
    here = set(tournament.field)
    pairs, byes = [], []
    for first, second in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
        playing = [team for team in (first, second) if team in here]
        if len(playing) == 2:
            pairs.append((first, second))
        else:
            byes += playing
    return pairs, byes


# --- Swiss, and knock-out with a second chance ---


def _matched(tournament: Tournament, chance: Random) -> tuple[list[tuple[int, int]], list[int]]:
    import networkx  # late: it takes a third of a second, and only a draw needs it

    field = tournament.field
    cost = _swiss_cost if tournament.header.system is System.SWISS else _knock_out_cost
    graph = networkx.Graph()
    graph.add_nodes_from(field)
    for first, second, price in cost(tournament):
        graph.add_edge(first, second, weight=-(price * LOT + chance.randrange(LOT // MOST_TEAMS)))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    found = sorted((min(pair), max(pair)) for pair in matching)
    drawn = {team for pair in found for team in pair}
    if not drawn >= set(field):
        raise TournamentError(
            N_("no draw is left in which nobody meets again; close the tournament, or play on as "
               "a new one")
        )  # fmt: skip
    byes = [second for first, second in found if first == NOBODY]
    place = {row.team: row.place for row in standing(tournament)}
    pairs = [(first, second) for first, second in found if first != NOBODY]
    pairs.sort(key=lambda pair: sorted(place[team] for team in pair))  # the leader at table 1
    return [pair if chance.random() < 0.5 else pair[::-1] for pair in pairs], byes


LOT = 1 << 30
"""All lots of a draw together are below this."""
STEP = 1 << 40
"""How much more one of a kind of faults counts than all of the next kind together."""


def _swiss_cost(tournament: Tournament) -> Iterator[Edge]:
    """Nobody meets twice; nobody sits out twice before all have; points are as equal as can be.

    With as many rounds as half of the teams there is always such a draw (Dirac's theorem); with
    more of them a team may have to sit out again, or no draw may be left.
    """
    points = {row.team: row.points for row in standing(tournament)}
    field = sorted(tournament.field)
    for first in field:
        met = tournament.met(first)
        for second in field:
            if first < second and second not in met:
                yield first, second, (points[first] - points[second]) ** 2
    yield from _byes(tournament, lambda team: points[team] * STEP)


def _knock_out_cost(tournament: Tournament) -> Iterator[Edge]:
    """Equal losses meet first, and those who have not met; byes go round."""
    field = sorted(tournament.field)
    losses = {team: tournament.losses(team) for team in field}
    for first in field:
        met = tournament.met(first)
        for second in field:
            if first < second:
                yield first, second, (losses[first] != losses[second]) * STEP + (second in met)
    # Of three that are left, the one without a loss sits out: it has the least to gain by playing.
    yield from _byes(tournament, lambda team: losses[team])


def _byes(tournament: Tournament, worth: Callable[[int], int]) -> Iterator[Edge]:
    """Edges to nobody, where one team is too many: for those who sat out least, the last first."""
    if len(tournament.field) % 2 == 0:
        return
    sat = {team: sum(team in one.byes for one in tournament.rounds) for team in tournament.field}
    for team in sorted(tournament.field):
        yield NOBODY, team, sat[team] * STEP * STEP + worth(team)
