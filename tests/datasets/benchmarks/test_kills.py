"""The watching process dies at random moments, in a share of the hands."""

from __future__ import annotations

import pytest

from datasets.benchmarks.kills import AROUND, kills
from datasets.benchmarks.played import Played
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.simulation.seen import EYES, watched

PLAYED = Played(filmed("trut", 2, "calm", 3, 8))


def test_it_dies_once_in_each_hand():
    moments = kills(1.0, PLAYED, 1)
    assert len(moments) == len(PLAYED.begins) == 8
    for hand, at in enumerate(moments):
        begin, end = PLAYED.span(hand)
        assert PLAYED.times[begin] - AROUND <= at <= PLAYED.times[end - 1] + AROUND


def test_it_dies_in_a_share_of_the_hands():
    some = kills(0.5, PLAYED, 1)
    assert 0 < len(some) < 8
    assert set(some) < set(kills(1.0, PLAYED, 1))
    assert kills(0.0, PLAYED, 1) == []


@pytest.mark.parametrize(("game", "seats"), [("trut", 2), ("truc_spain", 4)])
def test_v_11_hands_are_right_though_the_watching_is_killed_in_each(game: str, seats: int):
    stage, tally = filmed(game, seats, "calm", 31, 4), Tally()
    run = Run(stage, tally, answer=True, trace=True, killed=1.0)
    run.watch(watched(stage, EYES["perfect"]))
    assert tally.failures == []
    assert tally.right == tally.hands == 4
