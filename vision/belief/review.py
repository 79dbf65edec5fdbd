"""Puts right what was written of the hand in progress and is no longer believed.

Once in a while all that was seen and said in the hand is explained anew
(``vision.belief.hypotheses``). Where another course of the hand has become far likelier than the
written one, it takes its place; as far back as people have told no play (V-11).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, undone
from scorekeeper.engine.state import Match
from scorekeeper.errors import RuleError
from scorekeeper.history.corrections import Standing, standing
from scorekeeper.history.fixes import READINGS
from vision.belief.associations import PlayAssociation
from vision.belief.context import Laid, RefereeContext, expectation, laid_cards
from vision.belief.early import EarlyCards
from vision.belief.hypotheses import Explainer, HandObject, Hypothesis, Word
from vision.belief.memory import Memory
from vision.belief.objects import HandObjects
from vision.belief.proposals import Proposal

TURNED = 6.0
"""So much likelier, in nats, another course of the hand has to be than the written one."""

EVERY = 1.0
"""Seconds between two reviews; what two in a row say alike is done."""


class Revision(NamedTuple):
    """What takes the place of the end of a hand.

    Attributes:
        seq: number of the first event that goes.
        wanted: what was done and said from there on.
        proposals: of the plays among them that were not written before.
        plays: all plays of the hand then, and their cards on the table.
    """

    seq: int
    wanted: tuple[Event, ...]
    proposals: tuple[Proposal, ...]
    plays: tuple[PlayAssociation, ...]


class Review:
    """Explains the hand in progress anew, now and then.

    Args:
        memory: the umpire's.
        early: says which event a play is.
    """

    def __init__(self, memory: Memory, early: EarlyCards) -> None:
        self._memory, self._early = memory, early
        self._objects = HandObjects()
        self._seq: int | None = None
        self._hand: list[Standing] = []  # what stands of it, after its deal
        self._deal: int | None = None  # the number of its first saying
        self._whole = False  # whether it was watched from its beginning
        self._told_at: dict[int, float] = {}
        self._next = 0.0
        self._reviewed: object = None
        self._turned: object = None  # the course that the review before has found likelier

    def see(self, at: float, seq: int, match: Match, events: Sequence[Event]) -> Revision | None:
        """After a look at the table, when nothing more follows from it.

        Args:
            at: the time, in seconds.
            seq: number of the latest event.
            match: the match.
            events: all its events.

        Returns:
            What is to be put right, or None.
        """
        if seq != self._seq:
            self._take_over(at, seq, match, events)
        self._objects.see(self._memory)
        laid = laid_cards(match)
        followed = [play.laid for play in self._memory.associations.plays] == list(laid)
        if not (self._whole and laid and followed) or at < self._next:
            return None
        self._next = at + EVERY
        objects = self._objects.of_hand(match.seats, self._memory.dismissed)
        news = seq, tuple((each.id, each.sides, tuple(each.evidence.values())) for each in objects)
        if news == self._reviewed and self._turned is None:
            return None
        self._reviewed = news
        start = undone(match, len(self._hand))
        written = [(one.seat, one.card[:-1]) for one in laid]
        expected = expectation(match, seq)
        turned, best = self._turned, self._likelier(start, objects, written, expected)
        self._turned = None if best is None else _course(best)[: len(written)]
        if best is None or self._turned != turned:
            return None
        return self._revision(at, seq, start, best)

    def _likelier(
        self, start: Match, objects: list[HandObject], written: list[tuple[int, str]],
        expected: RefereeContext,
    ) -> Hypothesis | None:  # fmt: skip
        """Another course of the hand that is far likelier than the written one, or None."""
        words = [
            Word(self._told_at[one.first], one.event.bare())
            for one in self._hand
            if one.event.do != "play"
        ]
        explainer = Explainer(start, objects, written[: self._told()])
        bound = [
            (*play, -1 if of.card is None else of.card)
            for play, of in zip(written, self._memory.associations.plays, strict=True)
        ]
        # Where the cards explain it well, nothing else can be far likelier: that is known at once.
        due = next(iter(expected.due), None)
        if explainer.most - explainer.directly(bound, due, self._over(expected)) < TURNED:
            return None
        likeliest = explainer.explain(words)
        if not likeliest or likeliest[0].words:
            return None
        best = likeliest[0]
        if _course(best)[: len(written)] == written:
            return None
        as_written = Explainer(start, objects, written).explain(words)
        return best if as_written and best.nats - as_written[0].nats >= TURNED else None

    def _over(self, expected: RefereeContext) -> float:
        """When the hand was over; infinity while it is not."""
        return math.inf if expected.playing else self._told_at[self._hand[-1].first]

    def _told(self) -> int:
        """How many plays there are up to the latest one that people have told, or were asked of."""
        plays = (one.event for one in self._hand if one.event.do == "play")
        both = enumerate(zip(self._memory.associations.plays, plays, strict=True), 1)
        return max(
            (n for n, (play, event) in both if play.fixed or READINGS not in event.remarks),
            default=0,
        )

    def _take_over(self, at: float, seq: int, match: Match, events: Sequence[Event]) -> None:
        """Takes in what was written since."""
        first_look, self._seq = self._seq is None, seq
        stand = standing(events)
        dealt = max((n for n, one in enumerate(stand) if one.event.do == "deal"), default=None)
        self._hand = [] if dealt is None else stand[dealt + 1 :]
        deal = None if dealt is None else stand[dealt].first
        if deal != self._deal:
            self._deal, self._whole = deal, not first_look
            self._told_at.clear()
            self._objects.begin(self._memory)
            self._turned = None
        for one in self._hand:
            self._told_at.setdefault(one.first, at)

    def _revision(self, at: float, seq: int, start: Match, best: Hypothesis) -> Revision | None:
        """What takes the place of what is written; None where the rules or the words forbid it."""
        associations = self._memory.associations
        course = _since(start, best.match)
        while sum(event.do == "play" for event in course) > len(associations.plays):
            if course[-1].do != "play":
                return None  # it rests on a card that is not written yet
            course.pop()
        plays = [one for one in self._hand if one.event.do == "play"]
        stood = {one.seq: play for one, play in zip(plays, associations.plays, strict=True)}
        left, seen, match = list(self._hand), iter(best.plays), start
        wanted, proposals, bound = list[Event](), list[Proposal](), list[PlayAssociation]()
        same = True
        for place, event in enumerate(course):
            old = next((one for one in left if _said(one.event) == _said(event)), None)
            same = same and old is not None and old is self._hand[place]
            if old is not None:
                left.remove(old)
                event = old.event
            if event.do == "play":
                object_ = next(seen).object
                if old is not None:
                    was = stood[old.seq]
                    bound.append(replace(was, card=was.card if object_ is None else object_))
                elif object_ is None:
                    return None  # nobody saw it: that is asked about
                else:
                    proposal = self._proposal(object_, event, expectation(match, seq))
                    event = proposal.event
                    proposals.append(proposal)
                    bound.append(PlayAssociation(_NONE, object_, at, by_hand=False, fixed=True))
            try:
                match = apply(match, event, kept=True)
            except RuleError:
                return None
            if not same:
                wanted.append(event)
        if any(one.event.do != "play" for one in left):
            return None  # a word would fall away
        if same and len(course) == len(self._hand):
            return None
        first = self._hand[len(course) - len(wanted)]
        for association, one in zip(bound, laid_cards(match), strict=True):
            association.laid = one
        return Revision(first.seq, tuple(wanted), tuple(proposals), tuple(bound))

    def _proposal(self, number: int, play: Event, expected: RefereeContext) -> Proposal:
        card, rank = self._objects.card(number), str(play.card)[:-1]
        assert play.seat is not None
        event = self._early.play(card, play.seat, rank, expected)
        why = f"all that was seen of this hand says {rank} by now"
        return Proposal(event, expected.seq, number, why, 1.0, card.since, instead=True)

    def take_over(self, revision: Revision) -> None:
        """What was put right stands now."""
        associations, waiting = self._memory.associations, self._memory.cards.keys()
        had = associations.cards()
        associations.plays = list(revision.plays)
        associations.taken_back |= (had - associations.cards()) & waiting


_NONE = Laid(0, "", False)


def _said(event: Event) -> object:
    """What was done, but for the suit of a card: that may be guessed (V-12)."""
    if event.do == "play" and event.card is not None:
        return event.do, event.seat, event.card.rank
    return event.bare()


def _course(hypothesis: Hypothesis) -> list[tuple[int, str]]:
    """Seat and rank of each play."""
    return [(play.seat, play.card[:-1]) for play in hypothesis.plays]


def _since(start: Match, match: Match) -> list[Event]:
    """The events of a match after another one that it began as."""
    events, step = [], match.steps
    while step is not start.steps:
        assert step is not None
        events.append(step.event)
        step = step.earlier
    return events[::-1]
