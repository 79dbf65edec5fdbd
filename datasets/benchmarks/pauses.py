"""Counts how fast cards follow one another: cards that are played, and cards shown after the end.

Two parameters of the belief (``at_once`` and ``late``, see ``vision.belief.likelihoods``) compare
the pauses of both kinds; ``datasets.benchmarks.fit`` gets their values here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from datasets.benchmarks.seen_hands import SeenHand
from datasets.benchmarks.term_sums import course_of
from vision.belief.explainer import PAUSE
from vision.belief.hypotheses import AT_ONCE, HandObject, Hypothesis

Pair = tuple[HandObject, HandObject]
"""Two cards, one after the other."""


def counted_pauses(
    hands: Iterable[tuple[SeenHand, Sequence[Hypothesis]]],
) -> tuple[dict[str, float], dict[str, int]]:
    """The two parameters, in nats, and the number of pauses that each was counted on.

    Args:
        hands: each hand with its hypotheses, at least one of which is true.
    """
    laid, shown = list[Pair](), list[Pair]()
    for hand, hypotheses in hands:
        true = (each for each in hypotheses if course_of(each) == hand.played)
        best = max(true, key=lambda each: each.log_likelihood)
        known = {each.id: each for each in hand.objects}
        plays = (known[each.object] for each in best.plays if each.object is not None)
        laid += _in_order(plays)
        ends = (known[each.object or 0] for each in best.terms if each.kind == "shown")
        shown += _in_order(ends)
    by_one = [[(a, b) for a, b in pairs if b.has_owner_of(a)] for pairs in (laid, shown)]
    at_once = [_share(pairs, 0, AT_ONCE) for pairs in by_one]
    late = [_share(pairs, PAUSE, math.inf) for pairs in (laid, shown)]
    return (
        {"at_once": math.log(at_once[0] / at_once[1]), "late": math.log(late[1] / late[0])},
        {"at_once": sum(map(len, by_one)), "late": len(laid) + len(shown)},
    )


def _in_order(cards: Iterable[HandObject]) -> Iterator[Pair]:
    return pairwise(sorted(cards, key=lambda each: each.came))


def _share(pairs: Sequence[Pair], least: float, most: float) -> float:
    """The share of pauses of ``least`` seconds up to ``most``.

    One such pause more is counted, so that no share is 0.
    """
    between = sum(least <= after.came - before.came < most for before, after in pairs)
    return (between + 1) / (len(pairs) + 1)
