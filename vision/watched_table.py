"""The watching table: detections in, events and questions out."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, replay
from scorekeeper.engine.said import is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.errors import LedgerError, RuleError, StaleAppend
from scorekeeper.history.corrections import Correction, rewrite, standing
from scorekeeper.history.fixes import replaced
from scorekeeper.history.suits import enter_card
from vision.belief.belief import Belief
from vision.belief.clearing import Clearing
from vision.belief.context import RefereeContext
from vision.belief.findings import Revision
from vision.belief.opening import TableLook
from vision.belief.proposals import Choice, Hint, Proposal, Question, refused
from vision.detection.detections import Detection
from vision.geometry.table_plane import Plane
from vision.packs import BACK
from vision.tracking.covered import Covered
from vision.tracking.piles import ONE_PLACE, Heaps
from vision.tracking.tracked_card import Change, TrackedCard
from vision.tracking.tracker import Tracker
from vision.tracking.trajectories import Place

MOST_AT_ONCE = 32
"""At most so many proposals are tried after one look, so that a fault cannot go on for ever."""

LOOKS_AT_ONCE = 100
"""At most so many looks are judged with one frame. Minutes of looks may be held back until somebody
answers; to judge all of them takes seconds, and no frame may wait for so long."""


class Log(Protocol):
    """Where events are appended: all or none, and only if the match has not gone on meanwhile."""

    def read(self) -> tuple[int, Match, Sequence[Event]]:
        """The number of the latest event, the match, and all events."""

    def say(self, events: Sequence[Event], seen: int) -> None:
        """Appends events.

        Args:
            events: the events, in order.
            seen: number of the latest event when they were judged.

        Raises:
            StaleAppend: the match has gone on since ``seen``; nothing was kept.
            RuleError: one of them is not legal; nothing was kept.
            LedgerError: they could not be written; nothing was kept.
        """


class ListLog:
    """A match in a plain list, for films and tests.

    Args:
        header: who plays what.
        events: what was said before.
    """

    def __init__(self, header: Header, events: Sequence[Event] = ()) -> None:
        self.events = list(events)
        self.match = replay(header, self.events)

    def read(self) -> tuple[int, Match, Sequence[Event]]:
        """The number of the latest event, the match, and all events."""
        return len(self.events), self.match, self.events

    def say(self, events: Sequence[Event], seen: int) -> None:
        """Appends events; see ``Log``."""
        if seen != len(self.events):
            raise StaleAppend(seen=seen, now=len(self.events))
        match = self.match
        for event in events:
            match = apply(match, event)
        self.match = match
        self.events += events


@dataclass
class Happened:
    """What came of one frame.

    Attributes:
        events: what was appended, in order.
        proposals: the proposals that these events came of, in order.
        asked: questions that are new.
        withdrawn: questions that need no answer any more.
        hints: what people may want to know.
        changes: what the tracker found.
    """

    events: tuple[Event, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    asked: tuple[Question, ...] = ()
    withdrawn: tuple[Question, ...] = ()
    hints: tuple[Hint, ...] = ()
    changes: tuple[Change, ...] = ()


class Appended(NamedTuple):
    """An event that was appended.

    Attributes:
        seq: its number.
        event: the event.
        proposal: the proposal that it came of.
        expected: what the referee expected just before.
    """

    seq: int
    event: Event
    proposal: Proposal
    expected: RefereeContext


class WatchingTable:
    """A table that is watched: tracks the cards, and appends what was played.

    Args:
        plane: where the table is.
        log: where events go.

    Attributes:
        plane: where the table is; may be replaced at any time.
        log: where events go.
        tracker: tracks the cards.
        belief: decides what was played, and what to ask.
        clearing: watches for the next deal while a hand is in progress, and holds looks back.
        appended: called with each proposed event after it was appended; None if nobody wants it.
    """

    def __init__(self, plane: Plane, log: Log) -> None:
        self.plane = plane
        self.log = log
        self.tracker = Tracker()
        self.belief = Belief()
        self.clearing = Clearing(self.belief.memory)
        self._heaps = Heaps()
        self._waiting: deque[TableLook] = deque()
        self.appended: Callable[[Appended], None] | None = None
        self._latest: RefereeContext | None = None

    @property
    def cards(self) -> tuple[TrackedCard, ...]:
        """The cards on the table."""
        return self.tracker.cards

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that wait for an answer."""
        return self.belief.questions.open

    def declare(self, event: Event, at: float) -> None:
        """Takes what people said at a time, in seconds; a later frame appends it, once it is legal.

        A word that stays illegal is refused by a hint; see ``vision.belief.words``.
        """
        self.belief.memory.words.append((at, event))

    def answer(
        self,
        question: int,
        choice: int,
        at: float,
        *,
        said: Mapping[str, object] = MappingProxyType({}),
    ) -> tuple[Event, ...]:
        """Takes a person's answer; returns what was appended because of it.

        Args:
            question: its number.
            choice: place of the answer among its choices.
            at: the time, in seconds.
            said: remarks on who answered, see ``scorekeeper.engine.said``.

        Raises:
            LookupError: the question was withdrawn, or has no such answer.
            RuleError: the rules do not allow any more what it says.
            StaleAppend: the match has gone on meanwhile.
            LedgerError: it could not be written.
        """
        asked, picked = self.belief.questions.take(question, choice)
        if asked.kind == "doubted":
            return self._settle(asked, picked, said)
        expected, events = self._read()
        proposal = self.belief.answer(asked, picked, expected, at)
        if proposal is None:
            return ()
        before = tuple(_marked(event, said) for event in proposal.before)
        event = _marked(proposal.event, said)
        marked = proposal._replace(event=event, before=before)
        written = self._append(marked, expected, events)
        self.belief.answered(asked, proposal.event, expected)
        return written

    def see(
        self, at: float, detections: Sequence[Detection], covered: Covered | None = None,
        reaching: Callable[[], frozenset[int]] | None = None,
    ) -> Happened:  # fmt: skip
        """Takes in one frame.

        Args:
            at: its time, in seconds.
            detections: the cards that were seen in it.
            covered: tells what hands cover; None if that is not known.
            reaching: tells which seats reach over the table; None if that is not known.
        """
        changes = self.tracker.update(at, detections, self.plane, covered, reaching)
        happened = Happened(changes=tuple(changes))
        waiting = self._waiting
        waiting.append(self._look(at, changes, detections))
        for _ in range(LOOKS_AT_ONCE):
            if not waiting:
                break
            look = waiting.popleft()
            expected, _ = self._read()
            ready = self.clearing.see(look, expected)
            if ready == [look]:
                self._judge(look, happened)
                if look.at < at:
                    happened.hints = ()  # hints of looks that were held back come too late
            else:  # judged in its place: the looks that were held back; none while they still are
                waiting.extendleft(reversed(ready))
        if self.clearing.holds_back:
            self.belief.ask_about_ending(at, expected)
        happened.asked, happened.withdrawn = self.belief.questions.news()
        return happened

    def _judge(self, look: TableLook, happened: Happened) -> None:
        """Has the belief weigh one look, and appends what comes of it."""
        memory = self.belief.memory
        memory.hints.clear()
        for _ in range(MOST_AT_ONCE):
            expected, events = self._read()
            proposal = self.belief.see(look, expected)
            look = look._replace(changes=(), heaps=())  # these are taken in
            if proposal is None:
                break
            try:
                said = self._append(proposal, expected, events)
            except StaleAppend:  # somebody else has written something: it is judged again
                continue
            except LedgerError:  # it could not be written: it is tried again with the next look
                break
            except RuleError as error:
                memory.judged(proposal.event)
                memory.hints.append(refused(error, proposal.event.seat))
                break
            memory.judged(proposal.event)
            happened.events += said
            happened.proposals += (proposal,)
        happened.hints = tuple(memory.hints)
        expected, events = self._read()
        revision = self.belief.review.see(expected, events)
        if revision is not None:
            with suppress(RuleError, StaleAppend, LedgerError):  # the next review finds it again
                happened.events += self._revise(revision, expected, events)
                happened.proposals += revision.proposals

    def _revise(
        self, revision: Revision, expected: RefereeContext, events: Sequence[Event]
    ) -> tuple[Event, ...]:
        """Appends what a revision wants in place of what was written, and returns it."""
        correction = rewrite(expected.match, events, revision.seq, revision.wanted)
        self.log.say(correction.events, expected.seq)
        self.belief.review.take_over(revision)
        self._tell(revision.proposals, correction.events, expected)
        return correction.events

    def _settle(
        self, asked: Question, picked: Choice, said: Mapping[str, object]
    ) -> tuple[Event, ...]:
        """Takes the answer to which card was laid; see ``answer``."""
        expected, events = self._read()
        revision = self.belief.review.answered(picked, expected, events)
        if revision is None:
            return ()
        told = [each.event for each in revision.proposals if each.card == asked.card]
        wanted = tuple(_marked(each, said) if each in told else each for each in revision.wanted)
        return self._revise(revision._replace(wanted=wanted), expected, events)

    def _look(
        self, at: float, changes: Sequence[Change], detections: Sequence[Detection]
    ) -> TableLook:
        """What this frame shows."""
        cards = {card.id: card for card in self.tracker.cards}
        heaps = self._heaps.see(at, self._backs(detections))
        return TableLook(at, changes, cards, heaps, self.plane, self.tracker.watched_since)

    def _backs(self, detections: Sequence[Detection]) -> list[Place]:
        """Where on the table backs were seen that are of no tracked card, in centimetres."""
        seen = [each.corners.mean(axis=0) for each in detections if each.card == BACK]
        if not seen:
            return []
        lying = [card.place for card in self.tracker.cards if card.down]
        return [
            (x, y)
            for x, y in self.plane.to_table(np.array(seen)).tolist()
            if all(math.dist((x, y), place) > ONE_PLACE for place in lying)
        ]

    def _read(self) -> tuple[RefereeContext, Sequence[Event]]:
        """What the referee expects, computed anew only if the match has changed; and all events."""
        seq, match, events = self.log.read()
        latest = self._latest
        if latest is None or latest.match is not match or latest.seq != seq:
            latest = self._latest = RefereeContext(match, seq)
        return latest, events

    def _append(
        self, proposal: Proposal, expected: RefereeContext, events: Sequence[Event]
    ) -> tuple[Event, ...]:
        """Appends what a proposal says, and returns it."""
        if proposal.instead:
            said = _put_instead(expected.match, events, proposal.event).events
        else:
            put_right = _with_suits_put_right(expected.match, events, proposal.event)
            said = (*proposal.before, *put_right)
        self.log.say(said, expected.seq)
        self._tell([proposal], said, expected)
        return said

    def _tell(
        self, proposals: Iterable[Proposal], said: Sequence[Event], before: RefereeContext
    ) -> None:
        """Calls ``appended`` for the event of each proposal, if somebody wants that.

        Args:
            proposals: the proposals.
            said: all events that were appended.
            before: what the referee expected before them.
        """
        if (appended := self.appended) is None:
            return
        for proposal in proposals:
            place = max(n for n, each in enumerate(said) if each[:3] == proposal.event[:3])
            appended(Appended(before.seq + place + 1, said[place], proposal, before))


def _marked(event: Event, said: Mapping[str, object]) -> Event:
    """An event with remarks on who said it."""
    return event._replace(remarks={**event.remarks, **said})


def _with_suits_put_right(match: Match, events: Sequence[Event], event: Event) -> tuple[Event, ...]:
    """What to append for an event. An earlier guess of a suit is put right in silence (V-12).

    Raises:
        RuleError: the rules do not allow it.
    """
    if event.card is None or event.seat is None or is_guessed(event):
        return (event,)
    said = enter_card(match, events, event.seat, event.card.rank, event.card.suit)
    *before, play = said
    return (*before, play._replace(remarks={**play.remarks, **event.remarks}))


def _put_instead(match: Match, events: Sequence[Event], event: Event) -> Correction:
    """What to append if a card takes the place of its seat's latest one.

    Another seat laid that one (V-1), or it was misread.

    Raises:
        RuleError: the rules do not allow it.
    """
    latest = next(
        each for each in reversed(standing(events))
        if each.event.do == "play" and each.event.seat == event.seat
    )  # fmt: skip
    return replaced(match, events, latest.seq, event)
