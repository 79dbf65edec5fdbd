"""Puts right what was written of the hand in progress and is no longer believed.

Once in a while all that was seen and said in the hand is explained anew
(``vision.belief.explainer``). Where another course of the hand has become far likelier than the
written one, it takes its place; as far back as people have told no play (V-11). Where another one
is likelier by less, the table is asked about the first card in which both differ: one tap decides.
Where the hand has rather ended, and nobody has said so, the table is asked how (V-14).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, undone
from scorekeeper.engine.said import is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.errors import RuleError
from scorekeeper.history.corrections import Standing, standing
from scorekeeper.history.fixes import READINGS
from vision.belief.associations import GONE, PlayAssociation, believed
from vision.belief.context import Laid, RefereeContext, expectation, laid_cards
from vision.belief.costs import KEPT_FALSE_PLAY, WRONG_CORRECTION, odds
from vision.belief.courses import (
    Course,
    chance_of,
    course_of,
    events_since,
    first_difference,
    ranks_at,
    said,
)  # fmt: skip
from vision.belief.explainer import Explainer
from vision.belief.findings import Doubt, End, Revision, Turn, course_as_written, end_of
from vision.belief.hypotheses import HandObject, Hypothesis, Word
from vision.belief.memory import Memory
from vision.belief.objects import HandObjects
from vision.belief.posterior import play_of
from vision.belief.proposals import Choice, Proposal
from vision.packs import index_order
from vision.tracking.tracked_card import TrackedCard

TURNED = odds(WRONG_CORRECTION)
"""So much likelier, in nats, another course of the hand has to be than the written one. The
readings of one card can say a little more."""

DOUBTED = odds(KEPT_FALSE_PLAY)
"""And so much, for the table to be asked."""

EVERY = 1.0
"""Seconds between two reviews; what two in a row say alike is done."""

LAY_BEFORE = 1.0
"""A card that came to rest within so many seconds of the first look lay there before."""

PATIENCE = 3
"""So many reviews in a row have to doubt the same, for the table to be asked: the next pictures, or
another question's answer, may settle it."""


class Review:
    """Explains the hand in progress anew, now and then.

    Args:
        memory: the belief's.
        objects: what lies on the table, as the hypotheses explain it.
    """

    def __init__(self, memory: Memory, objects: HandObjects) -> None:
        self._memory, self._objects = memory, objects
        self._seq: int | None = None
        self._hand: list[Standing] = []  # what stands of it, since its deal or the first look
        self._deal: int | None = None  # the number of its first saying
        self._before = 0  # so many plays of it are older than the first look
        self._lay_before: set[int] = set()  # cards that nobody saw come
        self._plays: list[PlayAssociation] = []  # of the hand, also after the next one was dealt
        self._told_at: dict[int, float] = {}
        self._first: tuple[float, int] | None = None  # look: its time, number of the latest event
        self._next = 0.0
        self._reviewed: object = None
        self._turn: Turn | None = None  # what the review before has found likelier
        self._alike = 0  # so many reviews in a row have found it
        self._doubt: Doubt | None = None
        self._end: End | None = None  # if the hand is over, and nobody has said how
        self._end_doubted = False  # whether that is asked

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
        self._first = self._first or (at, seq)
        if seq != self._seq:
            self._take_over(at, seq, events)
        plays = self._memory.associations.plays
        if plays or all(one.event.do != "play" for one in self._hand):  # else the pack was cut anew
            self._plays = plays
        self._objects.see(self._memory)
        self._lay_before |= {
            card.id for card in self._memory.faces if card.since - self._first[0] < LAY_BEFORE
        }
        if at < self._next or not self._is_followed(match):
            return None
        self._next = at + EVERY
        objects = self._objects_of(match)
        news = seq, tuple((each.id, each.sides, tuple(each.evidence.values())) for each in objects)
        if news == self._reviewed and self._turn is None:
            return None
        self._reviewed = news
        start = undone(match, len(self._hand))
        self._end, self._end_doubted = None, False
        before, turn = self._turn, self._turned(start, objects, expectation(match, seq))
        self._turn, self._doubt = turn, None
        if turn is None or before is None or not turn.is_like(before):
            self._alike = 1
            return None
        self._alike += 1
        if turn.best.ended:
            end, wait = self._end, self._memory.settings.ask_after  # a tap may come late
            self._end_doubted = end is not None and at - end.since >= wait
            return None
        revision = self._revision(at, seq, start, turn.best, chance_of(turn.nats))
        if revision is None or min(turn.nats, before.nats) >= TURNED:
            return revision
        if self._alike >= PATIENCE:
            self._doubt = self._doubted(seq, start, turn)
        return None

    def stories(self, match: Match, seq: int) -> list[Hypothesis]:
        """What may have happened in the latest hand, the likeliest first.

        Args:
            match: the match.
            seq: number of its latest event.

        Returns:
            The hypotheses, of what came since the first look; none where a card of that was not
            seen to come, none is written, or something was written since the last look.
        """
        if seq != self._seq or not self._is_followed(match):
            return []
        objects = self._objects_of(match)
        start, told = undone(match, len(self._hand)), self._written()[: self._told()]
        return self._explainer(start, objects, told).explain(self._words())

    def shown(self, expected: RefereeContext) -> int:
        """How many of the latest plays are none, if the hand was over before."""
        end = self._end_of_now(expected)
        return 0 if end is None else end.shown

    def end_seen(self, expected: RefereeContext) -> int | None:
        """Number of the first card that was shown after the end of the hand, if nobody has told it.

        Args:
            expected: what the referee expects.
        """
        end = self._end_of_now(expected)
        return end.card if end is not None and self._end_doubted else None

    def _end_of_now(self, expected: RefereeContext) -> End | None:
        """The end that the latest review found, if nothing was played or said since."""
        end = self._end
        if (
            end is None
            or not expected.playing
            or end.laid != expected.laid
            or end.since <= self._memory.went_on
        ):
            return None
        return None if end.shown and not expected.by_card else end

    def cards(self) -> dict[int, TrackedCard]:
        """The cards that were seen face up in the latest hand, by their numbers."""
        return self._objects.cards()

    def _is_followed(self, match: Match) -> bool:
        """Whether all cards since the first look were seen to come, and what stands is known."""
        laid, written = laid_cards(match), self._written()
        followed = [play.laid for play in self._memory.associations.plays] == list(laid)
        known = len(written) == len(laid) - self._before
        if not (written and followed and known):
            return False
        return all(each.id not in self._lay_before for each in self._objects_of(match))

    def _older(self) -> set[int | None]:
        """The cards of the plays that are older than the first look."""
        return {play.card for play in self._memory.associations.plays[: self._before]}

    def _own(self) -> list[PlayAssociation]:
        """The plays that were written after the first look."""
        return self._memory.associations.plays[self._before :]

    def _objects_of(self, match: Match) -> list[HandObject]:
        older = self._older()
        seen = self._objects.of_hand(match.seats, self._memory.dismissed)
        return [each for each in seen if each.id not in older]

    def _doubted(self, seq: int, start: Match, turn: Turn) -> Doubt | None:
        """The question which card was laid where both courses part; None where none was seen."""
        written = self._written()
        place, match = first_difference(turn.course, written), start
        play = self._own()[place]
        laid, card = play.laid, self.cards().get(play.card or GONE)
        if card is None:  # nobody saw it
            return None
        before = 0
        for one in self._hand:
            if one.event.do == "play":
                if before == place:
                    break
                before += 1
            match = apply(match, one.event, kept=True)
        seat, rank = written[place]
        expected = expectation(match, seq)
        choices = [
            Choice(
                "stay" if each == rank else "revise",
                play_of(card, seat, each, expected, self._memory.settings.suit_margin),
                turn.ranks.get(each, 0.0),
            )
            for each in sorted({name[:-1] for name in expected.possible}, key=index_order)
        ]
        choices.append(Choice("no", None, turn.ranks.get("", 0.0)))
        first = max(choices, key=attrgetter("chance"))  # was it that, or what is written?
        choices.sort(key=lambda one: (one is not first, one.word != "stay", -one.chance))
        place += self._before
        trick = 1 + sum(one.laid.seat == seat for one in self._plays[:place])
        return Doubt(place, laid, trick, card.id, tuple(choices))

    def doubt(self, expected: RefereeContext) -> Doubt | None:
        """The play that is hardly believed, if there is one and it still stands."""
        return self._doubt if self._doubt and self._doubt.stands(expected) else None

    def answered(
        self, choice: Choice, at: float, seq: int, match: Match, events: Sequence[Event]
    ) -> Revision | None:
        """Takes the answer to which card was laid.

        Args:
            choice: the answer.
            at: the time, in seconds.
            seq: number of the latest event.
            match: the match.
            events: all its events.

        Returns:
            What is to be put right; None where what is written stays.

        Raises:
            LookupError: that play does not stand any more.
        """
        doubt, self._doubt, self._turn = self._doubt, None, None
        if seq != self._seq:
            self._take_over(at, seq, events)
        laid, plays = laid_cards(match), self._memory.associations.plays
        if doubt is None or laid[doubt.place : doubt.place + 1] != (doubt.laid,):
            raise LookupError("this play was put right already")
        if not self._is_followed(match):
            raise LookupError("what was written since has to be looked at first")
        place = doubt.place - self._before
        if choice.word == "stay":
            plays[doubt.place].fixed = True
            return None
        start, told = undone(match, len(self._hand)), self._written()[:place]
        rank = None if choice.event is None else str(choice.event.card)[:-1]
        if rank is not None:
            told.append((doubt.laid.seat, rank))
        objects = self._objects_of(match)
        for each in self._explainer(start, objects, told).explain(self._words()):
            of_it = len(each.plays) > place and each.plays[place].object == doubt.card
            if not each.ended and not each.words and (rank is not None or not of_it):
                revision = self._revision(at, seq, start, each, 1.0)
                if revision is not None:
                    return revision
        return self._one_changed(doubt, choice, seq, at)

    def _one_changed(self, doubt: Doubt, choice: Choice, seq: int, at: float) -> Revision:
        """That one play alone was another one, or none."""
        at_plays = [n for n, one in enumerate(self._hand) if one.event.do == "play"]
        at_play = at_plays[doubt.place - self._before]
        later = tuple(one.event for one in self._hand[at_play + 1 :])
        plays = list(self._memory.associations.plays)
        old = plays.pop(doubt.place)
        event, proposals = choice.event, tuple[Proposal, ...]()
        if event is not None:
            assert event.seat is not None
            laid = Laid(event.seat, str(event.card), is_guessed(event))
            plays.insert(doubt.place, replace(old, laid=laid, fixed=True))
            why = "a person has answered"
            proposals = (Proposal(event, seq, doubt.card, why, 1.0, at, instead=True),)
            later = event, *later
        return Revision(self._hand[at_play].seq, later, proposals, tuple(plays))

    def _turned(
        self, start: Match, objects: list[HandObject], expected: RefereeContext
    ) -> Turn | None:
        """Another course of the hand that is likelier than the written one, or None."""
        written, words = self._written(), self._words()
        explainer = self._explainer(start, objects, written[: self._told()])
        bound = [(*play, of.card or -1) for play, of in zip(written, self._own(), strict=True)]
        # Where the cards explain it well, nothing else can be likelier: that is known at once.
        due = next(iter(expected.due), None)
        if explainer.most - explainer.directly(bound, due, self._over(expected)) < DOUBTED:
            return None
        likeliest = explainer.explain(words)
        self._end = end_of(likeliest, objects, self._hand, self._memory.associations.plays)
        if not likeliest or likeliest[0].words:
            return None
        best = likeliest[0]
        course = course_of(best)[: len(written)]
        if course == written and not best.ended:
            return None
        likely = self._explainer(start, objects, written).explain(words)
        as_written = next((each for each in likely if not each.ended), None)
        if as_written is None or best.nats - as_written.nats < DOUBTED:
            return None
        ranks = ranks_at([*likeliest, as_written], first_difference(course, written), written)
        return Turn(course, best.nats - as_written.nats, best, ranks)

    def _explainer(self, start: Match, objects: list[HandObject], told: Course) -> Explainer:
        return Explainer(start, objects, told, went_on=self._memory.went_on)

    def _written(self) -> Course:
        return course_as_written(self._hand)

    def _words(self) -> list[Word]:
        """What people said, no later than the card came that was written after it (V-4)."""
        words, latest, cards = list[Word](), math.inf, self.cards()
        plays = reversed(self._memory.associations.plays)
        for one in reversed(self._hand):
            if one.event.do != "play":
                words.append(Word(min(self._told_at[one.first], latest), one.event.bare()))
            elif (card := cards.get(next(plays).card or GONE)) is not None:
                latest = min(latest, card.appeared)
        return words[::-1]

    def _over(self, expected: RefereeContext) -> float:
        """When the hand was over; infinity while it is not."""
        return math.inf if expected.playing else self._told_at[self._hand[-1].first]

    def _told(self) -> int:
        """How many plays there are up to the latest one that people have told, or were asked of."""
        plays = (one.event for one in self._hand if one.event.do == "play")
        both = enumerate(zip(self._own(), plays, strict=True), 1)
        return max(
            (n for n, (play, event) in both if play.fixed or READINGS not in event.remarks),
            default=0,
        )

    def _take_over(self, at: float, seq: int, events: Sequence[Event]) -> None:
        """Takes in what was written since."""
        self._seq, stand = seq, standing(events)
        dealt = max((n for n, one in enumerate(stand) if one.event.do == "deal"), default=None)
        hand = [] if dealt is None else stand[dealt + 1 :]
        latest = -1 if self._first is None else self._first[1]
        older = max((n for n, one in enumerate(hand, 1) if one.first <= latest), default=0)
        self._hand, self._before = hand[older:], sum(one.event.do == "play" for one in hand[:older])
        deal = None if dealt is None else stand[dealt].first
        if deal != self._deal:
            if self._turn is None:  # nothing else was likelier
                self._memory.believed |= believed(self._plays, self.cards())
            self._deal = deal
            self._told_at.clear()
            self._lay_before.clear()
            self._objects.begin(self._memory)
            self._turn = self._doubt = None
        for one in self._hand:
            self._told_at.setdefault(one.first, at)

    def _revision(
        self, at: float, seq: int, start: Match, best: Hypothesis, chance: float
    ) -> Revision | None:
        """What takes the place of what is written; None where the rules or the words forbid it."""
        associations, course = self._memory.associations, events_since(start, best.match)
        cards, had = [play.object for play in best.plays], associations.cards()
        while len(cards) > len(self._own()) and cards[-1] not in had:
            if course[-1].do != "play":
                break  # what was said rests on a card that is not written yet
            course.pop()
            cards.pop()
        plays = [one for one in self._hand if one.event.do == "play"]
        stood = {one.seq: play for one, play in zip(plays, self._own(), strict=True)}
        left, seen, match = list(self._hand), iter(best.plays), start
        wanted, proposals, bound = list[Event](), list[Proposal](), list[PlayAssociation]()
        same = True
        for place, event in enumerate(course):
            old = next((one for one in left if said(one.event) == said(event)), None)
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
                    written, expected = object_ in had, expectation(match, seq)
                    if not (written or self._memory.is_clear(self.cards()[object_], expected)):
                        return None  # it is asked about
                    proposal = self._proposal(object_, event, expected, chance)
                    event = proposal.event
                    proposals.append(proposal)
                    bound.append(PlayAssociation(_NONE, object_, at, by_hand=False, fixed=written))
            try:
                match = apply(match, event, kept=True)
            except RuleError:
                return None
            if not same:
                wanted.append(event)
        if any(one.event.do != "play" for one in left):
            return None  # a word would fall away
        if (kept := len(course) - len(wanted)) == len(self._hand):
            return None
        first = self._hand[kept]
        for association, one in zip(bound, laid_cards(match)[self._before :], strict=True):
            association.laid = one
        bound = [*associations.plays[: self._before], *bound]
        return Revision(first.seq, tuple(wanted), tuple(proposals), tuple(bound))

    def _proposal(
        self, number: int, play: Event, expected: RefereeContext, chance: float
    ) -> Proposal:
        card, rank = self._objects.card(number), str(play.card)[:-1]
        assert play.seat is not None
        event = play_of(card, play.seat, rank, expected, self._memory.settings.suit_margin)
        why = f"all that was seen of this hand says {rank} by now"
        return Proposal(event, expected.seq, number, why, chance, card.since, instead=True)

    def take_over(self, revision: Revision) -> None:
        """What was put right stands now."""
        associations, waiting = self._memory.associations, self._memory.cards.keys()
        had = associations.cards()
        associations.plays = list(revision.plays)
        associations.taken_back |= (had - associations.cards()) & waiting


_NONE = Laid(0, "", False)
