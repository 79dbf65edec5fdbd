"""A card that was not seen to come belongs to the seat that reached over the table (V-1)."""

import pytest

from tests.vision.tabletop import Tabletop, told


@pytest.mark.parametrize(
    ("reaching", "written"),
    [({1}, ["1 play KS"]), ({0, 1}, ["1 play KS"]), (set(), ["1 play KS"]), ({2}, [])],
)
def test_v_1_a_card_in_the_middle_is_of_whoever_alone_reached_over_the_table(reaching, written):
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset(reaching)
    table.put("KS", at=(1, 1))
    assert table.run(1) == written
    table.reaching = frozenset()
    if not written:
        assert table.hints() == ["not_due V-1"]
        table.run(0.5)  # the arm has gone
        table.put("QS", 1)
        assert table.run(1) == ["1 play QS", "2 play KS"]


@pytest.mark.parametrize(("reaching", "written"), [({1}, ["2 play 9C"]), ({3}, []), ({1, 3}, [])])
def test_v_1_who_has_laid_a_card_to_the_trick_only_draws_the_arm_back(reaching, written):
    table = Tabletop("trut", 4, "0 deal 3")
    table.put("KS", 1)
    assert table.run(1) == ["1 play KS"]
    table.reaching = frozenset(reaching)
    table.put("9C", at=(1, 1))
    assert table.run(1) == written


@pytest.mark.parametrize(
    ("to", "reaching", "written"),
    [
        ((-1, -22), {2}, ["2 play 9C"]),
        ((-1, -22), {1, 2}, ["2 play 9C"]),
        ((-1, -22), {1}, []),
        ((-1, -22), set(), []),
        ((1, 1), {1, 2}, []),
    ],
)
def test_v_1_who_has_laid_threw_no_card_that_lies_before_another_who_reached_for_it(
    to, reaching, written
):
    """The first part of the flight was another card. In all other cases the table asks."""
    table = Tabletop("trut", 4, "0 deal 3")
    table.put("KS", 1)
    assert table.run(1) == ["1 play KS"]
    table.reaching = frozenset(reaching)
    table.throw("9C", (-40, -18), to)  # from seat 1's side
    table.run(0.1)
    table.reaching = frozenset()
    table.run(3)
    assert [told(each) for happened in table.happened for each in happened.events][1:] == written
    assert table.asked() == ([] if written else ["early"])


@pytest.mark.parametrize(("steps", "written"), [(2, []), (12, ["1 play KS"])])
def test_v_1_who_reached_over_the_table_long_before_a_card_lay_still_did_not_lay_it(steps, written):
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset({3})  # this seat gathers the last trick
    table.put("KS", at=(-8, 1))
    table.run(0.05)
    table.reaching = frozenset()
    for _ in range(steps):  # the card is still on its way
        table.cards["KS"][1] += 1.2
        table.run(0.05)
    assert table.run(1) == written


def test_v_1_a_card_that_its_own_hand_hid_is_of_who_reached_over_the_table_just_before():
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset({2})
    assert table.run(0.2) == []
    table.reaching = frozenset()
    table.put("KS", at=(1, 1))  # the arm has gone when it is seen first
    assert table.run(1) == []
    assert table.hints() == ["not_due V-1"]


def test_v_1_a_card_thrown_far_is_of_who_reached_for_it_and_not_of_whom_it_lies_before():
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset({2})
    table.put("KS", 1)
    assert table.run(1) == []
    table.reaching = frozenset()
    table.run(0.5)
    table.reaching = frozenset({1})
    table.put("QS", at=(1, 1))
    assert table.run(1) == ["1 play QS", "2 play KS"]


def test_v_1_a_card_that_counts_later_does_so_though_others_reached_over_the_table():
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset({0, 3})
    table.put("KS", 2)
    table.run(6)
    assert table.asked() == ["early"]
    table.answer("hold")
    table.reaching = frozenset()
    table.run(0.5)
    table.put("QS", 1)
    assert table.run(1) == ["1 play QS", "2 play KS"]


def test_v_6_a_card_thrown_far_is_not_one_too_many_of_the_seat_that_it_lies_before():
    table = Tabletop("truc_spain", 2, "1 tap", "0 deal 1")
    table.put("KS", 1)
    assert table.run(1) == ["1 play KS"]
    table.reaching = frozenset({0})
    table.put("QS", at=(9, -25))  # seat 1 has no card left
    assert table.run(1) == ["0 play QS"]


def test_who_had_laid_before_a_card_is_what_was_written_before_it():
    table, written = Tabletop("trut", 4, "0 deal 3"), []
    for name, at, reaching in (
        ("KS", (1, 1), {1}), ("QS", (-4, 4), {1, 2}), ("9C", (6, -6), {2, 3}),
        ("8C", (-8, -6), {3, 0}), ("AD", (9, 5), {0}),
    ):  # fmt: skip
        table.reaching = frozenset(reaching)
        table.put(name, at=at)
        written += table.run(1)
    assert written == ["1 play KS", "2 play QS", "3 play 9C", "0 play 8C", "0 play AD"]
    owners = table.table.belief.memory.owners
    assert {card.best: set(owners.reachers(card)) for card in table.table.cards} == {
        "KS": {1}, "QS": {2}, "9C": {3}, "8C": {0}, "AD": {0, 3},
    }  # fmt: skip


def test_v_1_an_outline_round_parts_of_two_cards_is_no_card_of_who_just_laid_one_of_them():
    table = Tabletop("trut", 4, "0 deal 3")
    table.put("9H", at=(-5.3, 5), turn=1.2)
    assert table.run(1) == ["1 play 9H"]
    table.reaching = frozenset({2})
    table.put("QC", at=(-1.1, 3.6), turn=0.65)
    outline = table.put("QD", at=(-3.7, 6), turn=2.71, QD=0.8, **{"9D": 0.1})
    table.scores[outline] = 0.65
    written = table.run(0.3)
    table.unseen.add(outline)  # the other two cover it as soon as they are seen
    assert [*written, *table.run(0.7)] == ["2 play QC"]
    table.reaching = frozenset()
    table.put("KD", 3)
    assert table.run(1) == ["3 play KD"]
    table.put("9S", 0)
    assert table.run(4) == ["0 play 9S"]
    table.take()
    for card, seat in (("AS", 3), ("8S", 0), ("7S", 1)):
        table.put(card, seat)
        assert table.run(1) == [f"{seat} play {card}"]
    assert table.run(2) == []
    assert table.asked() == []


def test_who_has_laid_a_card_may_have_laid_what_appeared_with_it():
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset({1})
    table.put("KS", at=(1, 1))
    table.put("QD", at=(5, 4), QD=0.5, back=0.4)
    assert table.run(1) == ["1 play KS"]
    owners = table.table.belief.memory.owners
    assert {owners.reachers(card) for card in table.table.cards} == {frozenset({1})}


@pytest.mark.parametrize(
    ("read", "written", "asked"),
    [({}, ["1 play KS", "2 play 9C"], []), ({"QD": 0.5, "back": 0.4}, ["1 play KS"], ["card"])],
    ids=["clear", "hardly read"],
)
def test_v_13_a_card_that_comes_at_once_with_another_far_from_it_is_of_whoever_is_due(
    read, written, asked
):
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset({1})  # the arm of seat 2 is not seen
    table.put("KS", at=(1, 1))
    begun = table.run(0.2)
    table.put("9C", at=(0, -14), **read)
    assert [*begun, *table.run(4)] == written
    assert table.asked() == asked


def test_v_13_a_card_that_is_hardly_read_is_asked_about_though_the_one_before_was_entered_by_hand():
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset({1})
    table.put("9C", 2, **{"9C": 0.5, "8C": 0.47})
    table.run(1.6)
    table.by_hand("1 play KS")
    table.run(3)
    assert table.asked() == ["card"]


def test_v_13_a_question_about_a_card_that_was_taken_away_stays_until_it_is_answered():
    table = Tabletop("trut", 2, "0 deal 3")
    table.put("KS", 1)
    assert table.run(1) == ["1 play KS"]
    card = table.put("QD", 0, QD=0.55, back=0.3)
    table.scores[card] = 0.4
    table.run(3)
    table.take()
    table.run(1.5)
    assert table.asked() == ["card"]
    table.put("AS", 0)
    table.run(4)
    assert table.asked() == ["card"]
