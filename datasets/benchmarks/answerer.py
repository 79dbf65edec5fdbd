"""A simulated person at a film's table, who answers the table's questions by what was played."""

from __future__ import annotations

import math
from collections.abc import Sequence

from datasets.benchmarks.played import Played
from datasets.benchmarks.tally import answers, outcome, said
from datasets.films.stage import Stage
from scorekeeper.engine.events import Event
from vision.belief.proposals import Question
from vision.tracking.tracked_card import Change
from vision.tracking.trajectories import Place

SAME_PLACE = 4.0
"""A question about a place means the nearest card there, if it lies within so many centimetres."""


class Answerer:
    """Answers questions by what was played.

    Args:
        stage: the film.
        played: what was played in it.
    """

    def __init__(self, stage: Stage, played: Played) -> None:
        self._stage, self._played = stage, played
        self._came: dict[int | None, tuple[float, Place]] = {}
        """When (seconds) and where (centimetres) each tracked card came to rest, by its id."""

    def remember(self, change: Change) -> None:
        """Remembers when and where a card came to rest."""
        if change.kind == "appeared":
            self._came[change.card.id] = change.at, change.card.place

    def next_events(self, hand: int, stands: Sequence[Event], now: float) -> list[Event]:
        """What happened in a hand and is not written: all words before the next card, and that.

        Args:
            hand: which hand, from 0.
            stands: all events of the film that are written and not taken back.
            now: the time, in seconds of the film.
        """
        played, (begin, end) = self._played, self._played.span(hand)
        place, written = self._written(hand, stands), [said(event) for event in stands[begin:]]
        words = [n for n in range(begin, place) if played.events[n].do not in ("play", "deal")]
        missed = [n for n in words if said(played.events[n]) not in written]
        places = (*missed, *self._to_next_card(place, end))
        return [played.events[n] for n in places if played.times[n] <= now]

    def _written(self, hand: int, stands: Sequence[Event]) -> int:
        """The place after the latest event of a hand that is written.

        Words before it may never have been tapped, or later than the card after them.
        """
        events, (place, end) = self._played.events, self._played.span(hand)
        for event in stands[place:]:
            ahead = self._to_next_card(place, end)
            wrong = ahead.stop if event.do == "play" else place
            place = next((n + 1 for n in ahead if said(events[n]) == said(event)), wrong)
        return place

    def _to_next_card(self, place: int, end: int) -> range:
        """The places of the events from one on, up to the next card."""
        events = self._played.events
        card = next((n for n in range(place, end) if events[n].do == "play"), end - 1)
        return range(place, card + 1)

    def choice(
        self, question: Question, hand: int, stands: Sequence[Event], now: float
    ) -> int | None:
        """The place of the right answer among a question's choices; None where none is right.

        Args:
            question: what is asked.
            hand: the hand in which it is asked, from 0.
            stands: all events of the film that are written and not taken back.
            now: the time, in seconds of the film.
        """
        played, begin = self._played, self._played.begins[hand]
        if question.trick is not None:
            wanted = self._laid_to(question.trick, question.seat, hand)
        else:
            wanted = self.next_events(hand, stands, now)
        by_score = None  # the score is right, though the plays that are written are not
        for place, choice in enumerate(question.choices):
            event = choice.event
            due = self._rather(hand, stands) if choice.word == "instead" else wanted
            if choice.side is not None and event is not None:
                if played.ended[hand] > now:
                    continue  # nobody lay down: the hand goes on
                before, words = played.before[hand], (*choice.before, event)
                done = outcome(before, played.of(hand))
                would_be = outcome(before, [*stands[begin:], *words])
                if would_be == done:
                    return place
                if would_be[1:] == done[1:]:
                    by_score = place
            elif event is not None and event.do == "deal":
                if self._was_dealt(event, stands, now):
                    return place
            elif event is not None and any(answers(event, each) for each in due):
                return place
        if by_score is not None:
            return by_score
        words = [choice.word for choice in question.choices]
        meant = self._is_to_come(question, hand, stands, now)
        for word in ("hold", "drop", "no") if meant else ("drop", "no"):
            if word in words:
                return words.index(word)
        return None

    def _was_dealt(self, deal: Event, stands: Sequence[Event], now: float) -> bool:
        """Whether a deal is the next one that is not written, and is over.

        It counts deals alone, because words before it may never have been tapped.
        """
        played, written = self._played, sum(event.do == "deal" for event in stands)
        deals = [place for place, event in enumerate(played.events) if event.do == "deal"]
        return any(
            played.times[place] <= now and answers(deal, played.events[place])
            for place in deals[written : written + 1]
        )

    def _laid_to(self, trick: int, seat: int | None, hand: int) -> list[Event]:
        """What a seat laid to a trick (from 1); empty where it laid nothing."""
        return [each for each in self._plays(hand) if each.seat == seat][trick - 1 : trick]

    def _rather(self, hand: int, stands: Sequence[Event]) -> list[Event]:
        """What was really done in the place of the latest written play, if that play is wrong."""
        begin, _ = self._played.span(hand)
        written = [event for event in stands[begin:] if event.do == "play"]
        both = list(zip(self._plays(hand), written, strict=False))[len(written) - 1 :]
        return [done for done, wrong in both if said(done) != said(wrong)]

    def _plays(self, hand: int) -> list[Event]:
        """The cards that were laid in a hand."""
        return [event for event in self._played.of(hand) if event.do == "play"]

    def _is_to_come(
        self, question: Question, hand: int, stands: Sequence[Event], now: float
    ) -> bool:
        """Whether the card that is asked about is a play of this hand that is not written yet."""
        came, place = self._came.get(question.card, (now, (math.inf, math.inf)))
        lying = [
            (math.dist((seen.pose.x, seen.pose.y), place), seen.lying.event)
            for seen in self._stage.at(came)
        ]
        apart, event = min(lying, key=lambda each: each[0], default=(math.inf, None))
        to_come = range(self._written(hand, stands), self._played.span(hand)[1])
        return apart < SAME_PLACE and event is not None and event in to_come
