"""What was played in a film, hand by hand."""

from __future__ import annotations

import math

from datasets.films.stage import AT, Stage
from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, start
from scorekeeper.engine.state import Match


class Played:
    """The truth of a film.

    Args:
        stage: the film.

    Attributes:
        events: all that was done and said, in order.
        times: when each event happened, in seconds of the film.
        begins: the place of each hand's first event among the events.
        ended: when each hand was over, in seconds; infinity where the film ends before.
        before: the state of the match before each hand.
    """

    def __init__(self, stage: Stage) -> None:
        self.events = stage.events
        self.times = [float(event.remarks[AT]) for event in self.events]
        self.begins: list[int] = []
        self.ended: list[float] = []
        self.before: list[Match] = []
        match = start(stage.header)
        for place, event in enumerate(self.events):
            earlier, match = match, apply(match, event)
            if match.hand_number > earlier.hand_number:
                self.begins.append(place)
                self.before.append(earlier)
                self.ended.append(math.inf)
            elif earlier.in_progress and not match.in_progress:
                self.ended[-1] = self.times[place]

    def span(self, hand: int) -> tuple[int, int]:
        """The place of a hand's first event, and that of the first event after the hand."""
        begin, end = [*self.begins, len(self.events)][hand : hand + 2]
        return begin, end

    def of(self, hand: int) -> tuple[Event, ...]:
        """The events of a hand (from 0)."""
        begin, end = self.span(hand)
        return tuple(self.events[begin:end])
