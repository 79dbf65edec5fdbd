"""What is written of the latest hand: its plays and words, and when each of them was written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import undone
from scorekeeper.engine.state import Match
from scorekeeper.history.corrections import Standing, standing
from scorekeeper.history.fixes import READINGS
from vision.belief.associations import GONE, PlayAssociation, PlayAssociations
from vision.belief.context import Laid
from vision.belief.courses import Course
from vision.belief.hypotheses import Word
from vision.tracking.tracked_card import TrackedCard


class WrittenHand:
    """What stands of the latest hand, since its deal.

    If the hand was in progress when the watching began, only what was written since then.

    Args:
        associations: which play is which card.

    Attributes:
        seq: number of the latest event that was taken in; -1 before the first.
        events: the events that stand, in order.
        older: how many plays of the hand are older than the watching.
        told_at: when each event was taken in, in seconds, by the number under which it was first
            written: a correction may write it again under another one.
    """

    def __init__(self, associations: PlayAssociations) -> None:
        self._associations = associations
        self.seq = -1
        self.events: list[Standing] = []
        self.older = 0
        self.told_at: dict[int, float] = {}
        self._deal: int | None = None  # number under which it was first written
        self._begun: int | None = None  # number of the latest event when the watching began

    def follow(self, at: float, seq: int, events: Sequence[Event]) -> bool:
        """Takes in what was written since.

        Args:
            at: the time, in seconds.
            seq: number of the latest event.
            events: all events of the match.

        Returns:
            Whether another hand was dealt.
        """
        self.seq, stand = seq, standing(events)
        begun = self._begun = seq if self._begun is None else self._begun
        dealt = max((n for n, one in enumerate(stand) if one.event.do == "deal"), default=None)
        hand = [] if dealt is None else stand[dealt + 1 :]
        older = max((n for n, one in enumerate(hand, 1) if one.first <= begun), default=0)
        self.events = hand[older:]
        self.older = sum(one.event.do == "play" for one in hand[:older])
        before, self._deal = self._deal, None if dealt is None else stand[dealt].first
        if self._deal != before:
            self.told_at.clear()
        for one in self.events:
            self.told_at.setdefault(one.first, at)
        return self._deal != before

    def start(self, match: Match) -> Match:
        """The match before these events."""
        return undone(match, len(self.events))

    def laid(self) -> tuple[Laid, ...]:
        """The plays of the whole hand, also those that are older than the watching."""
        return tuple(play.laid for play in self._associations.plays)

    def course(self) -> Course:
        """Seat and rank of each play since the watching began."""
        return [(one.seat, one.card[:-1]) for one in self.laid()[self.older :]]

    def standing_plays(self) -> list[Standing]:
        """The plays among ``events``."""
        return [one for one in self.events if one.event.do == "play"]

    def place_of(self, play: int) -> int:
        """The place of a play among the events, both from 0."""
        return self.events.index(self.standing_plays()[play])

    def plays(self) -> list[PlayAssociation]:
        """The plays since the watching began, and their cards."""
        return self._associations.plays[self.older :]

    def older_cards(self) -> set[int | None]:
        """Numbers of the cards of the plays that are older than the watching."""
        return {play.card for play in self._associations.plays[: self.older]}

    def certain_plays(self) -> int:
        """How many plays, from the first on, are certain: up to the latest that people confirmed.

        A play is confirmed if a person entered or corrected it, or answered a question about it.
        """
        events = (one.event for one in self.standing_plays())
        both = enumerate(zip(self.plays(), events, strict=True), 1)
        return max(
            (n for n, (play, event) in both if play.fixed or READINGS not in event.remarks),
            default=0,
        )

    def words(self, cards: Mapping[int, TrackedCard]) -> list[Word]:
        """What people said, and when: no later than the card came that is written after it (V-4).

        Args:
            cards: the cards that were seen in the hand, by their numbers.
        """
        words, latest = list[Word](), math.inf
        plays = reversed(self._associations.plays)
        for one in reversed(self.events):
            if one.event.do != "play":
                words.append(Word(min(self.told_at[one.first], latest), one.event.bare()))
            elif (card := cards.get(next(plays).card or GONE)) is not None:
                latest = min(latest, card.appeared)
        return words[::-1]

    def over(self) -> float:
        """When the latest event was taken in, in seconds."""
        return self.told_at[self.events[-1].first]
