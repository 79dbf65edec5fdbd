"""Directs a record: who carries which card where and when, from the first deal to the last hand.

``direct(header, events, grade="home", seed=1)`` gives the same :class:`~datasets.stage.Stage` for
the same arguments. What a game does differently (who is due, who gathers, how many cards) is read
off the referee's states; nothing here asks which game it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from datasets import scenery
from datasets.grades import GRADES, Grade
from datasets.matches import HANDS, Hands, dealt_hands
from datasets.stage import (
    AT,
    BACK,
    FRENCH_CARD,
    SPANISH_CARD,
    Key,
    Lying,
    Passing,
    Pose,
    Stage,
)
from scorekeeper.events import Event
from scorekeeper.header import Header
from scorekeeper.match import fold, latest_events, moments
from scorekeeper.state import End, Hand, Match
from scorekeeper.tricks import side_of

TABLE = (84.0, 64.0)
"""Width and depth of the table, in centimetres."""

_HIGH = 9.0  # centimetres above the table at which a card is carried
_THROWN_IN = frozenset({End.RAISE_REJECTED, End.LAY_DOWN, End.FORTIAL_REFUSED})


@dataclass(eq=False)
class _Card:
    """A card of the stage while it is being made."""

    card: str
    seat: int | None
    event: int | None
    keys: list[Key]
    rests: float
    leaves: float | None = None
    thick: int = 1

    @property
    def pose(self) -> Pose:
        return self.keys[-1].pose


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
        events: of the record; what was taken back did not happen at the table.
        grade: name of one of ``datasets.grades.GRADES``.
        seed: decides all that the record leaves open.
        size: of the pictures, in pixels.
        table: width and depth, in centimetres.
        tilt: of the camera in radians, 0 looks straight down; as the grade has it where None.
        roll: turn about the camera's axis, π where it stands behind seat 2; as the grade has it
            where None.

    Raises:
        RuleError: the record breaks a rule.
    """
    return _Director(header, events, GRADES[grade], seed, table).stage(grade, size, tilt, roll)


class _Director:
    """Walks through the moments of a match and writes down what is to be seen."""

    def __init__(
        self, header: Header, events: Sequence[Event], grade: Grade, seed: int,
        table: tuple[float, float],
    ) -> None:  # fmt: skip
        match = fold(header, events)
        self.header, self.grade, self.seed, self.table = header, grade, seed, table
        self.moments = moments(match)
        self.said = latest_events(match)
        self.dealt: dict[int, Hands] = dealt_hands(header, self.said, seed)
        self.rng = Random(f"stage {seed} {header.game} {len(header.seats)}")
        self.seats = len(header.seats)
        self.gathers = self.rng.random() < grade.gathered
        self.throws_in = [self.rng.random() < grade.middle for _ in header.seats]
        self.t = 1.0 + self.rng.uniform(*grade.empty)
        self.done: list[_Card] = []
        self.cards: list[_Card] = []
        self.hands: list[Passing] = []
        self.times: list[float] = []
        self.held: list[list[str]] = [[] for _ in header.seats]
        self.pack: _Card | None = None

    # --- the whole ---------------------------------------------------------------------------

    def stage(
        self, grade: str, size: tuple[int, int], tilt: float | None, roll: float | None
    ) -> Stage:
        for place, event in enumerate(self.said):
            before, after = self.moments[place], self.moments[place + 1]
            self._happen(place, event, before, after)
            if before.in_progress and not after.in_progress and after.hand is not None:
                self._end_hand(after, after.hand)
        if self.cards:
            self._clear(self.moments[-1].dealer)
        ends = self.t + 1.0
        lying = sorted((self._lying(card) for card in self.done), key=lambda card: card.keys[0].at)
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
            self._play(place, event, after)
        else:
            self.t += self.rng.uniform(*self.grade.speak)
            self.times.append(self.t)
            if event.do == "misdeal":
                self._clear(after.dealer, empty=False)
            elif event.do == "grant":
                self._put_aside(before.dealer)

    def _lying(self, card: _Card) -> Lying:
        face = "down" if card.card == BACK else "up"
        leaves = card.keys[-1].at if card.leaves is None else card.leaves
        return Lying(
            card.card, face, card.seat, card.event, tuple(card.keys), card.rests, leaves, card.thick
        )

    # --- places ------------------------------------------------------------------------------

    def _out(self, seat: int) -> tuple[float, float]:
        """The direction from the table's middle to a seat."""
        angle = seat * 2 * math.pi / self.seats
        return -math.sin(angle), math.cos(angle)

    def _straight(self, seat: int) -> float:
        """The angle of a card that is upright for a seat."""
        return seat * 2 * math.pi / self.seats

    def _spot(self, seat: int, out: float, right: float) -> tuple[float, float]:
        """A place before a seat: its share of the way to the edge, and centimetres to the right."""
        ox, oy = self._out(seat)
        reach = abs(ox) * self.table[0] / 2 + abs(oy) * self.table[1] / 2
        return ox * reach * out + oy * right, oy * reach * out - ox * right

    def _crooked(self, seat: int) -> float:
        return self._straight(seat) + self.rng.gauss(0, self.grade.crooked)

    def _inside(self, x: float, y: float) -> tuple[float, float]:
        """A place moved so far inwards that a card lies wholly on the table."""
        wide, deep = self.table[0] / 2 - 5.5, self.table[1] / 2 - 5.5
        return max(-wide, min(wide, x)), max(-deep, min(deep, y))

    # --- hands and cards ---------------------------------------------------------------------

    def _edge(self, seat: int, right: float = 0.0) -> tuple[float, float]:
        """Where a hand comes from: beyond the table's edge."""
        ox, oy = self._out(seat)
        x, y = self._spot(seat, 1.0, right)
        return x + ox * 14, y + oy * 14

    def _reach(self, seat: int, stops: Sequence[tuple[float, float, float]], away: float) -> None:
        """A hand comes to places, each with its time, and goes away again.

        Args:
            seat: whose hand.
            stops: time and place of the finger tips.
            away: when it begins to go.
        """
        start = self._edge(seat, self.rng.gauss(4, 3))
        slow, fast = self.grade.carry
        way = self.rng.uniform(slow, fast)

        def key(at: float, x: float, y: float) -> Key:
            turn = math.atan2(x - start[0], start[1] - y)
            return Key(round(at, 4), x, y, turn, 2.0)

        # A hand that is at the edge points where it is going to.
        first, last = key(*stops[0]), key(max(away, stops[-1][0]), *stops[-1][1:])
        keys = [Key(round(stops[0][0] - way * 0.6, 4), *start, first.turn, 6.0)]
        keys += [key(*stop) for stop in stops]
        if last.at > keys[-1].at:
            keys.append(last)
        keys.append(Key(round(last.at + way * 0.8, 4), *start, last.turn, 6.0))
        self.hands.append(Passing("hand", seat, tuple(keys)))

    def _carry(
        self, seat: int, card: str, x: float, y: float, turn: float, *, event: int | None = None,
        thrown: bool = False, quick: bool = False,
    ) -> _Card:  # fmt: skip
        """A hand brings a card from its owner's side and puts it down; the time is then."""
        rng = self.rng
        way = rng.uniform(*self.grade.carry) * (0.6 if quick else 1.0)
        ox, oy = self._out(seat)
        start = self._edge(seat, rng.gauss(4, 3))
        keys = [Key(round(self.t, 4), *start, self._straight(seat), _HIGH)]
        fingers = 3.2  # from a card's middle back to the tips that hold it
        near = (x + ox * 1.5, y + oy * 1.5)
        if thrown:
            share = rng.uniform(0.45, 0.7)
            near = (start[0] + (x - start[0]) * share, start[1] + (y - start[1]) * share)
            keys.append(Key(round(self.t + way * 0.6, 4), *near, self._straight(seat), 3.0))
        else:
            keys.append(Key(round(self.t + way * 0.8, 4), *near, turn, 2.0))
        rests = round(self.t + way, 4)
        keys.append(Key(rests, x, y, turn, 0.0))
        let_go = keys[1].at if thrown else rests
        tip = near if thrown else (x, y)
        tip = (tip[0] + ox * fingers, tip[1] + oy * fingers)
        linger = rng.uniform(*self.grade.linger)
        self._hand_along(seat, keys[0], start, let_go, tip, let_go + (0 if thrown else linger))
        made = _Card(card, seat, event, keys, rests)
        self.cards.append(made)
        self.t = rests
        return made

    def _hand_along(
        self, seat: int, first: Key, start: tuple[float, float], let_go: float,
        tip: tuple[float, float], away: float,
    ) -> None:  # fmt: skip
        """The hand that carries a card, with the card from its first key on."""
        ox, oy = self._out(seat)
        turn = math.atan2(tip[0] - start[0], start[1] - tip[1])
        if math.hypot(tip[0] - start[0], tip[1] - start[1]) < 4:
            turn = self._straight(seat)
        back = (start[0] + ox * 3.2, start[1] + oy * 3.2)
        keys = [Key(first.at, *back, turn, _HIGH), Key(round(let_go, 4), *tip, turn, 2.0)]
        if away > let_go:
            keys.append(Key(round(away, 4), *tip, turn, 2.0))
        keys.append(Key(round(away + self.rng.uniform(*self.grade.carry) * 0.8, 4), *back, turn, 6))
        self.hands.append(Passing("hand", seat, tuple(keys)))

    def _take(
        self, cards: Sequence[_Card], seat: int, over: float = 0.5, *, hand: bool = True
    ) -> None:
        """A hand takes cards away to its seat's side; the time is when they are gone."""
        if not cards:
            return
        x = sum(card.pose.x for card in cards) / len(cards)
        y = sum(card.pose.y for card in cards) / len(cards)
        start = self.t
        gone = start + over
        ends = self._edge(seat, self.rng.gauss(0, 2))
        for number, card in enumerate(cards):
            pose = card.pose
            card.leaves = round(start, 4)
            keys = [Key(card.leaves, *pose)] if card.keys[-1].at < card.leaves else []
            if len(cards) > 1:  # swept together first
                together = Key(
                    round(start + over * 0.45, 4), x + self.rng.gauss(0, 0.7),
                    y + self.rng.gauss(0, 0.7), pose.turn, 0.5 + 0.05 * number,
                )  # fmt: skip
                keys.append(together)
            keys.append(Key(round(gone, 4), *ends, pose.turn, 5.0))
            card.keys += keys
            self._finish(card)
        if hand:
            stops = [(start, x, y), (start + over * 0.45, x, y)]
            self._reach(seat, stops, start + over * 0.45)
        self.t = gone

    def _finish(self, card: _Card) -> None:
        self.cards.remove(card)
        self.done.append(card)

    # --- what happens ------------------------------------------------------------------------

    def _deal(self, place: int, event: Event, dealer: int) -> None:
        rng, count = self.rng, event.cards or 0
        if self.pack is None and rng.random() < self.grade.pack_out:
            x, y = self._inside(*self._spot(dealer, 0.62, rng.uniform(14, 18)))
            self.pack = self._carry(dealer, BACK, x, y, self._crooked(dealer))
            self.pack.thick = 32
            self.t += 0.2
        exposes = place + 1 < len(self.said) and self.said[place + 1].do == "misdeal"
        victim = rng.randrange(count * self.seats) if exposes else None
        hands = self.dealt[place]
        self.held = [[str(card) for card in hand] for hand in hands]
        direction = self.header.rules.direction
        laid: list[list[_Card]] = [[] for _ in range(self.seats)]
        tips = []
        began = self.t
        for number in range(count * self.seats):
            seat = (dealer + direction * (1 + number)) % self.seats
            right = (len(laid[seat]) - (count - 1) / 2) * rng.uniform(1.5, 4.5) + rng.gauss(0, 0.7)
            x, y = self._inside(*self._spot(seat, 0.78, right))
            name = BACK if number != victim else self.held[seat][number // self.seats]
            source = self._spot(dealer, 0.75, 6.0)
            took = rng.uniform(0.16, 0.34)
            keys = [
                Key(round(self.t, 4), *source, self._straight(dealer), 4.0),
                Key(round(self.t + took, 4), x, y, self._crooked(seat), 0.0),
            ]
            card = _Card(name, seat, None, keys, keys[-1].at)
            self.cards.append(card)
            laid[seat].append(card)
            tips.append((self.t + took * 0.5, (source[0] * 2 + x) / 3, (source[1] * 2 + y) / 3))
            self.t += took * rng.uniform(0.9, 1.2)
        self._reach(dealer, [(began, *self._spot(dealer, 0.78, 6.0)), *tips], self.t)
        self.t = max(self.t, *(card.rests for cards in laid for card in cards))
        self.times.append(self.t)
        self.t += rng.uniform(0.3, 0.9)
        if exposes:
            return
        longest = self.t
        for seat in rng.sample(range(self.seats), self.seats):
            start = self.t
            self.t += rng.uniform(0.0, 0.8)
            self._take(laid[seat], seat, rng.uniform(0.35, 0.6))
            longest, self.t = max(longest, self.t), start + rng.uniform(0.05, 0.3)
        self.t = longest

    def _put_aside(self, dealer: int) -> None:
        """Both hands are put aside face down; others are dealt from the rest (LT-4)."""
        self.t += self.rng.uniform(0.3, 0.8)
        for seat in range(self.seats):
            x, y = self._inside(*self._spot(dealer, 0.3, self.rng.uniform(13, 17)))
            aside = self._carry(seat, BACK, x, y, self._crooked(seat), quick=True)
            aside.thick = len(self.held[seat])
        self.t += self.rng.uniform(0.3, 0.7)

    def _play(self, place: int, event: Event, after: Match) -> None:
        assert event.seat is not None
        rng, seat, name = self.rng, event.seat, str(event.card)
        self.t += rng.uniform(*self.grade.think)
        if name in self.held[seat]:
            self.held[seat].remove(name)
        x, y = self._place_for(seat)
        turn = self._crooked(seat)
        thrown = rng.random() < self.grade.thrown
        if thrown:
            turn += rng.gauss(0, 0.5)
        self._carry(seat, name, x, y, turn, event=place, thrown=thrown)
        self.times.append(self.t)
        hand = after.hand
        if hand is None or hand.end is not None or not self.gathers:
            return
        trick = hand.tricks[-1]
        if trick.complete and trick.next_leader is not None:
            self.t += rng.uniform(*self.grade.think) * 0.7 + 0.4
            played = [card for card in self.cards if card.event is not None]
            self._gather(played, trick.next_leader)

    def _place_for(self, seat: int) -> tuple[float, float]:
        """Where a player puts his next card: before himself, into the middle, or onto another."""
        rng, spread = self.rng, self.grade.spread
        there = [card for card in self.cards if card.event is not None]
        own = sum(card.seat == seat for card in there)
        middle = self.throws_in[seat]
        near = [card for card in there if middle or card.seat == seat]
        if near and rng.random() < self.grade.onto:
            onto, away = rng.choice(near).pose, rng.uniform(2.2, 5.0)
            angle = rng.uniform(0, 2 * math.pi)
            return self._inside(onto.x + math.sin(angle) * away, onto.y + math.cos(angle) * away)
        if middle:
            x, y = self._spot(seat, rng.uniform(0.05, 0.25), rng.gauss(0, 1.5 + spread))
        else:
            x, y = self._spot(seat, 0.5, (own - 1) * 7.2 * (1 if not self.gathers else 0))
        return self._inside(x + rng.gauss(0, spread), y + rng.gauss(0, spread))

    def _gather(self, cards: list[_Card], seat: int) -> None:
        """The winner takes a trick, and mostly keeps it face down before himself."""
        self._take(cards, seat, self.rng.uniform(0.5, 0.9))
        if self.rng.random() < 0.7:
            kept = sum(card.card == BACK and card.seat == seat for card in self.cards)
            x, y = self._inside(*self._spot(seat, 0.8, -11.0 - 2.5 * kept))
            heap = self._carry(seat, BACK, x, y, self._crooked(seat), quick=True)
            heap.thick = len(cards)

    def _end_hand(self, after: Match, hand: Hand) -> None:
        """Cards are thrown in, leftovers are shown, and the table is cleared."""
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
        x, y = self._spot(seat, self.rng.uniform(0.55, 0.72), self.rng.gauss(2, 5))
        turn = self._crooked(seat)
        for number, name in enumerate(self.held[seat]):
            along = (number - 1) * self.rng.uniform(2.0, 5.0)
            spot = self._inside(x + math.cos(turn) * along, y + math.sin(turn) * along)
            angle = turn + self.rng.gauss(0, 0.12)
            self._carry(seat, name if face_up else BACK, *spot, angle, quick=number > 0)
            self.t += 0.08
        self.held[seat] = []

    def _clear(self, dealer: int, *, empty: bool = True) -> None:
        """Everything is taken off the table, in two or three sweeps, by the next dealer."""
        rng = self.rng
        rest = [card for card in self.cards if card is not self.pack]
        rng.shuffle(rest)
        while rest:
            count = rng.randint(max(1, len(rest) // 2), len(rest))
            helper = dealer if rng.random() < 0.7 else rng.randrange(self.seats)
            self._take(rest[:count], helper, rng.uniform(0.6, 1.1))
            rest = rest[count:]
            self.t += rng.uniform(0.05, 0.4)
        if self.pack is not None:
            self._take([self.pack], dealer, rng.uniform(0.4, 0.7))
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
            x, y = self._inside(before.x + rng.gauss(0, 1.5), before.y + rng.gauss(0, 1.5))
            turn = before.turn + rng.gauss(0, 0.2)
            start = Key(round(at, 4), *before.pose)
            stop = Key(round(at + rng.uniform(0.2, 0.5), 4), x, y, turn, 0.0)
            rest = [
                key._replace(x=x, y=y, turn=turn) if key.pose == before.pose else key
                for key in card.keys[place + 1 :]
            ]
            made.append(replace(card, keys=(*card.keys[: place + 1], start, stop, *rest)))
            seat = card.seat if card.seat is not None else rng.randrange(self.seats)
            ox, oy = self._out(seat)
            self._reach(
                seat,
                [
                    (start.at, before.x + ox * 2, before.y + oy * 2),
                    (stop.at, x + ox * 2, y + oy * 2),
                ],
                stop.at,
            )
        return made
