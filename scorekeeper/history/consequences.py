"""What a correction would change, in short sentences that are shown before it is confirmed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Hand, Match
from scorekeeper.games.tricks import Trick
from scorekeeper.text.event_phrases import Phrases

WORDED = 8
"""At most so many events are named one by one; the others are counted."""


class Consequences(Phrases):
    """Says what a correction changes."""

    def in_short(self, events: Sequence[Event]) -> tuple[str, ...]:
        """Events in words: the first ones, and the number of the others."""
        words = [self.phrase(event) for event in events[:WORDED]]
        more = len(events) - len(words)
        if more:
            words.append(self.count("{n} more event", "{n} more events", more))
        return tuple(words)

    def listed(self, message: str, events: Sequence[Event]) -> tuple[str, ...]:
        """A sentence with ``{events}`` in words; empty if there are no events."""
        if not events:
            return ()
        return (self.say(message, events=", ".join(self.in_short(events))).text,)

    def changes(
        self, number: int, was: Hand | None, now: Hand | None, old: Match, new: Match
    ) -> tuple[str, ...]:
        """What changes in the results.

        Args:
            number: Number of the hand that is corrected, from 1.
            was: That hand as it is; None if it does not exist.
            now: That hand after the correction; None if it does not exist.
            old: The match as it is.
            new: The match after the correction.
        """
        return (*self._tricks(was, now), *self._hand(number, was, now), *self._score(old, new))

    def _tricks(self, was: Hand | None, now: Hand | None) -> Iterator[str]:
        if was is None or now is None:
            return
        for n, (before, after) in enumerate(zip_longest(was.tricks, now.tricks), 1):
            old, new = self._trick(before), self._trick(after)
            if old != new:
                yield self.say("Trick {n}: {now} instead of {was}.", n=n, now=new, was=old).text

    def _trick(self, trick: Trick | None) -> str:
        if trick is None or not trick.complete:
            return self.say("still open").text
        return self.say("spoiled").text if trick.winner is None else self.side(trick.winner)

    def _hand(self, number: int, was: Hand | None, now: Hand | None) -> Iterator[str]:
        old, new = self._result(was), self._result(now)
        if old != new:
            yield self.say("Hand {n}: {now} instead of {was}.", n=number, now=new, was=old).text
        if was is not None and now is not None:
            old, new = self._worth(was), self._worth(now)
            if old != new:
                yield self.say(
                    "Hand {n}: worth {now} instead of {was}.", n=number, now=new, was=old
                ).text

    def _result(self, hand: Hand | None) -> str:
        if hand is None:
            return self.say("not dealt").text
        if hand.end is None:
            return self.say("still open").text
        return self.say("void").text if hand.winner is None else self.side(hand.winner)

    def _worth(self, hand: Hand) -> str:
        return self.value(self.rules.raising.worth(hand))

    def _score(self, old: Match, new: Match) -> Iterator[str]:
        if new.scores != old.scores:
            yield self.standings(new).text
        if new.games_won != old.games_won and self.header.best_of > 1:
            first, second = new.games_won
            yield self.say("Games: {first} to {second}.", first=first, second=second).text
        if sum(new.games_won) < sum(old.games_won):
            yield self.say("The game goes on.").text
        if (new.over, new.winner) != (old.over, old.winner):
            yield self._end(new)

    def _end(self, match: Match) -> str:
        if match.winner is not None:
            side = self.side(match.winner)
            return self.say("The match is over: it goes to {side}.", side=side).text
        if match.over:
            return self.say("The match is over, without a winner.").text
        return self.say("The match goes on.").text
