"""Cards: how they are written, and which rank each of them counts as (C-7, C-9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from scorekeeper.errors import FormatError
from scorekeeper.messages import N_, shown

FRENCH_SUITS = "CDHS"
SPANISH_SUITS = "OUEB"
SUIT_SYSTEMS: Mapping[str, str] = MappingProxyType(
    {"french": FRENCH_SUITS, "spanish": SPANISH_SUITS}
)
"""Kind of pack to the letters of its suits."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FORTY = tuple(rank for rank in RANKS if rank not in ("8", "9", "10"))
"""Ranks of a pack of forty; the J, Q and K of a Spanish one are sota, caballo and rey (C-9)."""

_FRENCH_INDEX = {rank: rank for rank in RANKS} | {"T": "10", "1": "A", "V": "J", "D": "Q", "R": "K"}
_SPANISH_INDEX = {"1": "A", "10": "J", "11": "Q", "12": "K"} | {
    str(n): str(n) for n in range(2, 10)
}
_SPANISH_NAME = {rank: index for index, rank in _SPANISH_INDEX.items()}


class Card(NamedTuple):
    """One card of one pack; (rank, suit) is its identity (C-7).

    Attributes:
        rank: One of ``RANKS``: what the card counts as. A Spanish sota is a ``"J"``.
        suit: ``C D H S``, or the Spanish ``O U E B`` (oros, copas, espadas, bastos).
    """

    rank: str
    suit: str

    @property
    def spanish(self) -> bool:
        """Whether the card is of a Spanish-suited pack."""
        return self.suit in SPANISH_SUITS

    @property
    def suit_system(self) -> str:
        """The kind of pack it is from, one of ``SUIT_SYSTEMS``."""
        return "spanish" if self.spanish else "french"

    @property
    def printed(self) -> str:
        """The rank as it is printed on the card: ``"10"`` on a sota, ``"J"`` on a jack."""
        return _SPANISH_NAME[self.rank] if self.spanish else self.rank

    def __str__(self) -> str:
        return self.printed + self.suit


def missing_ranks(suit_system: str, ranks: Collection[str]) -> tuple[str, ...]:
    """The given ranks that no pack of this kind has, such as the 10 of a Spanish one (C-9)."""
    has = _SPANISH_NAME if suit_system == "spanish" else RANKS
    return tuple(rank for rank in ranks if rank not in has)


@cache
def _all_spellings() -> dict[str, Card]:
    spellings = {}
    for indices, suits in ((_FRENCH_INDEX, FRENCH_SUITS), (_SPANISH_INDEX, SPANISH_SUITS)):
        for index, rank in indices.items():
            for suit in suits:
                spellings[index + suit] = Card(rank, suit)
    return spellings


def parse_card(text: object) -> Card:
    """Reads a card as it is written in a record: ``"10H"``, ``"TH"``, ``"RD"``, ``"12O"``.

    Args:
        text: Rank, then suit, as printed on the card.

    Raises:
        FormatError: There is no such card.
    """
    card = _all_spellings().get(text) if isinstance(text, str) else None
    if card is None:
        raise FormatError(
            N_("there is no card {card}; cards are written like KS, 10H or 12O"), card=shown(text)
        )
    return card
