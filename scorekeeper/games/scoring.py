"""How scores are counted: one object for points, one for Smalls and Longs (LT-19, TR-13, TS-20).

Each game has one of these objects in ``Rules.counting``. What differs between the ways of counting
is a method or an attribute of it, so other code never asks which way it is.

The *smallest unit* is the least that can be won: a point, or a Small.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from scorekeeper.games.raises import Value

if TYPE_CHECKING:
    from scorekeeper.games.game import Rules


class Score(NamedTuple):
    """What a side has in the game in progress.

    Attributes:
        points: Points, or Longs in a game of tokens (TR-4).
        smalls: Smalls, 0 to 2; 0 in a game of points.
    """

    points: int = 0
    smalls: int = 0


Scores = tuple[Score, Score]
NO_SCORE: Scores = (Score(), Score())


class Award(NamedTuple):
    """What the winner of a hand scored.

    Attributes:
        kind: ``points``, ``small``, ``long``, or ``game``: the Long that wins the game after a
            refused trut at fortial, or with both sides at fortial (TR-20, TR-22).
        amount: Points or Longs that were added to the score, which may stop at the target; 1 for
            the others.
    """

    kind: str
    amount: int


class PaidFor(Enum):
    """Why a hand is paid, which settles how much; ``engine.outcome`` gives it for each end.

    Attributes:
        PLAYED: The hand was played out, or given up.
        REFUSED: A call was refused, or the side at fortial passed.
        DECLINED: The side at eleven did not play the hand.
        GAME: A trut at fortial was refused, which loses the game.
    """

    PLAYED = auto()
    REFUSED = auto()
    DECLINED = auto()
    GAME = auto()


class Words(Protocol):
    """Words for scores in one language."""

    def points(self, n: int) -> str:
        """A number of points."""

    def smalls(self, n: int) -> str:
        """A number of Smalls."""

    def longs(self, n: int) -> str:
        """A number of Longs."""


class Book(Protocol):
    """A text of the rules, with one chapter for each way of counting."""

    def points_scored(self) -> Iterator[Any]:
        """Points."""

    def tokens_scored(self) -> Iterator[Any]:
        """Smalls and Longs."""


@dataclass(frozen=True)
class Counting(ABC):
    """One way of counting.

    Attributes:
        unit: ``points``, or ``tokens``: Longs and Smalls (TR-4).
        parts: How many of the smallest unit make 1 in ``Score.points``: 1 point, or the 3 Smalls
            that turn into a Long (TR-15).
        columns: Names of the fields of ``Score`` that are used, as keys of the API's answers and as
            columns of tables.
    """

    unit: str
    parts: int
    columns: tuple[str, ...]

    @abstractmethod
    def pay(
        self,
        rules: Rules,
        scores: Scores,
        side: int,
        paid_for: PaidFor,
        *,
        value: Value,
        truts_seen: int,
    ) -> tuple[Scores, Award]:
        """Pays the winner of a hand.

        Args:
            rules: The rules that are played.
            scores: The scores before.
            side: The side that won.
            paid_for: Why it is paid.
            value: What the hand was worth.
            truts_seen: How many truts were seen in the hand.

        Returns:
            The new scores, and what was added.
        """

    @abstractmethod
    def add(self, rules: Rules, scores: Scores, side: int, amount: int) -> Scores:
        """Gives a side an amount in the smallest unit."""

    @abstractmethod
    def change(self, rules: Rules, scores: Scores, side: int, points: int, smalls: int) -> Scores:
        """Gives a side points, or Longs and Smalls, or takes them away; down to 0 (V-20)."""

    @abstractmethod
    def reduced(self, score: Score, amount: int) -> Score:
        """Takes away an amount in the smallest unit; down to 0, and no Long."""

    @abstractmethod
    def in_words(self, score: Score, words: Words) -> str:
        """A side's score: ``7 points``, ``3 Longs, 1 Small``."""

    @abstractmethod
    def short(self, score: Score, words: Words) -> str:
        """A side's score without parts that are 0: ``7``, ``2 Smalls``; ``0`` if all are."""

    @abstractmethod
    def amount(self, n: int, words: Words) -> str:
        """A number of the smallest unit: ``3 points``, ``3 Smalls``."""

    @abstractmethod
    def chapter(self, book: Book) -> Iterator[Any]:
        """The chapter on this way of counting."""

    def amount_of(self, score: Score) -> int:
        """A score in the smallest unit."""
        return self.parts * score.points + score.smalls

    def one_short(self, target: int) -> Score:
        """The score that lacks a single point, or a single Small (TS-18, TR-18)."""
        return Score(target - 1, self.parts - 1)

    def to_json(self, score: Score) -> dict[str, int]:
        """A side's score: ``{"points": n}``, or ``{"longs": n, "smalls": n}`` (TR-4)."""
        return dict(zip(self.columns, score, strict=False))


class Points(Counting):
    """A hand scores what it is worth (LT-19, TS-20)."""

    def pay(
        self,
        rules: Rules,
        scores: Scores,
        side: int,
        paid_for: PaidFor,
        *,
        value: Value,
        truts_seen: int,
    ) -> tuple[Scores, Award]:
        """Adds the hand's value, all points still needed, or what a declined hand costs."""
        missing = rules.target - scores[side].points
        if paid_for is PaidFor.DECLINED:
            points = rules.declined
        else:
            points = missing if isinstance(value, str) else value
        if rules.clamp:
            points = min(points, missing)
        return self._add(scores, side, points), Award("points", points)

    def add(self, rules: Rules, scores: Scores, side: int, amount: int) -> Scores:
        """Adds points; if the rules clamp scores, up to the target (LT-19).

        If the other side has won the game, they stop one point short of the target.
        """
        won_by_other = scores[1 - side].points >= rules.target
        if rules.clamp or won_by_other:
            amount = min(amount, rules.target - won_by_other - scores[side].points)
        return self._add(scores, side, amount)

    def _add(self, scores: Scores, side: int, points: int) -> Scores:
        return _replace(scores, side, Score(scores[side].points + points))

    def change(self, rules: Rules, scores: Scores, side: int, points: int, smalls: int) -> Scores:
        """Gives or takes points."""
        return award_by_agreement(rules, scores, side, points)

    def reduced(self, score: Score, amount: int) -> Score:
        """Takes points away."""
        return Score(max(0, score.points - amount))

    def in_words(self, score: Score, words: Words) -> str:
        """``7 points``."""
        return words.points(score.points)

    def short(self, score: Score, words: Words) -> str:
        """``7``."""
        return str(score.points)

    def amount(self, n: int, words: Words) -> str:
        """A number of points."""
        return words.points(n)

    def chapter(self, book: Book) -> Iterator[Any]:
        """The chapter on points."""
        return book.points_scored()


class Tokens(Counting):
    """A hand scores a Small, a Long, or two (TR-13, TR-14, TR-24)."""

    def pay(
        self,
        rules: Rules,
        scores: Scores,
        side: int,
        paid_for: PaidFor,
        *,
        value: Value,
        truts_seen: int,
    ) -> tuple[Scores, Award]:
        """Adds a Small, a Long for each trut that was seen, or the last Long (TR-20, TR-22)."""
        played = paid_for is PaidFor.PLAYED
        both_at_fortial = rules.fortial and len(one_short(rules, scores)) == 2  # TR-22
        if paid_for is PaidFor.GAME or (played and both_at_fortial):
            return self.add_long(scores, side), Award("game", 1)
        if not truts_seen:
            return self.add_small(scores, side), Award("small", 1)
        paid = self.change(rules, scores, side, truts_seen, 0)
        return paid, Award("long", paid[side].points - scores[side].points)

    def add(self, rules: Rules, scores: Scores, side: int, amount: int) -> Scores:
        """Adds Smalls; giving stops when the game is won."""
        # More Smalls than win a game from 0 would change nothing.
        for _ in range(min(amount, self.parts * rules.target)):
            if winner_of(rules, scores) is not None:
                break
            scores = self.add_small(scores, side)
        return scores

    def add_small(self, scores: Scores, side: int) -> Scores:
        """Adds a Small; three of them turn into a Long at once (TR-13, TR-15)."""
        points, smalls = scores[side]
        if smalls + 1 < self.parts:
            return _replace(scores, side, Score(points, smalls + 1))
        return self.add_long(_replace(scores, side, Score(points, 0)), side)

    def add_long(self, scores: Scores, side: int) -> Scores:
        """Adds a Long; the other side loses its Smalls (TR-14, TR-16)."""
        other = Score(scores[1 - side].points, 0)
        own = Score(scores[side].points + 1, scores[side].smalls)
        return _replace((other, other), side, own)

    def change(self, rules: Rules, scores: Scores, side: int, points: int, smalls: int) -> Scores:
        """Gives or takes Longs, then Smalls; after a Long the other side loses its Smalls."""
        for _ in range(min(points, rules.target)):
            if winner_of(rules, scores) is None:
                scores = self.add_long(scores, side)
        longs = max(0, scores[side].points + min(points, 0))
        scores = _replace(scores, side, Score(longs, scores[side].smalls))
        return award_by_agreement(rules, scores, side, smalls)

    def reduced(self, score: Score, amount: int) -> Score:
        """Takes Smalls away."""
        return Score(score.points, max(0, score.smalls - amount))

    def in_words(self, score: Score, words: Words) -> str:
        """``3 Longs, 1 Small``."""
        return f"{words.longs(score.points)}, {words.smalls(score.smalls)}"

    def short(self, score: Score, words: Words) -> str:
        """``3 Longs``, ``2 Smalls``, ``0``."""
        longs = [words.longs(score.points)] * bool(score.points)
        return ", ".join(longs + [words.smalls(score.smalls)] * bool(score.smalls)) or "0"

    def amount(self, n: int, words: Words) -> str:
        """A number of Smalls."""
        return words.smalls(n)

    def chapter(self, book: Book) -> Iterator[Any]:
        """The chapter on Smalls and Longs."""
        return book.tokens_scored()


IN_POINTS = Points("points", 1, ("points",))
IN_TOKENS = Tokens("tokens", 3, ("longs", "smalls"))


def winner_of(rules: Rules, scores: Scores) -> int | None:
    """The side that has won the game, or None (LT-19, TR-17, TS-20)."""
    for side in (0, 1):
        if scores[side].points >= rules.target:
            return side
    return None


def award_by_agreement(rules: Rules, scores: Scores, side: int, amount: int) -> Scores:
    """Gives a side points, or Smalls, by agreement; a negative amount takes them away.

    Smalls that are given turn into Longs as won ones do, and giving stops when the game is won.
    Taking away stops at 0, and takes no Long.
    """
    if amount > 0:
        return rules.counting.add(rules, scores, side, amount)
    return _replace(scores, side, rules.counting.reduced(scores[side], -amount))


def one_short(rules: Rules, scores: Scores) -> tuple[int, ...]:
    """The sides that lack a single point, or a single Small (TS-18, TR-18)."""
    wanted = rules.counting.one_short(rules.target)
    return tuple(side for side in (0, 1) if scores[side] == wanted)


def _replace(scores: Scores, side: int, score: Score) -> Scores:
    return (score, scores[1]) if side == 0 else (scores[0], score)
