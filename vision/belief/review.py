"""Puts right what was written of a hand and is no longer believed.

Once a second all that was seen and said in the hand is explained anew
(``vision.belief.explainer``). If another course of the hand has become far likelier than the
written one, it takes its place. But a play that people entered or confirmed stays, and so do all
plays before it (V-11). If the other course is only a little likelier, the table asks about the
first card in which both differ: one tap decides (V-13). If it is likelier that the hand has ended,
though nobody has said so, the table asks how (V-14).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, undone
from scorekeeper.engine.state import Match
from scorekeeper.errors import RuleError
from vision.belief.associations import GONE, PlayAssociation, believed
from vision.belief.context import Laid, RefereeContext, laid_cards
from vision.belief.costs import KEPT_FALSE_PLAY, WRONG_CORRECTION, chance_of, odds
from vision.belief.courses import (
    Course,
    course_of,
    events_since,
    first_difference,
    ranks_at,
    said,
)
from vision.belief.explainer import Explainer
from vision.belief.findings import Doubt, End, LikelierCourse, Revision, end_of
from vision.belief.hypotheses import HandObject, Hypothesis
from vision.belief.memory import Memory
from vision.belief.objects import HandObjects
from vision.belief.posterior import meanings, play_of
from vision.belief.proposals import Choice, Proposal
from vision.belief.settings import SETTINGS
from vision.belief.written_hand import WrittenHand
from vision.packs import index_order
from vision.tracking.tracked_card import TrackedCard

MARGIN_TO_CORRECT = odds(WRONG_CORRECTION)
"""Another course takes the place of the written one if it is likelier by at least this, in nats.
The readings of a single card can make it so."""

MARGIN_TO_ASK = odds(KEPT_FALSE_PLAY)
"""If it is likelier by at least this, in nats, the table asks."""

EVERY = 1.0
"""Seconds between two reviews. What is written is replaced only if two in a row find the same."""

PATIENCE = 3
"""The table asks only if so many reviews in a row find the same: the next pictures, or an answer to
another question, may settle it."""

UNNAMED = Laid(0, "", False)
"""Stands for a play of a revision until all its plays are known, and how each is written."""


class Review:
    """Explains the latest hand anew, once a second.

    Args:
        memory: what lies on the table, and what is decided about it.
        objects: the objects that the hypotheses explain.
    """

    def __init__(self, memory: Memory, objects: HandObjects) -> None:
        self._memory, self._objects = memory, objects
        self._hand = WrittenHand(memory.associations)
        self._plays: list[PlayAssociation] = []  # of the hand, also after the next one was dealt
        self._next = 0.0
        self._reviewed: object = None
        self._likelier: LikelierCourse | None = None  # found by the latest review
        self._alike = 0  # so many reviews in a row have found it
        self._doubt: Doubt | None = None
        self._end: End | None = None  # found by the latest review

    def see(self, expected: RefereeContext, events: Sequence[Event]) -> Revision | None:
        """Reviews the hand, if it is time. Call it after a look of which nothing more comes.

        Args:
            expected: what the referee expects.
            events: all events of the match.

        Returns:
            What is to be put right, or None.
        """
        at = self._memory.at
        self._follow(expected.seq, events)
        plays = self._memory.associations.plays
        if plays or not self._hand.standing_plays():  # else the next hand began with a cut
            self._plays = plays
        self._objects.see(self._memory)
        if at < self._next or not self._is_followed(expected.match):
            return None
        self._next = at + EVERY
        seen = ((each.id, each.sides, *each.evidence.values()) for each in self._objects_of())
        news = expected.seq, *seen
        if news == self._reviewed and self._likelier is None:
            return None  # nothing has changed, and to explain it anew takes long
        self._reviewed = news
        self._end = self._doubt = None
        start, before = self._hand.start(expected.match), self._likelier
        found = self._likelier = self._find_likelier(start, expected)
        if found is None or before is None or not found.is_like(before):
            self._alike = 1
            return None
        self._alike += 1
        if found.best.ended:
            return None
        revision = self._revision(start, found.best, chance_of(found.margin))
        if revision is not None and min(found.margin, before.margin) >= MARGIN_TO_CORRECT:
            return revision
        if self._alike >= PATIENCE:
            self._doubt = self._doubt_about(found, expected.match)
        return None

    def _follow(self, seq: int, events: Sequence[Event]) -> None:
        """Takes in what was written since."""
        if seq == self._hand.seq or not self._hand.follow(self._memory.at, seq, events):
            return
        if self._likelier is None:  # of the hand before, nothing was likelier than what is written
            self._memory.believed |= believed(self._plays, self.cards())
        self._objects.begin(self._memory)
        self._likelier = self._doubt = None

    def stories(self, match: Match, seq: int) -> list[Hypothesis]:
        """What may have happened in the latest hand, the likeliest first.

        Args:
            match: the match.
            seq: number of its latest event.

        Returns:
            The hypotheses of what came since the first look. An empty list if nothing is written,
            or if something was written since the latest look.
        """
        if seq != self._hand.seq or not self._is_followed(match):
            return []
        certain = self._hand.course()[: self._hand.certain_plays()]
        return self._explain(self._hand.start(match), certain)

    def shown(self, expected: RefereeContext) -> int:
        """How many of the latest plays are none, for the hand was over before; 0 if it was not.

        If cards were thrown in, an end counts even if what is written is likelier.
        """
        counts = self._ends_likelier or self._memory.laid_at_throw_in == expected.laid
        end = self._end_of_now(expected) if counts else None
        return 0 if end is None else end.shown

    def end_seen(self, expected: RefereeContext) -> int | None:
        """The card about which to ask whether the hand has ended.

        Args:
            expected: what the referee expects.

        Returns:
            Number of the first card that was shown after the end; None if nothing is to be asked.
        """
        end = self._end_of_now(expected) if self._ends_likelier and self._alike > 1 else None
        late = end is not None and self._memory.at - end.since >= SETTINGS.ask_after
        return end.card if end is not None and late else None  # people may still tap what was said

    @property
    def _ends_likelier(self) -> bool:
        """Whether the likelier course is that the hand has ended."""
        return self._likelier is not None and self._likelier.best.ended

    def _end_of_now(self, expected: RefereeContext) -> End | None:
        """The end that the latest review found, if nothing was played or said since."""
        end = self._end
        if end is None or not expected.playing or end.laid != expected.laid:
            return None
        stands = end.since > self._memory.not_ended_before and (expected.by_card or not end.shown)
        return end if stands else None

    def cards(self) -> dict[int, TrackedCard]:
        """The cards that were seen face up in the latest hand, by their numbers."""
        return self._objects.cards()

    def _is_followed(self, match: Match) -> bool:
        """Whether plays are written, and all of them are taken in."""
        laid, hand = laid_cards(match), self._hand
        known = len(hand.standing_plays()) == len(laid) - hand.older
        return bool(hand.plays()) and hand.laid() == laid and known

    def _objects_of(self) -> list[HandObject]:
        older = self._hand.older_cards()
        seen = self._objects.of_hand(self._memory.dismissed)
        return [each for each in seen if each.id not in older]

    def _doubt_about(self, found: LikelierCourse, match: Match) -> Doubt | None:
        """The question which card was laid where the courses first differ; None if it is unseen."""
        hand, written = self._hand, self._hand.course()
        place = first_difference(found.course, written)
        play = hand.plays()[place]
        card = self.cards().get(play.card or GONE)
        if card is None:  # nobody saw it
            return None
        seat, rank = written[place]
        before = undone(match, len(hand.events) - hand.place_of(place))
        expected = RefereeContext(before, hand.seq)
        choices = [
            Choice(
                "stay" if each == rank else "revise",
                play_of(card, seat, each, expected),
                found.ranks.get(each, 0.0),
            )
            for each in sorted({name[:-1] for name in expected.possible}, key=index_order)
        ]
        choices.append(Choice("no", None, found.ranks.get("", 0.0)))
        first = max(choices, key=attrgetter("chance"))  # this one first, then what is written
        choices.sort(key=lambda one: (one is not first, one.word != "stay", -one.chance))
        place += hand.older
        trick = 1 + sum(one.laid.seat == seat for one in self._plays[:place])
        return Doubt(place, play.laid, trick, card.id, tuple(choices))

    def doubt(self, expected: RefereeContext) -> Doubt | None:
        """The play that is hardly believed, if there is one and it still stands."""
        return self._doubt if self._doubt and self._doubt.stands(expected) else None

    def answered(
        self, choice: Choice, expected: RefereeContext, events: Sequence[Event]
    ) -> Revision | None:
        """Takes the answer to which card was laid.

        Args:
            choice: the answer.
            expected: what the referee expects.
            events: all events of the match.

        Returns:
            What is to be put right; None if what is written stays.

        Raises:
            LookupError: that play does not stand any more.
        """
        doubt, self._doubt, self._likelier = self._doubt, None, None
        self._follow(expected.seq, events)
        if doubt is None or not doubt.stands(expected):
            raise LookupError("this play was put right already")
        if not self._is_followed(expected.match):
            raise LookupError("what was written since has to be looked at first")
        place = doubt.place - self._hand.older
        if choice.word == "stay":
            self._memory.associations.plays[doubt.place].fixed = True
            return None
        start, certain = self._hand.start(expected.match), self._hand.course()[:place]
        rank = None if choice.event is None else str(choice.event.card)[:-1]
        if rank is not None:
            certain.append((doubt.laid.seat, rank))
        for each in self._explain(start, certain):
            of_it = len(each.plays) > place and each.plays[place].object == doubt.card
            if not each.ended and not each.words and (rank is not None or not of_it):
                revision = self._revision(start, each, 1.0)
                if revision is not None:
                    return revision
        return self._one_changed(doubt, choice)

    def _one_changed(self, doubt: Doubt, choice: Choice) -> Revision:
        """The revision that changes this one play alone, or takes it away."""
        hand, event = self._hand, choice.event
        place = hand.place_of(doubt.place - hand.older)
        new = () if event is None else (event,)
        wanted = (*new, *(one.event for one in hand.events[place + 1 :]))
        why, at = "a person has answered", self._memory.at
        proposals = tuple(Proposal(each, doubt.card, why, 1.0, at, instead=True) for each in new)
        return Revision(hand.events[place].seq, wanted, proposals, None)

    def _find_likelier(self, start: Match, expected: RefereeContext) -> LikelierCourse | None:
        """Finds a course of the hand that is likelier than the written one, or None."""
        hand, written = self._hand, self._hand.course()
        certain = written[: hand.certain_plays()]
        objects = self._objects_of()
        explainer = self._explainer(start, objects, certain)
        bound = [(*play, of.card or -1) for play, of in zip(written, hand.plays(), strict=True)]
        # If the cards fit what is written well, nothing can be far likelier: this saves the search.
        over = math.inf if expected.playing else hand.over()
        if explainer.upper_bound - explainer.lower_bound(bound, over) < MARGIN_TO_ASK:
            return None
        likeliest = explainer.explain(hand.words(self.cards()))
        self._end = end_of(likeliest, objects, hand)
        if not likeliest or likeliest[0].words:
            return None
        best = likeliest[0]
        course = course_of(best)[: len(written)]
        if course == written and not best.ended:
            return None
        likely = self._explain(start, written)
        as_written = next((each for each in likely if not each.ended), None)
        if as_written is None or best.log_likelihood - as_written.log_likelihood < MARGIN_TO_ASK:
            return None
        ranks = ranks_at([*likeliest, as_written], first_difference(course, written), written)
        return LikelierCourse(course, best.log_likelihood - as_written.log_likelihood, best, ranks)

    def _explainer(self, start: Match, objects: list[HandObject], certain: Course) -> Explainer:
        plays = self._hand.plays()[: len(certain)]
        unseen = {place for place, play in enumerate(plays) if play.card == GONE}
        ended = self._memory.not_ended_before
        return Explainer(start, objects, certain, not_ended_before=ended, unseen=unseen)

    def _explain(self, start: Match, certain: Course) -> list[Hypothesis]:
        words = self._hand.words(self.cards())
        return self._explainer(start, self._objects_of(), certain).explain(words)

    def _revision(self, start: Match, best: Hypothesis, chance: float) -> Revision | None:
        """The revision by which a hypothesis is written; None if the rules or words forbid it.

        None, too, if a new play in it was not seen, or is hardly read: then the table asks.
        """
        associations, hand = self._memory.associations, self._hand
        course, had = self._without_next(start, best), associations.cards()
        stood = {
            one.seq: play for one, play in zip(hand.standing_plays(), hand.plays(), strict=True)
        }
        left, seen, match = list(hand.events), iter(best.plays), start
        wanted, proposals, bound = list[Event](), list[Proposal](), list[PlayAssociation]()
        same = True  # up to here the course is what is written
        for place, event in enumerate(course):
            old = next((one for one in left if said(one.event) == said(event)), None)
            same = same and old is not None and old is hand.events[place]
            if old is not None:
                left.remove(old)
                event = old.event
            if event.do == "play":
                object_ = next(seen).object
                if old is not None:
                    was = stood[old.seq]
                    bound.append(replace(was, card=was.card if object_ is None else object_))
                elif object_ is None:
                    return None  # nobody saw it: the table asks
                else:
                    written, expected = object_ in had, RefereeContext(match, hand.seq)
                    if not (written or meanings(self.cards()[object_], expected).clear):
                        return None  # it is hardly read: the table asks
                    proposal = self._proposal(object_, event, expected, chance)
                    event = proposal.event
                    proposals.append(proposal)
                    bound.append(PlayAssociation(UNNAMED, object_, self._memory.at, fixed=written))
            try:
                match = apply(match, event, kept=True)
            except RuleError:
                return None
            if not same:
                wanted.append(event)
        if any(one.event.do != "play" for one in left):
            return None  # a word that people said would have to go
        if (kept := len(course) - len(wanted)) == len(hand.events):
            return None
        for association, one in zip(bound, laid_cards(match)[hand.older :], strict=True):
            association.laid = one
        plays = (*associations.plays[: hand.older], *bound)
        return Revision(hand.events[kept].seq, tuple(wanted), tuple(proposals), plays)

    def _without_next(self, start: Match, best: Hypothesis) -> list[Event]:
        """The events of a hypothesis, without the latest plays that are not written yet."""
        course = events_since(start, best.match)
        written, cards = len(self._hand.plays()), self._memory.associations.cards()
        for place in range(len(best.plays), written, -1):
            if best.plays[place - 1].object in cards or course[-1].do != "play":
                break  # the card is written, or a word rests on it
            course.pop()
        return course

    def _proposal(
        self, number: int, play: Event, expected: RefereeContext, chance: float
    ) -> Proposal:
        card, rank = self.cards()[number], str(play.card)[:-1]
        assert play.seat is not None
        event = play_of(card, play.seat, rank, expected)
        why = f"all that was seen of this hand says {rank} by now"
        return Proposal(event, number, why, chance, card.laid, instead=True)

    def take_over(self, revision: Revision) -> None:
        """Takes over the plays of a revision that was written, and their cards.

        A card that is no play any more is not proposed again while it lies there.
        """
        if revision.plays is None:
            return
        associations, waiting = self._memory.associations, self._memory.cards.keys()
        had = associations.cards()
        associations.plays = list(revision.plays)
        associations.taken_back |= (had - associations.cards()) & waiting
