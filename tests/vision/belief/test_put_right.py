"""A card that people corrected or that was surely read is learned by its picture (V-11)."""

import pytest

from scorekeeper.engine.said import GUESSED, SUIT
from tests.scorekeeper.talk import event
from tests.vision.tabletop import Tabletop


def misread() -> Tabletop:
    """Seat 1 has laid a jack, which was read as a king."""
    table = Tabletop("trut", 4, "0 deal 3")
    table.run(1.5)
    table.put("JS", 1, KS=0.995, JS=0.004, QS=0.0005)
    assert table.run() == ["1 play KS"]
    assert not table.table.belief.named
    return table


@pytest.mark.parametrize(("said", "remarks", "named"), [
    ("1 play JS", {}, "JS"),
    ("1 play JC", {}, "JC"),
    ("1 play JH", {SUIT: GUESSED}, "JS"),  # people gave only the rank; the suit is as read
    ("1 play QS", {}, None),  # it looks more like a jack: people may mean another card
    ("1 play 7H", {}, None),
])  # fmt: skip
def test_v_11_a_card_that_was_put_right_is_known_where_it_looks_like_that_too(said, remarks, named):
    table = misread()
    table.log.say([event("undo"), event(said)._replace(remarks=remarks)], table.log.read()[0])
    assert table.run() == []
    assert list(table.table.belief.named.values()) == ([named] if named else [])


def test_v_11_where_several_were_put_right_it_may_be_whose_they_are_that_was_wrong():
    table = misread()
    table.put("8D", 2)
    assert table.run() == ["2 play 8D"]
    table.by_hand("undo", "undo", "1 play JS", "2 play 7D")
    table.run()
    assert not table.table.belief.named


def test_v_13_what_the_camera_puts_right_by_itself_is_not_learned():
    table = misread()
    for jack in (0.999, 0.97, 0.93, 0.995, 0.99):
        table.cards["JS"][4] = {"JS": jack, "QS": 1.0005 - jack}
        table.run(0.6)
    assert table.log.events[-1].in_words() == "play JS"
    assert not table.table.belief.named


@pytest.mark.parametrize(("looks", "believed"), [
    ([{"KS": 0.995, "JS": 0.004}], ["KS"]),
    ([{"KS": 0.6, "KH": 0.38}], []),  # its suit is not sure
    ([{"KS": 0.995, "JS": 0.004}, {"JS": 0.999}], []),
    ([{"KS": 0.995, "JS": 0.004}, {"JS": 0.999}, {"JS": 0.97}], ["JS"]),  # it was corrected
])  # fmt: skip
def test_what_was_read_surely_in_a_hand_that_is_over_is_believed(looks, believed):
    table = Tabletop("trut", 4, "0 deal 3")
    table.run(1.5)
    table.put("KS", 1)
    for place, look in enumerate(looks):
        table.cards["KS"][4] = look
        table.run((0.6, 0.2, 2.4)[place])
    table.by_hand("2 trut", "3 lie_down", "1 lie_down")
    table.run()
    assert not table.table.belief.believed
    table.by_hand("1 deal 3")
    table.run(0.1)
    assert list(table.table.belief.believed.values()) == believed


def test_what_was_read_in_a_hand_is_believed_where_the_pack_is_cut_after_it():
    table = Tabletop("truc_spain", 2, "1 tap", "0 deal 3")
    table.run(1.5)
    table.put("KS", 1, KS=0.995, JS=0.004)
    table.run()
    table.by_hand("void_hand")
    table.run()
    table.by_hand("0 cut")
    table.run()
    table.by_hand("1 deal 3")
    table.run(0.1)
    assert list(table.table.belief.believed.values()) == ["KS"]
