"""How players raise what a hand is worth: one object for each kind of raising.

Each game has one of these objects in ``Rules.raising``. What differs between the kinds of raising
is a method or an attribute of it, so other code never asks which kind it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from scorekeeper.engine.state import Hand
    from scorekeeper.games.rules import Rules

REMAINDER = "remainder"
"""The value of a hand that is played for the remainder (LT-17)."""
GAME = "game"
"""The value of a hand that is played for the whole game (PU-7)."""
SMALL, LONG, TWO_LONGS = "small", "long", "two_longs"
"""What a hand is worth in a game of Smalls and Longs (TR-13, TR-14, TR-24)."""
BY_TRUTS_SEEN = (SMALL, LONG, TWO_LONGS)
"""What a hand is worth after none, one and two truts were seen."""

Value = int | str
"""What a hand is worth: points, or one of the words above."""
YES_OR_NO = frozenset({"accept", "reject"})
"""The verbs that answer an offer."""


class Offer(NamedTuple):
    """A call that waits for its answer.

    Attributes:
        do: The verb of the call.
        seat: Who calls.
        value: What the hand would be worth.
    """

    do: str
    seat: int
    value: Value


class Book(Protocol):
    """A text of the rules, with one chapter for each kind of raising."""

    def ladder(self) -> Iterator[Any]:
        """Offers of a new value."""

    def steps(self) -> Iterator[Any]:
        """Calls of one value each."""

    def stake(self) -> Iterator[Any]:
        """The trut."""


class Call(NamedTuple):
    """A call that makes the hand worth one value, once a hand.

    Attributes:
        do: Its verb.
        value: What the hand would be worth.
        rule: Id of its rule.
        refusal: Why it cannot be made: it was made before, or another call comes before it.
        alternates: Why the side that made the call before cannot make this one, if sides must
            alternate.
    """

    do: str
    value: Value
    rule: str
    refusal: str
    alternates: str = ""


@dataclass(frozen=True)
class Raising(ABC):
    """One way of raising.

    Attributes:
        answers: Verbs that answer a call.
        offers: Verbs of the calls that are not in ``calls``.
        calls: The calls of one value each; each can be made only after the one before it.
    """

    answers: frozenset[str]
    offers: frozenset[str] = frozenset()
    calls: tuple[Call, ...] = ()

    @property
    def raises(self) -> frozenset[str]:
        """The verbs of all its calls."""
        return self.offers | {call.do for call in self.calls}

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of all its calls and answers."""
        return self.answers | self.raises

    def value_of(self, do: str) -> Value | None:
        """What one of ``calls`` makes the hand worth; None for another verb."""
        return next((call.value for call in self.calls if call.do == do), None)

    def offer(self, hand: Hand) -> Offer | None:
        """The call that waits for its answer, or None."""
        return hand.offer

    def worth(self, hand: Hand | None) -> Value:
        """What a hand is worth now; None stands for a hand that is not dealt yet."""
        return 1 if hand is None else hand.value

    @abstractmethod
    def chapter(self, book: Book) -> Iterator[Any]:
        """The chapter on this kind of raising."""


class Ladder(Raising):
    """Offers of ever higher values, and of the remainder (section 3)."""

    def chapter(self, book: Book) -> Iterator[Any]:
        """The chapter on offers of a new value."""
        return book.ladder()


class Steps(Raising):
    """Calls of one value each, in a fixed order, each once a hand (TS-10 … TS-17, PU-5)."""

    def chapter(self, book: Book) -> Iterator[Any]:
        """The chapter on calls of one value each."""
        return book.steps()


class Stake(Raising):
    """The trut: any player may put a Long at stake, at any moment (TR-8 … TR-12, TR-24)."""

    def offer(self, hand: Hand) -> Offer | None:
        """The trut or retrut that the other side has not seen, or None."""
        if hand.trut is None or hand.truts_seen > hand.retrut:
            return None
        return Offer(
            "retrut" if hand.retrut else "trut", hand.trut, BY_TRUTS_SEEN[hand.truts_seen + 1]
        )

    def worth(self, hand: Hand | None) -> Value:
        """A Small; a Long after a trut was seen, two Longs after a retrut was seen."""
        return BY_TRUTS_SEEN[0 if hand is None else hand.truts_seen]

    def chapter(self, book: Book) -> Iterator[Any]:
        """The chapter on the trut."""
        return book.stake()


LADDER = Ladder(YES_OR_NO, frozenset({"raise", "remainder"}))
TRUT_STAKE = Stake(frozenset({"see", "lie_down"}), frozenset({"trut"}))


class RaiseLimits(NamedTuple):
    """What a side may offer on a ladder.

    Attributes:
        values: New values that may be offered, in ascending order.
        remainder: Whether it may offer to play for the remainder.
    """

    values: range | tuple[int, ...]
    remainder: bool


def raise_limits(rules: Rules, *, own: int, other: int, value: int) -> RaiseLimits:
    """What a side may offer at this score (LT-16, LT-17; section 3).

    Args:
        rules: The rules that are played.
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
    # L8: a remainder of no more than the value raises nothing, but it can be a bluff.
    enough = rules.small_remainder or rules.target - own > value
    remainder = enough and (
        rules.remainder == "anytime" or (rules.remainder == "when_blocked" and not values)
    )
    return RaiseLimits(values, remainder)
