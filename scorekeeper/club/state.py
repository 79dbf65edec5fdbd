"""The state of a tournament, in values that never change: each event makes a new state."""

from __future__ import annotations

from typing import NamedTuple

from scorekeeper.club.header import LIVES, System, TournamentHeader
from scorekeeper.errors import TournamentError
from scorekeeper.messages import N_


class Team(NamedTuple):
    """Two partners, or one player.

    Attributes:
        number: From 1, in the order in which teams were entered.
        names: The players.
        present: Whether they are checked in, and will be drawn.
        withdrawn: Why the team withdrew; None if it did not.
    """

    number: int
    names: tuple[str, ...]
    present: bool = False
    withdrawn: str | None = None

    @property
    def name(self) -> str:
        """The names of its players."""
        return " & ".join(self.names)


class Result(NamedTuple):
    """How a meeting ended.

    Attributes:
        winner: The side that won, 0 or 1; None for neither.
        score: Points of each side; games, if a match has several.
        match: Number of the ledger's match that decided it; None if the host entered it.
        reason: Why the host corrected it; None if nobody did.
        walkover: Whether it was won because the other side withdrew.
    """

    winner: int | None
    score: tuple[int, int]
    match: int | None = None
    reason: str | None = None
    walkover: bool = False


class Meeting(NamedTuple):
    """Two teams at a table.

    Attributes:
        table: Number of the table, from 1.
        teams: Numbers of both; the first is side 0.
        result: How it ended; None while it is played.
    """

    table: int
    teams: tuple[int, int]
    result: Result | None = None

    def side_of(self, team: int) -> int:
        """The side that a team plays on."""
        return self.teams.index(team)

    def rival_of(self, team: int) -> int:
        """The number of the other team."""
        return self.teams[1 - self.side_of(team)]


class Round(NamedTuple):
    """A round.

    Attributes:
        number: From 1.
        seed: The seed of the draw's random numbers.
        meetings: In the order of tables.
        byes: Numbers of the teams that sit out.
    """

    number: int
    seed: int
    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...]

    @property
    def open(self) -> tuple[Meeting, ...]:
        """Meetings without a result."""
        return tuple(one for one in self.meetings if one.result is None)

    @property
    def over(self) -> bool:
        """Whether all its meetings have a result."""
        return not self.open

    def meeting_of(self, team: int) -> Meeting | None:
        """The meeting that a team plays, or None."""
        return next((one for one in self.meetings if team in one.teams), None)


class Tournament(NamedTuple):
    """The state of a tournament at one moment; made by ``scorekeeper.club.tournament``.

    Attributes:
        header: What was settled before.
        teams: All teams that were entered, in the order of their numbers.
        rounds: All rounds that were drawn, in order.
        closed: Whether the host has closed it: its standing is final.
    """

    header: TournamentHeader
    teams: tuple[Team, ...] = ()
    rounds: tuple[Round, ...] = ()
    closed: bool = False

    @property
    def current(self) -> Round | None:
        """The latest round; None before the first draw."""
        return self.rounds[-1] if self.rounds else None

    @property
    def between_rounds(self) -> bool:
        """Whether every table of the latest round has a result."""
        return self.current is None or self.current.over

    def team(self, number: int) -> Team:
        """A team by its number.

        Raises:
            TournamentError: There is none.
        """
        if not 1 <= number <= len(self.teams):
            raise TournamentError(N_("there is no team {team}"), team=number)
        return self.teams[number - 1]

    def meeting(self, round_: int, table: int) -> Meeting:
        """A meeting by its round and its table.

        Raises:
            TournamentError: There is none.
        """
        if 1 <= round_ <= len(self.rounds):
            for one in self.rounds[round_ - 1].meetings:
                if one.table == table:
                    return one
        raise TournamentError(
            N_("nobody was drawn for table {table} of round {round}"), table=table, round=round_
        )

    def losses(self, team: int) -> int:
        """Meetings that a team has lost."""
        return sum(
            one.result is not None and one.result.winner == 1 - one.side_of(team)
            for round_ in self.rounds
            for one in round_.meetings
            if team in one.teams
        )

    @property
    def field(self) -> tuple[int, ...]:
        """Numbers of the teams that take part in the next draw."""
        here = (one for one in self.teams if one.present and one.withdrawn is None)
        if self.header.system is System.KNOCK_OUT:
            return tuple(one.number for one in here if self.losses(one.number) < LIVES)
        return tuple(one.number for one in here)

    @property
    def rounds_to_play(self) -> int | None:
        """How many rounds there are in all; None for a knock-out, where that is not known yet."""
        system = self.header.system
        if system is System.KNOCK_OUT:
            return None
        if system is System.SWISS:
            return self.header.rounds
        size = len(self.starters) if self.rounds else len(self.field)
        return max(0, size - 1 + size % 2)

    @property
    def starters(self) -> tuple[int, ...]:
        """The teams of the first round, in the order of the round robin's circle."""
        if not self.rounds:
            return ()
        first = self.rounds[0]
        near = [one.teams[0] for one in first.meetings]
        far = [one.teams[1] for one in first.meetings]
        return (*first.byes, *near, *reversed(far))

    @property
    def played_out(self) -> bool:
        """Whether all rounds have been played."""
        if not self.rounds or not self.between_rounds:
            return False
        if self.header.system is System.KNOCK_OUT:
            return len(self.field) < 2
        rounds = self.rounds_to_play
        return rounds is not None and len(self.rounds) >= rounds

    def met(self, team: int) -> frozenset[int]:
        """Numbers of the teams that a team has met."""
        return frozenset(
            one.rival_of(team)
            for round_ in self.rounds
            for one in round_.meetings
            if team in one.teams
        )
