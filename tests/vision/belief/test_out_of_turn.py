"""V-1: a card that lies before a seat that is not due."""

import pytest

from tests.vision.tabletop import BEFORE, Tabletop
from vision.belief.context import RefereeContext, laid_cards
from vision.belief.out_of_turn import is_early
from vision.belief.posterior import meanings

DEALT = ("0 deal 3",)
FOUR = ("trut", 4, *DEALT)  # seat 1 leads
TWO = ("trut", 2, *DEALT)


def test_v_1_a_card_before_another_seat_is_not_played_but_said_and_asked_about():
    table = Tabletop(*FOUR)
    table.put("KS", 2)
    assert table.run(3) == []
    assert table.hints() == ["not_due V-1"]
    assert table.asked() == ["early"]


@pytest.mark.parametrize(("word", "written"), [("hold", ["1 play QS", "2 play KS"]),
                                               ("drop", ["1 play QS"])])  # fmt: skip
def test_v_1_a_person_may_have_it_held_until_that_seat_is_due_or_dropped(word, written):
    table = Tabletop(*FOUR)
    table.put("KS", 2)
    table.run(6)
    table.answer(word)
    table.put("QS", 1)
    assert table.run(1) == written
    assert table.asked() == []


def test_v_1_an_early_card_counts_when_its_seat_is_due_where_nobody_says_anything_else():
    table = Tabletop(*FOUR)
    table.put("KS", 2)
    table.run(6)
    table.put("QS", 1)
    assert table.run(1) == ["1 play QS", "2 play KS"]
    assert table.asked() == []


def test_v_1_a_person_may_say_that_an_early_card_was_thrown_far_by_the_one_that_is_due():
    table = Tabletop(*TWO)
    table.run(1.5)
    table.put("8H", 0)
    table.run(1.5)
    table.put("KS", at=(10, 25))
    assert table.run(0.5) == []
    table.put("9C", 1)
    table.run(4.0)
    assert table.asked() == ["early"]
    table.answer("1 play 8H")
    table.run(0.5)
    assert [str(one.card) for one in laid_cards(table.log.match)] == ["8H", "KS", "9C"]


def test_v_5_what_follows_an_early_card_is_played_after_the_answer_though_it_was_taken_away():
    table = Tabletop(*TWO)
    table.put("8H", 0)
    table.run(1.5)
    table.put("KS", at=(10, 25))
    table.run(1.5)
    table.take()
    assert table.run(2.5) == []
    written = table.answer("1 play 8C") + table.run(0.3)
    assert written == ["1 play 8C", "0 play KS"]  # it was thrown far; its suit was not asked


def test_v_1_a_person_may_say_that_an_early_card_is_the_one_that_is_due():
    table = Tabletop(*FOUR)
    table.put("KS", 2)
    table.run(6)
    assert table.answer("1 play KS") == ["1 play KS"]


@pytest.mark.parametrize("word", ["drop", "hold"])
def test_v_1_a_second_card_of_one_seat_is_asked_about_and_the_game_goes_on(word):
    table = Tabletop(*FOUR)
    table.put("8H", at=(2, 1))
    assert table.run(1) == ["1 play 8H"]
    table.put("KS", 1)
    table.run(0.3)
    table.put("9C", at=(-4, -2))
    assert table.run(1) == ["2 play 9C"]
    table.run(2)
    assert table.asked() == ["early"]
    assert table.answer(word) + table.run(1) == []


def test_v_1_a_card_that_was_seen_to_come_from_its_seat_stays_that_seats():
    table = Tabletop(*FOUR)
    table.throw("8H", (-45, 0), (-4, 1))
    assert table.run(1) == ["1 play 8H"]
    table.put("KS", 1)
    table.run(1)
    table.put("9C", 2)
    assert table.run(1) == ["2 play 9C"]


def test_v_1_a_card_in_the_middle_lies_before_nobody_and_is_not_said_to_be_early():
    table = Tabletop(*FOUR)
    table.put("QS", 1)
    table.run(1)
    table.by_hand("2 trut")  # a card waits for the answer
    table.put("KS", at=(1, 1))
    table.run(1)
    belief, expected = table.table.belief, RefereeContext(table.log.match, 0)
    (card,) = belief.memory.free()
    assert belief.memory.owners.laid_by(card) is None
    assert meanings(card, expected).clear
    assert not is_early(belief.memory, card, expected)


def test_v_14_who_has_laid_all_his_cards_throws_none_in():
    laid = "1 play KS", "0 play QS", "1 play QD", "0 play KD"
    table = Tabletop(*TWO, *laid)
    table.put("KC", 0)
    table.restart()  # the review follows no hand whose cards lay there before
    assert table.run(1.5) == ["0 play KC"]
    table.put("9H", at=(-16, 25))
    table.put("8H", at=(-9, 25))
    assert table.run(4) == []
    assert table.asked() == ["too_many"]


def test_v_1_what_another_seat_threw_before_whoever_is_due_is_asked_about_in_one_way():
    table = Tabletop(*FOUR)
    table.throw("KS", (28, 0), (-28, 0))
    assert table.run(14) == []
    assert table.asked() == ["early"]


def test_v_1_what_another_seat_threw_and_took_up_again_is_not_asked_about():
    table = Tabletop(*FOUR)
    card = table.throw("KS", (28, 0), (-28, 0))
    table.run(1)
    table.take(card)
    assert table.run(4) == []
    assert table.asked() == []


def two_at_once(seat: int, table: Tabletop) -> Tabletop:
    """A seat lays two cards beside one another at once."""
    x, y = BEFORE[4][seat]
    table.put("8S", at=(x, y))
    table.put("9C", at=(x + 1, y + 7.5))
    assert table.run(4) == []
    return table


def test_v_14_who_is_due_and_lays_two_cards_throws_none_in():
    assert two_at_once(1, Tabletop(*FOUR)).asked() == ["card"]


def test_v_14_the_hand_goes_on_once_a_person_enters_a_play():
    table = Tabletop(*FOUR)
    table.put("KS", 1)
    assert table.run(1) == ["1 play KS"]
    assert two_at_once(3, table).asked() == ["thrown"]
    table.by_hand("2 play QD")
    table.run(4)
    assert table.asked() == ["card"]
