"""The events that stand, each in a few words, as a correction page lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Match
from scorekeeper.history.course import Course
from scorekeeper.text.event_phrases import Phrases


class Entry(NamedTuple):
    """One event that stands, as a page lists it.

    Attributes:
        seq: Its sequence number, which names it in a repair.
        hand: Number of its hand, from 1; 0 before the first.
        trick: Number of the trick in which it was said, from 1; 0 outside play.
        event: The event.
        words: The event in a few words.
    """

    seq: int
    hand: int
    trick: int
    event: Event
    words: str


def timeline(
    match: Match,
    events: Sequence[Event],
    code: str,
    *,
    hand: int | None = None,
) -> list[Entry]:
    """The events that stand, in order.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
        hand: Number of the only hand to list, from 1; None for all.
    """
    course, phrases = Course(match, events), Phrases(match.seated, code)
    places = range(len(course.stand))
    if hand is not None:
        places = course.hand(hand)
    return [entry(course, phrases, place) for place in places]


def entry(course: Course, phrases: Phrases, place: int) -> Entry:
    """The entry of the event at a place."""
    before, one = course.before(place), course.stand[place]
    phrases.name_players(before.seated)
    trick = 0
    if before.in_progress and before.current().turn is not None:
        trick = 1 + sum(trick.complete for trick in before.current().tricks)
    return Entry(one.seq, course.hand_number(place), trick, one.event, phrases.phrase(one.event))
