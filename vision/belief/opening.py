"""Watches how a hand begins: the table is bare, backs come before the seats, the pack is used."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from vision.belief.context import RefereeContext
from vision.belief.settings import SETTINGS
from vision.detection.outlines import overlaps
from vision.geometry.table_plane import Plane
from vision.tracking.piles import ONE_PLACE, Heap
from vision.tracking.tracked_card import Change, TrackedCard
from vision.tracking.trajectories import Place

LAY_BEFORE = 1.3
"""Until so many seconds after the watching began, or went on after a break, not everything may be
told that lay there before, such as a heap, or a card below another one."""

SURELY = 0.7
"""From this probability of its rank on, 0–1, a card is taken for one of the pack, face up."""

SEEN_LATELY = 0.5
"""A card that is missed no longer than this, in seconds, still lies there."""

HEAPED = 0.1
"""Two outlines that share more than this part of the smaller one, 0–1, lie on one another."""

TOUCHING = 7.8
"""Two backs whose middles are nearer than this, in centimetres, may have a third between them."""

BESIDE = 3.0
"""A heap that lies further than this, in centimetres, from all known heaps is a new one."""

SLIDES = 0.6
"""If a back comes to rest within so many seconds after a heap was first seen at its place, there is
no heap: it was this card, while it slid."""


class TableLook(NamedTuple):
    """What one frame shows of the table.

    Attributes:
        at: its time, in seconds.
        changes: what the tracker found in it.
        cards: the tracked cards, by their numbers.
        heaps: where backs lie that are no tracked cards: see ``vision.tracking.piles``.
        plane: where the table is.
        watched_since: since when the table is watched without a break, in seconds.
    """

    at: float
    changes: Sequence[Change]
    cards: Mapping[int, TrackedCard]
    heaps: Sequence[Heap]
    plane: Plane
    watched_since: float


def is_face(card: TrackedCard, expected: RefereeContext) -> bool:
    """Whether a card surely lies face up; the pack, if its back is misread, does not."""
    return card.best in expected.pack and card.of_rank(card.best[:-1]) >= SURELY


class Opening:
    """Watches the table between two hands and while cards are dealt.

    Args:
        stays: the table counts as bare although a card lies face up, if that has lain there for so
            many seconds since the end of the hand.

    Attributes:
        watched_since: since when the table is watched without a break, in seconds.
        emptied: since when no card lies face up, in seconds; NaN until that is known. Once it is,
            it stays: cards that come later are of the next hand.
        last_back: when the latest new back came to rest, in seconds; NaN before the first one. A
            back is a card face down; it is new if it came since ``emptied``.
        most: seat to the most new backs that were counted before it at once.
        apart: the same, of backs that do not lie on one another: in a heap one card may be outlined
            as two.
        heaped: seats before which new backs lie so close that there may be more than were counted.
        pack_used: when an old back was taken or moved, in seconds; NaN before that. It was the
            pack.
        untouched: whether an old back lies there, and none was taken or moved since the end of the
            hand: nobody has dealt.
        missed: whether cards were laid one by one, as in a trick, though no deal was seen.
        exposed: numbers of cards that showed their faces while others were dealt (V-7).
    """

    def __init__(self, stays: float = SETTINGS.stays) -> None:
        self._stays = stays
        self.watched_since = math.inf
        self._state: tuple[object, ...] = ()
        self._blind = False  # whether nobody watched for a while since the end of the hand
        self._at_once = False  # whether cards that come right after the end may be of a new deal
        self._reset(math.nan, ())

    def _reset(self, at: float, cards: Iterable[TrackedCard]) -> None:
        self._began = at
        self._faces: dict[int, float] = {}  # when each card face up was seen last
        self._old = {card.id: card.place for card in cards if card.down}  # old backs, their places
        self._known: set[int] = set()  # new backs
        # By its place: before whom each heap lies, and since when; an old one before nobody.
        self._heaps: dict[Place, tuple[int | None, float]] = {}
        self._count_anew()
        self.last_back = math.nan
        self.pack_used = math.nan
        self.untouched = False
        self._any_back = False  # whether a back lies there now
        self.missed = False
        self.exposed: set[int] = set()
        self._suspects: set[int] = set()  # exposed, if more cards are dealt after them
        self.emptied = math.nan

    def _count_anew(self) -> None:
        """Forgets the new backs and heaps that were counted."""
        self._heaps = {place: each for place, each in self._heaps.items() if each[0] is None}
        self._new: dict[int, int] = {}  # new backs that lie before a seat, and which seat
        # By seat, when its new backs came, if anybody watched then.
        self._came: dict[int, list[float]] = defaultdict(list)
        self.most = Counter[int]()
        self.apart = Counter[int]()
        self.heaped: set[int] = set()

    def watch(
        self, look: TableLook, expected: RefereeContext, away: Collection[int]
    ) -> None:  # fmt: skip
        """Takes in one look at the table.

        Args:
            look: the look.
            expected: what the referee expects.
            away: cards face up that belong to no hand, and do not count as lying there.
        """
        at, cards = look.at, look.cards
        breaks_off = look.watched_since != self.watched_since
        self.watched_since = look.watched_since
        self._begin(at, cards, expected)
        self._blind |= breaks_off and expected.hand > 0 and not expected.open
        self._empty(at, cards, away, expected)
        self._take_in_changes(at, look.changes, expected)
        there = any(number in cards for number in self._old)
        self._any_back = any(card.down and card.missing <= SEEN_LATELY for card in cards.values())
        self.untouched = there and math.isnan(self.pack_used) and not self._blind
        if not math.isnan(self.emptied):
            self._take_in_backs(look)
        self._heap(look)
        self._count(cards)

    def _begin(self, at: float, cards: Mapping[int, TrackedCard], expected: RefereeContext) -> None:
        """Forgets the deal before, as soon as another one can come."""
        # A misdeal or new cards begin another deal of the same hand, as the end of a hand does.
        again = expected.playing and bool(expected.sizes)
        state = (expected.hand, expected.playing, again)
        if state == self._state:
            return
        over = not expected.playing
        was_dealing = bool(self._state) and (self._state[1] is False or self._state[2])
        if over or (again and not was_dealing):
            first = not self._state
            self._blind = False
            self._reset(at - SETTINGS.pause if first else at, cards.values())
            self._at_once = again or expected.by_card  # else players may lay down their hands now
        self._state = state

    def _take_in_changes(
        self, at: float, changes: Iterable[Change], expected: RefereeContext
    ) -> None:
        """Takes in cards that are turned up in dealing, and whether the pack was used."""
        largest = max(expected.sizes, default=expected.size)
        complete = all(self.most[seat] >= largest for seat in range(expected.seats))
        for change in changes:
            card = change.card
            if change.kind == "appeared" and not card.down and self._came and not complete:
                self._suspects.add(card.id)
            # A back that was last seen before the end of the hand was no pack.
            if card.id in self._old and card.seen > self._began:
                moved = math.dist(self._old[card.id], card.place) > SETTINGS.pack_moves
                if change.kind == "vanished" or (change.kind == "moved" and moved):
                    self.pack_used = at

    def _take_in_backs(self, look: TableLook) -> None:
        """Takes in the backs that came since the table was empty."""
        for card in look.cards.values():
            if not card.down or card.id in self._old or card.id in self._known:
                continue
            self._known.add(card.id)
            if card.since - self.last_back > SETTINGS.quiet_size:
                self._suspects.clear()  # the deal was over: this back is a trick that was won
                lie = self._new.keys() | {n for n, one in look.cards.items() if not one.down}
                if lie.isdisjoint(look.cards):  # what lay there was gathered for this deal
                    self._count_anew()
            self.last_back = card.since
            self.exposed |= self._suspects
            seat = look.plane.zone(card.place).seat
            if seat is not None:
                self._new[card.id] = seat
                if card.watched:
                    self._came[seat].append(card.since)
            self._drop_heap(card)

    def _count(self, cards: Mapping[int, TrackedCard]) -> None:
        """Counts the new backs before each seat."""
        backs: dict[int, list[TrackedCard]] = {}
        for number, seat in self._new.items():
            if number in cards:
                backs.setdefault(seat, []).append(cards[number])
        for seat, own in backs.items():
            self.most[seat] = max(self.most[seat], len(own))
            self.apart[seat] = max(self.apart[seat], len(_apart(own)))
            places = [card.place for card in own]
            if any(math.dist(*both) < TOUCHING for both in combinations(places, 2)):
                self.heaped.add(seat)

    def _heap(self, look: TableLook) -> None:
        """Takes in heaps of backs that cannot be told apart: at least one card lies there."""
        for heap in look.heaps:
            if any(math.dist(heap.place, place) <= ONE_PLACE for place in self._old.values()):
                continue
            near = (place for place in self._heaps if math.dist(heap.place, place) <= BESIDE)
            if (known := next(near, None)) is None:
                known = heap.place
                seat = None if math.isnan(self.emptied) else look.plane.zone(known).seat
                self._heaps[known] = seat, heap.since
                if seat is not None:
                    if heap.since - self.watched_since >= LAY_BEFORE:
                        self._came[seat].append(heap.since)
                    self.last_back = max(heap.since, self.last_back)
            if (seat := self._heaps[known][0]) is not None:
                self.most[seat] = max(self.most[seat], 2 if heap.several else 1)
                self.apart[seat] = max(self.apart[seat], 1)

    def _drop_heap(self, card: TrackedCard) -> None:
        """Forgets a heap that was this card, while it slid (``SLIDES``)."""
        for place, (_, since) in list(self._heaps.items()):
            if math.dist(place, card.place) <= ONE_PLACE and card.since - since <= SLIDES:
                del self._heaps[place]

    @property
    def dealt_cards(self) -> set[int]:
        """Numbers of the new backs before a seat."""
        return set(self._new)

    @property
    def blurred(self) -> set[int]:
        """Seats before which new backs lay that could not be told apart."""
        return {seat for seat, _ in self._heaps.values() if seat is not None}

    def _empty(
        self, at: float, cards: Mapping[int, TrackedCard], away: Collection[int],
        expected: RefereeContext,
    ) -> None:  # fmt: skip
        """Finds out since when no card lies face up.

        The tracker gives cards up only a while after they have gone; the next cards may have been
        dealt by then. So this is the time at which the last of them was seen.
        """
        if not math.isnan(self.emptied):
            return
        faces = {
            number: card
            for number, card in cards.items()
            if not card.down and number not in away and is_face(card, expected)
        }
        self._faces.update({number: card.seen for number, card in faces.items()})
        waits = any(at - max(card.since, self._began) < self._stays for card in faces.values())
        earliest = self._began + (0.0 if self._at_once else SETTINGS.pause)
        if not waits and at >= earliest:
            gone = (seen for number, seen in self._faces.items() if number not in faces)
            self.emptied = max([earliest, *gone])
            for card in cards.values():
                if card.down and card.appeared <= self.emptied:
                    self._old[card.id] = card.place

    def begins(self, at: float) -> bool:
        """Whether the watching has just begun, and what lies there may not all be seen yet."""
        return at - self.watched_since < LAY_BEFORE

    def between(self, card: TrackedCard) -> bool:
        """Whether a card face up came to rest after the table was bare."""
        return not math.isnan(self.emptied) and card.appeared > self.emptied

    def before_deal(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card face up lay there before the deal: then it is not of the hand.

        The deal begins when backs lie before a second seat, for those before one seat alone may be
        the pack. The backs of one seat may have been overlooked. A card that was taken away before
        the backs of the seats came is older than the deal, even if some backs came before it: they
        may be leftovers that were laid face down.
        """
        began = sorted(map(min, self._came.values()))
        most = max(expected.seats - 1, 2)
        after = sum(max(each) > card.seen for each in self._came.values())
        return after >= most or (len(began) >= most and card.appeared < began[1])

    @property
    def signs(self) -> tuple[object, ...]:
        """What speaks for a deal since the table was bare: it changes once more of that is seen."""
        return self.emptied, self.pack_used, *sorted(self.most.items())

    def dealt(self, at: float, expected: RefereeContext, *, lead: bool) -> int | None:
        """How many cards everybody was dealt, once the deal is over.

        Args:
            at: the time, in seconds.
            expected: what the referee expects.
            lead: whether a card lies where the first one is due.

        Returns:
            The number of cards; 0 if cards were dealt, and it is not known how many, or if nobody
            watched when they came; None if nothing was dealt, or the deal goes on.
        """
        sizes = expected.sizes
        if not sizes or math.isnan(self.emptied):
            return None
        # The pack may lie before the dealer, and look like one card more.
        *others, largest = sorted(self.most[seat] for seat in range(expected.seats)
                                  if seat != expected.dealer)  # fmt: skip
        before = sum(self.most[seat] > 0 for seat in range(expected.seats))
        # If a lead lies there, the backs of one seat may have been overlooked.
        if before == expected.seats or (lead and before == expected.seats - 1 > 1):
            if all(self.most[seat] >= sizes[-1] for seat in range(expected.seats)):
                return sizes[-1]
            fitting = [size for size in sizes if size >= largest] or sizes[-1:]
            rest = max(others, default=0)
            one_more = max(self.most.values()) == sizes[0] + 1 and rest <= sizes[0]
            if fitting[0] > sizes[0] and one_more and not self.blurred:
                # If one seat has one card more than the others, it may be a second outline.
                fitting, largest = sizes, rest
            quiet = SETTINGS.quiet if len(fitting) == 1 else SETTINGS.quiet_size
            if not (lead or at - self.last_back >= quiet):
                return None
            if 0 <= self.last_back - self.watched_since < LAY_BEFORE:
                return 0  # they may be tricks that were won before the watching began
            counted = largest == fitting[0] and self.blurred <= {expected.dealer}
            return fitting[0] if len(fitting) == 1 or counted else 0
        # Quick hands take up their cards unseen: but the pack was taken, and laid down again.
        if math.isnan(self.pack_used) or not (self.last_back > self.pack_used and self._any_back):
            return None
        if at - self.last_back >= SETTINGS.quiet_alone:
            return sizes[0] if len(sizes) == 1 else 0
        return None


def _apart(cards: Iterable[TrackedCard]) -> list[TrackedCard]:
    """The cards, without those that lie on one that came before in the sequence."""
    found: list[TrackedCard] = []
    for card in cards:
        if all(overlaps(card.quad, other.quad)[1] <= HEAPED for other in found):
            found.append(card)
    return found
