"""What a tracked card is in the game by its pictures alone: by rank, for suits decide nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import GUESSED, SUIT
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.history.fixes import READINGS
from vision.belief.context import RefereeContext
from vision.belief.costs import MISREAD, WRONG_SUIT, odds
from vision.belief.likelihoods import USUAL, reading
from vision.packs import BACK
from vision.tracking.tracked_card import TrackedCard

ROUND = 4
"""Digits of the probabilities that an event remembers."""

KEPT_READINGS = 5
"""So many readings are remembered with a play, to be offered to whoever corrects it."""

FOREIGN = "foreign"
"""Stands for a card's name if the card is of another pack."""

SURE_OF_RANK = odds(MISREAD)
"""A rank is sure if it is likelier than the second likeliest by more than this, in nats."""

SURE_OF_SUIT = odds(WRONG_SUIT)
"""A suit is sure if it is likelier than the second likeliest by at least this, in nats; else it is
marked as guessed (V-12)."""


class Meanings(NamedTuple):
    """What a card may be by its pictures, as far as these can be trusted.

    All probabilities are 0–1. If they add up to less than 1, the rest is how likely it is that the
    card cannot be read.

    Attributes:
        ranks: for each rank, how likely the card is one of it that may still be laid.
        others: how likely the card is each one that was laid before, ``BACK`` or ``FOREIGN``.
    """

    ranks: Mapping[str, float]
    others: Mapping[str, float]

    @property
    def best(self) -> str:
        """The likeliest rank, or card laid before, or ``BACK``, or ``FOREIGN``."""
        every = {**self.others, **self.ranks}
        return max(every, key=every.__getitem__)

    @property
    def rank(self) -> str:
        """``best``, if that is a rank that may still be laid; else empty."""
        return self.best if self.best in self.ranks else ""

    @property
    def sure(self) -> bool:
        """Whether ``best`` is far likelier than anything else: ``SURE_OF_RANK``."""
        every = (*self.ranks.values(), *self.others.values())
        untold = 1 - sum(every)
        return max(every) > untold and is_sure((*every, untold))

    @property
    def clear(self) -> bool:
        """Whether it is surely a card that may still be laid."""
        return bool(self.rank) and self.sure


def is_sure(chances: Iterable[float]) -> bool:
    """Whether the best of some probabilities is far above the second best: ``SURE_OF_RANK``."""
    first, second = sorted((0.0, 0.0, *chances), reverse=True)[:2]
    return first > second * math.exp(SURE_OF_RANK)


def meanings(card: TrackedCard, expected: RefereeContext) -> Meanings:
    """Weighs what a card is by its pictures; where it lies does not matter.

    Args:
        card: the card.
        expected: what the referee expects.
    """
    read = reading(card.evidence, expected.pack, USUAL)
    others = {BACK: math.exp(read.back), FOREIGN: math.exp(read.foreign - USUAL.foreign)}
    ranks: dict[str, float] = {}
    for name, nats in read.names.items():
        if name in expected.possible:
            ranks[name[:-1]] = ranks.get(name[:-1], 0.0) + math.exp(nats)
        else:
            others[name] = math.exp(nats)
    return Meanings(ranks, others)


def suit_of(card: TrackedCard, rank: str, expected: RefereeContext) -> tuple[Card, bool]:
    """The likeliest suit that a card of some rank can still have (V-12).

    Args:
        card: the tracked card.
        rank: the rank, as it is printed.
        expected: what the referee expects.

    Returns:
        The card, and whether its suit is guessed.
    """
    taken = {one.card for one in expected.laid}
    names = [name for name in expected.possible if name[:-1] == rank]
    values = {name: card.evidence.get(name, 0.0) for name in names}
    order = sorted(names, key=lambda name: (-values[name], name in taken, name))
    first = order[0]
    # Either one suit is left, or one is read far better than the rest.
    sure = len(order) == 1 or values[first] - values[order[1]] >= SURE_OF_SUIT
    if not sure:  # the likeliest suit that no written card has, so that none is written twice
        free = [name for name in order if name not in taken]
        first = free[0] if free else first
    return parse_card(first), not sure


def play_of(card: TrackedCard, seat: int, rank: str, expected: RefereeContext) -> Event:
    """The play of a card, with its readings, and a suit that is possible (V-12).

    Args:
        card: the tracked card.
        seat: who laid it.
        rank: the rank, as it is printed.
        expected: what the referee expects.
    """
    known, guessed = suit_of(card, rank, expected)
    read = list(card.chances().items())[:KEPT_READINGS]
    remarks: dict[str, object] = {READINGS: [[name, round(p, ROUND)] for name, p in read]}
    if guessed:
        remarks[SUIT] = GUESSED
    return Event("play", seat, card=known, remarks=remarks)
