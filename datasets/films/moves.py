"""Moves cards and hands over a film's table: how a card comes, lies and goes.

A :class:`Mover` keeps the paths of cards and hands; ``datasets.films.director`` tells it what to
move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from datasets.films.covering import Pose
from datasets.films.grades import Grade
from datasets.films.stage import BACK, Key, Lying, Passing

_HIGH = 9.0  # centimetres above the table at which a card is carried
_HELD = 3.2  # centimetres from a card's middle to the finger tips that hold it
_BEYOND = 24.0  # centimetres beyond the table's edge, where hands come from


@dataclass(eq=False)
class Moved:
    """A card of a film that is being made.

    Attributes:
        card: its name; ``back`` where it is face down.
        seat: whose it is; None for what belongs to nobody.
        event: place of its play among the events; None for a card that is no play.
        keys: its path so far.
        rests: when it comes to rest, in seconds.
        leaves: when it is taken away, in seconds; None while it lies there.
        thick: how many cards lie in one heap.
    """

    card: str
    seat: int | None
    event: int | None
    keys: list[Key]
    rests: float
    leaves: float | None = None
    thick: int = 1

    @property
    def pose(self) -> Pose:
        """Where it is at the end of its path so far."""
        return self.keys[-1].pose

    def lying(self) -> Lying:
        """The card as the stage has it, once it is gone."""
        face = "down" if self.card == BACK else "up"
        leaves = self.keys[-1].at if self.leaves is None else self.leaves
        return Lying(
            self.card, face, self.seat, self.event, tuple(self.keys), self.rests, leaves, self.thick
        )


class Mover:
    """Moves cards and hands, and keeps the time.

    Args:
        grade: how people play.
        rng: decides what the grade leaves open.
        seats: two or four players.
        table: width and depth of the table, in centimetres.

    Attributes:
        t: the time, in seconds of the film.
        hands: the paths of all hands.
    """

    def __init__(self, grade: Grade, rng: Random, seats: int, table: tuple[float, float]) -> None:
        self.grade, self.rng, self.seats, self.table = grade, rng, seats, table
        self.t = 0.0
        self.cards: list[Moved] = []
        """The cards on the table now."""
        self.done: list[Moved] = []
        """The cards that have left the table."""
        self.hands: list[Passing] = []

    # --- places ------------------------------------------------------------------------------

    def out(self, seat: int) -> tuple[float, float]:
        """The direction (x, y) from the table's middle to a seat, of length 1."""
        angle = seat * 2 * math.pi / self.seats
        return -math.sin(angle), math.cos(angle)

    def straight(self, seat: int) -> float:
        """The angle of a card that is upright for a seat."""
        return seat * 2 * math.pi / self.seats

    def spot(self, seat: int, out: float, right: float) -> tuple[float, float]:
        """A place before a seat, in centimetres of the table.

        Args:
            seat: the seat.
            out: how far from the middle it is, as a part of the way to the table's edge.
            right: how far to the seat's right, in centimetres.
        """
        ox, oy = self.out(seat)
        reach = abs(ox) * self.table[0] / 2 + abs(oy) * self.table[1] / 2
        return ox * reach * out + oy * right, oy * reach * out - ox * right

    def crooked(self, seat: int) -> float:
        """An angle as cards really lie before a seat."""
        return self.straight(seat) + self.rng.gauss(0, self.grade.crooked)

    def inside(self, x: float, y: float) -> tuple[float, float]:
        """The nearest place at which a card lies on the table as a whole."""
        wide, deep = self.table[0] / 2 - 5.5, self.table[1] / 2 - 5.5
        return max(-wide, min(wide, x)), max(-deep, min(deep, y))

    # --- hands and cards ---------------------------------------------------------------------

    def edge(self, seat: int, right: float = 0.0) -> tuple[float, float]:
        """Where a hand comes from: beyond the table's edge."""
        ox, oy = self.out(seat)
        x, y = self.spot(seat, 1.0, right)
        return x + ox * _BEYOND, y + oy * _BEYOND

    def reach(self, seat: int, stops: Sequence[tuple[float, float, float]], away: float) -> None:
        """A hand comes to some places, one after the other, and goes away again.

        Args:
            seat: whose hand it is.
            stops: time, x and y of the finger tips at each place.
            away: when the hand begins to go away, in seconds.
        """
        start = self.edge(seat, self.rng.gauss(4, 3))
        slow, fast = self.grade.carry
        way = self.rng.uniform(slow, fast)

        def key(at: float, x: float, y: float) -> Key:
            turn = math.atan2(x - start[0], start[1] - y)
            return Key(round(at, 4), x, y, turn, 2.0)

        # At the table's edge a hand already points to where it goes.
        first, last = key(*stops[0]), key(max(away, stops[-1][0]), *stops[-1][1:])
        keys = [Key(round(stops[0][0] - way * 0.6, 4), *start, first.turn, 6.0)]
        keys += [key(*stop) for stop in stops]
        if last.at > keys[-1].at:
            keys.append(last)
        keys.append(Key(round(last.at + way * 0.8, 4), *start, last.turn, 6.0))
        self.hands.append(Passing("hand", seat, tuple(keys)))

    def carry(
        self, seat: int, card: str, x: float, y: float, turn: float, *, event: int | None = None,
        thrown: bool = False, quick: bool = False,
    ) -> Moved:  # fmt: skip
        """A hand brings a card from its seat and puts it down; afterwards ``t`` is when it rests.

        Args:
            seat: who brings it.
            card: the card's name; ``back`` for one that is face down.
            x: where it comes to lie, in centimetres.
            y: likewise.
            turn: its angle there, in radians.
            event: place of its play among the events; None for a card that is no play.
            thrown: whether the hand lets it go early, so that it slides.
            quick: whether it takes less time than usual.
        """
        rng = self.rng
        way = rng.uniform(*self.grade.carry) * (0.6 if quick else 1.0)
        ox, oy = self.out(seat)
        start = self.edge(seat, rng.gauss(4, 3))
        keys = [Key(round(self.t, 4), *start, self.straight(seat), _HIGH)]
        near = (x + ox * 1.5, y + oy * 1.5)
        if thrown:
            share = rng.uniform(0.45, 0.7)
            near = (start[0] + (x - start[0]) * share, start[1] + (y - start[1]) * share)
            keys.append(Key(round(self.t + way * 0.6, 4), *near, self.straight(seat), 3.0))
        else:
            keys.append(Key(round(self.t + way * 0.8, 4), *near, turn, 2.0))
        rests = round(self.t + way, 4)
        keys.append(Key(rests, x, y, turn, 0.0))
        let_go = keys[1].at if thrown else rests
        tip = near if thrown else (x, y)
        tip = (tip[0] + ox * _HELD, tip[1] + oy * _HELD)
        linger = rng.uniform(*self.grade.linger)
        self._hand_along(seat, keys[0], start, let_go, tip, let_go + (0 if thrown else linger))
        made = Moved(card, seat, event, keys, rests)
        self.cards.append(made)
        self.t = rests
        return made

    def _hand_along(
        self, seat: int, first: Key, start: tuple[float, float], let_go: float,
        tip: tuple[float, float], away: float,
    ) -> None:  # fmt: skip
        """Adds the hand that carries a card, from the card's first key on."""
        ox, oy = self.out(seat)
        turn = math.atan2(tip[0] - start[0], start[1] - tip[1])
        if math.hypot(tip[0] - start[0], tip[1] - start[1]) < 4:
            turn = self.straight(seat)
        back = (start[0] + ox * _HELD, start[1] + oy * _HELD)
        keys = [Key(first.at, *back, turn, _HIGH), Key(round(let_go, 4), *tip, turn, 2.0)]
        if away > let_go:
            keys.append(Key(round(away, 4), *tip, turn, 2.0))
        keys.append(Key(round(away + self.rng.uniform(*self.grade.carry) * 0.8, 4), *back, turn, 6))
        self.hands.append(Passing("hand", seat, tuple(keys)))

    def take(
        self, cards: Sequence[Moved], seat: int, over: float = 0.5, *, hand: bool = True
    ) -> None:
        """A hand takes cards away to its seat; afterwards ``t`` is when they are gone.

        Args:
            cards: the cards.
            seat: whose hand it is.
            over: how long that takes, in seconds.
            hand: whether the hand is seen.
        """
        if not cards:
            return
        x = sum(card.pose.x for card in cards) / len(cards)
        y = sum(card.pose.y for card in cards) / len(cards)
        start = self.t
        gone = start + over
        ends = self.edge(seat, self.rng.gauss(0, 2))
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
            self.finish(card)
        if hand:
            stops = [(start, x, y), (start + over * 0.45, x, y)]
            self.reach(seat, stops, start + over * 0.45)
        self.t = gone

    def finish(self, card: Moved) -> None:
        """Notes that a card is no longer on the table."""
        self.cards.remove(card)
        self.done.append(card)
