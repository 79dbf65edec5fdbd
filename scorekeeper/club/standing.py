"""Who leads, and by which rule. The rules are said in the order in which they decide."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import NamedTuple

from scorekeeper.club.header import LIVES, System
from scorekeeper.club.state import Meeting, Tournament

WIN, DRAW = 2, 1
"""Points, counted in halves so that they stay whole numbers; pages show them halved."""


class Row(NamedTuple):
    """A team in the standing.

    Attributes:
        place: From 1; nobody shares one, because the lot decides in the end.
        team: Number of the team.
        points: Twice the matches won, byes among them, and one for each draw.
        won: Matches won at a table or by the other side's withdrawal.
        drawn: Matches without a winner.
        lost: Matches lost.
        byes: Rounds without a rival.
        rivals: The rivals' points together: who has met the stronger ones has more.
        direct: Points out of the matches between those who are level up to here.
        difference: Points of the games for and against it, or games.
        lot: What decides last.
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
        """What the place is decided by, the greater first."""
        return (self.points, self.rivals, self.direct, self.difference, self.lot)


def standing(tournament: Tournament) -> tuple[Row, ...]:
    """All teams that took part, the leader first; those who withdrew stay where they are."""
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
    """Points, matches won, drawn and lost, byes, difference."""
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
    """The rivals' points; a bye counts as a rival with half of the points that were to be had.

    In a round robin everybody meets everybody, so nothing is to be told apart by it.
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
    """Who is still in comes first, by losses; then who stayed in longest."""
    losses = tournament.losses(team)
    out = losses >= LIVES or tournament.team(team).withdrawn is not None
    return out, 0 if out else losses, -_last_round(tournament, team)


def _last_round(tournament: Tournament, team: int) -> int:
    """The latest round in which a team was: who stays in longer is before those who are out."""
    return max(
        (round_.number for round_ in tournament.rounds
         if team in round_.byes or round_.meeting_of(team) is not None),
        default=0,
    )  # fmt: skip


def _lots(tournament: Tournament) -> dict[int, int]:
    """A lot for each team, by the seed of the first draw; before it, the order of entering."""
    numbers = [team.number for team in tournament.teams]
    if not tournament.rounds:
        return {number: -number for number in numbers}
    chance = Random(tournament.rounds[0].seed)
    # Each number gets its own, so that who joins later changes nobody else's.
    return {number: chance.randrange(1 << 30) for number in numbers}
