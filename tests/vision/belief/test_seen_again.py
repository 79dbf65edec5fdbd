"""V-2: a second outline of a laid card is no other card, and another card is no second outline."""

import pytest

from tests.vision.tabletop import Tabletop

FOUR = ("trut", 4, "0 deal 3")  # seat 1 leads


def led(card="KS", at=(-20.0, 4.0), **read):
    """Seat 1 has led a card; ``read`` as for ``Tabletop.put``."""
    table = Tabletop(*FOUR)
    name = table.put(card, at=at, turn=0.4, **read)
    assert table.run(1) == [f"1 play {card}"]
    return table, name


@pytest.mark.parametrize(
    ("aside", "turned", "written"),
    [
        (0.3, 0.04, []),
        (1.1, 0.04, ["2 play 9D"]),
        (0.3, 0.25, ["2 play 9D"]),
    ],
    ids=["exactly there", "beside it", "turned"],
)
def test_v_2_of_two_outlines_that_lie_exactly_on_one_another_one_is_a_card(aside, turned, written):
    table, _ = led()
    table.put("9D", at=(-20 + aside, 4), turn=0.4 + turned, **{"9D": 0.9995})
    assert table.run(1.5) == written


@pytest.mark.parametrize(("other", "written"), [("9D", []), ("9C", ["2 play 9C"])])
def test_v_2_a_second_outline_is_known_also_where_the_suit_was_guessed_wrong(other, written):
    table, name = led("9H", **{"9D": 0.45, "9H": 0.5})
    table.cards[name][4] = {"9D": 0.9999}  # seen better
    table.run(2)
    table.put(other, at=(-20, 6.5), turn=1.2, **{other: 0.9999})
    assert table.run(1.5) == written


def test_v_2_what_was_taken_for_a_second_outline_counts_when_it_is_read_as_another_card():
    table, _ = led()
    name = table.put("9D", at=(-20, 6.7), turn=1.4, **{"KS": 0.95, "9D": 0.03})
    assert table.run(1) == []
    table.cards[name][4] = {"9D": 0.9999}
    assert table.run(3) == ["2 play 9D"]


@pytest.mark.parametrize(("turned", "written"), [(0.1, []), (0.4, ["2 play QS"])])
def test_v_2_what_lies_as_a_hidden_card_did_just_beside_it_may_be_that_one_pushed(turned, written):
    table, name = led()
    table.unseen.add(name)
    table.put("KS#2", at=(-20, 6), turn=0.4 + turned, **{"QS": 0.97, "KS": 0.01})
    assert table.run(1.5) == written


@pytest.mark.parametrize(
    ("score", "turned", "written"),
    [(0.4, 0.1, []), (0.9, 0.1, ["2 play QS"]), (0.4, 0.5, ["2 play QS"])],
    ids=["a part of it", "a whole card", "turned"],
)
def test_v_2_a_part_of_a_card_that_was_pushed_below_others_is_no_card_whatever_it_is_read_as(
    score, turned, written
):
    table, name = led(at=(-2.0, 1.0))
    table.unseen.add(name)
    pushed = table.put("QS", at=(-2, 2.2), turn=0.4 + turned, QS=0.9999)
    table.scores[pushed] = score
    assert table.run(3) == written
    assert table.asked() == []


def test_v_2_a_card_that_was_lost_and_lies_where_it_lay_is_the_same_card():
    table, name = led(at=(-2.0, 1.0))
    table.put("9D", at=(1, 4), turn=1.0)
    assert table.run(1) == ["2 play 9D"]
    table.take(name)  # an arm hid it
    table.run(2)
    table.put("KS#2", at=(-2, 1), turn=0.4)
    table.run(0.5)
    table.put("7C", at=(4, -4))
    assert table.run(1) == ["3 play 7C"]


def test_v_2_a_card_that_was_lost_twice_is_the_same_card_in_the_stories_of_its_hand():
    table, name = led(at=(-2.0, 1.0))
    for again in ("KS#2", "KS#3"):
        table.take(name)
        table.run(2)
        name = table.put(again, at=(-2, 1), turn=0.4)
        table.run(1)
    log = table.log
    likeliest, *_ = table.table.belief.review.stories(log.match, len(log.events))
    assert [term.kind for term in likeliest.terms if term.object] == ["play", "again", "again"]


def test_v_2_a_second_outline_is_known_when_its_card_was_pushed_on():
    table, name = led(at=(-7.0, 5.0))
    part = table.put("KS#2", at=(-9.7, 5.4), turn=0.9)
    table.scores[part] = 0.4
    table.run(1)
    table.unseen.add(name)
    table.run(2.5)
    table.put("KS#3", at=(-10.5, 7.6), turn=1.4)
    assert table.run(6) == []
    assert table.asked() == []


@pytest.mark.parametrize("pushed", [0.0, 1.6])
def test_v_2_a_card_that_the_next_one_pushes_had_come_before_it(pushed):
    table, name = led("8C")
    table.cards[name][2] += pushed
    table.put("8S", at=(-21.5, 6.5), turn=0.9)
    assert table.run(1) == ["2 play 8S"]


def test_v_2_what_is_seen_for_a_moment_where_a_card_is_pushed_is_no_card():
    table, name = led()
    table.by_hand("2 trut")  # cards wait for the answer
    table.unseen.add(name)
    moment = table.put("QS", at=(-20.4, 4.6), turn=0.45, QS=0.9999)
    table.run(0.35)
    table.take(moment)
    table.unseen.clear()
    table.run(0.5)
    table.by_hand("3 see")
    assert table.run(3) == []
    assert table.asked() == []


def test_v_2_a_card_whose_suit_was_guessed_wrong_is_known_when_it_was_pushed_unseen():
    table, name = led("9H", (-2.0, 1.0), **{"9D": 0.45, "9H": 0.5})
    table.cards[name][4] = {"9D": 0.9999}
    table.run(2)
    table.unseen.add(name)
    table.put("7C", at=(-2, 1.5), turn=0.8)
    assert table.run(3) == ["2 play 7C"]
    table.put("9D", at=(-2, 3.5), turn=0.9, **{"9D": 0.9999})
    assert table.run(3) == []


@pytest.mark.parametrize(
    ("seat", "place", "first", "then"),
    [
        (1, (-33, 0), {"back": 0.55, "9D": 0.43}, {"9D": 0.6, "back": 0.35}),
        (2, (0, -30), {"9D": 0.45, "KH": 0.4}, {"9D": 0.45, "KH": 0.4}),
    ],
    ids=["of the leader", "of the next one"],
)
def test_v_13_nobody_is_asked_about_a_back_that_is_misread_and_taken_up_with_the_hand(
    seat, place, first, then
):
    table = Tabletop("trut", 4)
    hands, written = [], []
    for n in (-3, 0, 3):
        for at in [(n, 30), (-33, n), (n, -30), (33, n)]:
            hands.append(table.put("back", at=at, **(first if at == place else {})))
            if at == place:
                misread = hands[-1]
            written += table.run(0.3)
    written += table.run(1)
    table.cards[misread][4] = then
    written += table.run(2)
    if seat == 2:
        table.put("KS", at=(-15, 0))
        written += table.run(1)
    assert written == ["0 deal 3", "1 play KS"][:seat]
    table.take(*hands)
    table.run(4)
    assert table.asked() == []


@pytest.mark.parametrize(
    "read",
    [{"9D": 0.6, "back": 0.35}, {"9D": 0.45, "KH": 0.4}],
    ids=["rather a nine", "a nine or a king"],
)
def test_v_13_nobody_is_asked_about_a_back_that_is_misread_where_a_hand_is_laid_down(read):
    table = Tabletop(*FOUR)
    for at in ((-38, 0), (-28, 0)):  # before seat 1, who is due, and folds
        table.put("back", at=at)
    table.put("back", at=(-33, 3), **read)
    assert table.run(4) == []
    assert table.asked() == []
