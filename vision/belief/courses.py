"""Courses of a hand: what was laid in it, in order, and how two of them differ."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Match
from vision.belief.hypotheses import Hypothesis, shares

Course = list[tuple[int, str]]
"""Seat and rank of each play of a hand."""


def said(event: Event) -> object:
    """What tells one event from another, without the suit of a card: it may be guessed (V-12)."""
    if event.do == "play" and event.card is not None:
        return event.do, event.seat, event.card.rank
    return event.bare()


def first_difference(one: Course, other: Course) -> int:
    """The first place, from 0, at which two courses of a hand differ; else where one ends."""
    both = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(both) if a != b), min(len(one), len(other)))


def course_of(hypothesis: Hypothesis) -> Course:
    """Seat and rank of each play."""
    return [(play.seat, play.card[:-1]) for play in hypothesis.plays]


def by_course(hypotheses: Sequence[Hypothesis]) -> list[tuple[float, Hypothesis]]:
    """Each course with its probability, 0–1, and its likeliest hypothesis; the likeliest first.

    A course after which the hand ended counts as another one than the same course in a hand that
    goes on.
    """
    weights: dict[object, float] = {}
    best: dict[object, Hypothesis] = {}
    for each, share in zip(hypotheses, shares(hypotheses), strict=True):
        key = tuple(course_of(each)), each.ended
        weights[key] = weights.get(key, 0.0) + share
        if key not in best or each.log_likelihood > best[key].log_likelihood:
            best[key] = each
    found = [(weight, best[key]) for key, weight in weights.items()]
    return sorted(found, key=lambda each: -each[0])


def ranks_at(hypotheses: Sequence[Hypothesis], place: int, written: Course) -> dict[str, float]:
    """How likely each rank is at a place, 0–1, if all that is written before it is right.

    Args:
        hypotheses: of the hand.
        place: of the play, from 0.
        written: the course that is written.

    Returns:
        Rank to probability; ``""`` stands for no play there.
    """
    alike = [each for each in hypotheses if course_of(each)[:place] == written[:place]]
    found: dict[str, float] = {}
    for each, share in zip(alike, shares(alike), strict=True):
        course = course_of(each)
        rank = course[place][1] if len(course) > place else ""
        found[rank] = found.get(rank, 0.0) + share
    return found


def events_since(start: Match, match: Match) -> list[Event]:
    """The events of a match since an earlier moment of it, ``start``."""
    events, step = [], match.steps
    while step is not start.steps:
        assert step is not None
        events.append(step.event)
        step = step.earlier
    return events[::-1]
