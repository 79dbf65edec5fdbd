"""Watches a table through a camera: a frame in; events, questions and complaints out.

It joins what other modules do: find the table (``geometry``), tell what moves and what hands cover
(``occlusion``), find and read cards (``detection``), decide what was played (``watched_table``) and
notice problems with light, focus and place (``health``). It has no clock: time comes with frames.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
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
from vision.detection.reader import CardReader, How
from vision.evidence.asked import Views
from vision.evidence.recorder import Evidence
from vision.evidence.take_keeper import TakeKeeper
from vision.geometry.calibration import Check
from vision.geometry.markers import CallingCards, Corners, Declared, Marker, MarkerSearch, event_of
from vision.geometry.mirror import Mirror
from vision.geometry.placing import Placing, corners_of
from vision.geometry.table_plane import Plane, PlaneError
from vision.health import Complaint, Health, Problem
from vision.occlusion.cover import Cover, FrameState
from vision.occlusion.regions import CardSearch
from vision.packs import decks_of
from vision.tracking.covered import Covered, samples
from vision.tracking.letters import Letters
from vision.tracking.tracked_card import TrackedCard
from vision.watched_table import Happened, Log, WatchingTable

MARKERS_EVERY = 0.12
"""Seconds between two searches for markers."""

HEALTH_EVERY = 0.5
"""Seconds between two looks at light, focus and size."""

REST_EVERY = 0.06
"""While nothing moves, a frame that comes sooner than so many seconds after the last one is left
out: about every other one."""

MISSING = 3.0
"""A card that is missed for less than so many seconds is looked for, although nothing moves."""

WORDS_WAIT = 3.0
"""So many seconds a calling card waits until the rules allow it: the card that was played before it
may be seen later."""

BEFORE = 5
"""So many earlier frames help to read a card that lies still."""

SPREAD = How(longest=960)
"""How the finder is shown a deck that is spread out: larger than a table on which people play, for
many small cards lie close together."""

LOOKS = 64
"""At most so many pictures of cards are kept, one for each side of a card: those of two hands of
four players, and some more."""

OUTLINED_AFTER = 1.0
"""Seconds that a card has to lie until its outline is as good as it gets."""


@dataclass(frozen=True)
class Observation:
    """What came of one frame.

    Attributes:
        at: the frame's time, in seconds.
        happened: the events, questions and hints.
        detections: the cards that were seen in it; if it was not read, in the last one that was.
        looked: whether cards were looked for in it.
        place: how the check of the table's place ended.
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
        deck: the deck on the table, if it was learned before; cards whose names are settled are
            added.
        cover: tells what moves and what is covered; without it cards are looked for in every frame.
        mirror: finds out whether pictures are mirrored; without it that is not checked.
        evidence: keeps pictures of what was played; its owner tells it of which match.
        take: keeps what the table is given, in numbers; its owner tells it of which match.

    Attributes:
        table: the table that is watched; None while it is not known where it is.
        views: makes the pictures of what questions are about.
        letters: which letters the deck prints, by what was seen of it since the match began.
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
        self._marker_search, self._markers = MarkerSearch(), list[Marker]()
        self.learned: dict[str, Image] = {}
        self._detections: list[Detection] = []
        self.begin(log)

    def begin(self, log: Log) -> None:
        """Goes on with another match at the same table; the table stays where it is."""
        _, match, _ = log.read()
        self._log = log
        self._card_search = CardSearch(self._reader)
        self._calling = CallingCards(match.rules, match.seats)
        self._pending: list[Declared] = []
        self.letters = self._new_letters()
        self.views = Views()
        self.table: WatchingTable | None = None
        if self._placing.plane is not None:
            self._open(self._placing.plane)

    def _open(self, plane: Plane) -> None:
        self._looks: dict[tuple[int, bool], Image] = {}  # a new table numbers its cards anew
        if self._take is None:
            self.table = WatchingTable(plane, self._log)
        else:
            self.table = self._take.table(plane, self._log)
        if self._evidence is not None:
            self._evidence.follow(self.table)

    @property
    def plane(self) -> Plane | None:
        """Where the table is; None while that is not known."""
        return self._placing.plane

    @property
    def lack(self) -> PlaneError | None:
        """Why it is not known where the table is; None if it is known."""
        return self._placing.lack

    def see(self, frame: Frame) -> Observation:
        """Takes in one frame.

        Args:
            frame: the frame; never earlier than the one before.
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
        elif self.table is None:  # frames have the shape again for which the table was found
            self._open(plane)
        else:
            self.table.plane = plane
        state, covered, reaching, looked = None, None, None, True
        if self._cover is not None and plane is not None and self.table is not None:
            state = self._cover.update(at, picture, plane, self.table.cards)
            covered, reaching = state.covered, state.reaching
            looked = state.changed or self._misses_any() or bool(self.table.tracker.doubtful)
        for_markers = at - self._marked >= MARKERS_EVERY
        if for_markers:
            self._marked = at
            if looked:
                regions = None if state is None else state.regions
                self._markers = self._marker_search.look(at, picture, regions)
        self._rests = not looked
        if looked:
            seen = self._back.weigh(picture, self._read(at, picture, state))
            self._detections = [detection for detection in seen if not self._is_marker(detection)]
        self._before.appendleft(picture)
        place = self._locate(for_markers and looked, picture)
        if at - self._checked >= HEALTH_EVERY:
            self._checked = at
            self._complaints = self._examine(at, picture)
        if self.table is None:
            return Observation(at, Happened(), self._detections, looked, place, self._complaints)
        hints = self._listen(at, covered) if for_markers else []
        # If no cards were looked for, the readings are not new: all cards lie as they lay.
        news = self._detections if looked else [replace(s, readings=()) for s in self._detections]
        if self._evidence is not None and self.plane is not None and looked:
            cards, played = self.table.cards, self.table.belief.associations.cards()
            self._evidence.see(
                frame, self.plane, cards=cards, played=played, detections=self._detections
            )
        happened = self.table.see(at, news, covered, reaching)
        if looked:
            self._keep_looks(at, picture, covered)
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
                complaints.insert(0, Complaint(Problem.MIRRORED))
        return complaints

    def _keep_looks(self, at: float, picture: Image, covered: Covered | None) -> None:
        """Keeps one picture of each side of a card, taken while nothing lies over it.

        Its outline is better once the card has lain for a moment, so the picture is taken anew
        until then. Its name is settled later, perhaps after it has gone: then the picture is
        learned.
        """
        assert self.table is not None
        lying = list(self.table.cards)
        for card in lying:
            side = (card.id, card.down)
            wanted = side not in self._looks or at - card.since < OUTLINED_AFTER
            if wanted and _lies_open(card, lying, covered):
                self._looks[side] = flatten(picture, card.corners)
        while len(self._looks) > LOOKS:
            del self._looks[next(iter(self._looks))]

    def _learn(self, *, dealt: bool) -> None:
        """Learns what cards look like once their names are settled, so that they are read better.

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
                self._read_with(name, crop, deck.taught(name, crop) if deck else None)
            elif number not in lying:
                del belief.named[number]
        while belief.believed:
            number, name = belief.believed.popitem()
            if (crop := self._looks.get((number, False))) is not None:
                deck = self._deck
                self._read_with(name, crop, deck.learned(name, crop) if deck else None)

    def _read_with(self, name: str, crop: Image, deck: KnownDeck | None) -> None:
        """From now on, reads with a deck to which a card's picture was added.

        Args:
            name: the card's plain name.
            crop: its picture.
            deck: the deck with this picture; None if no deck was known before.
        """
        if deck is not None and deck is self._deck:
            return
        self._deck = deck or KnownDeck([name], [crop])
        learned = {**self.learned, name: crop}
        self.learned = {card: shown for card, shown in learned.items() if card in self._deck.cards}

    def use_deck(self, deck: KnownDeck | None) -> None:
        """From now on, reads with another deck; None forgets what was learned of the one before."""
        self._deck, self.learned = deck, {}
        self.letters = self._new_letters()

    def _new_letters(self) -> Letters:
        """Letters of which none was seen yet."""
        _, match, _ = self._log.read()
        return Letters(printings_for(match.rules), self._reader.letters)

    def recall(self, learned: Mapping[str, Image]) -> None:
        """Reads also with cards that were learned before, as by a process that has ended.

        Args:
            learned: the flattened picture of each, by its name.
        """
        for name, crop in learned.items():
            deck = self._deck
            self._read_with(name, crop, deck.learned(name, crop) if deck else None)

    @property
    def known_cards(self) -> tuple[str, ...]:
        """The cards of the deck on the table, as far as it is known."""
        return () if self._deck is None else self._deck.cards

    def spread(self, picture: Image) -> list[Detection]:
        """Reads all cards of one picture, of any pack, for people who look through their deck."""
        return self._reader.read(picture, deck=self._deck, how=SPREAD)

    def _read(self, at: float, picture: Image, state: FrameState | None) -> list[Detection]:
        """Reads the cards of a frame: any card of the decks from which the pack can be taken."""
        _, match, _ = self._log.read()
        allowed = decks_of(pack_of(match))
        if state is None or self.table is None:
            return self._reader.read(picture, before=self._before, pack=allowed, deck=self._deck)
        plane, cards = self.table.plane, self.table.cards
        return self._card_search.look(
            at, picture, plane, cards, state, before=self._before,
            doubtful=self.table.tracker.doubtful, pack=allowed, deck=self._deck,
        )  # fmt: skip

    def _misses_any(self) -> bool:
        """Whether a card was not seen in the last look, and may be seen in the next one."""
        cards = () if self.table is None else self.table.cards
        return any(0 < card.missing < MISSING for card in cards)

    def _locate(self, look: bool, picture: Image) -> Check:
        """Checks whether the table is where it was, or finds it.

        Args:
            look: whether this frame is used for it.
            picture: the frame's picture.
        """
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
        """Takes what calling cards say; returns hints about those that the rules do not allow."""

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
        """The detections of cards that lie face up, by which health and mirror are judged.

        Others would mislead: a card on its way is blurred, and a heap of backs may be read as a
        face, but badly.
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
    """Whether a card is seen now as a whole: no hand is over it, and no card that came later."""
    points = np.vstack([card.corners, samples(card.corners)]).astype(np.float64)
    later = (one for one in lying if one.since >= card.since and one.id != card.id)
    return (
        card.missing == 0
        and not (covered is not None and covered(points).any())
        and not any(any(overlaps(card.quad, other.quad)) for other in later)
    )
