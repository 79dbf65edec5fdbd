"""Better pictures of a card correct how it was first read (V-11, V-13)."""

from typing import Any

from tests.vision.tabletop import Tabletop

FOUR = ("trut", 4, "0 deal 3")  # seat 1 leads


def misread(*said: Any) -> Tabletop:
    """Seat 1 has laid a king, which was read as a jack."""
    table = Tabletop(*(said or FOUR))
    table.run(1.5)
    table.put("KS", 1, JS=0.999)
    assert table.run(0.4) == ["1 play JS"]
    return table


def seen_better(table: Tabletop) -> list[str]:
    """The card is seen from other sides, as what it is; returns what is written."""
    written: list[str] = []
    for king, queen in ((0.999, 0.0005), (0.97, 0.02), (0.93, 0.05), (0.995, 0.004)):
        table.cards["KS"][4] = {"KS": king, "QS": queen}
        written += table.run(0.2)
    return written + table.run(2.4)


def test_v_13_a_card_is_put_right_where_its_next_pictures_show_another_one():
    table = misread()
    assert seen_better(table) == ["undo", "1 play KS"]
    (proposal,) = (each for seen in table.happened for each in seen.proposals if each.instead)
    assert proposal.why.startswith("all that was seen of this hand says K")
    for jack in (0.999, 0.99, 0.98, 0.97, 0.96, 0.95):
        table.cards["KS"][4] = {"JS": jack, "10S": 0.04 - jack / 100}
        assert table.run(0.2) == []  # once is enough
    table.put("QS", 2)
    assert table.run() == ["2 play QS"]


def test_v_13_what_was_said_after_a_card_stays_when_it_is_put_right():
    table = misread("le_truc_ace", 2, "0 deal 3")
    table.by_hand("0 raise 2")
    assert seen_better(table)[-2:] == ["1 play KS", "0 raise to 2"]


def test_v_13_a_card_that_another_one_follows_is_put_right_below_it():
    table = misread()
    table.put("AS", 2)
    assert table.run(0.3) == ["2 play AS"]
    assert seen_better(table) == ["undo", "undo", "1 play KS", "2 play AS"]


def test_a_card_stays_what_it_was_taken_for_where_others_would_fall_away():
    table = misread("truc_spain", 2, "1 tap", "0 deal 3")
    table.by_hand("0 play QC", "0 play 7H")  # the queen has beaten the jack, and leads
    assert seen_better(table) == []
    assert table.hints() == []


def test_v_11_a_card_stays_what_a_person_says_it_is():
    table = misread()
    table.by_hand("undo")
    table.run(0.1)
    table.by_hand("1 play JS")
    assert seen_better(table) == []


def test_v_11_a_card_that_was_laid_long_ago_stays_though_it_is_found_again_just_now():
    table = misread()
    x, y = table.cards["KS"][1:3]
    table.take()
    table.run(3)
    table.put("KS", at=(x + 1, y), JS=0.999)
    table.run(0.4)
    (association,) = table.table.belief.associations.plays
    assert association.card == table.table.cards[0].id
    assert seen_better(table) == []
