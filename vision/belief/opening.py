"""How a hand begins: the table is empty, backs come to lie before the seats, the pack is used."""

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

LAY_BEFORE = 1.0
"""What came to rest within so many seconds of the first look may have lain there before."""

SURELY = 0.7
"""Probability from which a card is taken for one of the pack, face up."""

SEEN_LATELY = 0.5
"""A card that is missed no longer than this, in seconds, lies there."""

HEAPED = 0.1
"""Cards that share more than this part of the smaller one lie on one another."""

TOUCHING = 7.8
"""Two whose middles are nearer than this, in centimetres, may have another one between them."""

BESIDE = 3.0
"""A heap that lies further than this, in centimetres, from all that was seen there is a new one."""

SLIDES = 0.6
"""A back that comes to rest no later, in seconds, than it was seen there first is one card."""


class TableLook(NamedTuple):
    """What one frame shows of the table.

    Attributes:
        at: its time, in seconds.
        changes: what the watcher found in it.
        cards: the tracked cards, by their numbers.
        heaps: where backs are seen just now.
        plane: where the table is.
    """

    at: float
    changes: Sequence[Change]
    cards: Mapping[int, TrackedCard]
    heaps: Sequence[Heap]
    plane: Plane


def is_face(card: TrackedCard, expected: RefereeContext) -> bool:
    """Whether a card lies face up for sure: a pack whose back is read badly is no face."""
    return card.best in expected.pack and card.of_rank(card.best[:-1]) >= SURELY


class Opening:
    """Watches the table between two hands and while cards are dealt.

    Args:
        stays: what lies face up for so many seconds after the end of a hand is not waited for.

    Attributes:
        first_look: when that was, in seconds.
        emptied: since when no card lies face up, in seconds; NaN while one does.
        last_back: when the latest new card face down came to rest; NaN before the first.
        most: seat to the most new cards that were counted face down before it.
        apart: the same, of cards that all lie beside one another: in a heap one card may be
            outlined as two.
        heaped: seats before which some touched one another, so that there may be more than counted.
        pack_used: when a card that had lain face down before was taken or moved; NaN before it.
        untouched: whether some of those lie there, and none was taken: so nobody has dealt.
        missed: whether cards were laid one by one, as in a trick, though no deal was seen.
        exposed: numbers of cards that showed their faces while others were dealt (V-7).
    """

    def __init__(self, stays: float = SETTINGS.stays) -> None:
        self._stays = stays
        self.first_look = math.inf
        self._state: tuple[object, ...] = ()
        self._at_once = False  # whether the table counts as empty without a pause
        self._reset(math.nan, ())

    def _reset(self, at: float, cards: Iterable[TrackedCard]) -> None:
        self._began = at
        self._faces: dict[int, float] = {}  # when each card face up was seen last
        self._old = {card.id: card.place for card in cards if card.down}  # backs of before
        self._known: set[int] = set()  # new backs
        self._new: dict[int, int] = {}  # and before which seat they lie
        self._came: dict[int, list[float]] = defaultdict(list)  # when each came, by its seat
        self.last_back = math.nan
        self.pack_used = math.nan
        self.untouched = False
        self._any_back = False  # whether a back lies there now
        self.most = Counter[int]()
        self.apart = Counter[int]()
        self.heaped: set[int] = set()
        # Before whom each lies, and since when; before nobody where it lay there before.
        self._heaps: dict[Place, tuple[int | None, float]] = {}
        self.missed = False
        self.exposed: set[int] = set()
        self._suspects: set[int] = set()  # exposed, if more cards are dealt after them
        self.emptied = math.nan

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
        self.first_look = min(self.first_look, at)
        self._begin(at, cards, expected)
        self._empty(at, cards, away, expected)
        self._take_in_changes(at, look.changes, expected)
        there = any(number in cards for number in self._old)
        self._any_back = any(card.down and card.missing <= SEEN_LATELY for card in cards.values())
        self.untouched = there and math.isnan(self.pack_used)
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
            self._reset(at - SETTINGS.pause if first else at, cards.values())
            self._at_once = again or expected.by_card  # no hands are thrown in after that
        self._state = state

    def _take_in_changes(
        self, at: float, changes: Iterable[Change], expected: RefereeContext
    ) -> None:
        """Finds cards that are turned up in dealing, and sees the pack used."""
        largest = max(expected.sizes, default=expected.size)
        complete = all(self.most[seat] >= largest for seat in range(expected.seats))
        for change in changes:
            card = change.card
            if change.kind == "appeared" and not card.down and self._new and not complete:
                self._suspects.add(card.id)
            # What was seen last in the hand before, and is missed only now, was no pack.
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
                self._suspects.clear()  # the deal was over: somebody keeps a trick
            self.last_back = card.since
            self.exposed |= self._suspects
            seat = look.plane.zone(card.place).seat
            if seat is not None:
                self._new[card.id] = seat
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
        """Takes in heaps, in which no single back comes to rest: at least one card lies there."""
        for heap in look.heaps:
            if any(math.dist(heap.place, place) <= ONE_PLACE for place in self._old.values()):
                continue
            near = (place for place in self._heaps if math.dist(heap.place, place) <= BESIDE)
            if (known := next(near, None)) is None:
                known = heap.place
                seat = None if math.isnan(self.emptied) else look.plane.zone(known).seat
                self._heaps[known] = seat, heap.since
                if seat is not None:
                    self._came[seat].append(heap.since)
                    self.last_back = max(heap.since, self.last_back)
            if (seat := self._heaps[known][0]) is not None:
                self.most[seat] = max(self.most[seat], 2 if heap.several else 1)
                self.apart[seat] = max(self.apart[seat], 1)

    def _drop_heap(self, card: TrackedCard) -> None:
        """Forgets a heap that was this card, while it slid: it came to rest soon."""
        for place, (_, since) in list(self._heaps.items()):
            if math.dist(place, card.place) <= ONE_PLACE and card.since - since <= SLIDES:
                del self._heaps[place]

    @property
    def dealt_cards(self) -> set[int]:
        """Numbers of the cards face down that came to rest before a seat."""
        return set(self._new)

    @property
    def blurred(self) -> set[int]:
        """Seats before which backs lay that could not be told apart at all."""
        return {seat for seat, _ in self._heaps.values() if seat is not None}

    def _empty(
        self, at: float, cards: Mapping[int, TrackedCard], away: Collection[int],
        expected: RefereeContext,
    ) -> None:  # fmt: skip
        """Finds out since when no card lies face up.

        That they have gone is sure only a while later, when the next cards are dealt perhaps. What
        lies there for long after the end is no card, or nobody takes it away: it is not waited for.
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

    def between(self, card: TrackedCard) -> bool:
        """Whether a card face up came to rest on the empty table, before the hand was opened."""
        return not math.isnan(self.emptied) and card.appeared > self.emptied

    def before_deal(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether it lay there before cards were dealt: it is none of the hand.

        The deal begins with backs before a second seat: those before one alone may be the pack.
        Those before one seat may be overlooked. What was taken away before others came is older,
        also where leftovers had been laid face down with it.
        """
        began = sorted(map(min, self._came.values()))
        most = max(expected.seats - 1, 2)
        after = sum(max(each) > card.seen for each in self._came.values())
        return after >= most or (len(began) >= most and card.appeared < began[1])

    @property
    def signs(self) -> tuple[object, ...]:
        """What speaks for a deal since the table was empty; something else once more is seen."""
        return self.emptied, self.pack_used, *sorted(self.most.items())

    def dealt(self, at: float, expected: RefereeContext, *, lead: bool) -> int | None:
        """How many cards everybody was dealt, once the deal is over.

        Args:
            at: the time, in seconds.
            expected: what the referee expects.
            lead: whether a card lies where the first one is due.

        Returns:
            The number of cards; 0 where they cannot be counted and more than one number is
            possible, or where they may have lain there before; None while nothing was dealt, or
            still is.
        """
        sizes = expected.sizes
        if not sizes or math.isnan(self.emptied):
            return None
        # The pack may lie before the dealer, and looks like one card more.
        *others, largest = sorted(self.most[seat] for seat in range(expected.seats)
                                  if seat != expected.dealer)  # fmt: skip
        before = sum(self.most[seat] > 0 for seat in range(expected.seats))
        # Where the leader leads, the backs of one other may have been overlooked.
        if before == expected.seats or (lead and before == expected.seats - 1 > 1):
            if all(self.most[seat] >= sizes[-1] for seat in range(expected.seats)):
                return sizes[-1]
            fitting = [size for size in sizes if size >= largest] or sizes[-1:]
            rest = max(others, default=0)
            one_more = max(self.most.values()) == sizes[0] + 1 and rest <= sizes[0]
            if fitting[0] > sizes[0] and one_more and not self.blurred:
                # One card more than all others have may be a second outline.
                fitting, largest = sizes, rest
            quiet = SETTINGS.quiet if len(fitting) == 1 else SETTINGS.quiet_size
            if not (lead or at - self.last_back >= quiet):
                return None
            if self.last_back - self.first_look < LAY_BEFORE:
                return 0  # they may be tricks that were won before the watching began
            counted = largest == fitting[0] and self.blurred <= {expected.dealer}
            return fitting[0] if len(fitting) == 1 or counted else 0
        # The pack was taken and laid down again, by whoever dealt to people with quick hands.
        if math.isnan(self.pack_used) or not (self.last_back > self.pack_used and self._any_back):
            return None
        if at - self.last_back >= SETTINGS.quiet_alone:
            return sizes[0] if len(sizes) == 1 else 0
        return None


def _apart(cards: Iterable[TrackedCard]) -> list[TrackedCard]:
    """As many of the cards as lie beside one another."""
    found: list[TrackedCard] = []
    for card in cards:
        if all(overlaps(card.quad, other.quad)[1] <= HEAPED for other in found):
            found.append(card)
    return found
