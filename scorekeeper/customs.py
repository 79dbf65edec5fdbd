"""What the rules of a game say of manners: hidden cards, signals, and what is said aloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorekeeper.messages import N_
from scorekeeper.voice import Sentence, Voice

HIDDEN: Mapping[str, tuple[str, str]] = {
    "ladder": (N_("Whoever gives up throws the cards in and need not show them."), "LT-20"),
    "trut": (N_("The cards of a side that folds go back unseen."), "TR-12"),
    "truc": (N_("Cards that were not played go back unseen."), "TS-9"),
}
FORMULAS: Mapping[str, tuple[str, str]] = {
    "ladder": (
        N_(
            "An offer is said with its new value, “two if I play?”, or as “my remainder”. The "
            "answer is “yes”, or the cards are thrown in."
        ),
        "LT-21",
    ),
    "trut": (N_("A trut is said, or knocked on the table."), "TR-8"),
    "truc": (
        N_(
            "The calls are “truc” and “retruc”. “I accept” or a card accepts; “no” or cards laid "
            "face down refuse."
        ),
        "TS-13",
    ),
}
SIGNALS: Mapping[str, tuple[str, str]] = {
    "truc": (N_("Partners may agree on signals, and talk freely."), "TS-2"),
}
"""What the sources say, by kind of raise of the game, and the rule's id."""


class Customs(Voice):
    """Tells the manners of one table."""

    def sentences(self) -> Iterator[Sentence]:
        """What is said, what stays hidden, what partners may do, how long a match is."""
        kind = self.rules.raise_kind
        yield self.say(*FORMULAS[kind])
        yield self.say(*HIDDEN[kind])
        if len(self.names) == 4 and kind in SIGNALS:
            yield self.say(*SIGNALS[kind])
        if self.header.best_of == 1:
            yield self.say("A match is one game, or the best of 3 or 5 games.", "LV-5")
