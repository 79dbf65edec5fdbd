"""What wrong decisions cost, in questions: the one table from which it follows when to ask.

A question that somebody answers costs 1. Whoever risks something that costs ``c`` saves a question;
so the odds that it goes well have to be ``c`` to 1, ``log(c)`` nats. The prices were chosen by
hand: people forgive a question, and remember a wrong score. How long the table waits before it asks
is a matter of patience, see ``BeliefSettings``.
"""

from __future__ import annotations

import math

QUESTION = 1.0

MISREAD = 11.0
"""A play is written as another card than it is, by all explanations of what lies there: that a
reading may be wrong, however sure, is part of them."""

ANOTHERS = 4.0
"""A card is written as a play of whoever is due, and is another's: the cards that follow say so,
and the play is put right."""

WRONG_SUIT = 55.0
"""A suit is written that was not laid, and is not marked as guessed (V-12)."""

WRONG_CORRECTION = 55.0
"""What was right is put right, and nobody was asked."""

KEPT_FALSE_PLAY = 7.5
"""A false play stays, until somebody sees it: a tap puts it right."""


def odds(cost: float) -> float:
    """The odds, in nats, from which it is cheaper to risk a cost than to ask."""
    return math.log(cost / QUESTION)
