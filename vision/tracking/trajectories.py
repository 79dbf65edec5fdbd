"""Where a card came from: of what was seen moving, the straight way that most detections lie on."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple

Place = tuple[float, float]
"""x and y on the table, in centimetres."""

Moment = tuple[float, Place]
"""When something was seen, in seconds, and where."""


class Sighting(NamedTuple):
    """What one frame shows that is no card which lies there: when, where, and whether a back."""

    at: float
    place: Place
    down: bool


_WAY = 1.2
"""Seconds that a card is on its way at most."""

_UNSEEN = 0.5
"""Seconds for which it is not seen on its way at most ..."""

_FASTEST = 450.0
"""... while it comes no further than so many centimetres a second ..."""

_ASIDE = 4.0
"""... and no more than so many centimetres aside of the straight way."""

_FASTER = 2.0
"""At the end of its way a card is faster by no more than this factor than it was before."""

_HASTE = 1.2
"""Of two cards that may have come one way, it is that of the one that would be slower by this."""

_BESIDE = 4.0
"""What is seen so near to a card that lies there, in centimetres, may be that card."""

_AGAIN = 60.0
"""What is seen at one place twice within so many seconds, with the same side up, does not move: it
rests, or is a thing that is taken for a card now and then."""


class Ways:
    """Keeps for a moment what was seen and is no card that lies there.

    Args:
        still: what stays within so many centimetres lies still.
    """

    def __init__(self, still: float) -> None:
        self._still = still
        self._seen: list[Sighting] = []
        self._past: list[Sighting] = []

    def add(self, at: float, places: Iterable[tuple[Place, bool]]) -> None:
        """Takes in what one frame shows.

        Args:
            at: its time, in seconds.
            places: of all detections that are of no card that lies there, and whether each is a
                back.
        """
        now = [Sighting(at, place, down) for place, down in places]
        self._seen = [each for each in self._seen if at - each.at <= _WAY] + now
        self._past = [each for each in self._past if at - each.at <= _AGAIN] + now

    def back_from(
        self, rest: Moment, lying: Collection[Place], others: Iterable[Moment] = ()
    ) -> Moment:
        """When and where a card was seen first on its way there; one card only comes that way.

        Args:
            rest: since when it lies, and where.
            lying: where other cards lie: no way begins there.
            others: since when and where others lie that have just come, too: the way may be theirs.

        Returns:
            ``rest`` where it was not seen on its way.
        """
        way = self._longest(rest, lying, self._seen)
        for other in others:  # a hand that leaves, or passes, uncovers a card that lay below it
            theirs = self._longest(other, lying, self._seen)
            shared = sum(each in theirs for each in way[1:])
            if shared and len(theirs) >= len(way) and _speed(way) > _HASTE * _speed(theirs):
                seen = [each for each in self._seen if each[:2] not in theirs]
                way = self._longest(rest, lying, seen)
        self._seen = [each for each in self._seen if each[:2] not in way]
        return way[-1]

    def _longest(
        self, rest: Moment, lying: Collection[Place], seen: Iterable[Sighting]
    ) -> list[Moment]:
        """The way to where a card lies, back in time, that most detections lie on."""
        moving = [each[:2] for each in seen if each.at < rest[0] and self._moves(each)]
        moving.sort(reverse=True)
        ways = [_way(rest, moving[: number + 1]) for number in range(len(moving))]
        for way in ways:
            while len(way) > 1 and any(math.dist(way[-1][1], place) <= _BESIDE for place in lying):
                way.pop()
        way = max(ways, key=len, default=[rest])
        return way if _slows(way) else [rest]

    def _moves(self, seen: Sighting) -> bool:
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
        moving: what moved, the latest first; the last of these would be the first detection.
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
    """Of a step of a way, in centimetres a second; the last one is 0."""
    (later, end), (at, place) = way[step : step + 2]
    return math.dist(place, end) / (later - at)


def _slows(way: list[Moment]) -> bool:
    """Whether a card may have come that way: none is far faster at last than it was before."""
    before = [_speed(way, step) for step in range(1, len(way) - 1)]
    return not before or _speed(way) <= _FASTER * max(before)
