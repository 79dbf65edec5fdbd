"""Tournaments for tests: with teams that are checked in, and played at random."""

from __future__ import annotations

from random import Random

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.header import System, TournamentHeader
from scorekeeper.club.pairing import draw
from scorekeeper.club.state import Tournament
from scorekeeper.club.tournament import apply, start
from scorekeeper.errors import TournamentError


def header(system: System, rounds: int = 5, **more: object) -> TournamentHeader:
    """The header of a tournament of four-handed Trut."""
    found = {"title": "Easter Trut", "game": "trut", "players": 4, **more}
    return TournamentHeader(system=system, rounds=rounds, **found)


def names_of(team: int) -> tuple[str, str]:
    return f"Ana {team}", f"Bea {team}"


def entered(size: int, system: System = System.SWISS, rounds: int = 5) -> Tournament:
    """A tournament with so many pairs, all checked in, before the first draw."""
    tournament = start(header(system, rounds))
    for team in range(1, size + 1):
        tournament = apply(tournament, ClubEvent("enter", team, names_of(team)))
        tournament = apply(tournament, ClubEvent("check_in", team))
    return tournament


class Evening:
    """Plays a tournament at random.

    Args:
        tournament: The tournament to go on with.
        chance: Decides the draws and the results.
        comes_and_goes: Whether some teams withdraw and, in a Swiss tournament, some come late.
    """

    def __init__(
        self, tournament: Tournament, chance: Random, *, comes_and_goes: bool = False
    ) -> None:
        self.tournament, self.chance, self.comes_and_goes = tournament, chance, comes_and_goes

    def say(self, event: ClubEvent) -> None:
        self.tournament = apply(self.tournament, event)

    def can_draw(self) -> bool:
        try:
            draw(self.tournament, 0)
        except TournamentError:
            return False
        return True

    def play_round(self) -> None:
        """Draws a round, and enters a random result for each table."""
        self.say(draw(self.tournament, self.chance.randrange(1000)))
        if self.comes_and_goes:
            self._come_and_go()
        round_ = self.tournament.rounds[-1]
        for meeting in round_.open:
            winner = self.chance.choice((0, 1))
            score = (7, self.chance.randrange(7))
            self.say(
                ClubEvent(
                    "result", round=round_.number, table=meeting.table, winner=winner,
                    score=score if winner == 0 else score[::-1],
                )
            )  # fmt: skip

    def _come_and_go(self) -> None:
        leaving = self.chance.choice(self.tournament.teams)
        if leaving.withdrawn is None:
            self.say(ClubEvent("withdraw", leaving.number, note="ill"))
        if self.tournament.header.system is System.SWISS:
            number = len(self.tournament.teams) + 1
            self.say(ClubEvent("enter", number, names_of(number)))
            self.say(ClubEvent("check_in", number))
