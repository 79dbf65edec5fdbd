"""Draws a round: who meets whom next. The result is a ``draw`` event; nothing else is kept.

For Swiss and knock-out it is a matching of least cost in a graph: teams are its nodes, and there is
an edge for each two teams that may meet, and for each team that may sit out. Worse faults cost more
by orders of magnitude, so no sum of small faults outweighs a large one. Among draws of equal cost,
random numbers decide.
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
"""The rival of a team that sits out; teams are numbered from 1."""
SEEDS = 1_000_000
"""Seeds are below this, so that they can be read aloud."""

Edge = tuple[int, int, int]
"""Two teams, and the cost of their meeting."""


def draw(tournament: Tournament, seed: int) -> ClubEvent:
    """Draws the next round.

    Args:
        tournament: The tournament, between two rounds.
        seed: Seed of the random numbers: the same tournament and seed give the same round.

    Raises:
        TournamentError: No round can be drawn now, or none in which nobody meets again.
    """
    check_round(tournament)
    chance = Random(seed)
    system = tournament.header.system
    if system is System.ROUND_ROBIN:
        pairs, byes = _round_robin(tournament, chance)
    else:
        pairs, byes = _least_cost(tournament, chance)
    return ClubEvent(
        "draw", round=len(tournament.rounds) + 1, pairs=tuple(pairs), byes=tuple(byes), seed=seed
    )


# --- round robin ---


def _round_robin(tournament: Tournament, chance: Random) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs and byes of a round robin by the circle method.

    Teams stand in a circle, and those opposite one another meet. The first one stays; all others
    move on by one place each round.
    """
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


def _least_cost(tournament: Tournament, chance: Random) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs and byes of a Swiss or knock-out round: those of least cost.

    Raises:
        TournamentError: There is no draw without teams that must not meet.
    """
    import networkx  # here, for it takes a third of a second, and only a draw needs it

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
"""The sum of all random numbers of a draw is below this: a fault costs more than all of them."""
STEP = 1 << 40
"""The sum of all faults of one kind is below this: one fault of the next worse kind costs it."""


def _swiss_cost(tournament: Tournament) -> Iterator[Edge]:
    """Nobody meets twice; nobody sits out twice before all have; points are as equal as can be.

    As long as there are no more rounds than half of the teams, there is always such a draw
    (Dirac's theorem). After that a team may have to sit out again, or no draw may be left.
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
    """Equal losses meet if possible, then teams that have not met; all sit out in turn."""
    field = sorted(tournament.field)
    losses = {team: tournament.losses(team) for team in field}
    for first in field:
        met = tournament.met(first)
        for second in field:
            if first < second:
                yield first, second, (losses[first] != losses[second]) * STEP + (second in met)
    # Of teams that sat out equally often, the one with the fewest losses sits out, as of the last
    # three: it has the least to gain by playing.
    yield from _byes(tournament, lambda team: losses[team])


def _byes(tournament: Tournament, worth: Callable[[int], int]) -> Iterator[Edge]:
    """If the number of teams is odd, an edge to nobody for each team.

    It costs most by how often the team has sat out, then by ``worth``: what the team has to lose.
    """
    if len(tournament.field) % 2 == 0:
        return
    sat_out = {
        team: sum(team in one.byes for one in tournament.rounds) for team in tournament.field
    }
    for team in sorted(tournament.field):
        yield NOBODY, team, sat_out[team] * STEP * STEP + worth(team)
