"""Gives a take of a real evening to a new table, and compares what both wrote.

The new table runs the code as it is now. It is given what the table was given then
(``vision.evidence.takes``), and what people tapped, at the same times. After each hand its record
is set to what stood in the old one, so that a difference is reported only once.

"Then" is the evening when the take was kept; "now" is this run.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, can, start
from scorekeeper.errors import FormatError, RuleError, ScorekeeperError, StaleAppend
from scorekeeper.history.corrections import standing
from vision.belief.context import pack_of
from vision.belief.courses import Course, by_course, course_of, first_difference, said
from vision.detection.detections import Detection
from vision.evidence.takes import (
    ANY_FACE,
    Answer,
    Appended,
    Beginning,
    Edge,
    Faces,
    Line,
    Moment,
    Word,
    read_take,
    unplayed,
)
from vision.geometry.table_plane import Plane
from vision.packs import JOKER, decks_of
from vision.tracking.covered import covered_by
from vision.watched_table import Happened, ListLog, WatchingTable

NEAR = 20.0
"""Two stories are reported where the likelier one is at most so many times as likely."""

LOOK_EVERY = 1.0
"""How often the stories are compared: every so many seconds of the take."""


class SharedLog(ListLog):
    """A match to which people append events too, at the same moments as then.

    Args:
        header: who plays what.
        events: the events at the beginning.

    Attributes:
        coming: events that were appended then during the step that the table takes now, and are
            not appended yet. Each comes with whether the table itself appended it.
    """

    def __init__(self, header: Header, events: Sequence[Event] = ()) -> None:
        super().__init__(header, events)
        self.coming: deque[tuple[bool, Event]] = deque()

    def say(self, events: Sequence[Event], seen: int) -> None:
        """Appends the table's events; see ``vision.watched_table.Log``.

        If people were quicker then, theirs are appended instead, and the table's are refused.
        """
        before = len(self.events)
        while self.coming and not self.coming[0][0]:
            self.take(self.coming.popleft()[1])
        if len(self.events) > before:
            raise StaleAppend(seen=seen, now=len(self.events))
        super().say(events, seen)
        for _ in events:
            if self.coming and self.coming[0][0]:
                self.coming.popleft()

    def take(self, event: Event) -> bool:
        """Appends an event that is not the table's; returns whether the rules allow it."""
        try:
            self.match = apply(self.match, event, kept=True)
        except RuleError:
            return False
        self.events.append(event)
        return True


class Divided(NamedTuple):
    """A moment at which the two likeliest stories of a hand were about as likely.

    Attributes:
        at: when, in seconds of the take.
        first: the likelier story: its probability (0–1), its cards from the first that differs on,
            and whether the hand ended in it.
        second: the other story, likewise.
        after: how many cards before that are the same in both.
    """

    at: float
    first: tuple[float, Course, bool]
    second: tuple[float, Course, bool]
    after: int

    @property
    def gap(self) -> float:
        """How many times as likely as the second story the first one is."""
        return self.first[0] / self.second[0]

    def in_words(self) -> str:
        """Both stories."""
        told = (f"{chance:.0%} {laid_in_words(*rest)}" for chance, *rest in self[1:3])
        return f"{self.at:.1f} s, after {self.after} cards: " + "; or ".join(told)


class Hand(NamedTuple):
    """A hand, as it was written then and as it is written now.

    Attributes:
        number: of the hand, from 1.
        ended: when it was over, in seconds of the take.
        then: its events that stood then, at its end.
        now: its events that stand now.
        divided: the moments at which two stories were about as likely.
        put_right: whether people corrected it then.
    """

    number: int
    ended: float
    then: tuple[Event, ...]
    now: tuple[Event, ...]
    divided: tuple[Divided, ...]
    put_right: bool

    @property
    def alike(self) -> bool:
        """Whether both have the same events; suits do not count, for the table guesses them."""
        return [said(event) for event in self.then] == [said(event) for event in self.now]


class Replay:
    """One match of a take, given to a table anew.

    Args:
        beginning: of the match.
        near: see :data:`NEAR`.

    Attributes:
        header: who plays what.
        then: the match as it was written then.
        log: the match as it is written now.
        table: the new table; None before the first moment.
        story: what happened, in words.
    """

    def __init__(self, beginning: Beginning, *, near: float = NEAR) -> None:
        if beginning.header is None:
            raise FormatError("a painted film is watched by datasets.benchmarks.corpus")
        self.header = beginning.header
        self.then = SharedLog(self.header, beginning.events)
        self.log = SharedLog(self.header, beginning.events)
        self.table: WatchingTable | None = None
        self.story: list[str] = []
        self._near, self._at, self._looked = near, 0.0, -math.inf
        self._edge: Edge | None = None
        self._plane: Plane | None = None
        self._names: frozenset[str] = frozenset()
        self._ranks: dict[tuple[int, int], int] = {}
        self._number = self.then.match.hand_number
        self._divided: dict[object, Divided] = {}
        self._put_right = False

    def go_on(self, line: Line, came: Sequence[tuple[bool, Event]] = ()) -> Iterator[Hand]:
        """Gives the table the next line.

        Args:
            line: the line of the take.
            came: what was appended then because of it or meanwhile; see ``SharedLog.coming``.

        Yields:
            The hands that are over with this line.
        """
        self.log.coming = deque(came)
        match line:
            case Edge():
                self._edge, self._plane = line, None
            case Faces():
                if line.names != self._names:
                    self._names = line.names
                    self._ranks.clear()
            case Moment():
                self._see(line)
            case Word():
                if self.table is not None:
                    self.table.declare(line.event, line.at)
            case Answer():
                if not self._answer(line):  # not asked now: what came of it then, people say
                    came = [(False, event) for _, event in came]
                    self.log.coming = deque(came)
            case Appended():
                came = line.events
                self.log.coming = deque((False, event) for _, event in came)
            case Beginning():
                raise FormatError("another match begins in the middle of one")
        self._catch_up(came)
        if self.then.match.hand_number > self._number:
            number, self._number = self._number, self.then.match.hand_number
            if number:
                yield self._hand(number)
            self._put_as_then()

    def end(self) -> Iterator[Hand]:
        """Yields the hand that was in progress when the match ended or was left."""
        if self._number:
            yield self._hand(self._number)

    # --- what the table is given ---

    def _see(self, moment: Moment) -> None:
        if self._edge is None:
            raise FormatError("the take does not say where the table ends")
        if self._plane is None or self._plane.homography is not moment.homography:
            seats = len(self.header.seats)
            self._plane = Plane(
                moment.homography, self._edge.outline, seats, middle=self._edge.middle
            )
        if self.table is None:
            self.table = WatchingTable(self._plane, self.log)
        self.table.plane, self._at = self._plane, moment.at
        mask, arms = moment.covered, moment.reaching
        happened = self.table.see(
            moment.at,
            [self._faced(each) for each in moment.detections],
            None if mask is None else covered_by(mask, mask.shape[1] / self._edge.size[0]),
            None if arms is None else lambda: arms,
        )
        self._note(happened)
        if moment.at - self._looked >= LOOK_EVERY:
            self._looked = moment.at
            self._look(self.table)

    def _faced(self, detection: Detection) -> Detection:
        """A detection in which other cards' names stand for faces that were not played.

        A take does not tell which cards players kept hidden: it has placeholders for their names.
        """
        if not any(name.startswith(ANY_FACE) for name, _ in detection.readings):
            return detection
        readings = tuple((self._stand_in(name), chance) for name, chance in detection.readings)
        return replace(detection, readings=readings)

    def _stand_in(self, name: str) -> str:
        """The card that stands for a placeholder: one that was not played either.

        Two readings of one card that differ in suit alone get one rank.
        """
        face = unplayed(name)
        if face is None:
            return name
        pack = pack_of(self.log.match)
        names = pack - self._names if face.rank > 0 else decks_of(pack) - pack
        ranks: dict[str, list[str]] = {}
        for free in sorted(names):
            ranks.setdefault(free[:-1], []).append(free)
        if not ranks:
            return JOKER
        # Ranks of which many cards are left come first; different cards get different ranks.
        order = sorted(ranks, key=lambda rank: (-len(ranks[rank]), rank))
        key = face.card, face.rank
        suits = ranks[order[self._ranks.setdefault(key, len(self._ranks)) % len(order)]]
        return suits[(face.suit - 1) % len(suits)]

    def _answer(self, line: Answer) -> bool:
        """Answers a question as it was answered then; False where it is not asked now."""
        asked = () if self.table is None else self.table.questions
        for question in asked:
            keys = [choice.key for choice in question.choices]
            same = (question.kind, question.seat) == (line.kind, line.seat)
            if same and line.choice in keys and self.table is not None:
                self.story.append(f"{line.at:.2f} answered {line.kind}: {line.choice}")
                try:
                    self.table.answer(question.id, keys.index(line.choice), line.at)
                except (LookupError, ScorekeeperError) as error:
                    self.story.append(f"{line.at:.2f} the answer was refused: {error}")
                return True
        return False

    def _catch_up(self, came: Sequence[tuple[bool, Event]]) -> None:
        """After each line: what people appended then is appended now, if it is not yet."""
        left = deque(event for own, event in self.log.coming if not own)
        taken = sum(not own for own, _ in came) - len(left)
        self.log.coming.clear()
        told: list[Event] = []
        for own, event in came:
            if not own and taken:
                taken -= 1
            elif not own:
                told.append(event)
                continue
            self._others(told)
            told.clear()
            self.then.take(event)
        self._others(told)

    def _others(self, events: Sequence[Event]) -> None:
        """People appended events together then: a call, a correction."""
        if not events:
            return
        corrects = any(event.do in ("undo", "play") for event in events)
        self._put_right |= corrects
        self.story += [
            f"{self._at:.2f} people: {event.seat} {event.in_words()}" for event in events
        ]
        alike = stands(self.log.events) == stands(self.then.events)
        for event in events:
            self.then.take(event)
            if alike:
                self.log.take(event)
            elif not corrects and not self._call(event):
                corrects = event.agreed  # players agreed on it by what was written then
                if self.table is not None and not corrects:
                    self.table.declare(event.bare(), self._at)
        if corrects and not alike:
            self._put_as_then()

    def _call(self, event: Event) -> bool:
        return can(self.log.match, event.bare()) and self.log.take(event)

    def _put_as_then(self) -> None:
        """Sets the record of now to what stands in the record of then."""
        now, then = stands(self.log.events), [one.event for one in standing(self.then.events)]
        same = 0
        while same < min(len(now), len(then)) and now[same] == then[same].bare():
            same += 1
        for event in [*[Event("undo")] * (len(now) - same), *then[same:]]:
            self.log.take(event)

    # --- what is told ---

    def _note(self, happened: Happened) -> None:
        at = f"{self._at:.2f}"
        self.story += [f"{at} {event.seat} {event.in_words()}" for event in happened.events]
        self.story += [f"{at} ? {question.kind} {question.seat}" for question in happened.asked]
        self.story += [
            f"{at} withdrawn: {question.kind} {question.seat}" for question in happened.withdrawn
        ]
        self.story += [f"{at} hint: {hint.kind} {hint.seat}" for hint in happened.hints]

    def _look(self, table: WatchingTable) -> None:
        """Notes the two likeliest stories if they are about as likely."""
        likeliest = by_course(table.belief.review.stories(self.log.match, len(self.log.events)))[:2]
        if len(likeliest) < 2 or likeliest[0][0] > self._near * likeliest[1][0]:
            return
        courses = [course_of(story) for _, story in likeliest]
        after = first_difference(*courses)
        first, second = (
            (chance, course[after:], story.ended)
            for (chance, story), course in zip(likeliest, courses, strict=True)
        )
        parts = ((tuple(course[:1]), ended) for _, course, ended in (first, second))
        key, new = (after, frozenset(parts)), Divided(self._at, first, second, after)
        if key not in self._divided or self._divided[key].gap > new.gap:
            self._divided[key] = new

    def _hand(self, number: int) -> Hand:
        """The hand as it was written then and is written now; the next hand begins."""
        divided = tuple(sorted(self._divided.values(), key=lambda each: each.at))
        then, now = (of_hand(self.header, log.events, number) for log in (self.then, self.log))
        hand = Hand(number, self._at, then, now, divided, self._put_right)
        self._divided.clear()
        self._put_right = False
        return hand


def stands(events: Sequence[Event]) -> list[Event]:
    """The events that are not taken back, without remarks."""
    return [one.event.bare() for one in standing(events)]


def of_hand(header: Header, events: Sequence[Event], number: int) -> tuple[Event, ...]:
    """The events of one hand (from 1) that are not taken back."""
    match, found = start(header), []
    for one in standing(events):
        match = apply(match, one.event, kept=True)
        if match.hand_number == number:
            found.append(one.event)
    return tuple(found)


def laid_in_words(course: Course, ended: bool) -> str:
    """Who laid which rank, in order, and whether the hand ended then."""
    told = [f"seat {seat} laid {rank}" for seat, rank in course]
    if ended:
        told.append("the hand ended")
    return ", then ".join(told) or "nobody laid one more"


def steps(lines: Iterable[Line]) -> Iterator[tuple[Line, Sequence[tuple[bool, Event]]]]:
    """Each line of a take with the events that were appended because of it or meanwhile."""
    waiting: Line | None = None
    for line in lines:
        if waiting is not None:
            judged = isinstance(line, Appended)
            yield waiting, line.events if isinstance(line, Appended) else ()
            waiting = None
            if judged:
                continue
        if isinstance(line, Moment | Answer):
            waiting = line
        else:
            yield line, ()
    if waiting is not None:
        yield waiting, ()


def watched(path: Path, *, near: float = NEAR) -> Iterator[tuple[Replay, Hand]]:
    """Watches a take again.

    Args:
        path: its file.
        near: see :data:`NEAR`.

    Yields:
        Each hand when it is over, with its match.

    Raises:
        FormatError: it is no take of a real evening, or is damaged.
        OSError: it cannot be read.
    """
    replay: Replay | None = None
    with closing(read_take(path)) as lines:
        for line, came in steps(lines):
            if isinstance(line, Beginning):
                if replay is not None:
                    yield from ((replay, hand) for hand in replay.end())
                replay = Replay(line, near=near)
            elif replay is not None:
                for hand in replay.go_on(line, came):
                    yield replay, hand
    if replay is not None:
        yield from ((replay, hand) for hand in replay.end())
