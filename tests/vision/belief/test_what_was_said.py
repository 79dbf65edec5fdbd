"""V-11: what people have said is not asked about again, not lost, and never invented."""

import pytest

from scorekeeper.errors import StaleAppend
from tests.vision.tabletop import Tabletop, told

TWO = ("trut", 2, "0 deal 3")
SPANISH = ("truc_spain", 2, "1 tap")


def test_v_12_a_guessed_suit_that_another_card_takes_is_nobodys_word():
    table = Tabletop(*TWO)
    table.put("KC", 1, KS=0.5, KC=0.47)
    assert table.run(1) == ["1 play KS"]
    table.put("KS", 0)
    assert table.run(3)[-1] == "0 play KS"
    assert (
        table.log.match.hand.tricks[0].plays[0].card != table.log.match.hand.tricks[0].plays[1].card
    )
    assert table.table.belief.named == {}
    assert not any(play.fixed for play in table.table.belief.associations.plays)


def test_v_6_a_card_that_counts_later_is_asked_about_once():
    table = Tabletop(*SPANISH, "0 deal 1", "1 play KS")
    table.put("KS", 1)
    table.run(1)
    table.put("QS", at=(9, -25))
    table.run(3)
    assert table.asked() == ["too_many"]
    table.answer("hold")
    table.run(3)
    assert table.asked() == []


def test_v_13_a_card_that_was_no_card_and_is_one_after_all_counts():
    table = Tabletop(*TWO)
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(4)
    assert table.asked() == ["card"]
    table.answer("no")
    table.by_hand("1 play KS")
    table.run(0.2)
    belief = table.table.belief
    assert [play.card for play in belief.associations.plays] == [1]
    assert belief.memory.dismissed == {}


def test_v_14_new_cards_that_were_granted_end_what_was_thrown_in_before_them():
    table = Tabletop("le_truc_ace", 2, "0 deal 3")
    table.run(2)
    table.by_hand("1 ask")
    shown = [table.put(card, at=place) for card, place in (("AS", (0, 20)), ("KD", (4, 21)))]
    table.run(3)
    assert table.asked() == ["thrown"]
    table.take(*shown)
    table.run(2)
    assert table.deal() + table.run(3) == ["0 grant", "0 deal 3"]
    assert table.asked() == []


def test_v_11_a_word_is_not_lost_where_something_else_was_written_first(monkeypatch):
    table = Tabletop(*TWO)
    table.run(1)
    say, written = table.log.say, []

    def overtaken(events, seen):
        if not written:
            written.append("something else")
            raise StaleAppend(seen=seen, now=seen + 1)
        say(events, seen)

    monkeypatch.setattr(table.log, "say", overtaken)
    table.say("1 trut")
    assert table.run(0.5) == ["1 trut"]


def test_v_13_an_unseen_card_is_asked_about_once_while_looks_are_held_back():
    table = Tabletop(*TWO, "1 play KS")
    table.run(1)
    table.table.clearing.holds_back = True
    table.run(0.2)
    assert table.asked() == ["cleared", "unseen"]
    (unseen,) = (each for each in table.table.questions if each.kind == "unseen")
    table.table.answer(unseen.id, len(unseen.choices) - 1, table.at)
    table.run(0.5)
    assert table.asked() == ["cleared"]


@pytest.mark.parametrize(
    ("word", "written"),
    [("0 trut", ["0 trut"]), ("0 see", ["1 trut", "0 see"])],
    ids=["an offer", "V-22 the answer to an offer that was not tapped"],
)
def test_v_13_a_word_waits_while_somebody_is_asked_about_the_card_before_it(word, written):
    table = Tabletop(*TWO)
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(0.5)
    table.say(word)
    assert table.run(6) == []
    assert table.hints() == []
    assert table.answer("1 play KS") == ["1 play KS"]
    assert table.run(0.3) == written


def test_v_4_a_word_waits_for_the_card_before_it_though_that_was_pushed_since():
    table = Tabletop(*TWO)
    king = table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(1.5)
    table.say("0 trut")
    table.run(0.3)
    table.cards[king][1] += 2.5
    assert table.run(3) == []
    assert table.answer("1 play KS") == ["1 play KS"]
    assert table.run(0.3) == ["0 trut"]


def test_v_4_a_word_waits_for_each_card_before_it_while_somebody_is_asked_about_the_first():
    table = Tabletop("trut", 4, "0 deal 3")
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.put("QS", 2)
    table.run(1)
    table.say("3 trut")
    assert table.run(5) == []
    assert table.answer("1 play KS") == ["1 play KS"]
    assert table.run(0.5) == ["2 play QS", "3 trut"]


def test_v_14_who_folded_is_not_asked_where_people_have_said_it_and_a_card_before_is_not_known():
    table = Tabletop(*TWO)
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(1)
    table.say("1 trut")
    table.say("0 lie_down")
    table.run(1)
    table.put("9H", 0)
    table.put("8D", at=(6, 25))
    assert table.run(4) == []
    assert table.asked() == ["card"]
    assert table.answer("1 play KS") == ["1 play KS"]
    assert table.run(0.5) == ["1 trut", "0 lie down"]


def test_v_4_a_word_is_not_lost_though_the_card_before_it_is_never_told():
    """It lies there without a reading, where seat 1 may have laid it."""
    table = Tabletop(*TWO)
    table.put("", at=(0, -12))
    table.run(2)
    table.say("1 trut")
    assert table.run(2) == []
    assert table.run(2) == ["1 trut"]


def test_v_4_a_card_that_was_laid_after_a_word_is_not_written_before_it():
    """The word waits for what lies before seat 1, which may be a card."""
    table = Tabletop("le_truc_ace", 2, "0 deal 3")
    table.put("", at=(0, -12))
    table.run(2)
    table.say("1 raise 2")
    assert table.run(0.5) == []
    table.put("KS", 1)
    assert table.run(4) == ["1 raise to 2"]


def test_v_13_a_word_waits_while_somebody_is_asked_for_a_card_that_nobody_saw():
    table = Tabletop("le_truc_ace", 2, "0 deal 3")
    king = table.put("KS", 1)
    assert table.run() == ["1 play KS"]
    table.take(king)
    table.run(3)
    assert table.asked() == ["unseen"]
    table.say("1 raise 2")  # it is not his turn before seat 0 has laid a card
    assert table.run(5) == []
    (nine,) = (told(each.event) for each in table.table.questions[0].choices if "9" in each.key)
    assert table.answer(nine) == [nine]
    assert table.run(0.5) == ["1 raise to 2"]
