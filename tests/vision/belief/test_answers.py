"""V-22: calls that were said but not tapped follow from what comes next, or are asked about."""

import pytest

from tests.vision.tabletop import Tabletop

TRUT = ("trut", 2, "0 deal 3")
TRUC = ("truc_spain", 4, "1 cut", "0 deal 3")


def offered(*said, trick=()):
    """A table at which a call waits for its answer."""
    table = Tabletop(*said)
    table.run(0.5)
    for seat, card in trick:
        table.put(card, seat)
        table.run()
    return table


@pytest.mark.parametrize(
    ("said", "trick", "offer", "card", "answer"),
    [
        (TRUT, (), "0 trut", (1, "KS"), "1 see"),
        (TRUT, ((1, "KS"), (0, "9D")), "1 trut", (1, "8C"), "0 see"),
        (TRUC, ((3, "4H"), (2, "5H"), (1, "6H")), "0 truc", (0, "7H"), "3 accept"),
        (("le_truc_ace", 2, "0 deal 3"), (), "1 raise 2", (1, "AS"), "0 accept"),
        (("le_truc_ace", 2, "0 deal 3"), (), "1 ask", (1, "AS"), "0 refuse"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_v_22_a_card_that_lies_there_for_long_may_mean_yes(said, trick, offer, card, answer):
    table = offered(*said, trick=trick)
    table.by_hand(offer)
    table.run(0.5)
    seat, name = card
    table.put(name, seat)
    assert table.run(1.5) == []
    assert table.asked() == []  # the tap may still come
    assert table.run(2.0) == []
    assert table.asked() == ["answer"]
    assert table.answer(answer) == [answer]
    assert table.run(0.5) == [f"{seat} play {name}"]


def test_v_22_a_counter_offer_is_another_offer():
    table = offered("truc_spain", 2, "1 cut", "0 deal 3", trick=((1, "4H"),))
    table.by_hand("1 truc")
    table.run(0.5)
    table.put("back", at=(0, 25))
    table.run(3.5)
    assert table.asked() == ["reject"]
    assert table.answer("no") == []
    table.by_hand("0 retruc")
    table.run(0.5)
    table.put("back", at=(8, -30))
    table.run(3.5)
    assert table.asked() == ["reject"]


def trut_offered():
    """A trut that nobody has answered on a phone."""
    table = offered(*TRUT)
    table.by_hand("0 trut")
    table.run(0.5)
    return table


def waiting():
    """The same, and a card that seat 1 has laid after it."""
    table = trut_offered()
    table.put("KS", 1)
    table.run(3.5)
    assert table.asked() == ["answer"]
    return table


def test_v_22_the_answer_may_be_tapped_meanwhile():
    table = waiting()
    table.say("1 see")
    assert table.run(0.5) == ["1 see", "1 play KS"]
    assert table.asked() == []


def test_v_4_the_card_may_wait_for_an_answer_that_comes_later():
    table = waiting()
    assert table.answer("hold") == []
    assert table.run(5) == []
    assert table.asked() == []
    table.say("1 see")
    assert table.run(0.5) == ["1 see", "1 play KS"]


def test_v_22_a_card_shown_instead_of_an_answer_may_mean_no():
    table = waiting()
    assert table.answer("1 lie down") == ["1 lie down"]
    assert table.run(1) == []


def test_v_22_a_card_shown_briefly_instead_of_an_answer_is_asked_about():
    table = trut_offered()
    king = table.put("KS", 1)
    table.run(1)
    table.take(king)
    table.run(1.2)
    assert table.asked() == ["answer"]


@pytest.mark.parametrize(
    ("at", "read"),
    [((0, 25), {}), ((0, -25), {"KS": 0.5, "JS": 0.45})],
    ids=["before the other seat", "it cannot be told"],
)
def test_v_22_a_card_that_may_not_be_the_next_one_is_no_answer(at, read):
    table = trut_offered()
    table.put("KS", at=at, **read)
    table.run(5)
    assert table.asked() == []


@pytest.mark.parametrize("pushed", [0.0, 2.5], ids=["", "though it was pushed since"])
def test_v_22_a_card_that_lay_there_before_the_offer_is_no_answer(pushed: float):
    table = offered(*TRUT)
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(1.5)
    table.by_hand("0 trut")
    table.run(0.5)
    table.cards["KS"][1] += pushed
    table.cards["KS"][4] = {}  # by now it can be told
    table.run(6)
    assert table.asked() == []
    table.say("1 see")
    assert table.run(1) == ["1 see", "1 play KS"]


def test_v_22_who_keeps_his_cards_after_all_is_not_asked_again():
    table = offered("truc_spain", 2, "1 cut", "0 deal 3")
    table.by_hand("1 truc")
    table.run(0.5)
    table.put("back", at=(0, 25))
    table.run(3.5)
    assert table.answer("no") == []
    table.run(5)
    assert table.asked() == []


def test_v_22_an_answer_after_the_trick_was_taken_away_loses_no_card():
    table = waiting()
    table.put("9D", 0)
    table.run(1.5)
    table.take()
    table.run(3)
    assert table.answer("1 see") == ["1 see"]
    assert table.run(0.5) == ["1 play KS", "0 play 9D"]


@pytest.mark.parametrize(
    ("said", "word", "written"),
    [
        (TRUT, "0 see", ["1 trut", "0 see"]),
        (TRUT, "1 lie_down", ["0 trut", "1 lie down"]),
        (TRUC, "2 accept", ["3 truc", "2 accept"]),
        (("le_truc_ace", 2, "0 deal 3"), "0 reject", ["1 raise to 2", "0 reject"]),
        (("le_truc_ace", 2, "0 deal 3"), "0 grant", ["1 ask", "0 grant"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_v_22_an_answer_implies_the_call_that_it_answers(said, word, written):
    table = offered(*said)
    table.say(word)
    assert table.run(0.9) == []  # the other phone may be slower
    assert table.run(0.5) == written


def test_v_22_a_call_that_is_tapped_after_its_answer_counts():
    table = offered(*TRUC)
    table.say("2 accept")
    assert table.run(0.5) == []
    table.by_hand("3 truc")
    assert table.run(0.5) == ["2 accept"]


@pytest.mark.parametrize("again", ["2 accept", "0 accept"])
def test_v_22_an_answer_that_is_tapped_twice_counts_once(again):
    table = offered(*TRUC)
    table.by_hand("3 truc", "2 accept")
    table.say(again)
    assert table.run(5) == []
    assert table.hints() == []


def test_v_22_an_answer_that_is_tapped_once_more_after_a_card_makes_no_offer():
    table = offered("le_truc_ace", 2, "0 deal 3")
    table.by_hand("1 raise 2", "0 accept", "1 play KS")
    table.say("0 accept")
    assert table.run(5) == []
    assert table.hints() == ["refused format"]


@pytest.mark.parametrize(
    ("cards", "written"), [(3, ["1 cut", "0 deal 3"]), (1, ["1 tap", "0 deal 1"])]
)
def test_v_22_a_deal_implies_that_the_pack_was_cut_or_tapped(cards, written):
    table = Tabletop("truc_spain", 2)
    table.run(3)
    assert table.deal(cards) == written


def asked_for_new_cards():
    """A player has asked for new cards, and nobody has tapped an answer."""
    table = offered("le_truc_ace", 2, "0 deal 3")
    table.by_hand("1 ask")
    table.run(0.5)
    return table


def test_v_22_new_cards_that_are_dealt_were_granted():
    table = asked_for_new_cards()
    assert table.deal() + table.run(4) == ["0 grant", "0 deal 3"]
    table.put("KS", 1)
    assert table.run(2) == ["1 play KS"]
    assert table.asked() == []


def test_v_22_cards_that_one_player_lays_down_are_no_new_deal():
    table = asked_for_new_cards()
    for place in (-10, 0, 10):
        table.put("back", at=(place, 25))
        table.run(0.3)
    assert table.run(4) == []


FOUR = ("trut", 4, "0 deal 3")  # seat 1 is asked first about a trut of seat 0
AT_FORTIAL = ("trut", 4, "adjust 0 6 2", "0 deal 3")  # seat 2 is asked first


@pytest.mark.parametrize(
    ("said", "offer", "word"),
    [
        (FOUR, ("0 trut",), "3 lie_down"),
        (AT_FORTIAL, ("2 trut",), "1 lie_down"),
        (AT_FORTIAL, (), "0 pass"),
        (("le_truc_ace", 2, "0 deal 3"), ("1 ask",), "1 raise 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_tr_10_nobody_answers_for_another_one_who_is_asked_first(said, offer, word):
    table = offered(*said)
    table.by_hand(*offer)
    table.say(word)
    assert table.run(5) == []
    assert table.hints() == ["refused format"]


@pytest.mark.parametrize(
    ("said", "offer", "word", "written"),
    [
        (FOUR, ("0 trut",), "3 see", ["1 lie down", "3 see"]),
        (AT_FORTIAL, (), "0 trut", ["2 pass", "0 trut"]),
        (AT_FORTIAL, (), "3 lie_down", ["2 trut", "3 lie down"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_tr_10_one_who_sees_or_truts_is_enough(said, offer, word, written):
    table = offered(*said)
    table.by_hand(*offer)
    table.say(word)
    assert table.run(5) == written
