"""Heaps of cards that lie face down, found even where the single cards cannot be told apart.

Cards are dealt onto one another. The finder outlines now this part of a heap and now that one, so
the tracker sees no single card come to rest. But look after look shows some back at that place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from vision.tracking.trajectories import Place

WITHIN = 1.2
"""Seconds for which a look is remembered."""

LEAST = 4
"""A heap lies where at least this many looks have shown a back ..."""

LASTS = 0.4
"""... over at least this many seconds: a hand that passes may be taken for a back, too."""

ONE_PLACE = 4.0
"""Backs whose middles are no farther apart than this, in centimetres, are of one heap."""


SEVERAL = (4.0, 12.0)
"""Two backs are two cards of one heap if their middles are this far apart, at least and at most, in
centimetres ..."""

AT_ONCE = 3
"""... and at least this many looks show both."""


class Heap(NamedTuple):
    """A place where backs lie.

    Attributes:
        place: the middle of the back that the latest look shows there, x and y in centimetres.
        since: the time of the first remembered look that shows a back there, in seconds.
        several: whether more than one card lies there for sure.
    """

    place: Place
    since: float
    several: bool


class Heaps:
    """Remembers for a moment where backs were seen, and tells where heaps lie."""

    def __init__(self) -> None:
        self._looks: list[tuple[float, list[Place]]] = []

    def see(self, at: float, backs: Iterable[Place]) -> list[Heap]:
        """Takes in one look.

        Args:
            at: its time, in seconds.
            backs: the middle of each back that it shows.

        Returns:
            A heap for each back of this look at whose place enough looks have shown one.
        """
        self._looks = [look for look in self._looks if at - look[0] <= WITHIN]
        self._looks.append((at, list(backs)))
        found = []
        for place in self._looks[-1][1]:
            seen = [
                (when, places)
                for when, places in self._looks
                if any(math.dist(place, other) <= ONE_PLACE for other in places)
            ]
            if len(seen) >= LEAST and at - seen[0][0] >= LASTS:
                several = sum(
                    any(SEVERAL[0] <= math.dist(place, other) <= SEVERAL[1] for other in places)
                    for _, places in seen
                )
                found.append(Heap(place, seen[0][0], several >= AT_ONCE))
        return found
