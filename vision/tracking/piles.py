"""Backs that lie before a seat, also where nobody could tell them apart.

Cards are dealt onto one another. Of a heap the finder outlines now this part and now that one, so
that no single card of it comes to rest; but that backs lie there is seen in look after look.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from vision.tracking.trajectories import Place

WITHIN = 1.2
"""Looks of so many seconds are remembered."""

LEAST = 4
"""So many of them must show a back at one place ..."""

LASTS = 0.4
"""... over so many seconds: a hand on its way is taken for a back, too."""

ONE_PLACE = 4.0
"""Outlines of one heap have their middles within so many centimetres."""


SEVERAL = (4.0, 12.0)
"""Two backs whose middles are so far apart, in centimetres, are two cards of one heap ..."""

AT_ONCE = 3
"""... where so many looks show both."""


class Heap(NamedTuple):
    """A place where backs lie.

    Attributes:
        place: x and y, in centimetres.
        since: when one was seen there first.
        several: whether more than one card lies there for sure.
    """

    place: Place
    since: float
    several: bool


class Heaps:
    """Keeps for a moment where backs were seen, and says where they lie."""

    def __init__(self) -> None:
        self._looks: list[tuple[float, list[Place]]] = []

    def see(self, at: float, backs: Iterable[Place]) -> list[Heap]:
        """Takes in one look.

        Args:
            at: its time, in seconds.
            backs: where a back was seen.

        Returns:
            The places of this look at which backs lie by now.
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
