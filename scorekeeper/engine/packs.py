"""The pack on a table: which kinds of packs can play a game, and which cards are from another."""

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

    One, where the cards of the match show it, or else set-up has chosen it; otherwise every one
    that can play the game.
    """
    known = match.header.remarks.get(PACK_SUITS)
    if match.spanish is not None:
        known = SPANISH if match.spanish else FRENCH
    fit = match.rules.suit_systems
    return (known,) if isinstance(known, str) and known in fit else fit


def suits_of(match: Match) -> str:
    """The suits of the pack: as the cards on the table have them, else as set-up has chosen."""
    return SUIT_SYSTEMS[suit_systems_at(match)[0]]


def check_pack(match: Match, card: Card) -> None:
    """Checks that a card can be from the pack on the table.

    Raises:
        CardNotInPack: C-9: it is from a pack that cannot play the game, or from another one.
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
    """Whether a card is from a kind of pack that cannot play the game."""
    return card.suit_system not in rules.suit_systems


def not_in_pack(rules: Rules, card: Card) -> CardNotInPack:
    """What is wrong with a card from a kind of pack that cannot play the game."""
    return CardNotInPack(
        "C-9",
        N_("{card} is from a pack that has no {ranks}, which this game needs"),
        card=str(card),
        ranks=lacking(rules, card.suit_system),
    )


def lacking(rules: Rules, suit_system: str) -> str:
    """The ranks of the game that no pack of a kind has, as a list."""
    return ", ".join(missing_ranks(suit_system, rules.printed))
