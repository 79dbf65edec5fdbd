"""How the umpire opens a hand: an empty table, backs before the seats, and how many there are."""

import pytest

from tests.vision.tabletop import Tabletop

DEALT = ("0 deal 3",)
FOUR = ("trut", 4, *DEALT)  # seat 1 leads
TWO = ("trut", 2, *DEALT)


def test_a_hand_is_opened_after_the_table_was_empty_and_backs_lie_before_the_seats():
    table = Tabletop(*FOUR, "1 trut", "2 lie_down", "0 lie_down")
    table.run(2)
    assert table.deal() == ["1 deal 3"]


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((-8, 0, 8), []),
        ((-8, 0), ["too_few_backs V-6"]),
        ((-12, -4, 4, 12), ["too_many_backs V-6"]),
        ((-3, 0), []),  # in a heap there may be one more
        ((-3, -1, 1, 3), []),  # and one may be seen as two
    ],
    ids=["right", "one too few", "one too many", "a heap of two", "a heap of four"],
)
def test_v_6_backs_are_counted_where_they_lie_apart(places, told):
    table = Tabletop(*TWO, "1 trut", "0 lie_down")
    table.run(2)
    dealer = table.log.match.dealer
    for x in (-8, 0, 8):
        table.put("back", at=(x, 20 if dealer == 0 else -20), turn=0.0)
        table.run(0.3)
    for x in places:
        table.put("back", at=(x, -20 if dealer == 0 else 20), turn=0.0)
        table.run(0.3)
    table.run(3)
    assert table.hints() == told


def test_leftovers_that_are_cleared_one_by_one_are_no_lead():
    table = Tabletop(*TWO, "1 trut", "0 lie_down")
    table.run(2)
    table.put("back", at=(0, -25))
    table.run(0.4)
    first, *rest = [table.put(card, at=(x, 25)) for card, x in (("JD", -9), ("JC", 0), ("7H", 9))]
    table.run(7)
    table.take(*rest)
    table.run(0.5)
    table.take(first)
    table.run(4)
    assert sum(len(each.asked) for each in table.happened) == 0


@pytest.mark.parametrize("size", [1, 3])
def test_ts_3_after_a_tap_the_size_of_the_deal_is_counted(size):
    table = Tabletop("truc_spain", 4)
    table.run(2)
    table.say(f"{table.log.match.cutter} tap")
    table.run(0.3)
    assert table.deal(size) == [f"0 deal {size}"]
    assert table.log.match.hand.size == size


def test_a_trick_of_a_hand_whose_deal_nobody_has_seen_is_asked_about():
    table = Tabletop("trut", 2)
    table.run(3)
    table.put("KS", 1)
    table.run(1.5)
    table.put("8H", 0)
    table.run(3)
    assert table.asked() == ["deal"]
    assert table.answer("0 deal 3") == ["0 deal 3"]
    assert table.run(1) == ["1 play KS", "0 play 8H"]
