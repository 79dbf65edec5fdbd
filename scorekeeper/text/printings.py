"""What decks print in the corners of their cards, and what people call those cards.

A record always writes the same letters (``scorekeeper.games.cards``). People see and hear what
their own deck prints: a king is K in London, R in Paris, 12 or *rey* in Valencia. Each kind of deck
is a ``Printing``; which one a table plays with is a remark of its header.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from scorekeeper.engine.packs import SPANISH
from scorekeeper.games.cards import FORTY, RANKS
from scorekeeper.games.rules import Rules
from scorekeeper.messages import N_

FRENCH = "french"
PRINTING = "_printing"
"""Remark of a header: name of the printing of the pack, one of ``PRINTINGS``."""
BY_HAND = "_printing_by_hand"
"""Remark of a header: ``True`` if a person chose that printing."""

NO_WORDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Printing:
    """One way in which decks mark the ranks of their cards.

    Attributes:
        name: Its name in headers and forms.
        suits: ``french`` or ``spanish``.
        signs: Rank to what is printed in the corner.
        words: Rank to the word by which people call it, a message; only if they use one.
        words_on_cards: Whether screens draw the words on their cards, too.
        languages: Languages in which a table has this printing unless it chooses another one.
    """

    name: str
    suits: str
    signs: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=lambda: NO_WORDS)
    words_on_cards: bool = False
    languages: Collection[str] = ()

    def sign(self, rank: str) -> str:
        """What is printed in the corner; the rank itself if these decks lack it."""
        return self.signs.get(rank, rank)


def _french(name: str, letters: str, *languages: str) -> Printing:
    """A deck with French suits; ``letters`` are those of ace, king, queen and jack."""
    signs = {rank: rank for rank in RANKS} | dict(zip("AKQJ", letters.split(), strict=True))
    return Printing(name=name, suits=FRENCH, signs=signs, languages=languages)


_SPANISH_SIGNS = {"A": "1", "J": "10", "Q": "11", "K": "12"} | {
    str(n): str(n) for n in range(2, 10)
}
_ACE = {"A": N_("ace")}
_FIGURES = {"J": N_("sota"), "Q": N_("caballo"), "K": N_("rey")}

PRINTINGS: Mapping[str, Printing] = {
    printing.name: printing
    for printing in (
        _french("english", "A K Q J"),
        _french("french", "1 R D V", "fr"),
        _french("french_a", "A R D V"),
        _french("german", "A K D B"),
        _french("danish", "1 K D B"),
        _french("swedish", "E K D Kn"),
        _french("dutch", "A H V B"),
        Printing(name="numbers", suits=SPANISH, signs=_SPANISH_SIGNS, words=_ACE),
        Printing(
            name="figures",
            suits=SPANISH,
            signs=_SPANISH_SIGNS,
            words=_ACE | _FIGURES,
            words_on_cards=True,
            languages=("es", "ca"),
        ),
    )
}
"""Name to printing. The first one of each kind of suits is for languages that have no own one."""


def default_printing(suits: str, code: str) -> Printing:
    """The printing that people of a language expect on a pack.

    Args:
        suits: ``french`` or ``spanish``.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    found = printings_of(suits)
    return next((printing for printing in found if code in printing.languages), found[0])


def printings_of(suits: str) -> list[Printing]:
    """All printings of a kind of suits."""
    return [printing for printing in PRINTINGS.values() if printing.suits == suits]


def printing_of(remarks: Mapping[str, Any], suits: str, code: str) -> Printing:
    """The printing of a table's cards: the chosen one if it has these suits, else the usual one.

    The suits differ if the wrong ones were chosen in set-up, or if a record does not say them.

    Args:
        remarks: The remarks of the header.
        suits: Kind of suits that the cards have.
        code: Language of the person who looks.
    """
    name = remarks.get(PRINTING)
    chosen = PRINTINGS.get(name) if isinstance(name, str) else None
    if chosen is None or chosen.suits != suits:
        return default_printing(suits, code)
    return chosen


def usual_suits(rules: Rules) -> str:
    """The kind of suits with which the game is usually played, ``french`` or ``spanish``."""
    return SPANISH if {*rules.printed} == {*FORTY} else FRENCH


def printings_for(rules: Rules) -> list[Printing]:
    """The printings of all decks that have the cards of the pack (C-9)."""
    return [each for each in PRINTINGS.values() if each.suits in rules.suit_systems]
