"""Nobody watches for a while in mid-hand, and people go on playing (V-11)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.vision.tabletop import BEFORE, Tabletop, told

BreakOff = Callable[[Tabletop], None]


@pytest.fixture(params=[Tabletop.restart, Tabletop.pause], ids=["restart", "pause"])
def break_off(request: pytest.FixtureRequest) -> BreakOff:
    """The watching process is started again, or gets no picture for a while."""
    return request.param


TWO, FOUR = ("trut", 2, "0 deal 3"), ("trut", 4, "0 deal 3")


def test_a_new_trick_lies_where_the_one_before_lay(break_off: BreakOff):
    table = Tabletop(*TWO)
    trick = table.put("10S", 1), table.put("9S", 0)
    assert table.run() == ["1 play 10S", "0 play 9S"]
    table.take(*trick)
    table.put("10C", 1)
    table.put("8D", 0)
    break_off(table)
    assert table.run(2) == ["1 play 10C", "0 play 8D"]


def test_nobody_saw_which_of_the_cards_that_lie_there_came_first(break_off: BreakOff):
    """In turn they are of seats 1, 2 and 3; the tracker numbers them otherwise."""
    table = Tabletop(*FOUR)
    for card, seat in (("8S", 3), ("KS", 1), ("QD", 2)):
        table.put(card, seat)
    break_off(table)
    assert table.run(2) == ["1 play KS", "2 play QD", "3 play 8S"]


def test_v_14_a_trick_and_the_next_lead_are_no_hand_thrown_in(break_off: BreakOff):
    """KD wins the trick, so its player leads; both cards lie before him."""
    table = Tabletop(*TWO)
    table.put("9H", 1)
    table.put("KD", 0)
    x, y = BEFORE[2][0]
    table.put("10C", at=(x + 8, y))
    break_off(table)
    assert table.run(7) == ["1 play 9H"]
    (question,) = table.table.questions  # 10C first would win, too
    assert {told(each.event) for each in question.choices[:2]} == {"0 play KD", "0 play 10C"}


@pytest.mark.parametrize("lead", ["before", "after"])
def test_v_13_a_trick_that_nobody_saw_taken_away_is_asked_about(lead: str, break_off: BreakOff):
    """Seat 0 took the trick with a card that nobody saw, and leads: that answers no KS."""
    table = Tabletop(*TWO)
    king = table.put("KS", 1)
    assert table.run() == ["1 play KS"]
    table.take(king)
    if lead == "before":
        table.put("9C", 0)
    break_off(table)
    assert table.run(1.2) == []
    if lead == "after":
        table.put("9C", 0)
    assert table.run(3) == []
    assert table.asked() == ["unseen"]
    (ace,) = (each.event for each in table.table.questions[0].choices if "A" in str(each.event))
    assert table.answer(told(ace)) == [told(ace)]
    assert table.run(2) == ["0 play 9C"]


def test_a_card_lies_on_one_that_was_played_before(break_off: BreakOff):
    """Seat 2 threw QD onto KS, before seat 1."""
    table = Tabletop(*FOUR)
    x, y = BEFORE[4][1]
    table.put("KS", at=(x, y))
    assert table.run() == ["1 play KS"]
    table.put("QD", at=(x + 2, y + 3))
    table.put("8S", 3)
    break_off(table)
    assert table.run(2) == ["2 play QD", "3 play 8S"]


def test_v_4_a_word_waits_for_the_card_it_was_said_after(break_off: BreakOff):
    table = Tabletop("truc_spain", 2, "1 cut", "0 deal 3")
    table.put("3H", 1)
    break_off(table)
    table.say("1 truc")
    assert table.run(2) == ["1 play 3H", "1 truc"]


def test_v_4_a_word_does_not_wait_for_a_card_after_which_it_is_not_allowed(break_off: BreakOff):
    table = Tabletop("le_truc_ace", 2, "0 deal 3")
    table.put("10S", 1)
    break_off(table)
    table.say("1 i_play")
    assert table.run(2) == ["1 i play", "1 play 10S"]


@pytest.mark.parametrize(
    ("pack", "lead"),
    [(True, "QC"), (False, "KD")],
    ids=["though the pack lies there", "though the lead was played in the hand before, too"],
)
def test_a_deal_is_known_by_the_cards_in_turn(pack: bool, lead: str, break_off: BreakOff):
    """Nobody saw cards dealt."""
    laid = "1 play 7S", "0 play KS", "1 play 7D", "0 play KD"
    table = Tabletop(*TWO, *laid)
    if pack:
        table.put("back", at=(15, 20))
    break_off(table)
    assert table.run(3) == []
    table.put(lead, 0)
    assert table.run(1) == []
    table.put("9H", 1)
    assert table.run(2) == ["1 deal 3", f"0 play {lead}", "1 play 9H"]


def test_the_last_trick_of_a_hand_is_no_new_hand(break_off: BreakOff):
    """It lies there in turn, as the next leader has won it."""
    table = Tabletop(*TWO, "1 play 7S", "0 play KS", "1 play 7D", "0 play 9D")
    table.put("KD", 0)
    table.put("7C", 1)
    break_off(table)
    assert table.run(5) == []


def test_who_is_asked_which_of_two_cards_came_first_is_asked_one_question(break_off: BreakOff):
    """Both lie in the middle, so seat 1 may have laid either of them."""
    table = Tabletop(*FOUR, noise=0.05)
    table.put("KS", at=(7.3, 5.6))
    table.put("QD", at=(7.0, -6.3))
    break_off(table)
    for card, seat in (("8S", 3), ("9C", 0), ("7D", 3), ("AH", 0), ("9D", 1), ("10D", 2)):
        table.run(2)
        x, y = BEFORE[4][seat]
        table.put(card, at=(x + 9 * (card in ("7D", "AH", "9D", "10D")), y))
    assert table.asked() == ["card"]
    assert sum(len(each.asked) + len(each.withdrawn) for each in table.happened) == 1


def test_what_is_hardly_found_at_the_first_look_lay_there_too(break_off: BreakOff):
    """JS lies below KC, and takes a second to be told. Nobody knows which of them came first."""
    laid = "1 play 8H", "0 play 10C", "0 play 10S"
    table = Tabletop("le_truc_ace", 2, "0 deal 3", *laid)
    table.put("10S", 0)
    table.put("KC", at=(-1.7, -3.2))
    table.scores[table.put("JS", at=(-4.6, -2))] = 0.45
    break_off(table)
    assert table.run(4) == []
    assert table.asked() == ["card"]


def test_what_comes_after_a_break_is_not_before_what_lay_there(break_off: BreakOff):
    """AC and 8C were thrown far; KS lies clearly before seat 1, but that played AC before it."""
    table = Tabletop("le_truc_ace", 2, "0 deal 3")
    table.put("AC", at=(-0.2, -5.8))
    table.put("8C", at=(-3.4, 7.6))
    break_off(table)
    table.run(1)
    table.put("KS", 1)
    assert table.run(2) == ["1 play AC", "0 play 8C", "1 play KS"]


@pytest.mark.parametrize("order", [("QS", "AS", "JD"), ("AS", "JD", "QS")])
def test_v_14_a_card_far_from_all_seats_is_as_likely_played_as_one_before_its_seat(
    order: tuple[str, ...], break_off: BreakOff
):
    """Seat 0 threw QS, which wins; then both players showed what they had left."""
    table = Tabletop("trut", 2, "0 deal 3", "1 play 8H", "0 play 9H")
    table.put("8D", at=(-0.9, -4.4))
    assert table.run() == ["1 play 8D"]
    for card in order:
        table.put(card, at={"QS": (-6.2, 5.4), "AS": (0, 25), "JD": (0, -25)}[card])
    break_off(table)
    assert table.run(4) == []
    assert table.asked() == ["card"]


@pytest.mark.parametrize("seconds", [2, 3])
def test_a_won_trick_and_the_pack_are_no_deal_after_its_cards(seconds: float):
    """Nobody watched the deal. The pack lies before seat 0; seat 1 lays the trick face down."""
    laid = "1 play 7S", "0 play KS", "1 play 7D", "0 play KD"
    table = Tabletop("trut", 2, "0 deal 3", *laid)
    table.put("back", at=(15, 20))
    table.restart()
    table.run(0.2)
    trick = table.put("9C", at=(4, 3)), table.put("QC", 1)
    assert table.run(seconds) == []
    table.take(*trick)
    table.put("back", at=(11, -25))
    assert table.run(3) == ["1 deal 3", "0 play 9C", "1 play QC"]
