"""Answers to an offer that were said and not tapped: a card tells of them (V-4, V-22)."""

from __future__ import annotations

from vision.belief.context import RefereeContext
from vision.belief.memory import Memory
from vision.belief.proposals import Choice


class Answers:
    """Asks whether a card that was laid means that the answer to an offer was yes.

    Args:
        memory: what lies on the table, and what is decided about it.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def ask(self, at: float, expected: RefereeContext) -> None:
        """Asks, where the card that would be due after a yes has lain there for long.

        Who throws his hand in lays several cards: that is asked about in its own way (V-14).

        Args:
            at: the time, in seconds.
            expected: what the referee expects.
        """
        memory, seat = self._memory, expected.due_then
        if seat is None or memory.thrown_in:
            return
        later = [card for card in memory.free() if card.since > memory.offer_since]
        laid = [
            card
            for card in later
            if card.id not in memory.held
            and memory.owners.may_be_of(card, seat)
            and memory.is_clear(card, expected)
        ]
        if not laid:
            return
        first = laid[0]
        memory.behind.update(card.id for card in later if card is not first)
        if not (memory.long_ago([first], at) or first.id in memory.taken_away):
            return
        *before, last = expected.yes
        choices = (
            Choice(last.do, last, before=tuple(before)),
            *(Choice(event.do, event) for event in expected.rejects),
            Choice("hold"),
        )
        why = f"seat {seat} has laid a card: was the answer yes?"
        memory.questions.want("answer", first.id, last.seat, choices, why, first.id)
