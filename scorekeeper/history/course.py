"""The course of a match: its state before each event, and how it would go on after a correction.

A correction page asks for many corrections at once, one for each card of the pack. So nothing is
replayed from the start of the match. If several corrections lead to the same state after a hand,
the events after it are replayed once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, apply_if_legal, undone
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError
from scorekeeper.history.corrections import standing
from scorekeeper.messages import N_

NO_CHANGE: Mapping[int, Event] = MappingProxyType({})


class Sequel(NamedTuple):
    """How a match goes on after a correction.

    Attributes:
        left_out: Later events that the rules no longer allow, in order.
        astray: Later events that now count in another hand, because the deal of their own hand is
            left out.
        hand_over: The match when the corrected hand is over; if that goes on, the match at its end.
        match: The match at its end. Only its hands after ``hand_over`` are sure to be right: the
            earlier ones may be those of another correction that led to the same state.
    """

    left_out: tuple[Event, ...]
    astray: tuple[Event, ...]
    hand_over: Match
    match: Match


class Course:
    """The events of a match that stand, and the match between any two of them.

    A place is an index of ``stand``.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.

    Attributes:
        match: The match as it is.
        stand: The events that stand, in order.
    """

    def __init__(self, match: Match, events: Sequence[Event]) -> None:
        self.match = match
        self.stand = standing(events)
        self._moments = {len(self.stand): match}
        self._known: dict[tuple[object, ...], tuple[_Losses, tuple[int, int], Match]] = {}

    def before(self, place: int) -> Match:
        """The match before the event at a place; after the last place, the match as it is."""
        moment = self._moments.get(place)
        if moment is None:
            last = self._moments.get(place - 1)
            if last is None:
                moment = undone(self.match, len(self.stand) - place)
            else:
                moment = apply(last, self.stand[place - 1].event, kept=True)
            self._moments[place] = moment
        return moment

    def place(self, seq: int | None) -> int:
        """The place of the event with this sequence number; for None, the place after the last.

        Raises:
            FormatError: No event stands under that number.
        """
        if seq is None:
            return len(self.stand)
        # The events that stand are in the order of their sequence numbers.
        place = bisect_left(self.stand, seq, key=lambda one: one.seq)
        if place == len(self.stand) or self.stand[place].seq != seq:
            raise FormatError(N_("no event number {seq} stands in this match"), seq=seq)
        return place

    def hand_number(self, place: int) -> int:
        """Number of the hand that an event belongs to, from 1; 0 before the first."""
        return self.before(place + 1).hand_number

    def hand(self, number: int) -> range:
        """The places of the events of a hand, and of those between it and the next one."""
        places = range(len(self.stand))
        first = bisect_left(places, number, key=self.hand_number)
        return range(first, bisect_left(places, number + 1, lo=first, key=self.hand_number))

    def follow(
        self,
        place: int,
        instead: Sequence[Event],
        *,
        drops: bool,
        altered: Mapping[int, Event] = NO_CHANGE,
    ) -> Sequel:
        """How the match goes on if events are inserted at a place, or replace the event there.

        Args:
            place: The place.
            instead: New events, which must be legal there.
            drops: Whether the event at that place is dropped; else it follows the new ones.
            altered: Places of other events, to the events that replace them.

        Raises:
            RuleError: A new event is not legal.
        """
        start, last_change = min([place, *altered]), max([place, *altered])
        match, hand_over = self.before(start), None
        lost = _Losses([], [])
        between = []
        opening = place if self.before(place).in_progress else place + 1
        # The number that the hand in progress had before the correction.
        original = self.before(min(opening, len(self.stand))).hand_number
        for now in range(start, len(self.stand) + 1):
            if now == place:
                for event in instead:
                    match = apply(match, event)
                if drops:
                    continue
            if now == len(self.stand):
                break
            if now > last_change and not match.in_progress:
                hand_over = hand_over or match
                key = _state_between_hands(now, match)
                if key in self._known:
                    same, since, match = self._known[key]
                    lost.left_out.extend(same.left_out[since[0] :])
                    lost.astray.extend(same.astray[since[1] :])
                    break
                between.append((key, (len(lost.left_out), len(lost.astray))))
            event, number = altered.get(now, self.stand[now].event), self.hand_number(now)
            after = apply_if_legal(match, event)
            if after is None:
                lost.left_out.append(event)
                continue
            if after.hand_number > match.hand_number:
                original = number
            elif match.in_progress and original != number:
                lost.astray.append(event)
            match = after
        for key, since in between:
            self._known[key] = (lost, since, match)
        return Sequel(tuple(lost.left_out), tuple(lost.astray), hand_over or match, match)


class _Losses(NamedTuple):
    """Collects the fields of a ``Sequel`` of the same names."""

    left_out: list[Event]
    astray: list[Event]


def _state_between_hands(place: int, match: Match) -> tuple[object, ...]:
    """All on which the rest of a match depends between two hands: if equal, it goes on alike."""
    return (
        place,
        match.scores,
        match.games_won,
        match.closed,
        match.seated.seats,
        match.winner,
        match.dealer,
        match.spanish,
        match.hand is None,  # a game that nobody began cannot end
    )
