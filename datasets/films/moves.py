"""Hands that carry cards over a table: how a card comes, lies and goes.

A :class:`Mover` writes down ways of cards and hands as time goes on; ``datasets.films.director``
says what is to be done.
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
_HELD = 3.2  # from a card's middle back to the finger tips that hold it
_BEYOND = 24.0  # beyond the table's edge, where hands come from


@dataclass(eq=False)
class Moved:
    """A card on its way through a film, while that is being made."""

    card: str
    seat: int | None
    event: int | None
    keys: list[Key]
    rests: float
    leaves: float | None = None
    thick: int = 1

    @property
    def pose(self) -> Pose:
        """Where it has come to."""
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
        seats: two or four.
        table: width and depth, in centimetres.
    """

    def __init__(self, grade: Grade, rng: Random, seats: int, table: tuple[float, float]) -> None:
        self.grade, self.rng, self.seats, self.table = grade, rng, seats, table
        self.t = 0.0
        self.cards: list[Moved] = []
        """What is on the table now."""
        self.done: list[Moved] = []
        """What was on it before."""
        self.hands: list[Passing] = []

    # --- places ------------------------------------------------------------------------------

    def out(self, seat: int) -> tuple[float, float]:
        """The direction from the table's middle to a seat."""
        angle = seat * 2 * math.pi / self.seats
        return -math.sin(angle), math.cos(angle)

    def straight(self, seat: int) -> float:
        """The angle of a card that is upright for a seat."""
        return seat * 2 * math.pi / self.seats

    def spot(self, seat: int, out: float, right: float) -> tuple[float, float]:
        """A place before a seat: its share of the way to the edge, and centimetres to the right."""
        ox, oy = self.out(seat)
        reach = abs(ox) * self.table[0] / 2 + abs(oy) * self.table[1] / 2
        return ox * reach * out + oy * right, oy * reach * out - ox * right

    def crooked(self, seat: int) -> float:
        """An angle as cards really lie before a seat."""
        return self.straight(seat) + self.rng.gauss(0, self.grade.crooked)

    def inside(self, x: float, y: float) -> tuple[float, float]:
        """A place moved so far inwards that a card lies wholly on the table."""
        wide, deep = self.table[0] / 2 - 5.5, self.table[1] / 2 - 5.5
        return max(-wide, min(wide, x)), max(-deep, min(deep, y))

    # --- hands and cards ---------------------------------------------------------------------

    def edge(self, seat: int, right: float = 0.0) -> tuple[float, float]:
        """Where a hand comes from: beyond the table's edge."""
        ox, oy = self.out(seat)
        x, y = self.spot(seat, 1.0, right)
        return x + ox * _BEYOND, y + oy * _BEYOND

    def reach(self, seat: int, stops: Sequence[tuple[float, float, float]], away: float) -> None:
        """A hand comes to places, each with its time, and goes away again.

        Args:
            seat: whose hand.
            stops: time and place of the finger tips.
            away: when it begins to go.
        """
        start = self.edge(seat, self.rng.gauss(4, 3))
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

    def carry(
        self, seat: int, card: str, x: float, y: float, turn: float, *, event: int | None = None,
        thrown: bool = False, quick: bool = False,
    ) -> Moved:  # fmt: skip
        """A hand brings a card from its owner's side and puts it down; the time is then."""
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
        """The hand that carries a card, with the card from its first key on."""
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
        """A hand takes cards away to its seat's side; the time is when they are gone."""
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
        """A card is no longer on the table."""
        self.cards.remove(card)
        self.done.append(card)
