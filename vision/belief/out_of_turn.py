"""A card that comes before its turn, or seems to (V-1): it is said and asked about, not played."""

from __future__ import annotations

import math

from vision.belief.context import RefereeContext
from vision.belief.memory import Memory
from vision.belief.posterior import meanings, play_of
from vision.belief.proposals import Choice
from vision.belief.settings import SETTINGS
from vision.tracking.tracked_card import TrackedCard

EXACTLY_CM = 1.5
"""A card this near to another, in centimetres, lies on it or below it."""


class OutOfTurn:
    """Finds cards that were laid before their seat is due, or thrown in, and asks about them.

    Args:
        memory: what lies on the table, and what is decided about it.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._associations = memory.associations
        self._questions = memory.questions

    def find_thrown_in(self, at: float, expected: RefereeContext) -> None:
        """Finds cards laid open at once before one seat that is not due: it lies down (V-14).

        Nobody lays two cards to a trick. The first of them may have been taken for a play.

        Args:
            at: the time, in seconds.
            expected: what the referee expects.
        """
        memory = self._memory
        if memory.given_up not in (None, expected.laid):  # the hand went on
            memory.thrown_in.clear()
            memory.given_up = None
        latest = {play.card for play in self._associations.plays[-1:]}
        played = [card for number, card in memory.cards.items() if number in latest]
        free = [card for card in memory.free() if meanings(card, expected).clear]
        lying = [card for card in memory.faces if card.id in memory.thrown_in]
        for card in free:
            clear = memory.owners.clear_seat(card) is not None
            seat = memory.owners.apparent(card) if clear else None
            if seat is None or seat in expected.due or card.id in memory.held:
                continue
            if card.appeared <= memory.went_on:  # people said that the hand goes on
                continue
            if sum(one.seat == seat for one in expected.laid) >= expected.size:  # it has none left
                continue
            if any(self._comes_with(card, other) for other in (*free, *lying, *played)):
                memory.thrown_in.add(card.id)
                lying.append(card)
        if memory.long_ago(lying):
            memory.given_up = expected.laid

    def _comes_with(self, card: TrackedCard, other: TrackedCard) -> bool:
        """Whether two cards were laid beside one another, by one seat, at once."""
        return (
            card.id != other.id
            and self._memory.owners.apparent(card) == self._memory.owners.apparent(other)
            and abs(card.appeared - other.appeared) < SETTINGS.shown_within
            and EXACTLY_CM < math.dist(card.place, other.place) < SETTINGS.beside_cm
            and card.best != other.best
        )

    def is_early(self, card: TrackedCard, at: float, expected: RefereeContext) -> bool:
        """Whether a card seems to be laid before its seat is due; hints at it, and asks (V-1).

        A card is not early that cannot be told, that people were asked about, or that may be of
        whoever is due, as one that lies in the middle.

        Args:
            card: the card.
            at: the time, in seconds.
            expected: what the referee expects.
        """
        if card.id in self._memory.held | self._memory.barred:
            return False
        seat = self._memory.owners.apparent(card)
        if seat is None or seat in expected.due or not meanings(card, expected).clear:
            return False
        since = self._memory.early_since.setdefault(card.id, at)
        if at - since >= SETTINGS.hint_after:
            text = f"a card seems to be of seat {seat}, who is not due"
            self._memory.add_hint("not_due", "V-1", seat, text, card.id)
        if at - since >= SETTINGS.ask_after:
            self._ask(card, expected)
        return True

    def _ask(self, card: TrackedCard, expected: RefereeContext) -> None:
        """Asks whether a card counts later, not at all, or as the one that is due."""
        seat = self._memory.owners.apparent(card)
        others = (*self._instead(card, expected), *self._in_turn(card, expected))
        choices = (Choice("hold"), Choice("drop"), *others)
        text = f"a card seems to be of seat {seat}, who is not due"
        self._questions.want("early", card.id, seat, choices, text, card.id)

    def _in_turn(self, card: TrackedCard, expected: RefereeContext) -> list[Choice]:
        """The answer that the seat that is due laid this card, whosever it seems to be."""
        read = meanings(card, expected)
        if not expected.due or not read.rank:
            return []
        event = play_of(card, expected.due[0], read.rank, expected)
        return [Choice("play", event, read.ranks[read.rank])]

    def _instead(self, card: TrackedCard, expected: RefereeContext) -> list[Choice]:
        """The answer that a seat laid this card, and not the one that is its latest play."""
        rank = meanings(card, expected).rank
        if not expected.in_trick or not rank:
            return []
        seat = expected.laid[-1].seat
        if self._memory.owners.apparent(card) != seat:
            return []
        return [Choice("instead", play_of(card, seat, rank, expected))]
