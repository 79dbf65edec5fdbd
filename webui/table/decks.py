"""The decks that set-up offers for each game, and what was chosen of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS, lacking
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import Rules
from scorekeeper.messages import N_
from scorekeeper.text.choices import GameChoice, PrintingChoice
from scorekeeper.text.printings import PRINTING, default_printing, printings_of


class Deck(NamedTuple):
    """The decks of one kind of suits that have all cards of a game.

    Attributes:
        suits: ``french`` or ``spanish``.
        chosen: Whether the game is played with them.
        printings: What may be printed on their cards.
        printing: The one of them that is chosen.
    """

    suits: str
    chosen: bool
    printings: list[PrintingChoice]
    printing: PrintingChoice


def decks(game: GameChoice, filled: Mapping[str, str], code: str) -> list[Deck]:
    """The decks of a game, those with French suits first.

    Args:
        game: The game.
        filled: The form as it was filled in, or ``as_filled``.
        code: Language of whoever sets up.
    """
    by_suits = {
        suits: {printing.name: printing for printing in found}
        for suits, found in groupby(game.printings, lambda printing: printing.suits)
    }
    usual = next(each.suits for each in game.printings if each.name == game.usual)
    chosen = filled.get(f"{game.game}.suits")
    return [
        Deck(
            suits,
            suits == (chosen if chosen in by_suits else usual),
            list(found.values()),
            found.get(filled.get(f"{game.game}.{suits}", ""))
            or found[default_printing(suits, code).name],
        )
        for suits, found in by_suits.items()
    ]


def as_filled(header: Header | None) -> dict[str, str]:
    """The deck of the match before, as the form's fields."""
    if header is None:
        return {}
    suits = header.remarks.get(PACK_SUITS)
    named = {"suits": suits, suits: header.remarks.get(PRINTING)}
    return {f"{header.game}.{key}": text for key, text in named.items() if isinstance(text, str)}


def chosen_deck(game: str, rules: Rules, form: Mapping[str, str], code: str) -> dict[str, str]:
    """The deck that the form asks for, as remarks of a header; the usual one where it says none.

    Args:
        game: Id of the game, after which its fields are named.
        rules: The rules that will be played.
        form: The form's fields.
        code: Language of whoever sets up.

    Raises:
        FormatError: No pack with the chosen suits can play the game (C-9).
    """
    suits = form.get(f"{game}.suits", "")
    if suits not in SUIT_SYSTEMS:
        suits = rules.suit_systems[0]
    if suits not in rules.suit_systems:
        raise FormatError(
            N_("this game needs a pack that has {ranks}: choose other suits"),
            ranks=lacking(rules, suits),
        )
    printing = form.get(f"{game}.{suits}")
    if printing not in {each.name for each in printings_of(suits)}:
        printing = default_printing(suits, code).name
    return {PACK_SUITS: suits, PRINTING: printing}
