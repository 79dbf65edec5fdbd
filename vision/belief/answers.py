"""Answers to an offer that were said and not tapped: what is laid tells of them (V-4, V-22)."""

from __future__ import annotations

from vision.belief.context import RefereeContext
from vision.belief.memory import Memory
from vision.belief.posterior import meanings
from vision.belief.proposals import Choice


def ask_for_yes(memory: Memory, at: float, expected: RefereeContext) -> None:
    """Asks whether the answer was yes, where the card that is due after it has lain there for long.

    Who throws his hand in lays several cards: that is asked about in its own way (V-14).

    Args:
        memory: what lies on the table, and what is decided about it.
        at: the time, in seconds.
        expected: what the referee expects.
    """
    seat = expected.due_then
    if seat is None or memory.thrown_in:
        return
    later = [card for card in memory.free() if card.since > memory.offer_since]
    laid = [
        card
        for card in later
        if card.id not in memory.held
        and memory.owners.may_be_of(card, seat)
        and meanings(card, expected).clear
    ]
    if not laid:
        return
    first = laid[0]
    memory.behind.update(card.id for card in later if card is not first)
    if not (memory.long_ago([first]) or first.id in memory.taken_away):
        return
    *before, last = expected.yes
    choices = (
        Choice(last.do, last, before=tuple(before)),
        *(Choice(event.do, event) for event in expected.rejects),
        Choice("hold"),
    )
    why = f"seat {seat} has laid a card: was the answer yes?"
    memory.questions.want("answer", first.id, last.seat, choices, why, first.id)


def ask_for_no(memory: Memory, at: float, expected: RefereeContext) -> None:
    """Asks whether cards laid face down mean no, while an offer waits for an answer.

    Args:
        memory: what lies on the table, and what is decided about it.
        at: the time, in seconds.
        expected: what the referee expects.
    """
    if ("kept", memory.offer_since) in memory.said:
        return
    for event in expected.rejects:
        laid_down = [
            card
            for card in memory.cards.values()
            if card.down
            and card.appeared > memory.offer_since
            and memory.owners.clear_seat(card) == event.seat
        ]
        if memory.long_ago(laid_down):
            choices = (Choice(event.do, event), Choice("no"))
            why = f"seat {event.seat} has laid cards face down: does that mean no?"
            memory.questions.want("reject", event.seat, event.seat, choices, why, None)
