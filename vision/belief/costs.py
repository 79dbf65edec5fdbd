"""What wrong decisions cost, in questions: from these costs it follows when the table asks.

A question costs 1. To decide without asking saves that, and risks the cost ``c`` of a mistake. It
pays if the odds of being right are at least ``c`` to 1, which is ``log(c)`` nats. The costs were
chosen by hand: people forgive a question, and remember a wrong score. How long the table waits
before it asks is another matter, see ``vision.belief.settings``.
"""

from __future__ import annotations

import math

QUESTION = 1.0

MISREAD = 11.0
"""A play is written with another rank than was laid. That pictures can mislead is part of a card's
probability already (see ``Likelihoods.misread``)."""

WRONG_SEAT = 4.0
"""A card is written as a play of the seat that is due, though another seat laid it. This costs
less: the cards that follow show it, and the review puts it right."""

WRONG_SUIT = 55.0
"""A suit is written that was not laid, and is not marked as guessed (V-12)."""

WRONG_CORRECTION = 55.0
"""What was right is replaced, and nobody was asked."""

KEPT_FALSE_PLAY = 7.5
"""A false play stays until somebody sees it, and puts it right with a tap."""


def odds(cost: float) -> float:
    """The odds of being right, in nats, from which on it is cheaper to decide than to ask.

    Args:
        cost: of being wrong, in questions.
    """
    return math.log(cost / QUESTION)


def chance_of(nats: float) -> float:
    """The probability, 0–1, of what has these odds, in nats."""
    return 1 / (1 + math.exp(-nats))
