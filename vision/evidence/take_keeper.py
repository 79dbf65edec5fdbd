"""Keeps takes of real evenings: what a watching table is given is written to a file, in numbers.

A face that was not played is never written. So the readings of all cards are held back in memory
until the hand is over. Then those of cards that the table took for plays are written in full. Of
any other card the names of cards that were played stay, and all other names are replaced
(``vision.evidence.takes.Unplayed``). A process that is killed loses the hand in progress, and at
most ``HOLD`` and ``EVERY`` seconds before it. Nothing that goes wrong here stops the match; a
problem is told once.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.state import Match
from scorekeeper.messages import N_
from vision.belief.context import pack_of
from vision.capture.sources import Frame
from vision.detection.detections import Detection
from vision.detection.reader import NO_CARDS
from vision.evidence.recorder import Hitch
from vision.evidence.takes import (
    VERSION,
    Encoder,
    Mask,
    Moment,
    Unplayed,
    append_block,
    mend,
    rounded,
    without_names,
    without_texts,
)
from vision.geometry.table_plane import Plane
from vision.occlusion.motion import WIDTH
from vision.tracking.covered import Covered, covered_by
from vision.watched_table import Happened, Log, WatchingTable

log = logging.getLogger(__name__)

HOLD = 30.0
"""A moment is written no sooner than this many seconds later, and after its hand: a card that lay
there before the deal was noticed may be a play of the next hand."""

EVERY, SOON = 20.0, 1.0
"""Seconds between two blocks of the file; the shorter time while more is ready than one holds."""

BLOCK = 250
"""Most lines of a block: writing more at once would hold up the next picture."""

MOST = 20_000
"""Most lines that are held back, of some twenty minutes: people may leave a hand unfinished."""

STOPPED = N_("The take cannot be written to {file}: {reason}. The match goes on without it.")


class _Held(NamedTuple):
    """A line that is not written yet.

    Attributes:
        at: the time of the latest moment when it was noted, in seconds.
        hand: the number of the hand in which it was noted.
        line: a moment, or the line as it will be written.
        cards: for a moment, the number of the card that each detection was taken for, or None.
    """

    at: float
    hand: int
    line: Moment | list[Any] | dict[str, Any]
    cards: Sequence[int | None] = ()


@dataclass
class _Hand:
    """What was played in a hand, and what stands for faces that were not.

    Attributes:
        names: the cards that were played.
        cards: the numbers of these on the table.
        faces: for each other card, by its number, the names that it was read as, by rank, in the
            order in which they were first read.
    """

    names: set[str] = field(default_factory=set)
    cards: set[int] = field(default_factory=set)
    faces: dict[int, dict[str, list[str]]] = field(default_factory=lambda: defaultdict(dict))

    def shown(self, detection: Detection, card: int | None, pack: Set[str]) -> Detection:
        """A detection of a card that was not played, without the names of cards not played."""
        readings = tuple(
            (name if name in self.names or name in NO_CARDS else self._face(name, card or 0, pack),
             chance)
            for name, chance in detection.readings
        )  # fmt: skip
        return replace(detection, readings=readings)

    def _face(self, name: str, card: int, pack: Set[str]) -> str:
        """What is written instead of a name that a card was read as; see ``Unplayed``."""
        ranks = self.faces[card]
        suits = ranks.setdefault(name[:-1], [])
        if name not in suits:
            suits.append(name)
        rank = 1 + list(ranks).index(name[:-1])
        return str(Unplayed(card, rank if name in pack else -rank, 1 + suits.index(name)))


class TakeKeeper:
    """Writes a take of what a watching table is given. Must be closed at the end.

    Args:
        path: where the file is; what is in it already stays.
        deck: whether the deck on the table was learned before.

    Attributes:
        deck: whether the deck on the table was learned before; noted as the next match begins.
        hitches: why nothing is kept any more; empty while all is well.
    """

    def __init__(self, path: Path, *, deck: bool = False) -> None:
        self.hitches: list[Hitch] = []
        self._path, self.deck = path, deck
        self._mended = False
        self._size = (0, 0)
        self._rest()

    def _rest(self) -> None:
        self._on = False
        self._noted = 0
        self._lines: deque[_Held] = deque()
        self._hands: dict[int, _Hand] = defaultdict(_Hand)
        self._match: Match | None = None
        self._at = self._next = 0.0
        self._edge: Any = None
        self._faces: set[str] | None = None
        self._encoder = Encoder()

    @property
    def keeps(self) -> bool:
        """Whether a match is on of which a take is kept."""
        return self._on and not self.hitches

    # --- what it is told ---

    def begin(self, header: Header | None, events: Sequence[Event] = ()) -> None:
        """Keeps what a match is given from here on.

        Args:
            header: of the match; None where none is played.
            events: what was appended before.
        """
        self.close()
        if header is None:
            return
        self._on, self._noted = True, len(events)
        kept = [without_texts(event) for event in events]
        about = {"take": VERSION, "header": without_names(header), "events": kept,
                 "deck": self.deck, "trucam": version("trucam")}  # fmt: skip
        self._put(about)

    def frame(self, frame: Frame) -> Frame:
        """A frame with its time as a take keeps it: to the millisecond."""
        height, width = frame.picture.shape[:2]
        self._size = width, height
        return replace(frame, at=round(frame.at, 3))

    def table(self, plane: Plane, log: Log) -> WatchingTable:
        """A watching table that is given exactly what the take keeps, rounded as it is there."""
        return TakenTable(plane, log, self)

    def moment(
        self, at: float, detections: Sequence[Detection], covered: Covered | None,
        reaching: Callable[[], frozenset[int]] | None, plane: Plane,
    ) -> Moment:  # fmt: skip
        """What a table is given of a frame, rounded as the take keeps it."""
        arms = None if reaching is None else reaching()
        mask = None if covered is None else self._mask(covered)
        return Moment(at, tuple(map(rounded, detections)), mask, arms, plane.homography)

    def covered(self, moment: Moment) -> Covered | None:
        """What was covered in a moment."""
        mask = moment.covered
        return None if mask is None else covered_by(mask, mask.shape[1] / self._size[0])

    def judged(self, moment: Moment, table: WatchingTable, events: Sequence[Event]) -> None:
        """Notes a moment, and the events that the table has appended after it."""
        plane = table.plane
        edge = ["edge", plane.outline.tolist(), plane.middle, list(self._size)]
        if edge != self._edge:
            self._edge = edge
            self._put(edge)
        self._at = moment.at
        self._put(moment, table.tracker.taken_for)
        self.heard(table.log, events)
        self._hands[self._hand].cards |= table.belief.associations.cards()
        if moment.at >= self._next or len(self._lines) > MOST:
            ready = self._ready()
            self._write(min(ready, BLOCK))
            self._next = moment.at + (SOON if ready > BLOCK else EVERY)

    def word(self, event: Event, at: float) -> None:
        """Notes what a calling card said."""
        self._put(["word", at, without_texts(event)])

    def answer(self, table: WatchingTable, question: int, choice: int, at: float) -> None:
        """Notes an answer, before the table is given it."""
        asked = next((each for each in table.questions if each.id == question), None)
        if asked is not None and 0 <= choice < len(asked.choices):
            key = asked.choices[choice].key
            self._put(["answer", question, asked.kind, asked.seat, key, at])

    def heard(self, log: Log, own: Sequence[Event] = ()) -> None:
        """Notes what was appended to the match since the last time.

        Args:
            log: of the match.
            own: the events among these that the table itself proposed, in order.
        """
        _, self._match, events = log.read()
        new, left, kept = events[self._noted :], list(own), []
        self._noted = len(events)
        for event in new:
            mine = bool(left) and left[0].bare() == event.bare()
            if mine:
                del left[0]
            kept.append([int(mine), without_texts(event)])
            if event.do == "play":
                self._hands[self._hand].names.add(str(event.card))
        if kept:
            self._put(["events", kept])

    def close(self) -> None:
        """Writes what is held back."""
        if self._on:
            self._write(len(self._lines))
        self._rest()

    # --- what is written ---

    @property
    def _hand(self) -> int:
        return 0 if self._match is None else self._match.hand_number

    def _mask(self, covered: Covered) -> Mask:
        width, height = self._size
        scale = min(width, WIDTH) / width
        shape = max(int(height * scale), 1), min(width, WIDTH)
        rows, columns = np.indices(shape)
        points = (np.column_stack([columns.ravel(), rows.ravel()]) + 0.5) / scale
        return covered(np.asarray(points, np.float64)).reshape(shape)

    def _put(
        self, line: Moment | list[Any] | dict[str, Any], cards: Sequence[int | None] = ()
    ) -> None:
        if self.keeps:
            self._lines.append(_Held(self._at, self._hand, line, cards))

    def _ready(self) -> int:
        """How many lines may be written now, from the first one on."""
        playing = self._match is not None and self._match.in_progress
        late = (
            number
            for number, each in enumerate(self._lines)
            if each.at > self._at - HOLD or (playing and each.hand == self._hand)
        )
        too_many = MOST // 10 if len(self._lines) > MOST else 0
        return max(next(late, len(self._lines)), too_many)

    def _write(self, count: int) -> None:
        """Writes the first ``count`` lines, as one block."""
        if not count or self.hitches:
            return
        block = bytearray()
        for _ in range(count):
            each = self._lines.popleft()
            line: Any = each.line
            if isinstance(line, Moment):
                names = self._hands[each.hand].names
                if names != self._faces:
                    self._faces = set(names)
                    block += _to_line(["faces", sorted(names)])
                line = self._encoder.line(self._shown(line, each))
            block += _to_line(line)
        try:
            if not self._mended:
                mend(self._path)
                self._mended = True
            append_block(self._path, gzip.compress(block, mtime=0))
        except OSError as error:
            hitch = Hitch(STOPPED, {"file": self._path, "reason": error.strerror or str(error)})
            self.hitches.append(hitch)
            self._lines.clear()
            log.warning("%s", hitch.sentence())

    def _shown(self, moment: Moment, held: _Held) -> Moment:
        """A moment without the faces that were not played."""
        assert self._match is not None
        hand, pack = self._hands[held.hand], pack_of(self._match)
        plays = hand.cards | self._hands[held.hand + 1].cards
        detections = tuple(
            each if card in plays else hand.shown(each, card, pack)
            for each, card in zip(moment.detections, held.cards, strict=True)
        )
        return moment._replace(detections=detections)


class TakenTable(WatchingTable):
    """A watching table of which a take is kept.

    Args:
        plane: where the table is.
        log: where events go.
        keeper: keeps the take.
    """

    def __init__(self, plane: Plane, log: Log, keeper: TakeKeeper) -> None:
        super().__init__(plane, log)
        self._keeper = keeper

    def see(
        self, at: float, detections: Sequence[Detection], covered: Covered | None = None,
        reaching: Callable[[], frozenset[int]] | None = None,
    ) -> Happened:  # fmt: skip
        """Takes in one frame; see ``WatchingTable.see``."""
        keeper = self._keeper
        if not keeper.keeps:
            return super().see(at, detections, covered, reaching)
        keeper.heard(self.log)
        moment = keeper.moment(at, detections, covered, reaching, self.plane)
        arms = moment.reaching
        happened = super().see(
            at, moment.detections, keeper.covered(moment), None if arms is None else lambda: arms
        )
        keeper.judged(moment, self, happened.events)
        return happened

    def declare(self, event: Event, at: float) -> None:
        """Takes what people said; see ``WatchingTable.declare``."""
        self._keeper.heard(self.log)
        self._keeper.word(event, at)
        super().declare(event, at)

    def answer(
        self,
        question: int,
        choice: int,
        at: float,
        *,
        said: Mapping[str, object] = MappingProxyType({}),
    ) -> tuple[Event, ...]:
        """Takes a person's answer; see ``WatchingTable.answer``."""
        self._keeper.heard(self.log)
        self._keeper.answer(self, question, choice, at)
        appended: tuple[Event, ...] = ()
        try:
            appended = super().answer(question, choice, at, said=said)
        finally:
            self._keeper.heard(self.log, appended)
        return appended


def _to_line(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
