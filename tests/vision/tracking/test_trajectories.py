"""``Trajectories`` finds where a card came from, by the detections that moved."""

import pytest

from vision.tracking.trajectories import Trajectories

REST = (1.0, (0.0, 10.0))
FLIGHT = [(0.6, (0.0, -30.0)), (0.7, (0.0, -20.0)), (0.8, (0.0, -10.0)), (0.9, (0.0, 0.0))]


def seen(moments):
    ways = Trajectories(0.8)
    for at, place, *down in moments:
        ways.add(at, [(place, bool(down))])
    return ways


@pytest.mark.parametrize(
    ("moments", "lying", "came"),
    [
        (FLIGHT, [], (0.0, -30.0)),
        (FLIGHT, [(1.0, -28.0)], (0.0, -20.0)),
        (FLIGHT[2:], [(1.0, -8.0)], (0.0, 0.0)),
        ([(0.9, (0.0, -60.0))], [], REST[1]),
        ([(-9.0, (0.3, -30.2)), *FLIGHT], [], (0.0, -20.0)),
        ([(0.3, (0.3, -30.2)), *FLIGHT], [], (0.0, -20.0)),
        ([(-9.0, (0.3, -30.2), "back"), *FLIGHT], [], (0.0, -30.0)),
        ([(at - 0.2, (x, y - 20)) for at, (x, y) in FLIGHT], [], (0.0, -50.0)),
        ([(at, (x, y - 20)) for at, (x, y) in FLIGHT], [], REST[1]),
        ([(-99.0, (0.3, -30.2)), *FLIGHT], [], (0.0, -30.0)),
    ],
    ids=[
        "a flight",
        "not from a card that lies there",
        "nor does it end there",
        "too far",
        "not from a thing that looks like a card now and then",
        "nor from a card that rests, and is seen now and then",
        "but from where backs were dealt",
        "unseen at the end",
        "but not faster at the end than before",
        "though long ago",
    ],
)
def test_a_card_came_from_where_it_was_seen_first_on_a_straight_way(moments, lying, came):
    assert seen(moments).first_seen(REST, lying)[1] == came


def test_v_1_one_flight_explains_only_one_card():
    ways = seen(FLIGHT)
    assert ways.first_seen(REST, [])[1] == (0.0, -30.0)
    assert ways.first_seen((1.1, (2.0, 10.0)), [REST[1]])[1] == (2.0, 10.0)


@pytest.mark.parametrize("flight", [FLIGHT, FLIGHT[1:2]], ids=["seen often", "seen once"])
def test_v_1_the_way_of_a_card_that_comes_is_not_of_one_that_is_uncovered_meanwhile(flight):
    below, coming = (0.95, (14.0, 4.0)), (1.1, (0.0, 12.0))
    assert seen(flight).first_seen(below, [])[1] == flight[0][1]
    ways = seen(flight)
    assert ways.first_seen(below, [], [coming])[1] == below[1]
    assert ways.first_seen(coming, [])[1] == flight[0][1]
