"""What wrong decisions cost, in questions: from these prices it follows when the table asks.

A question costs 1. To decide without asking saves that, and risks the cost ``c`` of a mistake: it
pays where the odds of being right are at least ``c`` to 1, ``log(c)`` nats. The prices were chosen
by hand: people forgive a question, and remember a wrong score. How long the table waits before it
asks is a matter of patience, see ``vision.belief.settings``.
"""

from __future__ import annotations

import math

QUESTION = 1.0

MISREAD = 11.0
"""A play is written with another rank than was laid. However sure a reading is, it may be wrong:
that is a part of its probability already."""

ANOTHERS = 4.0
"""A card is written as a play of whoever is due, and is of another seat. The cards that follow say
so, and the play is put right: so this costs less."""

WRONG_SUIT = 55.0
"""A suit is written that was not laid, and is not marked as guessed (V-12)."""

WRONG_CORRECTION = 55.0
"""What was right is replaced, and nobody was asked."""

KEPT_FALSE_PLAY = 7.5
"""A false play stays until somebody sees it; a tap puts it right then."""


def odds(cost: float) -> float:
    """The odds of being right, in nats, from which a risk is cheaper than a question.

    Args:
        cost: of being wrong, in questions.
    """
    return math.log(cost / QUESTION)


def chance_of(nats: float) -> float:
    """The probability, 0–1, of what has these odds, in nats."""
    return 1 / (1 + math.exp(-nats))
