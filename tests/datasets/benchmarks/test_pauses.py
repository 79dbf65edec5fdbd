"""The pauses between cards are counted for cards that were played and for cards that were shown."""

import math

import pytest

from datasets.benchmarks.pauses import counted_pauses
from datasets.benchmarks.seen_hands import SeenHand
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import start
from vision.belief.hypotheses import HandObject, Hypothesis, Play
from vision.belief.likelihoods import BeliefTerm, Side

MATCH = start(Header(game="trut", seats=("Ana", "Bea"), best_of=3))


def hand(came: list[float], seats: list[int], plays: int):
    """A hand of cards, by when they came and by seat; the first are plays, the others are shown."""
    each_side = [tuple(Side.OWN if one == seat else Side.OTHER for one in (0, 1)) for seat in seats]
    seen = zip(came, each_side, strict=True)
    objects = tuple(HandObject(n, {}, True, at, 60.0, sides) for n, (at, sides) in enumerate(seen))
    laid = tuple(Play(seats[n], "KS", n, 0.0) for n in range(plays))
    terms = tuple(BeliefTerm("shown", n) for n in range(plays, len(came)))
    played = tuple((play.seat, "K") for play in laid)
    whole = SeenHand("bar 2 floors trut 1", 0, MATCH, objects, (), played, played)
    return whole, [Hypothesis(MATCH, 0.0, laid, terms=terms)]


def test_pauses_of_plays_and_of_cards_that_are_shown():
    hands = [
        hand([0.0, 3.0, 4.0, 9.0], [0, 1, 1, 0], 4),  # 3, 1 (by one seat), 5 seconds
        hand([0.0, 0.3, 0.7, 1.9], [0, 0, 0, 1], 0),  # 0.3, 0.4 (by one seat), 1.2 seconds
    ]
    values, counts = counted_pauses(hands)
    assert counts == {"at_once": 1 + 2, "late": 3 + 3}
    assert values["at_once"] == pytest.approx(math.log((1 / 2) / (3 / 3)))
    assert values["late"] == pytest.approx(math.log((1 / 4) / (3 / 4)))
