"""How a hand comes to be worth more: one object for each kind of raising.

A game holds one of these objects (``Rules.raising``). Whoever wants to know something that differs
between kinds of raising asks the object, and never which kind it is.
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
"""What a hand is worth where tokens are won (TR-13, TR-14, TR-24)."""
BY_TRUTS_SEEN = (SMALL, LONG, TWO_LONGS)
"""That, by how many truts were seen in the hand."""

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
    """What tells the rules of raising in words: a chapter for each kind."""

    def ladder(self) -> Iterator[Any]:
        """Open values."""

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
        refusal: Why it is not made now: it was made before, or another call comes before it.
        alternates: Why the side of the call before it cannot make it, where sides alternate.
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
        offers: Verbs of calls, but for those in ``calls``.
        calls: The calls that make the hand worth one value each, in their order.
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
        """What a call makes the hand worth; None where the call itself has to say it."""
        return next((call.value for call in self.calls if call.do == do), None)

    def offer(self, hand: Hand) -> Offer | None:
        """The call that waits for its answer, or None."""
        return hand.offer

    def worth(self, hand: Hand | None) -> Value:
        """What a hand is worth now; None stands for one that is not dealt yet."""
        return 1 if hand is None else hand.value

    @abstractmethod
    def tell(self, book: Book) -> Iterator[Any]:
        """The chapter of a book on it."""


class Ladder(Raising):
    """Offers of a new value, one above the other, and of the remainder (section 3)."""

    def tell(self, book: Book) -> Iterator[Any]:
        """The chapter of a book on it."""
        return book.ladder()


class Steps(Raising):
    """Calls of one value each, one after the other, each once a hand (TS-10 … TS-17)."""

    def tell(self, book: Book) -> Iterator[Any]:
        """The chapter of a book on it."""
        return book.steps()


class Stake(Raising):
    """The trut: anybody puts a Long at stake, at any moment (TR-8 … TR-12, TR-24)."""

    def offer(self, hand: Hand) -> Offer | None:
        """The trut, or the retrut, that nobody has seen yet."""
        if hand.trut is None or hand.seen > hand.retrut:
            return None
        return Offer("retrut" if hand.retrut else "trut", hand.trut, BY_TRUTS_SEEN[hand.seen + 1])

    def worth(self, hand: Hand | None) -> Value:
        """A Small, a Long once a trut was seen, two Longs once a retrut was."""
        return BY_TRUTS_SEEN[0 if hand is None else hand.seen]

    def tell(self, book: Book) -> Iterator[Any]:
        """The chapter of a book on it."""
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
