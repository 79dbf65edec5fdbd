"""How high a raise may go in a game with a ladder (section 3 of the rules)."""

from __future__ import annotations

from typing import NamedTuple

from scorekeeper.rules import Rules

REMAINDER = "remainder"
"""The value of a hand that is played for the remainder (LT-17)."""


class RaiseLimits(NamedTuple):
    """What a side may offer.

    Attributes:
        values: New values that may be offered, in ascending order.
        remainder: Whether it may offer to play for the remainder.
    """

    values: range | tuple[int, ...]
    remainder: bool


def raise_limits(rules: Rules, *, own: int, other: int, value: int) -> RaiseLimits:
    """What a side may offer at this score (LT-16, LT-17; section 3).

    Args:
        rules: The game; its step, limit scope, remainders and target are read.
        own: Points of the side that wants to raise.
        other: Points of the other side.
        value: What the hand is worth now.
    """
    base = max(own, other) if rules.limit_scope == "either" else own
    highest = rules.target - base
    values: range | tuple[int, ...]
    if rules.step == "any":
        values = range(value + 1, highest + 1)
    else:
        doubled = rules.step == "double" or value == 1
        step = 2 * value if doubled else value + 2
        values = (step,) if step <= highest else ()
    # L8: where it is no more than the value it is no raise, but it can be a bluff.
    enough = rules.small_remainder or rules.target - own > value
    remainder = enough and (
        rules.remainder == "anytime" or (rules.remainder == "when_blocked" and not values)
    )
    return RaiseLimits(values, remainder)
