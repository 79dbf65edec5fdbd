"""The words of the games: what each means, and where each language's word comes from.

Their translations are in the catalogues, so that screens, calling cards and speech use the same
words. Section 15 of ``docs/rules.md`` lists the sources.
"""

from __future__ import annotations

import gettext
from typing import NamedTuple

from scorekeeper.games.rules import Rules
from scorekeeper.games.scoring import IN_TOKENS
from scorekeeper.messages import N_

OURS = "ours"
"""Takes the place of a source if none of those that were read has a word: then we chose it."""


class Term(NamedTuple):
    """One word of the games.

    Attributes:
        word: The English word; also the key of its translations.
        meaning: What it means, in English; also the key of its translations.
        en: Where the English word comes from.
        fr: Where the French word comes from.
        es: Where the Spanish word comes from.
        ca: Where the Catalan word comes from.
        field: Field of the rules that settles whether the word is used; or None.
        values: Values of that field with which the word is used.
        verb: Verb that a game must have for the word to be used; or None.
    """

    word: str
    meaning: str
    en: str
    fr: str
    es: str
    ca: str
    field: str | None = None
    values: tuple[object, ...] = ()
    verb: str | None = None

    def fits(self, rules: Rules) -> bool:
        """Whether the word is used in a game with these rules."""
        if self.verb is not None and self.verb not in rules.verbs:
            return False
        return self.field is None or getattr(rules, self.field) in self.values

    def source(self, code: str) -> str:
        """Where the word of a language comes from: a source, or ``OURS``."""
        source: str = getattr(self, code)
        return source

    def say(self, catalogue: gettext.NullTranslations) -> str:
        """The word in the language of a catalogue."""
        return catalogue.gettext(self.word)


_TOKENS = ("counting", (IN_TOKENS,))

# fmt: off
TERMS: tuple[Term, ...] = (
    Term("hand", N_("one deal: up to three tricks, one result"), "S3", "R2", OURS, "E10"),
    Term("trick", N_("one card of every player"), "S0", "R2", "R4", "E9"),
    Term("game", N_("hands until a side reaches the target"), "S0", "E6", "R4", "E10"),
    Term("match", N_("best of 1, 3 or 5 games"), "S0", OURS, OURS, "E10"),
    Term("side", N_("one player, or two partners"), OURS, "E7", "R4", OURS),
    Term("dealer", N_("the player who deals"), "S0", "R2", "R1", "R6"),
    Term("lead", N_("to play the first card of a trick"), "S0", "R2", "E10", "R6"),
    Term("spoiled", N_("a trick for which both sides hold the best card: nobody won it"),
         "S0", "S2", "R5", "E10"),
    Term("claim", N_("to get a spoiled trick by being the first side to win one"),
         OURS, OURS, OURS, "E10", "hand_rule", ("claim",)),
    Term("void", N_("a hand that nobody wins"),
         OURS, "R2", OURS, OURS, "hand_rule", ("claim", "next_winner", "trick_and_tie")),
    Term("value", N_("what the hand is worth now"), "S1", "R2", OURS, OURS, verb="accept"),
    Term("raise", N_("to offer that the hand be worth more"),
         "S0", OURS, "E10", OURS, verb="raise"),
    Term("remainder", N_("all points that the own side still needs, offered as a raise"),
         "S0", OURS, OURS, OURS, verb="remainder"),
    Term("accept", N_("yes to an offer"), "S0", "R2", "E10", "E10", verb="accept"),
    Term("refuse an offer", N_("no to an offer, which ends the hand"),
         "S0", "R2", OURS, "E10", verb="accept"),
    Term("new cards", N_("what the leader may ask for before play"),
         "S0", "E6", OURS, OURS, "redeal", (True,)),
    Term("cut", N_("to lift a part of the pack before the deal"), "S3", "E6", OURS, "R6"),
    Term("tap", N_("to touch the pack instead of cutting it"),
         "S3", "R3", OURS, OURS, "tap_allowed", (True,)),
    Term("truc", N_("the call that makes the hand worth two"),
         "S3", "R3", "E10", "E9", verb="truc"),
    Term("retruc", N_("the call after an accepted truc: the hand is worth three"),
         "S3", OURS, OURS, OURS, verb="truc"),
    Term("put", N_("the call that offers to play the hand for the whole game"),
         "E3", OURS, OURS, OURS, verb="put"),
    Term("trut", N_("the call that puts a Long at stake"), "S2", "E5", OURS, OURS, verb="trut"),
    Term("retrut", N_("a trut in answer to another: two Longs are at stake"),
         OURS, OURS, OURS, OURS, "retrut", ("two_longs",)),
    Term("see", N_("to accept a trut"), "S2", "E5", OURS, OURS, verb="trut"),
    Term("fold", N_("to give the hand up to a trut"), "S2", "E8", OURS, OURS, verb="trut"),
    Term("Small", N_("the token of a hand won without a trut"), "S2", "R1", "R1", OURS, *_TOKENS),
    Term("Long", N_("the token of a hand won with a seen trut, or of three Smalls"),
         "S2", "R1", "R1", OURS, *_TOKENS),
    Term("fortial", N_("a side that needs one Small, and must trut or pass"),
         "S2", "S2", OURS, OURS, "fortial", (True,)),
    Term("eleven", N_("a side that needs one point, and plays for three or declines"),
         "S3", OURS, OURS, OURS, "eleven", (True,)),
)
# fmt: on
