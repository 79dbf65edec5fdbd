"""The watching breaks off at random moments, in a share of the hands."""

from __future__ import annotations

import pytest

from datasets.benchmarks.breaks import AROUND, UNBROKEN, Breaks
from datasets.benchmarks.played import Played
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.simulation.seen import EYES, watched

PLAYED = Played(filmed("trut", 2, "calm", 3, 8))


def test_it_breaks_off_once_in_each_hand():
    breaks = Breaks(killed=1.0).of(PLAYED, 1)
    assert len(breaks) == len(PLAYED.begins) == 8
    for hand, (at, dies) in enumerate(breaks):
        begin, end = PLAYED.span(hand)
        assert PLAYED.times[begin] - AROUND <= at <= PLAYED.times[end - 1] + AROUND
        assert dies


def test_it_breaks_off_in_a_share_of_the_hands():
    some, all_of_them = Breaks(killed=0.5).of(PLAYED, 1), Breaks(killed=1.0).of(PLAYED, 1)
    assert 0 < len(some) < 8
    assert set(some) < set(all_of_them)
    both = Breaks(killed=0.5, paused=0.5).of(PLAYED, 1)
    assert [each.at for each in both] == [each.at for each in all_of_them]
    assert [each for each in both if each.dies] == some
    assert UNBROKEN.of(PLAYED, 1) == []


@pytest.mark.parametrize("breaks", [Breaks(killed=1.0), Breaks(paused=1.0)], ids=str)
@pytest.mark.parametrize(("game", "seats"), [("trut", 2), ("truc_spain", 4)])
def test_v_11_hands_are_right_though_the_watching_breaks_off_in_each(
    game: str, seats: int, breaks: Breaks
):
    stage, tally = filmed(game, seats, "calm", 31, 4), Tally()
    Run(stage, tally, answer=True, breaks=breaks).watch(watched(stage, EYES["perfect"]))
    assert tally.right == tally.hands == 4
