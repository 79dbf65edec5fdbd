"""What the rules of a game say of manners: hidden cards, signals, and what is said aloud."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.games.rules import game_of
from scorekeeper.text.phrases import Sentence, Voice


class Customs(Voice):
    """Tells the manners of one table."""

    def sentences(self) -> Iterator[Sentence]:
        """What is said, what stays hidden, what partners may do, how long a match is."""
        for manner in game_of(self.header.game).manners:
            if len(self.names) in manner.players:
                yield self.say(manner.text, manner.rule)
        if self.header.best_of == 1:
            yield self.say("A match is one game, or the best of 3 or 5 games.", "LV-5")
