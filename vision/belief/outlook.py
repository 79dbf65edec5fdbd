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
        meanings: for each card, how likely it is what: ``next``, the next play; that it ``waits``
            for its turn; else by the kind of the ``BeliefTerm`` that says so.
        same: for each card, how likely it is one that was laid before, by that one's number.
        unseen: how likely the next play was laid, and nobody saw it.
    """

    ranks: Mapping[int, Mapping[str, float]]
    meanings: Mapping[int, Mapping[str, float]]
    same: Mapping[int, Mapping[int, float]]
    unseen: float = 0.0

    def chance(self, number: int, *meanings: str) -> float:
        """How likely a card means one of these: ``next`` is the next play, ``play`` a later one."""
        here = self.meanings.get(number, {})
        return sum(here.get(each, 0.0) for each in meanings)


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
                meanings[first]["next"] += share
        for waits in each.waiting:
            meanings[waits.id]["waits"] += share
        for term in each.terms:
            if term.object is None or term.object == first:
                continue
            meanings[term.object][term.kind] += share
            if term.same is not None:
                same[term.object][term.same] += share
    return Outlook(ranks, meanings, same, unseen)
