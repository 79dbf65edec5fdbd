"""Packs by name: which cards can be there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scorekeeper.errors import FormatError
from scorekeeper.games.cards import FORTY, FRENCH_SUITS, RANKS, SPANISH_SUITS, SUIT_SYSTEMS, Card
from scorekeeper.games.rules import GAMES
from scorekeeper.messages import N_

JOKER = "XJ"
BACK = "back"
UNREAD = "?"
"""Names beside those of cards: a joker, a card face down, a card that cannot be read."""

_PIQUET = ("7", "8", "9", "10", "J", "Q", "K", "A")
_FORTY_EIGHT = tuple(rank for rank in RANKS if rank != "10")


def _pack(ranks: tuple[str, ...], suits: str) -> frozenset[str]:
    return frozenset(str(Card(rank, suit)) for suit in suits for rank in ranks)


PACKS: Mapping[str, tuple[frozenset[str], ...]] = {
    "32": (_pack(_PIQUET, FRENCH_SUITS),),
    "40": (_pack(FORTY, FRENCH_SUITS),),
    "52": (_pack(RANKS, FRENCH_SUITS),),
    "es40": (_pack(FORTY, SPANISH_SUITS),),
    "es48": (_pack(_FORTY_EIGHT, SPANISH_SUITS),),
    **{
        game.id: tuple(
            _pack(game.rules.order, SUIT_SYSTEMS[system]) for system in game.rules.suit_systems
        )
        for game in GAMES.values()
    },
}
"""For the name of a pack, or the id of a game, the packs that it can be, by cards' plain names."""


def packs_of(name: str) -> tuple[frozenset[str], ...]:
    """The packs that a name stands for: one, or two where either kind of suits will do (C-9).

    Raises:
        FormatError: No pack is called so.
    """
    packs = PACKS.get(name)
    if packs is None:
        raise FormatError(
            N_("there is no pack {name}; the packs are {known}"),
            name=repr(name),
            known=", ".join(PACKS),
        )
    return packs


def index_order(index: str) -> tuple[int, str]:
    """The key by which people sort cards, from what is printed on them; ``1`` and ``A`` are first.

    Args:
        index: The number or letter in a card's corner.
    """
    letters = {"A": 1, "J": 11, "Q": 12, "K": 13}
    return int(index) if index.isdigit() else letters.get(index, 99), index


def decks_of(pack: Iterable[str]) -> frozenset[str]:
    """All cards of the kinds of deck that a pack is taken from: all 52 for 32 French ones.

    A reader is limited to these, and not to the pack itself, so that it can still tell that people
    play with a wrong pack (C-9).
    """
    pack = set(pack)
    decks = (PACKS["52"][0], PACKS["es48"][0])
    return frozenset().union(*(deck for deck in decks if deck & pack))
