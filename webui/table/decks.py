"""The decks that set-up offers for each game, and what was chosen of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any, NamedTuple

from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS, lacking
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import Rules
from scorekeeper.messages import N_
from scorekeeper.text.choices import GameChoice, PrintingChoice
from scorekeeper.text.printings import BY_HAND, PRINTING, PRINTINGS, default_printing, printings_of


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


def decks(
    game: GameChoice, filled: Mapping[str, str], code: str, seen: str | None = None
) -> list[Deck]:
    """The decks of a game, those with French suits first.

    Args:
        game: The game.
        filled: The form's fields as a person has filled them in, or else ``as_filled``.
        code: Language of the visitor, which decides the usual printing.
        seen: The printing that the camera saw last, by its name.
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
            found[_offered(game.game, suits, filled, code, seen)],
        )
        for suits, found in by_suits.items()
    ]


def _offered(game: str, suits: str, filled: Mapping[str, str], code: str, seen: str | None) -> str:
    """The printing that set-up offers until somebody chooses another one."""
    names = {each.name for each in printings_of(suits)}
    named = filled.get(f"{game}.{suits}", "")
    if named in names:
        return named
    return seen if seen in names else default_printing(suits, code).name


def as_filled(header: Header | None, seen: str | None = None) -> dict[str, str]:
    """The deck of the match before, as fields of the form.

    Args:
        header: The header of that match.
        seen: The printing that the camera has seen since; it counts unless a person chose one.
    """
    if header is None:
        return {}
    suits, printing = header.remarks.get(PACK_SUITS), header.remarks.get(PRINTING)
    if seen is not None and not header.remarks.get(BY_HAND) and PRINTINGS[seen].suits == suits:
        printing = seen
    named = {"suits": suits, suits: printing}
    return {f"{header.game}.{key}": text for key, text in named.items() if isinstance(text, str)}


def chosen_deck(
    game: str, rules: Rules, form: Mapping[str, str], code: str, last: Header | None = None,
    seen: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The deck that a form names, as remarks of a header; the usual deck where it names none.

    Args:
        game: Id of the game, after which its fields are named.
        rules: The rules that will be played.
        form: The form's fields.
        code: Language of the visitor, which decides the usual printing.
        last: Header of the match before.
        seen: The printing that the camera saw last.

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
    offered = _offered(game, suits, as_filled(last, seen), code, seen)
    printing = form.get(f"{game}.{suits}")
    if printing not in {each.name for each in printings_of(suits)}:
        printing = offered
    remarks = {} if last is None else last.remarks
    kept = remarks.get(BY_HAND) and remarks.get(PRINTING) == printing
    by_hand = {BY_HAND: True} if printing != offered or kept else {}
    return {PACK_SUITS: suits, PRINTING: printing, **by_hand}
