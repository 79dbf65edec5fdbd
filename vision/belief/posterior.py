"""What a tracked card means in the game, and how surely: by rank, for suits decide nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

from scorekeeper.games.cards import Card, parse_card
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


NOTHING_READ = 0.0
"""Evidence for a card that no picture looked like."""

PLAYED = ("play", "same")
"""Kinds of meanings by which a card is one of the hand."""

ANOTHER_PACK = -2.3
"""Natural logarithm of the odds that a card of another pack lies there: one in ten."""

BACK_AGAIN = -3.0
"""Natural logarithm of the odds that a card which was taken away is laid there once more."""

ANOTHER_SUIT = -3.0
"""The same, that a suit was misread: of a card that looks just like one that lies elsewhere, or of
that one."""

PUSHED = 3.0
"""The same, that what nobody saw come, and lies as a card lay just beside that is not seen there
any more, is that card: it was pushed while something lay over it."""


class LaidCards(NamedTuple):
    """Where the laid cards are now, each by its plain name.

    Attributes:
        here: seen elsewhere on the table. What looks like one of them is another card of its rank:
            the suit of one of both was misread.
        hidden: on the table, not seen. What looks like one of them is that one, pushed: also where
            its suit was guessed.
        gone: taken away.
        beside: of the hidden ones, those that may have been pushed to where the card lies.
    """

    here: Collection[str] = ()
    hidden: Collection[str] = ()
    gone: Collection[str] = ()
    beside: Collection[str] = ()


def weigh(card: TrackedCard, expected: RefereeContext, laid: LaidCards | None = None) -> Posterior:
    """Weighs what a card means now.

    Args:
        card: the card.
        expected: what the referee expects.
        laid: where the laid cards are; None where that does not matter.

    Returns:
        The meanings.
    """
    here, hidden, gone, beside = laid or LaidCards()
    again = {one.card for one in expected.laid if not one.guessed} | {*hidden}
    playable = {name for name in expected.possible if name not in hidden}
    ranks = {name[:-1] for name in expected.possible}
    playable.update(name for name in here if name[:-1] in ranks)
    scores: dict[Meaning, list[float]] = {}
    for name, value in card.evidence.items():
        if name == BACK:
            meaning = Meaning("back", BACK)
        elif name in playable:
            meaning = Meaning("play", name[:-1])
            value += 0.0 if name in expected.possible else ANOTHER_SUIT
        elif name in again:
            meaning = Meaning("same", name)
            value += BACK_AGAIN if name in gone else PUSHED if name in beside else 0.0
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


def _log_sum(values: list[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))
