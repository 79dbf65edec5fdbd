"""Where a card came from: by the straight line that most of the moving detections lie on."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple

Place = tuple[float, float]
"""x and y on the table, in centimetres."""

Moment = tuple[float, Place]
"""When something was seen, in seconds, and where."""


class Sighting(NamedTuple):
    """Something that a frame shows, and that is no card at rest.

    Attributes:
        at: the frame's time, in seconds.
        place: where it is, in centimetres.
        down: whether it looks like a back.
    """

    at: float
    place: Place
    down: bool


_LONGEST_WAY = 1.2
"""Seconds that a card is on its way, at most."""

_UNSEEN = 0.5
"""Seconds between two detections on its way, at most."""

_FASTEST = 450.0
"""Its highest speed from one detection to the next, in centimetres a second."""

_ASIDE = 4.0
"""Centimetres from a detection on its way to the straight line, at most."""

_FASTER = 2.0
"""On the last step of its way a card is faster by no more than this factor than on the fastest step
before: a card that is laid slows down."""

_TOO_FAST = 1.2
"""Where two cards may have come the same way, the way is the other card's if this one would have
been faster on its last step by more than this factor."""

_BESIDE = 4.0
"""What is seen this near to a card at rest, in centimetres, may be that card: no way begins
there."""

_AGAIN = 60.0
"""What is seen at one place twice within this many seconds, with the same side up, does not move:
it rests, or is a thing that is taken for a card now and then."""


class Trajectories:
    """Keeps for a while what was seen and is no card at rest, and finds the ways of cards in it.

    Args:
        still: what stays within this distance, in centimetres, lies still.
    """

    def __init__(self, still: float) -> None:
        self._still = still
        self._seen: list[Sighting] = []
        self._past: list[Sighting] = []

    def add(self, at: float, places: Iterable[tuple[Place, bool]]) -> None:
        """Takes in what one frame shows.

        Args:
            at: its time, in seconds.
            places: the middle of each detection that is of no card at rest, and whether it is a
                back.
        """
        now = [Sighting(at, place, down) for place, down in places]
        self._seen = [each for each in self._seen if at - each.at <= _LONGEST_WAY] + now
        self._past = [each for each in self._past if at - each.at <= _AGAIN] + now

    def first_seen(
        self, rest: Moment, lying: Collection[Place], others: Iterable[Moment] = ()
    ) -> Moment:
        """When and where a card was first seen on its way to where it lies.

        What is found on its way is forgotten: only one card came that way.

        Args:
            rest: since when it lies, and where.
            lying: where other cards lie: no way begins there.
            others: since when and where others lie that have just come, too: the way may be theirs.

        Returns:
            The time and the place; ``rest`` where it was not seen on its way.
        """
        way = self._longest(rest, lying, self._seen)
        for other in others:  # a hand that leaves, or passes, uncovers a card that lay below it
            theirs = self._longest(other, lying, self._seen)
            shared = sum(each in theirs for each in way[1:])
            if shared and len(theirs) >= len(way) and _speed(way) > _TOO_FAST * _speed(theirs):
                seen = [each for each in self._seen if each[:2] not in theirs]
                way = self._longest(rest, lying, seen)
        self._seen = [each for each in self._seen if each[:2] not in way]
        return way[-1]

    def _longest(
        self, rest: Moment, lying: Collection[Place], seen: Iterable[Sighting]
    ) -> list[Moment]:
        """The way to where a card lies, back in time, that most detections lie on.

        Args:
            rest: since when it lies, and where; the way begins with that.
            lying: where other cards lie: no way begins there.
            seen: what may be on the way.
        """
        moving = [each[:2] for each in seen if each.at < rest[0] and self._moves(each)]
        moving.sort(reverse=True)
        ways = [_way(rest, moving[: number + 1]) for number in range(len(moving))]
        for way in ways:
            while len(way) > 1 and any(math.dist(way[-1][1], place) <= _BESIDE for place in lying):
                way.pop()
        way = max(ways, key=len, default=[rest])
        return way if _slows(way) else [rest]

    def _moves(self, seen: Sighting) -> bool:
        """Whether nothing of the same side was seen at that place at another time."""
        return not any(
            other.at != seen.at
            and other.down == seen.down
            and math.dist(other.place, seen.place) <= self._still
            for other in self._past
        )


def _way(rest: Moment, moving: list[Moment]) -> list[Moment]:
    """The detections on the straight way to where a card lies, back in time.

    Args:
        rest: since when it lies, and where; the way begins with that.
        moving: what moved, the latest first. The straight line goes through the last of these.
    """
    (x0, y0), (x1, y1) = end, start = rest[1], moving[-1][1]
    length = max(math.dist(start, end), 1e-9)
    way = [rest]
    for at, (x, y) in moving:
        later, place = way[-1]
        aside = abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / length
        farther = math.dist((x, y), end) > math.dist(place, end)
        passed = later - at
        near = passed <= _UNSEEN and math.dist((x, y), place) <= _FASTEST * passed
        if farther and near and aside <= _ASIDE:
            way.append((at, (x, y)))
    return way


def _speed(way: list[Moment], step: int = 0) -> float:
    """The speed on a step of a way, in centimetres a second; step 0 is the latest in time."""
    (later, end), (at, place) = way[step : step + 2]
    return math.dist(place, end) / (later - at)


def _slows(way: list[Moment]) -> bool:
    """Whether a card may have come that way: at the end none is far faster than before."""
    before = [_speed(way, step) for step in range(1, len(way) - 1)]
    return not before or _speed(way) <= _FASTER * max(before)
