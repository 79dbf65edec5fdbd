"""Which kind of pack is on the table, and which cards cannot be from it (C-9)."""

from __future__ import annotations

from scorekeeper.engine.state import Match
from scorekeeper.errors import CardNotInPack
from scorekeeper.games.cards import SUIT_SYSTEMS, Card, missing_ranks
from scorekeeper.games.rules import Rules
from scorekeeper.messages import N_

PACK_SUITS = "_suits"
"""Remark of a header: which suits the pack has, one of ``SUIT_SYSTEMS``."""
FRENCH, SPANISH = "french", "spanish"


def suit_systems_at(match: Match) -> tuple[str, ...]:
    """The kinds of packs that may lie on the table, the usual one first.

    There is only one if a card of the match has shown it, or if it was chosen in set-up. Otherwise
    these are all kinds with which the game can be played.
    """
    known = match.header.remarks.get(PACK_SUITS)
    if match.spanish is not None:
        known = SPANISH if match.spanish else FRENCH
    fit = match.rules.suit_systems
    return (known,) if isinstance(known, str) and known in fit else fit


def suits_of(match: Match) -> str:
    """The letters of the four suits of the pack on the table; of the usual pack if not known."""
    return SUIT_SYSTEMS[suit_systems_at(match)[0]]


def check_pack(match: Match, card: Card) -> None:
    """Checks that a card can be from the pack on the table.

    Raises:
        CardNotInPack: C-9: it is from another kind of pack.
    """
    system = card.suit_system
    if system in suit_systems_at(match):
        return
    if is_foreign(match.rules, card):
        raise not_in_pack(match.rules, card)
    raise CardNotInPack(
        "C-9", N_("{card} is from another pack than the one on this table"), card=str(card)
    )


def is_foreign(rules: Rules, card: Card) -> bool:
    """Whether a card is from a kind of pack that lacks ranks of the game."""
    return card.suit_system not in rules.suit_systems


def not_in_pack(rules: Rules, card: Card) -> CardNotInPack:
    """The error for a card from a kind of pack that lacks ranks of the game."""
    return CardNotInPack(
        "C-9",
        N_("{card} is from a pack that has no {ranks}, which this game needs"),
        card=str(card),
        ranks=lacking(rules, card.suit_system),
    )


def lacking(rules: Rules, suit_system: str) -> str:
    """The ranks of the game that a kind of pack lacks, separated by commas."""
    return ", ".join(missing_ranks(suit_system, rules.printed))
