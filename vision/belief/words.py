"""Words that people said, and words that they said and did not tap (V-4, V-22).

A tapped word may be quicker than the pictures of the card before it, so it waits until the rules
allow it. Cards laid while an answer is awaited may show what the answer was: the table asks.
"""

from __future__ import annotations

import math

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply_if_legal, can
from scorekeeper.engine.untapped import is_repeated, words_before
from scorekeeper.messages import N_
from vision.belief.context import RefereeContext
from vision.belief.memory import Memory
from vision.belief.posterior import meanings, play_of
from vision.belief.proposals import Choice, Hint, Proposal
from vision.belief.settings import SETTINGS
from vision.tracking.tracked_card import TrackedCard


def spoken(memory: Memory, expected: RefereeContext) -> Proposal | None:
    """The first waiting word, if it is to be written now.

    Args:
        memory: what lies on the table, and what is decided about it.
        expected: what the referee expects.
    """
    if expected.open and memory.opening.begins(memory.at):
        return None  # a card that was laid before may not be seen yet
    while memory.words:
        said, event = memory.words[0]
        if said > memory.at:
            return None
        waited = memory.at - max(said, memory.opening.watched_since)  # before, no card was seen
        waiting = memory.waiting(expected) if expected.open else []
        # A word waits for the cards before it, but not for ever: one may never be recognized. If
        # one was just written, the next one may be, too.
        late = min(waited, memory.at - memory.associations.latest) > SETTINGS.words_wait
        over = late and not _asks_before(memory, said)
        ready = over or not any(
            card.laid < said or _may_have_followed(event, card, expected) for card in waiting
        )
        if ready and can(expected.match, event):
            return Proposal(event, None, "it was said", 1.0, said)
        if is_repeated(expected.match, event):
            # Tapped twice: if it waited, it would be taken for a word of the next hand.
            del memory.words[0]
            continue
        # The word that it answers may still be tapped, a moment later.
        untold = ready and waited > SETTINGS.untold_after
        if untold and (before := words_before(expected.match, event)):
            why = "it was said, and what it answers was not tapped"  # V-22
            return Proposal(event, None, why, 1.0, said, before=before)
        if not over:
            return None
        del memory.words[0]
        reason = N_("the rules do not allow it yet")
        memory.hints.append(Hint("refused", "format", event.seat, None, event, reason))
    return None


def waiting_since(memory: Memory, expected: RefereeContext) -> float:
    """When the word was said that only waits for a card laid before it; infinity if none does.

    Args:
        memory: what lies on the table, and what is decided about it.
        expected: what the referee expects.
    """
    first = (said for said, word in memory.words[:1] if can(expected.match, word))
    return next(first, math.inf)


def _may_have_followed(word: Event, card: TrackedCard, expected: RefereeContext) -> bool:
    """Whether a word may have been said after a card that came while nobody watched."""
    rank = meanings(card, expected).rank
    if not rank or card.watched:
        return False
    after = apply_if_legal(expected.match, play_of(card, expected.due[0], rank, expected))
    return after is not None and can(after, word)


def _asks_before(memory: Memory, at: float) -> bool:
    """Whether somebody is asked about a card that was laid before a time."""
    early = {card.id for card in memory.free() if card.laid < at}
    return any(q.kind == "unseen" or q.card in early for q in memory.questions.all)


def ask_for_yes(memory: Memory, expected: RefereeContext) -> None:
    """Asks whether the answer was yes, if a card has lain for long where it is due after a yes.

    Several cards at once are a hand that is thrown in: that is another question (V-14).

    Args:
        memory: what lies on the table, and what is decided about it.
        expected: what the referee expects.
    """
    seat = expected.due_then
    if seat is None or memory.thrown_in:
        return
    later = [card for card in memory.free() if card.laid > memory.offer_since]
    laid = [
        card
        for card in later
        if card.id not in memory.said_to_count
        and memory.owners.may_be_of(card, seat)
        and meanings(card, expected).clear
    ]
    if not laid:
        return
    first = laid[0]
    memory.queued.update(card.id for card in later)
    if not (memory.long_ago([first]) or first.id in memory.taken_away):
        return
    *before, last = expected.yes
    choices = (
        Choice(last.do, last, before=tuple(before)),
        *(Choice(event.do, event) for event in expected.rejects),
        Choice("hold"),
    )
    memory.questions.want("answer", first.id, last.seat, choices, first.id)


def ask_for_no(memory: Memory, expected: RefereeContext) -> None:
    """Asks whether cards laid face down mean no, while an offer waits for an answer.

    Args:
        memory: what lies on the table, and what is decided about it.
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
            memory.questions.want("reject", event.seat, event.seat, choices, None)
