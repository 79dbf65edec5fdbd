"""The header of a tournament: which game is played, by how many, and who meets whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from scorekeeper.engine.events import is_whole
from scorekeeper.engine.header import Header
from scorekeeper.errors import FormatError
from scorekeeper.games.rules import game_of
from scorekeeper.messages import N_, shown

TOURNAMENT_FORMAT = "trucam-tournament/1"
LONGEST_TITLE = 80
MOST_ROUNDS = 30
LIVES = 2
"""A team that has lost so many matches is out of a knock-out."""


class System(StrEnum):
    """How it is settled who meets whom.

    Attributes:
        SWISS: Teams with equal points meet, nobody twice.
        ROUND_ROBIN: Everybody meets everybody once.
        KNOCK_OUT: Who has lost ``LIVES`` matches is out.
    """

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCK_OUT = "knock_out"


@dataclass(frozen=True, kw_only=True)
class TournamentHeader:
    """What is settled before the first event of a tournament.

    Attributes:
        title: Its name, such as ``Easter Trut``.
        game: Id of the game.
        players: Players at a table, 2 or 4; a team has half of them.
        variants: Names of the game's variants.
        options: Options: fields of ``Rules``, to their values.
        best_of: Games of each match, 1, 3 or 5.
        system: How it is settled who meets whom.
        rounds: Rounds of a Swiss tournament; those of the other systems follow from the teams.
        deck: Which cards the tables play with, as remarks of each match's header; see
            ``scorekeeper.engine.packs.PACK_SUITS`` and ``scorekeeper.text.printings.PRINTING``.

    Raises:
        FormatError: One of these is impossible.
    """

    title: str
    game: str
    players: int
    variants: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    best_of: int = 1
    system: System = System.SWISS
    rounds: int = 5
    deck: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if not self.title.strip() or len(self.title) > LONGEST_TITLE:
            raise FormatError(N_("a tournament's name has 1 to {most} letters"), most=LONGEST_TITLE)
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise FormatError(
                N_("a tournament has 1 to {most} rounds, not {rounds}"),
                most=MOST_ROUNDS,
                rounds=self.rounds,
            )
        self.match_header([f"Player {seat + 1}" for seat in range(self.players)])

    @property
    def team_size(self) -> int:
        """Players of a team: 1, or 2 partners."""
        return self.players // 2

    def match_header(self, seats: list[str], first_dealer: int = 0, **remarks: object) -> Header:
        """The header of one of its matches.

        Args:
            seats: The players' names, clockwise.
            first_dealer: Seat that deals the first hand.
            **remarks: Further remarks of the header.

        Raises:
            FormatError: The game is not played by so many, or has no such variant or option.
        """
        return Header(
            game=self.game,
            seats=tuple(seats),
            variants=self.variants,
            options=self.options,
            first_dealer=first_dealer,
            best_of=self.best_of,
            remarks=MappingProxyType({**self.deck, **remarks}),
        )

    def to_json(self) -> dict[str, Any]:
        """The header as the ledger keeps it."""
        return {
            "format": TOURNAMENT_FORMAT,
            "title": self.title,
            "game": self.game,
            "players": self.players,
            "variants": list(self.variants),
            "options": dict(self.options),
            "best_of": self.best_of,
            "system": self.system.value,
            "rounds": self.rounds,
            "deck": dict(self.deck),
        }


def parse_tournament_header(data: object) -> TournamentHeader:
    """Reads what ``to_json`` wrote.

    Raises:
        FormatError: It is no such header, or of another version, or says something impossible.
    """
    if not isinstance(data, dict) or data.get("format") != TOURNAMENT_FORMAT:
        raise FormatError(N_("this is no tournament that this program reads"))
    texts, numbers = ("title", "system"), ("players", "best_of", "rounds")
    fitting = (
        all(isinstance(data.get(key), str) for key in texts)
        and all(is_whole(data.get(key)) for key in numbers)
        and isinstance(data.get("options"), dict)
        and isinstance(data.get("variants"), list)
        and all(isinstance(one, str) for one in data["variants"])
        and isinstance(data.get("deck", {}), dict)  # before 26 November 2026 there was none
        and all(isinstance(one, str | bool) for one in data.get("deck", {}).values())
    )
    if not fitting or data["system"] not in list(System):
        raise FormatError(N_("this is no tournament that this program reads"))
    if data["players"] not in (2, 4):
        raise FormatError(
            N_("a table has 2 or 4 players, not {players}"), players=shown(data["players"])
        )
    return TournamentHeader(
        title=data["title"],
        game=game_of(data.get("game")).id,
        players=data["players"],
        variants=tuple(data["variants"]),
        options=MappingProxyType(data["options"]),
        best_of=data["best_of"],
        system=System(data["system"]),
        rounds=data["rounds"],
        deck=MappingProxyType(data.get("deck", {})),
    )
