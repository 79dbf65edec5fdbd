"""Counts what comes of a watched film, and compares a record with the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, latest_events
from scorekeeper.engine.state import Match
from scorekeeper.errors import RuleError
from scorekeeper.games.tricks import side_of


@dataclass
class Tally:
    """What was counted of some hands.

    Attributes:
        hands: hands played.
        right: hands that were written as they were played.
        untouched: hands of these in which nobody had to answer: no question stood so long that a
            person would have answered it.
        lost_beside: hands that are not right, though each of their words was tapped once, when it
            was said.
        cards: cards played.
        cards_right: cards of these that were written with their seat and rank, in their order.
        tricks: tricks played.
        tricks_right: tricks of these with every card right.
        false_plays: cards that were written but not played. Nobody corrects the first one of a
            hand, so others may follow from it.
        put_right: cards that were written wrong and corrected by the table itself; they are no
            false plays.
        spoiled: hands whose first mistake is a card that was not played.
        answered: questions that stood so long that a person answered them.
        corrected: wrong answers after which a person had to correct the record.
        frames: frames watched.
        seconds: seconds of film watched.
        questions: how often the table asked, by kind of question.
        hints: how often it hinted, by kind of hint.
        delays: for each card of a right hand that no person answered for: seconds from when it came
            to rest, or from when its seat was due, until it was written.
        failures: each wrong hand, in words.
    """

    hands: int = 0
    right: int = 0
    untouched: int = 0
    lost_beside: int = 0
    cards: int = 0
    cards_right: int = 0
    tricks: int = 0
    tricks_right: int = 0
    false_plays: int = 0
    put_right: int = 0
    spoiled: int = 0
    answered: int = 0
    corrected: int = 0
    frames: int = 0
    seconds: float = 0.0
    questions: Counter[str] = field(default_factory=Counter)
    hints: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """The counts; delays to a millisecond, failures left out."""
        return {
            **{name: value for name, value in vars(self).items() if name != "failures"},
            "delays": [round(delay, 3) for delay in self.delays],
            "seconds": round(self.seconds, 1),
        }


def said(event: Event) -> tuple[object, ...]:
    """What an event says, to compare it; of a card only its rank, for suits do not count (V-12)."""
    rank = None if event.card is None else event.card.rank
    return (event.do, event.seat, rank, event.to, event.cards)


def answers(event: Event, done: Event) -> bool:
    """Whether an event is a right answer where another one was done.

    Of words, either player of a side may be named as the speaker: nobody may know which it was.
    """
    spoke = event.do != "play" and None not in (event.seat, done.seat)
    if spoke and side_of(event.seat or 0) == side_of(done.seat or 0):
        done = done._replace(seat=event.seat)
    return said(event) == said(done)


def in_both(one: Sequence[object], other: Sequence[object]) -> int:
    """The length of the longest common subsequence: items that both have, in the same order."""
    best = [0] * (len(other) + 1)
    for item in one:
        before = 0
        for place, its in enumerate(other, 1):
            longer = before + 1 if item == its else max(best[place], best[place - 1])
            before, best[place] = best[place], longer
    return best[-1]


def of_hand(before: Match, events: Sequence[Event]) -> Sequence[Event]:
    """The events of the first hand that begins after ``before``, without those of the next hand."""
    match = before
    for place, event in enumerate(events):
        match = apply(match, event)
        if match.hand_number > before.hand_number + 1:
            return events[:place]
    return events


def outcome(before: Match, events: Sequence[Event]) -> tuple[object, ...]:
    """The plays of a hand, the score after it, and whether the hand is still in progress.

    Args:
        before: the match before the hand.
        events: the events of the hand.
    """
    match = before
    for event in events:
        match = apply(match, event)
    left = len(events) - 2 * sum(event.do == "undo" for event in events)
    plays = [said(event) for event in latest_events(match, max(left, 0)) if event.do == "play"]
    return plays, match.scores, match.games_won, match.in_progress


def tricks_of(match: Match, events: Iterable[Event]) -> list[tuple[tuple[int, str], ...]]:
    """The tricks of a hand, each as seats and ranks in the order of play.

    Args:
        match: the match before the hand.
        events: the events of the hand. Reading stops at an event that breaks a rule, and at the
            next hand.
    """
    next_hand = match.hand_number + 2
    with suppress(RuleError):
        for event in events:
            after = apply(match, event)
            if after.hand_number == next_hand:
                break
            match = after
    tricks = () if match.hand is None else match.hand.tricks
    return [tuple((play.seat, play.card.rank) for play in trick.plays) for trick in tricks]
