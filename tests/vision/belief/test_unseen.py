"""The table asks for a card that a hand covered until the trick was taken away (V-5, V-13)."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tabletop import Tabletop, told
from vision.tracking.covered import covered_by

TWO = ("trut", 2, "0 deal 3")  # seat 1 leads


def dealt(game, seats):
    """Three cards to everybody."""
    return Tabletop(game, seats, *["1 cut"] * (game == "truc_spain"), "0 deal 3")


def taken_away_unseen(game, seats, *laid):
    """A trick of which a hand covered the last card until it was taken away."""
    table = dealt(game, seats)
    for seat, card in laid:
        table.put(card, seat)
        assert table.run() == [f"{seat} play {card}"]
    table.take()
    return table


@pytest.mark.parametrize(
    ("game", "seats", "laid", "seat"),
    [("trut", 4, [(1, "KS"), (2, "QS"), (3, "8D")], 0), ("trut", 2, [(1, "KS")], 0)],
)
def test_v_13_what_lay_under_a_hand_until_the_trick_was_taken_away_is_asked_for(
    game, seats, laid, seat
):
    table = taken_away_unseen(game, seats, *laid)
    table.run(1.5)
    table.put("AC", seat)  # of the next trick
    assert table.run(3) == []
    assert table.asked() == ["unseen"]
    ranks = [choice.event.card.rank for choice in table.table.questions[0].choices[:-1]]
    assert sorted(ranks) == sorted(["A", "K", "Q", "J", "10", "9", "8", "7"])
    assert ranks[-1] in {card[:-1] for _, card in laid}  # fewer cards of these ranks are left
    answer = next(c.event for c in table.table.questions[0].choices if c.event.card.rank == "7")
    assert table.answer(f"{seat} {answer.in_words()}") == [f"{seat} {answer.in_words()}"]
    assert table.run(0.5) == [f"{seat} play AC"]


def test_v_13_two_cards_of_a_rank_that_nobody_saw_are_not_taken_for_one():
    table = taken_away_unseen("trut", 4, (1, "KS"), (2, "QS"))
    for seat, card in ((3, "7C"), (0, "7D")):
        table.run(4)
        assert table.asked() == ["unseen"]
        assert table.answer(f"{seat} play {card}") == [f"{seat} play {card}"]


def test_v_13_the_lead_of_the_next_trick_is_not_the_card_that_nobody_saw():
    table = taken_away_unseen("trut", 2, (1, "KS"))
    table.run(1.5)
    table.put("AC", 0)
    table.run(3)
    ranks = [choice.event and choice.event.card.rank for choice in table.table.questions[0].choices]
    (written,) = table.table.answer(table.table.questions[0].id, ranks.index("A"), table.at)
    assert told(written).startswith("0 play A")
    assert table.run(1)[-1] == "0 play AC"


def with_a_glass_taken_away():
    """A table whose people have said that the thing at (0, -18) is no card."""
    table = Tabletop(*TWO)
    glass = table.put("KS", at=(0, -18), KS=0.5, JS=0.45)
    table.run(3)
    assert table.answer("no") == []
    table.take(glass)
    table.run(3)
    return table


@pytest.mark.parametrize(("start", "asked"), [((0, -18), []), ((-46, 0), ["card"])])
def test_v_13_what_flies_in_is_asked_about_also_where_people_said_that_nothing_lies(start, asked):
    table = with_a_glass_taken_away()
    table.throw("QS", start, (0, -18), QS=0.5, JS=0.45)
    table.run(5)
    assert table.asked() == asked


@pytest.mark.parametrize(("scale", "asked"), [(1.0, []), (1.25, ["card"])])
def test_v_13_where_nothing_lies_is_asked_again_once_the_table_was_measured_anew(scale, asked):
    table = with_a_glass_taken_away()
    before = table.table.plane
    larger = np.diag([scale, scale, 1.0]) @ before.homography
    table.table.plane = replace(before, homography=larger, outline=before.outline * scale)
    table.put("QS", at=(0, -18 / scale), QS=0.5, JS=0.45)
    table.run(5)
    assert table.asked() == asked


def test_v_13_a_trick_that_is_taken_away_by_mistake_is_asked_about_no_more():
    table = taken_away_unseen("trut", 2, (1, "KS"))
    table.run(4)
    assert table.asked() == ["unseen"]
    table.put("KS", at=table.table.belief.associations.plays and (0, -25))
    assert table.run(1) == []
    assert table.asked() == []
    table.put("QD", 0)
    assert table.run(1) == ["0 play QD"]


def test_v_13_what_is_asked_about_is_asked_on_though_a_like_card_comes_to_its_place():
    table = dealt("trut", 2)
    table.put("KS", 1, KS=0.5, QS=0.45)
    table.run(3)
    table.take()
    table.run(1)
    assert table.asked() == ["card"]
    table.put("KH", 1, KH=0.95, KS=0.04)  # the lead of the next trick, perhaps
    table.run(1)
    assert table.asked() == ["card"]
    assert table.answer("1 play KS") == ["1 play KS"]


def test_v_13_nobody_may_have_laid_a_card_more():
    table = taken_away_unseen("trut", 2, (1, "KS"))
    table.run(4)
    assert table.answer("no") == []
    table.put("QD", 0)
    assert table.run(1) == ["0 play QD"]


def test_v_13_a_card_that_comes_where_the_trick_lay_is_of_the_next_one_where_no_hand_was_over_it():
    table = Tabletop(*TWO)
    table.covered = covered_by(np.zeros((720, 1280), bool))
    table.put("KS", at=(0, 3))
    assert table.run() == ["1 play KS"]
    table.take()
    table.run(4)
    assert table.asked() == ["unseen"]
    table.put("AC", at=(1, 4))
    assert table.run(1) == []
    nine = next(c.event for c in table.table.questions[0].choices if c.event.card.rank == "9")
    assert table.answer(f"0 {nine.in_words()}") == [f"0 {nine.in_words()}"]
    assert table.run(0.5) == ["1 play AC"]


def test_a_card_thrown_onto_the_one_that_was_laid_is_of_this_trick():
    table = Tabletop(*TWO)
    table.put("KS", at=(0, 3))
    assert table.run() == ["1 play KS"]
    table.take()
    table.run(2)  # a hand lies over it
    table.put("QD", at=(2, 1), turn=0.6)
    assert table.run(1) == ["0 play QD"]


@pytest.mark.parametrize("pushed", [False, True], ids=["", "and was pushed by the hand"])
def test_v_13_a_card_that_lay_for_half_a_second_before_it_was_taken_away_is_asked_about(pushed):
    table = Tabletop(*TWO)
    table.put("KS", 1)
    table.run()
    table.put("JD", 0, JD=0.7, **{"10D": 0.3})
    table.run(0.6)
    if pushed:
        table.cards["JD"][1] += 2.4
        table.run(0.3)
    table.take()
    assert table.run(3) == []
    assert table.asked() == ["card"]


@pytest.mark.parametrize("ranks", [(0.5, 0.45), (0.36, 0.34, 0.3)], ids=["two ranks", "three"])
def test_v_13_each_card_that_was_not_made_out_is_asked_about_though_the_trick_is_away(ranks):
    table = Tabletop(*TWO)
    table.put("KS", 1, **dict(zip(("KS", "QS", "JS"), ranks, strict=False)))
    table.run(2)
    table.put("JH", 0, JH=0.5, QH=0.45)
    table.run(2)
    table.take()
    table.run(2)
    assert table.answer("1 play KS") == ["1 play KS"]
    table.run(0.5)
    assert table.answer("0 play JH") == ["0 play JH"]


def test_v_5_a_card_thrown_onto_one_that_is_made_out_when_both_are_gone_is_still_played():
    table = Tabletop(*TWO)
    lower = table.put("KS", at=(0, -18), KS=0.5, JS=0.45)
    table.run(1.5)
    upper = table.put("7C", at=(2, -18))
    table.run(1)
    table.take(lower, upper)
    table.run(3)
    assert table.asked() == ["card"]
    assert table.answer("1 play KS") == ["1 play KS"]
    assert table.run(0.3) == ["0 play 7C"]


def test_v_13_a_card_nobody_saw_is_asked_for_when_the_one_held_after_it_is_taken_away():
    table = Tabletop(*TWO)
    card = table.put("10S", 0)  # seat 1 laid before it, under a sleeve
    assert table.run(3) == []
    assert table.asked() == ["early"]
    assert table.answer("hold") == []
    table.run(1)
    table.take(card)
    assert table.run(4) == []
    assert table.asked() == ["unseen"]
    assert table.answer("1 play AC") == ["1 play AC"]
    assert table.run(1) == ["0 play 10S"]


@pytest.mark.parametrize("looks", range(36, 44))  # with the 40th both are given up
def test_v_13_what_waits_behind_a_card_that_is_asked_about_is_kept_when_the_answer_comes(looks):
    table = Tabletop(*TWO)
    lower = table.put("KS", at=(0, -18), KS=0.5, JS=0.45)
    table.run(1)
    upper = table.put("7C", at=(2, -18))
    table.run(2)
    assert table.asked() == ["card"]
    table.take(lower, upper)
    table.run(looks / 20)
    assert table.answer("1 play KS") == ["1 play KS"]
    assert table.run(2) == ["0 play 7C"]


def test_v_13_what_a_spanish_card_may_be_is_offered_as_it_is_printed():
    table = taken_away_unseen("truc_spain", 2, (1, "12O"))
    table.run(4)
    assert table.asked() == ["unseen"]
    ranks = [choice.event.card.printed for choice in table.table.questions[0].choices[:-1]]
    assert ranks == ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"]
    assert table.answer("0 play 10B") == ["0 play 10B"]


@pytest.mark.parametrize(
    ("likely", "other", "first"),
    [("1E", "11E", ["1", "11", "A", "2"]), ("KS", "QS", ["K", "Q", "1", "A"])],
)
def test_v_13_the_first_card_of_a_pack_whose_suits_nobody_knows_yet_may_be_of_either_kind(
    likely, other, first
):
    table = dealt("truc_spain", 2)
    table.put(likely, 1, **{likely: 0.5, other: 0.45})
    table.run(3)
    assert table.asked() == ["card"]
    ranks = [choice.event.card.printed for choice in table.table.questions[0].choices[:-1]]
    assert ranks[: len(first)] == first
    assert len(ranks) == 14  # ten of either kind, of which six are printed alike
    assert table.answer(f"1 play {likely}") == [f"1 play {likely}"]
