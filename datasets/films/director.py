"""Turns a record into a film's stage: who carries which card where and when.

``direct(header, events, grade="home", seed=1)`` gives the same
:class:`~datasets.films.stage.Stage` for the same arguments. What differs between games (who is due,
who takes a trick, how many cards are dealt) comes from the referee's states; nothing here asks
which game it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType

from datasets.films import scenery
from datasets.films.grades import GRADES, Grade
from datasets.films.matches import HANDS, Hands, dealt_hands
from datasets.films.moves import Moved, Mover
from datasets.films.stage import (
    AT,
    BACK,
    FRENCH_CARD,
    SPANISH_CARD,
    Key,
    Lying,
    Stage,
)
from scorekeeper.engine.cutting import Cutting
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import latest_events, moments, replay
from scorekeeper.engine.state import End, Hand, Match
from scorekeeper.games.cards import FRENCH_SUITS, SPANISH_SUITS, Card
from scorekeeper.games.tricks import side_of

TABLE = (84.0, 64.0)
"""Width and depth of the table, in centimetres."""

_THROWN_IN = frozenset({End.RAISE_REJECTED, End.LAY_DOWN, End.FORTIAL_REFUSED})


def direct(
    header: Header,
    events: Sequence[Event],
    *,
    grade: str,
    seed: int,
    size: tuple[int, int] = (1280, 720),
    table: tuple[float, float] = TABLE,
    tilt: float | None = None,
    roll: float | None = None,
) -> Stage:
    """Directs a record.

    Args:
        header: who plays what.
        events: the events of the record; those that were taken back do not happen in the film.
        grade: name of one of ``datasets.films.grades.GRADES``.
        seed: decides all that the record leaves open.
        size: width and height of the pictures, in pixels.
        table: width and depth of the table, in centimetres.
        tilt: of the camera, in radians; 0 looks straight down; None to draw it by the grade.
        roll: turn about the camera's axis, in radians; 0 has seat 0 at the picture's lower edge;
            None to draw it by the grade.

    Raises:
        RuleError: the record breaks a rule.
    """
    return _Director(header, events, GRADES[grade], seed, table).stage(grade, size, tilt, roll)


class _Director(Mover):
    """Goes through the events of a match and keeps what is seen of each."""

    def __init__(
        self, header: Header, events: Sequence[Event], grade: Grade, seed: int,
        table: tuple[float, float],
    ) -> None:  # fmt: skip
        match = replay(header, events)
        rng = Random(f"stage {seed} {header.game} {len(header.seats)}")
        super().__init__(grade, rng, len(header.seats), table)
        self.header, self.seed = header, seed
        self.moments = moments(match)
        self.said = latest_events(match)
        self.dealt: dict[int, Hands] = dealt_hands(header, self.said, seed)
        self.gathers = self.rng.random() < grade.gathered
        self.throws_in = [self.rng.random() < grade.middle for _ in header.seats]
        self.t = 1.0 + self.rng.uniform(*grade.empty)
        self.times: list[float] = []
        self.held: list[list[str]] = [[] for _ in header.seats]
        self.pack: Moved | None = None
        self.early: set[int] = set()

    # --- the whole ---------------------------------------------------------------------------

    def stage(
        self, grade: str, size: tuple[int, int], tilt: float | None, roll: float | None
    ) -> Stage:
        """The stage of the whole record; see :func:`direct`."""
        if self.header.rules.first_deal != "any" and self.rng.random() < self.grade.cuts:
            self._cut()
        for place, event in enumerate(self.said):
            before, after = self.moments[place], self.moments[place + 1]
            self._happen(place, event, before, after)
            if before.in_progress and not after.in_progress and after.hand is not None:
                self._end_hand(after, after.hand)
        ends = self.t + 1.0
        for card in tuple(self.cards):  # of an unfinished hand: they lie there until the end
            card.keys.append(Key(round(ends + 1.0, 4), *card.pose))
            self.finish(card)
        lying = sorted((card.lying() for card in self.done), key=lambda card: card.keys[0].at)
        extra = scenery.passing_by(self.rng, self.grade, ends, self.table, self.seats)
        lying = self._pushed(lying)
        camera = scenery.camera_over(self.rng, self.grade, size, self.table, tilt, roll)
        remarks = (
            {key: value for key, value in event.remarks.items() if key != HANDS}
            for event in self.said
        )
        events = tuple(
            event._replace(remarks=MappingProxyType({**kept, AT: round(at, 3)}))
            for event, kept, at in zip(self.said, remarks, self.times, strict=True)
        )
        return Stage(
            self.header, grade, self.seed, self.table, camera, events, tuple(lying),
            tuple(sorted((*self.hands, *extra), key=lambda hand: hand.keys[0].at)),
            scenery.nudges(self.rng, self.grade, ends, size),
            scenery.lights(self.rng, self.grade, ends), round(ends, 3),
            SPANISH_CARD if self.moments[-1].spanish else FRENCH_CARD,
        )  # fmt: skip

    def _happen(self, place: int, event: Event, before: Match, after: Match) -> None:
        if event.do == "deal":
            self._deal(place, event, before.dealer)
        elif event.do == "play":
            self._play(place, after)
        else:
            self.t += self.rng.uniform(*self.grade.speak)
            self.times.append(self.t)
            if event.do == "misdeal":
                self._clear(after.dealer, empty=False)
            elif event.do == "grant":
                self._put_aside(before.dealer)

    # --- what happens ------------------------------------------------------------------------

    def _cut(self) -> None:
        """Everybody cuts a card for the first deal; the best card makes the dealer (LA/LB-2)."""
        rules, dealer = self.header.rules, self.header.first_dealer
        cutting = Cutting(rules=rules, seats=self.seats)
        while cutting.dealer != dealer:
            ranks = self.rng.sample(rules.order, self.seats)
            cutting = Cutting(rules=rules, seats=self.seats)
            for seat, rank in enumerate(ranks):
                cutting = cutting.cut(seat, rank)
        heap = self.carry(dealer, BACK, 0.0, 0.0, self.crooked(dealer))
        heap.thick = rules.pack_size
        for cut in cutting.cuts:
            self.t += self.rng.uniform(*self.grade.think) * 0.5
            suit = self.rng.choice(SPANISH_SUITS if self.moments[-1].spanish else FRENCH_SUITS)
            x, y = self.inside(*self.spot(cut.seat, 0.5, self.rng.gauss(0, 2)))
            self.carry(cut.seat, str(Card(cut.rank, suit)), x, y, self.crooked(cut.seat))
        self.t += self.rng.uniform(*self.grade.speak) + 1.0
        self._clear(dealer)

    def _deal(self, place: int, event: Event, dealer: int) -> None:
        rng, count = self.rng, event.cards or 0
        if self.pack is None and rng.random() < self.grade.pack_out:
            x, y = self.inside(*self.spot(dealer, 0.62, rng.uniform(14, 18)))
            self.pack = self.carry(dealer, BACK, x, y, self.crooked(dealer))
            self.pack.thick = 32
            self.t += 0.2
        exposes = place + 1 < len(self.said) and self.said[place + 1].do == "misdeal"
        victim = rng.randrange(count * self.seats) if exposes else None
        hands = self.dealt[place]
        self.held = [[str(card) for card in hand] for hand in hands]
        direction = self.header.rules.direction
        laid: list[list[Moved]] = [[] for _ in range(self.seats)]
        tips = []
        began = self.t
        for number in range(count * self.seats):
            seat = (dealer + direction * (1 + number)) % self.seats
            right = (len(laid[seat]) - (count - 1) / 2) * rng.uniform(1.5, 4.5) + rng.gauss(0, 0.7)
            x, y = self.inside(*self.spot(seat, 0.78, right))
            name = BACK if number != victim else self.held[seat][number // self.seats]
            source = self.spot(dealer, 0.75, 6.0)
            took = rng.uniform(0.16, 0.34)
            keys = [
                Key(round(self.t, 4), *source, self.straight(dealer), 4.0),
                Key(round(self.t + took, 4), x, y, self.crooked(seat), 0.0),
            ]
            card = Moved(name, seat, None, keys, keys[-1].at)
            self.cards.append(card)
            laid[seat].append(card)
            tips.append((self.t + took * 0.5, (source[0] * 2 + x) / 3, (source[1] * 2 + y) / 3))
            self.t += took * rng.uniform(0.9, 1.2)
        self.reach(dealer, [(began, *self.spot(dealer, 0.78, 6.0)), *tips], self.t)
        self.t = max(self.t, *(card.rests for cards in laid for card in cards))
        self.times.append(self.t)
        self.t += rng.uniform(0.3, 0.9)
        if exposes:
            return
        longest = self.t
        for seat in rng.sample(range(self.seats), self.seats):
            start = self.t
            self.t += rng.uniform(0.0, 0.8)
            self.take(laid[seat], seat, rng.uniform(0.35, 0.6))
            longest, self.t = max(longest, self.t), start + rng.uniform(0.05, 0.3)
        self.t = longest

    def _put_aside(self, dealer: int) -> None:
        """Both hands are put aside face down; others are dealt from the rest (LT-4)."""
        self.t += self.rng.uniform(0.3, 0.8)
        for seat in range(self.seats):
            x, y = self.inside(*self.spot(dealer, 0.3, self.rng.uniform(13, 17)))
            aside = self.carry(seat, BACK, x, y, self.crooked(seat), quick=True)
            aside.thick = len(self.held[seat])
        self.t += self.rng.uniform(0.3, 0.7)

    def _play(self, place: int, after: Match) -> None:
        if place not in self.early:
            self.t += self.rng.uniform(*self.grade.think)
            if self._may_come_early(place, after) and self.rng.random() < self.grade.early:
                # A card counts only when its seat is due (V-1): when the card before it is laid.
                self._put_down(place + 1)
                self.early.add(place + 1)
                self.t += self.rng.uniform(*self.grade.think)
            self._put_down(place)
        self.times.append(self.t)
        hand = after.hand
        if hand is None or hand.end is not None or not self.gathers:
            return
        trick = hand.tricks[-1]
        if trick.complete and trick.next_leader is not None:
            self.t += self.rng.uniform(*self.grade.think) * 0.7 + 0.4
            played = [card for card in self.cards if card.event is not None]
            self._gather(played, trick.next_leader)

    def _may_come_early(self, place: int, after: Match) -> bool:
        """Whether the next card of the trick could be laid before this one."""
        hand = after.hand
        return (
            hand is not None
            and hand.end is None
            and not hand.tricks[-1].complete
            and place + 1 < len(self.said)
            and self.said[place + 1].do == "play"
        )

    def _put_down(self, place: int) -> None:
        """A hand brings the card of a play, and lays it down or throws it."""
        rng, event = self.rng, self.said[place]
        assert event.seat is not None
        seat, name = event.seat, str(event.card)
        if name in self.held[seat]:
            self.held[seat].remove(name)
        x, y = self._place_for(seat)
        turn = self.crooked(seat)
        thrown = rng.random() < self.grade.thrown
        if thrown:
            turn += rng.gauss(0, 0.5)
        self.carry(seat, name, x, y, turn, event=place, thrown=thrown)

    def _place_for(self, seat: int) -> tuple[float, float]:
        """Where a player puts the next card: before him, in the middle, or onto another card."""
        rng, spread = self.rng, self.grade.spread
        there = [card for card in self.cards if card.event is not None]
        own = sum(card.seat == seat for card in there)
        middle = self.throws_in[seat]
        near = [card for card in there if middle or card.seat == seat]
        if near and rng.random() < self.grade.onto:
            onto, away = rng.choice(near).pose, rng.uniform(2.2, 5.0)
            angle = rng.uniform(0, 2 * math.pi)
            return self.inside(onto.x + math.sin(angle) * away, onto.y + math.cos(angle) * away)
        if middle:
            x, y = self.spot(seat, rng.uniform(0.05, 0.25), rng.gauss(0, 1.5 + spread))
        else:
            x, y = self.spot(seat, 0.5, (own - 1) * 7.2 * (1 if not self.gathers else 0))
        return self.inside(x + rng.gauss(0, spread), y + rng.gauss(0, spread))

    def _gather(self, cards: list[Moved], seat: int) -> None:
        """The winner takes a trick, and mostly lays it face down before him, as one heap."""
        self.take(cards, seat, self.rng.uniform(0.5, 0.9))
        if self.rng.random() < 0.7:
            kept = sum(card.card == BACK and card.seat == seat for card in self.cards)
            x, y = self.inside(*self.spot(seat, 0.8, -11.0 - 2.5 * kept))
            heap = self.carry(seat, BACK, x, y, self.crooked(seat), quick=True)
            heap.thick = len(cards)

    def _end_hand(self, after: Match, hand: Hand) -> None:
        """After a hand losers throw in their cards, some show theirs, and the table is cleared."""
        rng = self.rng
        losers = -1 if hand.winner is None else 1 - hand.winner
        self.t += rng.uniform(*self.grade.speak)
        for seat in rng.sample(range(self.seats), self.seats):
            thrown_in = hand.end in _THROWN_IN and side_of(seat) == losers
            if self.held[seat] and (thrown_in or rng.random() < self.grade.shown):
                self._show(seat, face_up=rng.random() < (0.4 if thrown_in else 0.85))
        self.t += rng.uniform(*self.grade.think) + 0.5
        self._clear(after.dealer)

    def _show(self, seat: int, *, face_up: bool) -> None:
        x, y = self.spot(seat, self.rng.uniform(0.55, 0.72), self.rng.gauss(2, 5))
        turn = self.crooked(seat)
        for number, name in enumerate(self.held[seat]):
            along = (number - 1) * self.rng.uniform(2.0, 5.0)
            spot = self.inside(x + math.cos(turn) * along, y + math.sin(turn) * along)
            angle = turn + self.rng.gauss(0, 0.12)
            self.carry(seat, name if face_up else BACK, *spot, angle, quick=number > 0)
            self.t += 0.08
        self.held[seat] = []

    def _clear(self, dealer: int, *, empty: bool = True) -> None:
        """Everything is swept off the table in a few sweeps, mostly by the next dealer."""
        rng = self.rng
        rest = [card for card in self.cards if card is not self.pack]
        rng.shuffle(rest)
        while rest:
            count = rng.randint(max(1, len(rest) // 2), len(rest))
            helper = dealer if rng.random() < 0.7 else rng.randrange(self.seats)
            self.take(rest[:count], helper, rng.uniform(0.6, 1.1))
            rest = rest[count:]
            self.t += rng.uniform(0.05, 0.4)
        if self.pack is not None:
            self.take([self.pack], dealer, rng.uniform(0.4, 0.7))
            self.pack = None
        self.t += rng.uniform(*self.grade.empty) if empty else 0.5

    def _pushed(self, lying: list[Lying]) -> list[Lying]:
        """Some cards that lie there are pushed a little by a hand."""
        rng, made = self.rng, []
        for card in lying:
            free = (card.rests + 1.0, card.leaves - 1.2)
            if rng.random() >= self.grade.pushed or free[1] < free[0] or card.thick > 1:
                made.append(card)
                continue
            at = rng.uniform(*free)
            place = next(i for i, key in enumerate(card.keys) if key.at >= card.rests)
            before = card.keys[place]
            x, y = self.inside(before.x + rng.gauss(0, 1.5), before.y + rng.gauss(0, 1.5))
            turn = before.turn + rng.gauss(0, 0.2)
            start = Key(round(at, 4), *before.pose)
            stop = Key(round(at + rng.uniform(0.2, 0.5), 4), x, y, turn, 0.0)
            rest = [
                key._replace(x=x, y=y, turn=turn) if key.pose == before.pose else key
                for key in card.keys[place + 1 :]
            ]
            made.append(replace(card, keys=(*card.keys[: place + 1], start, stop, *rest)))
            seat = card.seat if card.seat is not None else rng.randrange(self.seats)
            ox, oy = self.out(seat)
            self.reach(
                seat,
                [
                    (start.at, before.x + ox * 2, before.y + oy * 2),
                    (stop.at, x + ox * 2, y + oy * 2),
                ],
                stop.at,
            )
        return made
