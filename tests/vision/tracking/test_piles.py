"""``Heaps`` finds heaps of backs, although no back is seen twice at the same place."""

import math

import pytest

from vision.tracking.piles import Heaps

RATE = 10.0


@pytest.mark.parametrize(
    ("places", "lie"),
    [
        ([(0, 20)] * 10, True),
        ([(-1.5, 20), (1.5, 21)] * 5, True),
        ([(0, 20), None] * 5, True),
        ([(0, 20), None, None, None] * 3, False),
        ([(0, 20)] * 3, False),
        ([(0, 3.0 * step) for step in range(10)], False),
        ([(20.0 * (step % 5), 20) for step in range(10)], False),
    ],
    ids=[
        "one card", "a heap", "every other look", "now and then", "a moment", "a hand that passes",
        "here and there",
    ],
)  # fmt: skip
def test_backs_lie_where_look_after_look_shows_one(places, lie):
    heaps = Heaps()
    found = [
        heap
        for number, place in enumerate(places)
        for heap in heaps.see(number / RATE, [] if place is None else [place])
    ]
    assert bool(found) == lie
    assert all(math.dist(heap.place, (0, 20)) <= 2 and heap.since <= 0.2 for heap in found)


@pytest.mark.parametrize(
    ("apart", "looks", "several"),
    [(5.0, 8, True), (5.0, 2, False), (2.0, 8, False), (30.0, 8, False)],
    ids=["a fan", "once or twice", "outlined twice", "another heap"],
)
def test_of_a_heap_that_shows_two_backs_at_once_there_are_several(apart, looks, several):
    heaps = Heaps()
    for number in range(8):
        both = [(0.0, 20.0), (apart, 20.0)]
        found = heaps.see(number / RATE, both if number < looks else both[:1])
    assert [heap.several for heap in found if heap.place == (0.0, 20.0)] == [several]
