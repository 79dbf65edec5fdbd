"""Cards that come before their turn, or seem to (V-1): the table asks, and does not write them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vision.belief.context import RefereeContext
from vision.belief.memory import Memory
from vision.belief.posterior import meanings, play_of
from vision.belief.proposals import Choice
from vision.belief.settings import SETTINGS
from vision.tracking.tracked_card import TrackedCard

EXACTLY_CM = 1.5
"""A card no further than this from another one, in centimetres, lies exactly on it or below it."""


def find_thrown_in(memory: Memory, expected: RefereeContext) -> None:
    """Finds cards laid face up at once before one seat that is not due: it folds (V-14).

    Nobody lays two cards to a trick. The first of them may have been written as a play.

    Args:
        memory: what lies on the table, and what is decided about it.
        expected: what the referee expects.
    """
    if memory.laid_at_throw_in not in (None, expected.laid):  # the hand went on
        memory.thrown_in.clear()
        memory.laid_at_throw_in = None
    latest = {play.card for play in memory.associations.plays[-1:]}
    played = [card for number, card in memory.cards.items() if number in latest]
    free = [card for card in memory.free() if meanings(card, expected).clear]
    lying = [card for card in memory.faces if card.id in memory.thrown_in]
    for card in free:
        clear = memory.owners.clear_seat(card) is not None
        seat = memory.owners.laid_by(card) if clear else None
        if seat is None or seat in expected.due or card.id in memory.said_to_count:
            continue
        if card.appeared <= memory.not_ended_before:  # people said that the hand goes on
            continue
        if sum(one.seat == seat for one in expected.laid) >= expected.size:  # it has none left
            continue
        if any(_comes_with(memory, card, other) for other in (*free, *lying, *played)):
            memory.thrown_in.add(card.id)
            lying.append(card)
    if memory.long_ago(lying):
        memory.laid_at_throw_in = expected.laid


def _comes_with(memory: Memory, card: TrackedCard, other: TrackedCard) -> bool:
    """Whether one seat laid two cards at once, beside one another."""
    return (
        card.id != other.id
        and card.watched
        and other.watched  # else it is not known when they came
        and memory.owners.laid_by(card) == memory.owners.laid_by(other)
        and abs(card.appeared - other.appeared) < SETTINGS.shown_within
        and EXACTLY_CM < math.dist(card.place, other.place) < SETTINGS.beside_cm
        and card.best != other.best
    )


def is_early(memory: Memory, card: TrackedCard, expected: RefereeContext) -> bool:
    """Whether a card seems to be laid before its seat is due; hints at it, then asks (V-1).

    A card does not count as early if it is hardly read, if people have said that it counts, if it
    is asked about otherwise, or if it may be of the seat that is due, as in the middle.

    Args:
        memory: what lies on the table, and what is decided about it.
        card: the card.
        expected: what the referee expects.
    """
    if card.id in memory.said_to_count | memory.excluded:
        return False
    seat = memory.owners.laid_by(card)
    if seat is None or seat in expected.due or not meanings(card, expected).clear:
        return False
    lies = memory.at - max(card.since, memory.associations.latest)
    if lies >= SETTINGS.hint_after:
        memory.add_hint("not_due", "V-1", seat, card.id)
    if lies >= SETTINGS.ask_after:
        choices = (Choice("hold"), Choice("drop"), *_as_a_play(card, seat, expected))
        memory.questions.want("early", card.id, seat, choices, card.id)
    return True


def _as_a_play(card: TrackedCard, seat: int, expected: RefereeContext) -> Iterator[Choice]:
    """The answers by which a card that seems early is a play now."""
    read = meanings(card, expected)
    if expected.in_trick and expected.laid[-1].seat == seat:  # it laid this, not the one written
        yield Choice("instead", play_of(card, seat, read.rank, expected))
    for due in expected.due:  # the seat that is due laid it, though another one seems to have
        yield Choice("play", play_of(card, due, read.rank, expected), read.ranks[read.rank])
