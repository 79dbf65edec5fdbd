"""Everything that watches a table: a frame in; events, questions and complaints out.

It joins what the other modules do by themselves: where the table is (``geometry``), what moves and
is covered (``occlusion``), the cards (``detection``), the watching table (``watched_table``) and
what makes all that hard (``health``). It has no clock: time comes with frames.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scorekeeper.engine.said import SOURCE, Source
from scorekeeper.errors import RuleError
from scorekeeper.text.printings import printings_for
from vision.belief.context import pack_of
from vision.belief.proposals import Hint, refused
from vision.capture.sources import Frame, Image
from vision.detection.crops import flatten
from vision.detection.deck_templates import KnownDeck
from vision.detection.detections import Detection
from vision.detection.known_back import DeckBack
from vision.detection.outlines import overlaps
from vision.detection.reader import CardReader
from vision.evidence.asked import Views
from vision.evidence.recorder import Evidence
from vision.evidence.take_keeper import TakeKeeper
from vision.geometry.calibration import Check
from vision.geometry.markers import CallingCards, Corners, Declared, Marker, MarkerSearch, event_of
from vision.geometry.mirror import Mirror
from vision.geometry.placing import Placing, corners_of
from vision.geometry.table_plane import Plane, PlaneError
from vision.health import Complaint, Health, Ill
from vision.occlusion.cover import Cover, Look
from vision.occlusion.regions import Gaze
from vision.packs import decks_of
from vision.tracking.letters import Letters
from vision.tracking.tracked_card import TrackedCard
from vision.tracking.tracker import Covered, samples
from vision.watched_table import Happened, Log, WatchingTable

MARKERS_EVERY = 0.12
"""Seconds between two looks for markers."""

HEALTH_EVERY = 0.5
"""Seconds between two looks at light, focus and size."""

REST_EVERY = 0.06
"""Seconds between two frames that are taken in while nothing moves: about every other one."""

MISSING = 3.0
"""Seconds for which a card that is not seen is looked for although nothing moves."""

WORDS_WAIT = 3.0
"""Seconds that a calling card waits for the card before it, which may be seen later."""

BEFORE = 5
"""Earlier frames that help to read a card that lies still."""

LOOKS = 64
"""Sides of cards of which a picture is kept: those of two hands of four, and some more."""


@dataclass(frozen=True)
class Observation:
    """What came of one frame.

    Attributes:
        at: the frame's time, in seconds.
        happened: the events, questions and hints.
        detections: the cards that were seen in it, or in the last one that was looked at.
        looked: whether this one was looked at.
        place: what the look at the table's place said.
        complaints: what makes cards hard to read now.
    """

    at: float
    happened: Happened = field(default_factory=Happened)
    detections: Sequence[Detection] = ()
    looked: bool = True
    place: Check = Check.UNSEEN
    complaints: Sequence[Complaint] = ()


class Observer:
    """Watches one table.

    Args:
        reader: reads the cards.
        log: where the events go.
        placing: finds the table.
        deck: the deck on the table, where it was learned; cards that people name are added.
        cover: says what moves and what is covered; without it every frame is looked at.
        mirror: finds out whether pictures are mirrored; without it nobody asks.
        evidence: keeps pictures of what was played; told by its owner which match it is.
        take: keeps what the table is given; likewise.

    Attributes:
        table: the table that is watched; None while nobody knows where it is.
        views: what the pictures of questions are made of.
        letters: which letters the deck prints, by what was seen since the match began.
        learned: the latest picture of each card that was learned at this table, by its name.
    """

    def __init__(
        self,
        reader: CardReader,
        log: Log,
        placing: Placing,
        *,
        deck: KnownDeck | None = None,
        cover: Cover | None = None,
        mirror: Mirror | None = None,
        evidence: Evidence | None = None,
        take: TakeKeeper | None = None,
    ) -> None:
        self._reader, self._log, self._placing, self._deck = reader, log, placing, deck
        self._cover, self._evidence, self._mirror, self._take = cover, evidence, mirror, take
        self._health, self._back = Health(), DeckBack()
        self._complaints: Sequence[Complaint] = ()
        self._checked = self._marked = self._seen = -np.inf
        self._rests = False
        self._before = deque[Image](maxlen=BEFORE)
        self._search, self._markers = MarkerSearch(), list[Marker]()
        self.learned: dict[str, Image] = {}
        self._detections: list[Detection] = []
        self.begin(log)

    def begin(self, log: Log) -> None:
        """Goes on with another match at the same table; the table stays where it is."""
        _, match, _ = log.read()
        self._log = log
        self._gaze = Gaze(self._reader)
        self._calling = CallingCards(match.rules, match.seats)
        self._pending: list[Declared] = []
        self.letters = Letters(printings_for(match.rules), self._reader.letters)
        self.views = Views()
        self.table: WatchingTable | None = None
        if self._placing.plane is not None:
            self._open(self._placing.plane)

    def _open(self, plane: Plane) -> None:
        self._looks: dict[tuple[int, bool], Image] = {}  # numbers of cards begin anew
        if self._take is None:
            self.table = WatchingTable(plane, self._log)
        else:
            self.table = self._take.table(plane, self._log)
        if self._evidence is not None:
            self._evidence.follow(self.table)

    @property
    def plane(self) -> Plane | None:
        """Where the table is; None while nobody knows."""
        return self._placing.plane

    @property
    def lack(self) -> PlaneError | None:
        """Why nobody knows where the table is; None where it is known."""
        return self._placing.lack

    def see(self, frame: Frame) -> Observation:
        """Takes in one frame.

        Args:
            frame: never earlier than the one before.
        """
        if self._take is not None:
            frame = self._take.frame(frame)
        at, picture = frame.at, frame.picture
        if self._rests and at - self._seen < REST_EVERY:
            return Observation(
                at, Happened(), self._detections, False, Check.STEADY, self._complaints
            )
        self._seen = at
        self._placing.fit((picture.shape[1], picture.shape[0]))
        plane = self._placing.plane
        if plane is None:
            self.table = None
        elif self.table is None:  # pictures have the shape again in which the table was found
            self._open(plane)
        else:
            self.table.plane = plane
        look, covered, reaching, looked = None, None, None, True
        if self._cover is not None and plane is not None and self.table is not None:
            look = self._cover.update(at, picture, plane, self.table.cards)
            covered, reaching = look.covered, look.reaching
            looked = look.changed or self._misses_any() or bool(self.table.watcher.doubtful)
        for_markers = at - self._marked >= MARKERS_EVERY
        if for_markers:
            self._marked = at
            if looked:
                regions = None if look is None else look.regions
                self._markers = self._search.look(at, picture, regions)
        self._rests = not looked
        if looked:
            seen = self._back.weigh(picture, self._read(at, picture, look))
            self._detections = [detection for detection in seen if not self._is_marker(detection)]
        self._before.appendleft(picture)
        place = self._locate(for_markers and looked, picture)
        if at - self._checked >= HEALTH_EVERY:
            self._checked = at
            self._complaints = self._examine(at, picture)
        if self.table is None:
            return Observation(at, Happened(), self._detections, looked, place, self._complaints)
        hints = self._listen(at, covered) if for_markers else []
        # What was not looked at again says nothing new: only that all lies as it lay.
        news = self._detections if looked else [replace(s, readings=()) for s in self._detections]
        if self._evidence is not None and self.plane is not None and looked:
            cards, played = self.table.cards, self.table.belief.associations.cards()
            self._evidence.see(
                frame, self.plane, cards=cards, played=played, detections=self._detections
            )
        happened = self.table.see(at, news, covered, reaching)
        if looked:
            self._keep_looks(picture, covered)
            self.letters.see(self.table.cards, self._detections)
            self.views.see(at, picture, self.table, self._detections)
        self._learn(dealt=any(each.event.do == "deal" for each in happened.proposals))
        if hints:
            happened = replace(happened, hints=(*happened.hints, *hints))
        return Observation(at, happened, self._detections, looked, place, self._complaints)

    def _examine(self, at: float, picture: Image) -> list[Complaint]:
        """What makes cards hard to read."""
        lying = self._lying()
        complaints = []
        if self.table is not None:
            empty = not self._detections and not self.table.cards
            complaints = self._health.check(at, picture, lying, self.plane, empty=empty)
        if self._mirror is not None:
            self._mirror.look(picture, self._markers, lying)
            if self._mirror.mirrored:
                complaints.insert(0, Complaint(Ill.MIRRORED))
        return complaints

    def _keep_looks(self, picture: Image, covered: Covered | None) -> None:
        """Keeps a picture of each side of a card from when it lies open, for when it is gone."""
        assert self.table is not None
        lying = list(self.table.cards)
        for card in lying:
            side = (card.id, card.down)
            if side not in self._looks and _lies_open(card, lying, covered):
                self._looks[side] = flatten(picture, card.corners)
        while len(self._looks) > LOOKS:
            del self._looks[next(iter(self._looks))]

    def _learn(self, *, dealt: bool) -> None:
        """Learns what cards look like whose names are settled, so that nobody is asked again.

        Args:
            dealt: whether a deal is over: its cards show what the deck's back looks like.
        """
        assert self.table is not None
        belief = self.table.belief
        if dealt:
            backs = [(number, True) for number in belief.opening.dealt_cards]
            self._back.learn([self._looks[side] for side in backs if side in self._looks])
        lying = {card.id for card in self.table.cards} if belief.named else set()
        for number in list(belief.named):
            if (crop := self._looks.get((number, False))) is not None:
                name, deck = belief.named.pop(number), self._deck
                self._knows(name, crop, deck.taught(name, crop) if deck else None)
            elif number not in lying:
                del belief.named[number]
        while belief.believed:
            number, name = belief.believed.popitem()
            if (crop := self._looks.get((number, False))) is not None:
                deck = self._deck
                self._knows(name, crop, deck.learned(name, crop) if deck else None)

    def _knows(self, name: str, crop: Image, deck: KnownDeck | None) -> None:
        """Reads by a deck from now on to which a card's picture was added.

        Args:
            name: the card's plain name.
            crop: its picture.
            deck: the deck with it; None where no deck was known before.
        """
        if deck is not None and deck is self._deck:
            return
        self._deck = deck or KnownDeck([name], [crop])
        learned = {**self.learned, name: crop}
        self.learned = {card: shown for card, shown in learned.items() if card in self._deck.cards}

    @property
    def known_cards(self) -> tuple[str, ...]:
        """The cards of the deck on the table, as far as it is known."""
        return () if self._deck is None else self._deck.cards

    def spread(self, picture: Image) -> list[Detection]:
        """Reads all cards of one picture, of whatever pack, to look through a deck."""
        return self._reader.read(picture, deck=self._deck)

    def _read(self, at: float, picture: Image, look: Look | None) -> list[Detection]:
        """Reads the cards of a frame, as any card of the decks that the pack is taken from."""
        _, match, _ = self._log.read()
        allowed = decks_of(pack_of(match))
        if look is None or self.table is None:
            return self._reader.read(picture, before=self._before, pack=allowed, deck=self._deck)
        plane, cards = self.table.plane, self.table.cards
        return self._gaze.look(
            at, picture, plane, cards, look, before=self._before,
            doubtful=self.table.watcher.doubtful, pack=allowed, deck=self._deck,
        )  # fmt: skip

    def _misses_any(self) -> bool:
        """Whether a card was not seen by the last look: the next one may see it."""
        cards = () if self.table is None else self.table.cards
        return any(0 < card.missing < MISSING for card in cards)

    def _locate(self, look: bool, picture: Image) -> Check:
        """Looks whether the table is where it was, or finds it."""
        if not look:
            return Check.UNSEEN if self._placing.plane is None else Check.STEADY
        corners = corners_of(self._markers)
        size = (picture.shape[1], picture.shape[0])
        begun = self._log.read()[1].hand_number > 0
        place = self._placing.look(corners, self._detections, size, begun=begun)
        plane = self._placing.plane
        if plane is not None and place in (Check.FOUND, Check.CORRECTED):
            self._health.placed()
            if self.table is None:
                self._open(plane)
            else:
                self.table.plane = plane
        return place

    def _listen(self, at: float, covered: Covered | None) -> list[Hint]:
        """Takes what calling cards say; returns notices about those that cannot count."""

        def is_hidden(corners: Corners) -> bool:
            return covered is not None and bool(covered(np.asarray(corners, np.float64)).any())

        self._pending += self._calling.update(at, self._markers, is_hidden)
        hints: list[Hint] = []
        for said in list(self._pending):
            _, match, _ = self._log.read()
            try:
                event = event_of(match, said)
            except RuleError as error:
                if at - said.at > WORDS_WAIT:
                    self._pending.remove(said)
                    hints.append(refused(error, said.seat))
                continue
            self._pending.remove(said)
            marked = event._replace(remarks={**event.remarks, SOURCE: Source.MARKER.value})
            assert self.table is not None
            self.table.declare(marked, said.at)
        return hints

    def _is_marker(self, detection: Detection) -> bool:
        """Whether what was taken for a card is a marker on its white paper."""
        x, y = (float(value) for value in detection.corners.mean(axis=0))
        return any(
            np.hypot(*(marker.corners.mean(axis=0) - (x, y))) < marker.side
            for marker in self._markers
        )

    def _lying(self) -> list[Detection]:
        """The detections of cards that lie face up: what is on its way is blurred.

        A heap of backs may be read as a face, but badly; that says nothing of the deck.
        """
        cards = () if self.table is None else self.table.cards
        lying = [card.corners.mean(axis=0) for card in cards if not card.down]
        return [
            detection
            for detection in self._detections
            if detection.readings
            and any(np.abs(detection.corners.mean(axis=0) - middle).max() < 2 for middle in lying)
        ]


def _lies_open(card: TrackedCard, lying: Iterable[TrackedCard], covered: Covered | None) -> bool:
    """Whether a card is seen now as a whole: no hand and no other card is over it."""
    points = np.vstack([card.corners, samples(card.corners)]).astype(np.float64)
    return (
        card.missing == 0
        and not (covered is not None and covered(points).any())
        and not any(other.id != card.id and any(overlaps(card.quad, other.quad)) for other in lying)
    )
