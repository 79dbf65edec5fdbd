"""What cards that are not written yet mean, by all hypotheses together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vision.belief.hypotheses import Hypothesis, shares


class Outlook(NamedTuple):
    """What cards that are not written yet mean. Cards go by their numbers, probabilities are 0–1.

    Attributes:
        ranks: for each card, how likely it is the next play, by its rank.
        meanings: for each card, how likely it is something else, by the kind of the ``BeliefTerm``
            that says so, or ``waits`` for its turn.
        same: for each card, how likely it is one that was laid before, by that one's number.
        unseen: how likely the next play was laid, and nobody saw it.
    """

    ranks: Mapping[int, Mapping[str, float]]
    meanings: Mapping[int, Mapping[str, float]]
    same: Mapping[int, Mapping[int, float]]
    unseen: float = 0.0

    def next(self, number: int) -> float:
        """How likely a card is the next play."""
        return sum(self.ranks.get(number, {}).values())

    def later(self, number: int) -> float:
        """How likely a card is a play after the next one."""
        return self.meanings.get(number, {}).get("play", 0.0)

    def early(self, number: int) -> float:
        """How likely a card was laid before its turn, which has not come yet."""
        return self.meanings.get(number, {}).get("waits", 0.0)

    def none(self, number: int) -> float:
        """How likely a card is no card of this hand, and none that was laid before."""
        return self.meanings.get(number, {}).get("none", 0.0)


def outlook(hypotheses: Sequence[Hypothesis], written: int) -> Outlook:
    """Sums the hypotheses up.

    Args:
        hypotheses: of the hand, at least one; they begin with the plays that are written.
        written: how many plays these are.
    """
    ranks: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    meanings: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    same: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    unseen = 0.0
    for each, share in zip(hypotheses, shares(hypotheses), strict=True):
        first = None
        if len(each.plays) > written:
            _, card, first, *_ = each.plays[written]
            if first is None:
                unseen += share
            else:
                ranks[first][card[:-1]] += share
        for waits in each.waiting:
            meanings[waits.id]["waits"] += share
        for term in each.terms:
            if term.object is None or term.object == first:
                continue
            meanings[term.object][term.kind] += share
            if term.same is not None:
                same[term.object][term.same] += share
    return Outlook(ranks, meanings, same, unseen)
