"""The objects of a hand: what was seen on the table since the cards were dealt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from vision.belief.associations import GONE
from vision.belief.hypotheses import HandObject
from vision.belief.likelihoods import Side, onto, side_of
from vision.belief.memory import Memory
from vision.tracking.track import turn_between
from vision.tracking.tracked_card import TrackedCard

BEFORE = 0.5
"""A card that came so many seconds before the deal was written is of the hand, too."""

PUSHED = 1.0
"""A card that was pushed within this, in seconds, had not come to rest before."""

ASKEW = 0.2
"""A card that is pushed a little is turned by no more than this, in radians."""


def seen_by(memory: Memory, card: TrackedCard, seat: int) -> Side:
    """Where a card that is on the table lies, or came from, as a seat sees it.

    Args:
        memory: the belief's.
        card: the card.
        seat: the seat.
    """
    owners = memory.owners
    thrower, before, reachers = owners.thrower(card), owners.clear_seat(card), owners.reachers(card)
    side = side_of(seat, thrower=thrower, before=before, reachers=reachers)
    return onto(side, owners.upon(card), memory.associations.cards())


def beside(memory: Memory, card: TrackedCard) -> dict[int, bool]:
    """The laid cards of which a card that nobody saw come may be another outline.

    Returns:
        Number of each of them, to whether the card is turned as it.
    """
    if memory.owners.was_seen_coming(card):
        return {}
    found, known = dict[int, bool](), memory.known()
    for play in memory.associations.plays:
        other = known.get(play.card or GONE)
        if other is None or other is card or min(other.appeared, play.at) > card.appeared:
            continue
        if math.dist(other.place, card.place) < memory.settings.double_cm:
            found[other.id] = turn_between(other.turn, card.turn) < ASKEW
    return found


class _Seen(NamedTuple):
    """What was seen of a card; see ``HandObject`` and ``side_of``."""

    card: TrackedCard
    came: float
    thrower: int | None
    before: int | None
    reachers: frozenset[int]
    beside: dict[int, bool]
    upon: frozenset[int]


class HandObjects:
    """Keeps what is seen of each card face up, also of those that have gone."""

    def __init__(self) -> None:
        self._seen: dict[int, _Seen] = {}
        self._gone: dict[int, float] = {}  # since when cards are given up, in seconds
        self._others: set[int] = set()  # cards that are of no hand

    def see(self, memory: Memory) -> None:
        """Takes in one look at the table.

        Args:
            memory: the belief's, after that look.
        """
        for number in self._seen.keys() - memory.cards.keys():
            self._gone.setdefault(number, memory.at)
        written, owners = memory.associations.cards(), memory.owners
        for card in memory.faces:
            self._gone.pop(card.id, None)
            came, before = card.since, self._seen.get(card.id)
            if card.id in written or card.since - card.appeared >= PUSHED:
                # The card that is thrown onto it may have pushed it: it came when it came.
                came = card.appeared if before is None else before.came
            self._seen[card.id] = _Seen(
                card, came, owners.thrower(card), owners.clear_seat(card), owners.reachers(card),
                beside(memory, card), owners.upon(card),
            )  # fmt: skip

    def since(self, dealt: float, seats: int) -> list[HandObject]:
        """The objects of a hand, in the order in which they came to rest.

        Args:
            dealt: when its deal was written, in seconds.
            seats: how many there are.
        """
        cards = (each for each in self._seen.values() if each.card.appeared >= dealt - BEFORE)
        return self._objects(cards, seats)

    def begin(self, memory: Memory) -> None:
        """A hand was dealt: what is decided to be of no hand is left out from now on.

        Its first plays may be written already, where its deal was written late: these are kept,
        also where they have been taken away.
        """
        played = memory.associations.cards()
        self._seen = {number: seen for number, seen in self._seen.items() if number in played}
        self._gone = {number: at for number, at in self._gone.items() if number in played}
        self._others = set(memory.dismissed)

    def of_hand(self, seats: int, dismissed: Mapping[int, str]) -> list[HandObject]:
        """The objects since ``begin``, in the order in which they came to rest.

        Args:
            seats: how many there are.
            dismissed: cards that are no play, and why; people have said so of some.
        """
        cards = (
            each
            for number, each in self._seen.items()
            if number not in self._others and dismissed.get(number) not in ("dropped", "exposed")
        )
        return self._objects(cards, seats)

    def _objects(self, cards: Iterable[_Seen], seats: int) -> list[HandObject]:
        found = []
        for card, came, thrower, before, reachers, close, upon in cards:
            sides = tuple(
                side_of(seat, thrower=thrower, before=before, reachers=reachers)
                for seat in range(seats)
            )
            seen, gone = card.seen, self._gone.get(card.id)
            found.append(
                HandObject(card.id, card.evidence, card.sure, came, seen, sides, close, gone, upon)
            )
        return sorted(found, key=lambda each: each.came)

    def now(self, numbers: Iterable[int], seats: int) -> list[HandObject]:
        """Some of the objects, in the order in which they came to rest.

        Args:
            numbers: of the cards.
            seats: how many there are.
        """
        return self._objects((self._seen[n] for n in numbers if n in self._seen), seats)

    def cards(self) -> dict[int, TrackedCard]:
        """The cards that were seen face up since ``begin``, by their numbers."""
        return {number: seen.card for number, seen in self._seen.items()}

    def card(self, number: int) -> TrackedCard:
        """A card as it is, or was last."""
        return self._seen[number].card

    def forget(self, before: float) -> None:
        """Forgets the cards that were seen last before a time, in seconds."""
        self._seen = {n: seen for n, seen in self._seen.items() if seen.card.seen >= before}
        self._gone = {n: at for n, at in self._gone.items() if n in self._seen}
