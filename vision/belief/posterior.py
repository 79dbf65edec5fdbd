"""What a tracked card means in the game, and how surely: by rank, for suits decide nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import GUESSED, SUIT
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.history.fixes import READINGS
from vision.belief.context import RefereeContext
from vision.packs import BACK
from vision.tracking.tracked_card import TrackedCard


class Meaning(NamedTuple):
    """One thing that a card may be.

    Attributes:
        kind: ``play``: a card that may still be laid, of this rank; ``same``: a card that was laid
            before; ``foreign``: one that is not in the pack; ``back``: no face at all.
        name: the rank, as it is printed; of ``same`` and ``foreign`` the whole card.
    """

    kind: str
    name: str


class Posterior(NamedTuple):
    """What a card means.

    Attributes:
        best: the likeliest meaning; None where nothing was read.
        margin: natural logarithm of the odds of the best meaning to the second best.
        chances: all meanings with their probabilities, the likeliest first.
    """

    best: Meaning | None
    margin: float
    chances: Mapping[Meaning, float]


ROUND = 4
"""Digits of the probabilities that an event remembers."""

KEPT_READINGS = 5
"""So many readings are remembered with a play, for whoever corrects it."""

NOTHING_READ = 0.0
"""Evidence for a card that no picture looked like."""

PLAYED = ("play", "same")
"""Kinds of meanings by which a card is one of the hand."""

ANOTHER_PACK = -2.3
"""Natural logarithm of the odds that a card of another pack lies there: one in ten."""


def weigh(card: TrackedCard, expected: RefereeContext) -> Posterior:
    """Weighs what a card is now, wherever it lies.

    Args:
        card: the card.
        expected: what the referee expects.

    Returns:
        The meanings.
    """
    laid = {one.card for one in expected.laid if not one.guessed}
    scores: dict[Meaning, list[float]] = {}
    for name, value in card.evidence.items():
        if name == BACK:
            meaning = Meaning("back", BACK)
        elif name in expected.possible:
            meaning = Meaning("play", name[:-1])
        elif name in laid:
            meaning = Meaning("same", name)
        else:
            meaning = Meaning("foreign", name)
            value += ANOTHER_PACK
        scores.setdefault(meaning, []).append(value)
    if not scores:
        return Posterior(None, 0.0, {})
    totals = {meaning: _log_sum(values) for meaning, values in scores.items()}
    order = sorted(totals, key=lambda meaning: (-totals[meaning], meaning))
    best, top = order[0], totals[order[0]]
    # Which of the things that are no play it is does not matter.
    rivals = order[1:] if best.kind in PLAYED else [m for m in order[1:] if m.kind in PLAYED]
    second = max((totals[meaning] for meaning in rivals[:1]), default=NOTHING_READ)
    second = max(second, NOTHING_READ)
    weights = {meaning: math.exp(totals[meaning] - top) for meaning in order}
    whole = sum(weights.values())
    chances = {meaning: weight / whole for meaning, weight in weights.items()}
    return Posterior(best, top - second, chances)


def suit_of(
    card: TrackedCard, rank: str, expected: RefereeContext, margin: float
) -> tuple[Card, bool]:
    """The likeliest suit that a card of some rank can still have (V-12).

    Args:
        card: the tracked card.
        rank: the rank, as it is printed.
        expected: what the referee expects.
        margin: natural logarithm of the odds from which a suit is sure.

    Returns:
        The card, and whether its suit is guessed.
    """
    taken = {one.card for one in expected.laid}
    names = [name for name in expected.possible if name[:-1] == rank]
    values = {name: card.evidence.get(name, NOTHING_READ) for name in names}
    order = sorted(names, key=lambda name: (-values[name], name in taken, name))
    first = order[0]
    # One suit is left, or one is read far better than the rest.
    sure = len(order) == 1 or values[first] - values[order[1]] >= margin
    if not sure:  # of the suits that are as likely, one that nobody else was given
        free = [name for name in order if name not in taken]
        first = free[0] if free else first
    return parse_card(first), not sure


def play_of(
    card: TrackedCard, seat: int, rank: str, expected: RefereeContext, margin: float
) -> Event:
    """The play of a card, with its readings, and a suit that is possible (V-12).

    Args:
        card: the tracked card.
        seat: who laid it.
        rank: the rank, as it is printed.
        expected: what the referee expects.
        margin: natural logarithm of the odds from which a suit is sure.
    """
    known, guessed = suit_of(card, rank, expected, margin)
    read = list(card.chances().items())[:KEPT_READINGS]
    remarks: dict[str, object] = {READINGS: [[name, round(p, ROUND)] for name, p in read]}
    if guessed:
        remarks[SUIT] = GUESSED
    return Event("play", seat, card=known, remarks=remarks)


def _log_sum(values: list[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))
