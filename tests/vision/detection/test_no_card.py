"""A thing that is read as a card is asked about once, and never counts (V-11, V-13)."""

import pytest

from tests.vision.tabletop import Tabletop

FOUR = ("trut", 4, "0 deal 3")  # seat 1 leads
THING = (-34, 6)
"""Where a patterned thing lies before seat 1."""


def taken_for_a_card(table):
    return table.put("QS", at=THING, QS=0.45, KD=0.4)


def asked_about(laid_after, card="8D", **where):
    """The table asks about a thing, and a person names the card that was laid elsewhere.

    Args:
        laid_after: seconds from the answer until that card is seen.
        card: the card.
        **where: where it lies, as for ``Tabletop.put``.
    """
    table = Tabletop(*FOUR)
    taken_for_a_card(table)
    table.run(3)
    if laid_after < 0:
        table.put(card, 1, **where)
        table.run(-laid_after)
    assert table.asked() == ["card"]
    (meant,) = [
        f"1 play {c.event.card}"
        for c in table.table.questions[0].choices
        if c.event and c.event.card.rank == card[:-1]
    ]
    written = table.answer(meant)
    assert written == [meant]
    if laid_after >= 0:
        table.run(laid_after)
        table.put(card, 1, **where)
    return table


def played(table):
    return [str(one.card) for one in table.log.match.hand.tricks[0].plays]


@pytest.mark.parametrize(
    ("card", "where", "laid_after"),
    [
        pytest.param("8D", {}, -1.5, id="not read as it"),
        pytest.param("8D", {}, 0.5, id="not read as it, and laid after the answer"),
        pytest.param("KD", {}, 0.5, id="read as it with less than a half"),
        pytest.param("8D", {"at": (-10, 3)}, -1.5, id="in the middle"),
        pytest.param("8D", {"at": (-10, 3)}, 0.5, id="in the middle, and laid after the answer"),
    ],
)
def test_v_11_a_card_that_was_meant_by_an_answer_is_that_play_and_no_other(card, where, laid_after):
    table = asked_about(laid_after, card, **where)
    table.run(1)
    for seat, name in ((2, "AS"), (3, "7C"), (0, "9H")):  # the trick is seat 2's
        table.put(name, seat)
        assert table.run(1)[-1:] == [f"{seat} play {name}"]
    assert [name[:-1] for name in played(table)] == [card[:-1], "A", "7", "9"]
    assert table.asked() == []
    assert len(table.log.match.hand.tricks) == 1 or not table.log.match.hand.tricks[1].plays


def test_v_13_where_a_card_lies_clearly_nobody_is_asked_about_a_thing_any_more():
    table = Tabletop(*FOUR)
    taken_for_a_card(table)
    table.run(3)
    assert table.asked() == ["card"]
    table.put("KD", 1)
    assert table.run(1.5) == ["1 play KD"]
    assert table.asked() == []


def test_v_1_another_card_of_that_rank_laid_long_after_the_answer_is_another_card():
    table = asked_about(4)
    table.run(3)
    assert table.asked() == ["early"]


def test_v_11_it_is_that_play_also_where_the_thing_is_taken_away_before_the_answer():
    table = Tabletop(*FOUR)
    thing = taken_for_a_card(table)
    table.run(3)
    table.take(thing)
    table.run(1.5)
    table.put("8D", 1)
    table.run(0.5)
    eights = (c for c in table.table.questions[0].choices if c.event and c.event.card.rank == "8")
    table.answer(f"1 play {next(eights).event.card}")
    table.run(1)
    for seat, card in ((2, "AS"), (3, "7C"), (0, "9H")):
        table.put(card, seat)
        assert table.run(1)[-1:] == [f"{seat} play {card}"]
    table.run(3)
    assert table.asked() == []


@pytest.mark.parametrize("moved", [0.0, 1.0])
def test_v_13_where_people_said_that_no_card_lies_nobody_is_asked_again(moved):
    table = Tabletop(*FOUR)
    thing = taken_for_a_card(table)
    table.run(3)
    assert table.answer("no") == []
    table.take(thing)
    table.run(3)
    table.put("QS", at=(THING[0] + moved, THING[1]), QS=0.45, KD=0.4)
    assert table.run(4) == []
    assert table.asked() == []
    table.put("KS", 1)
    assert table.run() == ["1 play KS"]


@pytest.mark.parametrize(("moved", "clear"), [(4.0, False), (0.0, True)])
def test_v_13_a_card_beside_it_is_asked_about_and_one_that_is_clear_is_played(moved, clear):
    table = Tabletop(*FOUR)
    thing = taken_for_a_card(table)
    table.run(3)
    table.answer("no")
    table.take(thing)
    table.run(3)
    read = {} if clear else {"QS": 0.45, "KD": 0.4}
    table.put("QS", at=(THING[0] + moved, THING[1]), **read)
    assert table.run(4) == (["1 play QS"] if clear else [])
    assert table.asked() == ([] if clear else ["card"])


UNREAD = {"back": 0.14, "QS": 0.16, "3D": 0.15, "KH": 0.15}
"""The readings of a back that cannot be read."""


def a_hand_that_lies_there(beside=True):
    """Seat 1's cards lie face down before it; of one of them the back cannot be read.

    Args:
        beside: whether another one lies so near that the place tells what it is.
    """
    table = Tabletop("trut", 2)  # seat 1 leads
    table.run(2)
    for place in (11, 4, -3):
        table.put("back", at=(place, 36))
        table.put("back", at=(place, -36), **(UNREAD if place == -3 else {}))
        table.run(0.3)
    if not beside:
        table.take("back#1", "back#3")
    assert table.run(4) == ["0 deal 3"]
    return table


@pytest.mark.parametrize("beside", [True, False], ids=["among backs", "alone"])
def test_v_13_a_back_that_cannot_be_read_keeps_no_card_waiting(beside):
    table = a_hand_that_lies_there(beside)
    for seat, card in ((1, "KS"), (0, "8D"), (0, "QC"), (1, "AH"), (1, "9C"), (0, "JD")):
        table.put(card, seat)
        assert table.run(0.6) == [f"{seat} play {card}"], card
        table.run(3)
        assert table.asked() == [], card
    assert "too_many V-6" not in table.hints()


def test_v_1_a_back_that_cannot_be_read_hides_nobody_who_is_early():
    table = a_hand_that_lies_there()
    table.put("8D", 0)
    table.run(1)
    assert table.hints()[-1] == "not_due V-1"


def test_v_4_a_word_does_not_wait_for_a_back_that_cannot_be_read():
    table = a_hand_that_lies_there()
    table.say("1 trut")
    assert table.run(0.1) == ["1 trut"]


@pytest.mark.parametrize(
    ("back", "then", "written", "asked"),
    [
        (0.7, "8D", ["1 play KS", "0 play 8D"], []),
        (0.7, None, [], ["card"]),
        (0.9999, "8D", [], ["early"]),
    ],
    ids=["the next seat has laid one", "nobody has", "it is surely a back"],
)
def test_v_13_a_thrown_card_that_looks_more_like_a_back_was_laid_if_the_next_one_comes(
    back, then, written, asked
):
    table = Tabletop("trut", 2, "0 deal 3")  # seat 1 leads
    table.run(2)
    table.throw("KS", (2, -45), (1, -15), back=back, KS=0.9999 - back)
    assert table.run(3) == []
    if then:
        table.throw(then, (-2, 45), (0, 15))
    assert table.run(10) == written
    assert table.asked() == asked


def test_v_13_what_lies_among_backs_and_cannot_be_read_is_asked_about_when_nothing_else_comes():
    table = a_hand_that_lies_there()
    table.run(7)
    assert table.asked() == []
    table.run(2)
    assert table.asked() == ["card"]
    table.put("KS", 1)
    assert table.run(0.6) == ["1 play KS"]
    assert table.asked() == []
