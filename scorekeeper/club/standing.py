"""The standing of a tournament: who leads, and by which rule; ``Row.merit`` gives their order."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import NamedTuple

from scorekeeper.club.header import LIVES, System
from scorekeeper.club.state import Meeting, Tournament

WIN, DRAW = 2, 1
"""Points, doubled so that they are whole numbers; pages show half of them."""


class Row(NamedTuple):
    """A team in the standing.

    Attributes:
        place: From 1; no two teams share one.
        team: Number of the team.
        points: ``WIN`` for each match won and each bye, ``DRAW`` for each without a winner.
        won: Matches won, also because the other side withdrew.
        drawn: Matches without a winner.
        lost: Matches lost.
        byes: Rounds in which it sat out.
        rivals: Sum of its rivals' points: more if it has met stronger teams.
        direct: Points from its matches with teams of equal ``points`` and ``rivals``.
        difference: Sum of its own scores minus its rivals': see ``Result.score``.
        lot: A random number, which decides last.
    """

    place: int
    team: int
    points: int
    won: int
    drawn: int
    lost: int
    byes: int
    rivals: Fraction
    direct: int
    difference: int
    lot: int

    @property
    def merit(self) -> tuple[int | Fraction, ...]:
        """What decides the place, in this order; more is better."""
        return (self.points, self.rivals, self.direct, self.difference, self.lot)


def standing(tournament: Tournament) -> tuple[Row, ...]:
    """All teams that took part, the leader first; those that withdrew are in it, too."""
    taking_part = [team.number for team in tournament.teams if team.present]
    lots = _lots(tournament)
    own = {team: _tally(tournament, team) for team in taking_part}
    rows = []
    for team in taking_part:
        points, won, drawn, lost, byes, difference = own[team]
        rivals = _rivals(tournament, team, {one: tally[0] for one, tally in own.items()})
        rows.append(Row(0, team, points, won, drawn, lost, byes, rivals, 0, difference, lots[team]))
    level: dict[tuple[object, ...], list[int]] = {}
    for row in rows:
        level.setdefault((row.points, row.rivals), []).append(row.team)
    rows = [
        row._replace(direct=_direct(tournament, row.team, level[row.points, row.rivals]))
        for row in rows
    ]
    rows.sort(key=lambda row: row.merit, reverse=True)
    if tournament.header.system is System.KNOCK_OUT:
        rows.sort(key=lambda row: _standing_in_knock_out(tournament, row.team))
    return tuple(row._replace(place=place) for place, row in enumerate(rows, 1))


def _tally(tournament: Tournament, team: int) -> tuple[int, int, int, int, int, int]:
    """A team's points, matches won, drawn and lost, byes, and difference."""
    won = drawn = lost = difference = 0
    for meeting in _decided(tournament, team):
        assert meeting.result is not None
        side, result = meeting.side_of(team), meeting.result
        won += result.winner == side
        drawn += result.winner is None
        lost += result.winner == 1 - side
        difference += result.score[side] - result.score[1 - side]
    byes = sum(team in round_.byes for round_ in tournament.rounds)
    return WIN * (won + byes) + DRAW * drawn, won, drawn, lost, byes, difference


def _decided(tournament: Tournament, team: int) -> list[Meeting]:
    return [
        one
        for round_ in tournament.rounds
        for one in round_.meetings
        if team in one.teams and one.result is not None
    ]


def _rivals(tournament: Tournament, team: int, points: dict[int, int]) -> Fraction:
    """Sum of the rivals' points; a bye counts as a rival with half of all points to be won so far.

    In a round robin it is 0: everybody meets the same rivals.
    """
    if tournament.header.system is System.ROUND_ROBIN:
        return Fraction(0)
    over = sum(round_.over for round_ in tournament.rounds)
    byes = sum(team in round_.byes for round_ in tournament.rounds)
    met = sum(points.get(one.rival_of(team), 0) for one in _decided(tournament, team))
    return met + Fraction(byes * over * WIN, 2)


def _direct(tournament: Tournament, team: int, level: list[int]) -> int:
    found = 0
    for meeting in _decided(tournament, team):
        if meeting.rival_of(team) in level and meeting.result is not None:
            winner = meeting.result.winner
            found += DRAW if winner is None else WIN * (winner == meeting.side_of(team))
    return found


def _standing_in_knock_out(tournament: Tournament, team: int) -> tuple[bool, int, int]:
    """Sorts teams that are still in by their losses, then the others by how long they were in."""
    losses = tournament.losses(team)
    out = losses >= LIVES or tournament.team(team).withdrawn is not None
    return out, 0 if out else losses, -_last_round(tournament, team)


def _last_round(tournament: Tournament, team: int) -> int:
    """Number of the latest round for which a team was drawn, or sat out; 0 if none."""
    return max(
        (round_.number for round_ in tournament.rounds
         if team in round_.byes or round_.meeting_of(team) is not None),
        default=0,
    )  # fmt: skip


def _lots(tournament: Tournament) -> dict[int, int]:
    """A random number for each team, by the first draw's seed; before it, by order of entering."""
    numbers = [team.number for team in tournament.teams]
    if not tournament.rounds:
        return {number: -number for number in numbers}
    chance = Random(tournament.rounds[0].seed)
    # Every team gets one, in the order of entering: a team that joins later changes no other.
    return {number: chance.randrange(1 << 30) for number in numbers}
