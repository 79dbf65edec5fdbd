"""Nobody watches for a while, at random moments of a film.

The watching process dies and is started again, as after a fault or a new set-up; or the camera
gives no picture, as a phone in a bad network does.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from datasets.benchmarks.played import Played

LASTS = 2.5
"""How long nobody watches, in seconds: as long as it takes until a process has started again."""

AROUND = 1.0
"""A break begins up to so many seconds before the first event of a hand, or after its last one."""


class Break(NamedTuple):
    """One break in the watching.

    Attributes:
        at: when it begins, in seconds.
        dies: whether the watching process dies; else it gets no picture.
    """

    at: float
    dies: bool


class Breaks(NamedTuple):
    """How often the watching breaks off: at most once in a hand.

    Attributes:
        killed: the share of hands, 0–1, in which the watching process dies.
        paused: the share of hands, 0–1, in which it gets no picture for a while.
    """

    killed: float = 0.0
    paused: float = 0.0

    def of(self, played: Played, seed: int) -> list[Break]:
        """The breaks of a film, in order.

        Args:
            played: what is played in it.
            seed: decides in which hands, and when.
        """
        chance, breaks = Random(f"kills {seed}"), list[Break]()
        for hand in range(len(played.begins)):
            begin, end = played.span(hand)
            first, last = played.times[begin], played.times[end - 1]
            at, which = chance.uniform(first - AROUND, last + AROUND), chance.random()
            if which < self.killed + self.paused and at > 0:
                breaks.append(Break(at, which < self.killed))
        return breaks

    def in_words(self) -> str:
        """How often the watching breaks off, as the sheet says it."""
        return ", ".join(
            f"{what} in {share:.0%} of the hands"
            for what, share in (
                ("the watching killed", self.killed),
                ("no picture for a while", self.paused),
            )
            if share
        )


UNBROKEN = Breaks()
"""The table is watched all the time."""
