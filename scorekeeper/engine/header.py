"""The header of a record: which game is played, by whom, and with which rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from scorekeeper.engine.events import is_whole
from scorekeeper.errors import FormatError
from scorekeeper.games.rules import Rules, game_of, make_rules
from scorekeeper.messages import N_, shown

RECORD_FORMAT = "trucam-record/1"
BEST_OF = (1, 3, 5)


@dataclass(frozen=True, kw_only=True)
class Header:
    """What is settled before the first event.

    Attributes:
        game: Id of the game.
        variants: Names of its variants.
        options: Fields of ``Rules`` that the table has chosen, to their values.
        seats: The players' names, clockwise seen from above (C-1).
        first_dealer: Seat that deals the first hand (A4).
        best_of: Games of the match, 1, 3 or 5 (LV-5).
        remarks: All other keys as they came.
        rules: The rules that follow from game, variants and options.
        verbs: The verbs of the game, including those that an option has switched off.

    Raises:
        FormatError: One of these is impossible.
    """

    game: str
    seats: tuple[str, ...]
    variants: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    first_dealer: int = 0
    best_of: int = 1
    remarks: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    rules: Rules = field(init=False, compare=False, repr=False)
    verbs: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        game = game_of(self.game)
        rules = make_rules(game, self.variants, self.options)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "verbs", rules.verbs | game.rules.verbs)
        if len(self.seats) not in self.rules.players:
            raise FormatError(
                N_("{game} is played by {players} players"),
                game=self.game,
                players=" / ".join(map(str, sorted(self.rules.players))),
            )
        if not 0 <= self.first_dealer < len(self.seats):
            raise FormatError(
                N_("the first dealer is a seat from 0 to {last}, not {seat}"),
                last=len(self.seats) - 1,
                seat=shown(self.first_dealer),
            )
        if self.best_of not in BEST_OF:
            raise FormatError(
                N_("a match is the best of 1, 3 or 5 games, not of {games}"),
                games=shown(self.best_of),
            )

    @property
    def title(self) -> str:
        """The game's name for people, in English."""
        return game_of(self.game).title

    @property
    def games_to_win(self) -> int:
        """Games that win the match (LV-5)."""
        return self.best_of // 2 + 1

    def to_json(self) -> dict[str, Any]:
        """The header as the first object of a record."""
        return {
            "format": RECORD_FORMAT,
            "game": self.game,
            "variants": list(self.variants),
            "options": dict(self.options),
            "seats": list(self.seats),
            "first_dealer": self.first_dealer,
            "best_of": self.best_of,
        } | dict(self.remarks)


def parse_header(data: object) -> Header:
    """Reads the first object of a record.

    Raises:
        FormatError: It is no header, or of another version, or something in it is unknown or
            impossible.
    """
    if not isinstance(data, dict) or "format" not in data:
        raise FormatError(N_("this is no record: its first line has no format"))
    rest = dict(data)
    version = rest.pop("format")
    if version != RECORD_FORMAT:
        raise FormatError(
            N_("this record is of the format {found}, and this program reads {known}"),
            found=shown(version),
            known=RECORD_FORMAT,
        )
    return Header(
        game=game_of(rest.pop("game", None)).id,
        variants=_names(rest.pop("variants", []), "variants"),
        options=_options(rest.pop("options", {})),
        seats=_names(rest.pop("seats", None), "seats"),
        first_dealer=_number(rest.pop("first_dealer", 0), "first_dealer"),
        best_of=_number(rest.pop("best_of", 1), "best_of"),
        remarks=MappingProxyType(rest),
    )


def _names(value: object, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise FormatError(N_("{key} is a list of names, not {value}"), key=key, value=shown(value))
    return tuple(value)


def _options(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(N_("options are an object, not {value}"), value=shown(value))
    return MappingProxyType(value)


def _number(value: object, key: str) -> int:
    if not is_whole(value):
        raise FormatError(N_("{key} is a whole number, not {value}"), key=key, value=shown(value))
    assert isinstance(value, int)
    return value
