"""TS-3: a tapped pack, of which one card or three are dealt; V-6: more cards than were dealt."""

import pytest

from tests.vision.tabletop import BEFORE, Tabletop


@pytest.mark.parametrize(("blurred", "written"), [(0, ["0 deal 1"]), (2, [])])
def test_ts_3_the_pack_that_the_dealer_lays_onto_a_card_leaves_the_size_counted(blurred, written):
    table = Tabletop("truc_spain", 4, "1 tap")
    table.run(2)
    for seat in range(4):
        table.put("back", seat, turn=0.0)
    heap = list(table.cards)[blurred]
    x, y = table.cards[heap][1:3]
    events = []
    for step in range(70):  # the finder outlines one part of the heap, then another
        table.cards[heap][1:4] = [x + 3 * (step % 2) - 1.5, y, 0.7 * (step % 2)]
        events += table.run(0.05)
    assert events == written
    assert table.asked() == ([] if written else ["deal"])
    if not written:  # that nothing was dealt is asked once
        table.answer("no")
        table.run(3)
        assert table.asked() == []


@pytest.mark.parametrize(
    ("seats", "counts", "written"),
    [
        (4, (1, 2, 1, 1), ["0 deal 1"]),
        (4, (1, 2, 2, 1), ["0 deal 3"]),
        (4, (3, 2, 1, 1), ["0 deal 3"]),
        (2, (1, 2), []),
        (2, (3, 2), ["0 deal 3"]),
    ],
)
def test_ts_3_one_back_more_than_all_others_have_may_be_a_second_outline(seats, counts, written):
    table = Tabletop("truc_spain", seats, "1 tap")
    table.run(2)
    for seat, count in enumerate(counts):
        x, y = BEFORE[seats][seat]
        for number in range(count):
            table.put("back", at=(x + 4 * number, y))
    assert table.run(4) == written
    assert table.asked() == ([] if written else ["deal"])


@pytest.mark.parametrize("shown", [False, True], ids=["", "and one of them is turned up"])
def test_ts_3_backs_that_were_gathered_before_the_deal_do_not_count(shown):
    table = Tabletop("truc_spain", 4, "1 tap")
    table.run(2)
    x, y = BEFORE[4][2]
    left = [table.put("back", at=(x + 4 * number, y)) for number in range(3)]
    table.run(2)
    if shown:
        left.append(table.put("KS", at=(x, y + 12)))
        table.run(1)
    table.take(*left)
    table.run(2)
    assert table.deal(1) == ["0 deal 1"]
    assert table.hints() == []


def test_ts_3_where_two_sizes_are_possible_a_word_makes_the_deal_asked_about():
    table = Tabletop("truc_spain", 2, "1 tap")
    table.run(3)
    table.say("1 truc")
    assert table.run(0.5) == []
    assert table.asked() == ["deal"]


def test_v_6_a_fourth_card_of_a_seat_is_no_play():
    table = Tabletop("truc_spain", 2, "1 tap", "0 deal 1", "1 play KS")
    table.put("KS", 1)
    table.run(1)
    table.put("QS", at=(9, -25))
    assert table.run(3) == []
    assert "too_many V-6" in table.hints()
    assert table.asked() == ["too_many"]


@pytest.mark.parametrize(
    ("read", "written", "asked"),
    [({}, ["0 play QS"], []), ({"KS": 0.5, "JS": 0.49}, [], ["card"])],
    ids=["that is written", "that is asked about"],
)
def test_v_6_a_card_thrown_onto_the_last_one_of_a_seat_is_not_one_too_many(read, written, asked):
    table = Tabletop("truc_spain", 2, "1 tap", "0 deal 1")
    table.put("KS", 1, **read)
    table.run(1)
    table.put("QS", at=(3, -22))
    assert table.run(4) == written
    assert table.asked() == asked
    assert table.hints() == []
