"""What the rules of a game say of the words of calls, of hidden cards and of signals."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.games.rules import game_of
from scorekeeper.text.phrases import Sentence, Voice


class Customs(Voice):
    """Says which customs hold at one table."""

    def sentences(self) -> Iterator[Sentence]:
        """The customs of the game for so many players, and how long a match may be."""
        for custom in game_of(self.header.game).customs:
            if len(self.names) in custom.players:
                yield self.say(custom.text, custom.rule)
        if self.header.best_of == 1:
            yield self.say("A match is one game, or the best of 3 or 5 games.", "LV-5")
