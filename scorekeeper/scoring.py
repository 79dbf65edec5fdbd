"""Points, Smalls and Longs (LT-19, TR-12 … TR-17, TS-20)."""

from __future__ import annotations

from typing import NamedTuple

from scorekeeper.rules import Rules


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
    """What a hand brought its winner.

    Attributes:
        kind: ``points``, ``small``, ``long``, or ``game`` (the refused or mutual fortial).
        amount: Points really added; 1 for the others.
    """

    kind: str
    amount: int


def winner_of(rules: Rules, scores: Scores) -> int | None:
    """The side that has won the game, or None (LT-19, TR-17, TS-20)."""
    for side in (0, 1):
        if scores[side].points >= rules.target:
            return side
    return None


def add_points(rules: Rules, scores: Scores, side: int, points: int) -> tuple[Scores, Award]:
    """Adds points to a side's score, up to the target where the game clamps (LT-19, TS-20)."""
    if rules.clamp:
        points = min(points, rules.target - scores[side].points)
    return _replace(scores, side, Score(scores[side].points + points)), Award("points", points)


def add_small(rules: Rules, scores: Scores, side: int) -> Scores:
    """Adds a Small; three of them turn into a Long at once (TR-13, TR-15)."""
    points, smalls = scores[side]
    if smalls + 1 < rules.smalls_in_a_long:
        return _replace(scores, side, Score(points, smalls + 1))
    return add_long(rules, _replace(scores, side, Score(points, 0)), side)


def add_long(rules: Rules, scores: Scores, side: int) -> Scores:
    """Adds a Long; the other side loses its Smalls (TR-14, TR-16)."""
    other = Score(scores[1 - side].points, 0)
    own = Score(scores[side].points + 1, scores[side].smalls)
    return _replace((other, other), side, own)


def award_by_agreement(rules: Rules, scores: Scores, side: int, amount: int) -> Scores:
    """Gives a side points, or Smalls, by agreement; a negative amount takes them away.

    Given ones count like won ones, and giving stops when the game is won. Taking away stops at 0,
    and takes no Long.
    """
    points, smalls = scores[side]
    if rules.score_unit == "points":
        if amount > 0:
            return add_points(rules, scores, side, amount)[0]
        return _replace(scores, side, Score(max(0, points + amount)))
    if amount < 0:
        return _replace(scores, side, Score(points, max(0, smalls + amount)))
    # Nothing is gained by counting on: a game takes at most three Smalls for each Long.
    for _ in range(min(amount, rules.smalls_in_a_long * rules.target)):
        if winner_of(rules, scores) is not None:
            break
        scores = add_small(rules, scores, side)
    return scores


def one_short(rules: Rules, scores: Scores) -> tuple[int, ...]:
    """The sides that lack a single point, or a single Small (TS-18, TR-18)."""
    smalls = rules.smalls_in_a_long - 1 if rules.score_unit == "tokens" else 0
    wanted = Score(rules.target - 1, smalls)
    return tuple(side for side in (0, 1) if scores[side] == wanted)


def _replace(scores: Scores, side: int, score: Score) -> Scores:
    return (score, scores[1]) if side == 0 else (scores[0], score)
