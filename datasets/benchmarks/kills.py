"""Kills the watching process at random moments of a film, as a fault or a new set-up does."""

from __future__ import annotations

from random import Random

from datasets.benchmarks.played import Played

BLIND = 2.5
"""How long nobody watches until the process has started again, in seconds."""

AROUND = 1.0
"""A process dies up to so many seconds before the first event of a hand, or after its last one."""


def kills(share: float, played: Played, seed: int) -> list[float]:
    """When the watching process dies, in seconds: once in a share of the hands, 0–1.

    Args:
        share: the share of the hands.
        played: what is played.
        seed: decides in which hands, and when.
    """
    chance, moments = Random(f"kills {seed}"), list[float]()
    for hand in range(len(played.begins)):
        begin, end = played.span(hand)
        first, last = played.times[begin], played.times[end - 1]
        at = chance.uniform(first - AROUND, last + AROUND)
        if chance.random() < share and at > 0:
            moments.append(at)
    return moments
