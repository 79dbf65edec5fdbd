"""``NextPlay``: what the cards that are not written yet mean, and when the table asks."""

import math

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply
from scorekeeper.games.cards import parse_card
from tests.vision.belief.test_hypotheses import dealt, laid
from tests.vision.tabletop import Tabletop
from vision.belief.explainer import Explainer
from vision.belief.hypotheses import Play, outlook

LED = laid(1, 1, 1.0, _8H=20)  # by seat 1; seat 2 is due
HIDDEN = LED._replace(seen=3.0)
GONE = HIDDEN._replace(gone=4.0)


def seen_after(first, *new, guessed=False):
    """The ``Outlook`` of some new objects after the lead."""
    match = apply(dealt(), Event("play", 1, card=parse_card("8H")))
    explainer = Explainer(match, [first, *new], not_ended_before=math.inf)
    written = [Play(1, "8H", 1, 0.0, guessed=guessed)]
    return outlook(explainer.follow(written, {each.id for each in new}), 1)


PACK = [f"{rank}{suit}" for rank in ("7", "8", "A", "K", "Q", "J", "10", "9") for suit in "CDHS"]
KING = laid(2, 2, 6.0, KS=20)
AGAIN = laid(2, 1, 6.0, _8H=20)


@pytest.mark.parametrize(
    ("first", "new", "kind"),
    [
        pytest.param(LED, KING, "next", id="a card before the seat that is due"),
        pytest.param(LED, laid(2, 3, 6.0, KS=20), "waits", id="V-1 before another seat"),
        pytest.param(LED, laid(2, 2, 6.0, back=9), "none", id="a card face down"),
        pytest.param(LED, AGAIN, "twice", id="V-2 a card that lies there is seen once more"),
        pytest.param(HIDDEN, AGAIN, "again", id="V-2 a card that is hidden is seen elsewhere"),
        pytest.param(
            GONE, laid(2, 2, 6.0, _8H=20, _8D=17), "next",
            id="V-2 what was taken away hardly comes back before another seat",
        ),
        pytest.param(
            LED, laid(2, 2, 6.0, sure=False, KS=9)._replace(beside={1: True}), "part",
            id="V-2 a part of a card, whatever it is read as",
        ),
        pytest.param(
            LED, laid(2, 2, 6.0, sure=False, _8H=9, KS=7)._replace(beside={1: False}), "part",
            id="V-2 an outline of two cards together, which reads like one of them",
        ),
        pytest.param(
            LED, laid(2, 2, 6.0, sure=False, KS=9)._replace(beside={1: False}), "next",
            id="V-2 a card that lies across another one is no part of it",
        ),
        pytest.param(
            HIDDEN, laid(2, 1, 6.0, KS=9, _8H=7)._replace(beside={1: True}), "again",
            id="V-2 a card that was pushed while nobody saw it",
        ),
    ],
)  # fmt: skip
def test_what_a_card_likely_is(first, new, kind):
    seen = seen_after(first, new)
    chances = seen.meanings[2]
    assert max(chances, key=chances.__getitem__) == kind
    assert sum(chances.values()) == pytest.approx(1, abs=1e-6)


def test_v_12_a_guessed_suit_stands_in_no_other_cards_way():
    new = laid(2, 2, 6.0, _8H=20)
    assert seen_after(LED, new, guessed=True).ranks[2]["8"] > 0.9
    assert seen_after(LED, new).ranks[2].get("8", 0.0) < 0.9


def test_of_cards_in_turn_the_first_is_the_next_and_the_others_are_later():
    seen = seen_after(LED, KING, laid(3, 3, 7.0, QS=20), laid(4, 0, 8.0, JS=20))
    assert seen.chance(2, "next") > 0.9
    assert min(seen.chance(3, "play"), seen.chance(4, "play")) > 0.9
    assert max(seen.chance(3, "waits"), seen.chance(4, "waits")) < 0.1


def test_v_13_of_two_cards_at_once_before_the_seat_that_is_due_one_is_asked_about():
    table = Tabletop("trut", 2, "0 deal 3")
    table.put("KS", 1)
    table.put("7S", at=(12, -25))
    assert table.run(3) == []
    assert table.run(4) == []
    assert table.asked() == ["card"]
    assert table.answer("1 play KS") == ["1 play KS"]


def test_v_13_where_others_went_on_a_card_that_nobody_saw_is_asked_for():
    table = Tabletop("trut", 4, "0 deal 3")  # seat 1 laid its card under a sleeve
    table.put("KS", 2)
    table.run(1)
    table.put("QS", 3)
    assert table.run(3) == []
    assert table.asked() == ["unseen"]
    assert table.answer("1 play AC") + table.run(0.5) == ["1 play AC", "2 play KS", "3 play QS"]


def test_v_13_who_says_that_nobody_laid_an_unseen_card_is_not_asked_again():
    table = Tabletop("trut", 4, "0 deal 3")
    table.put("KS", 2)
    table.run(1)
    table.put("QS", 3)
    table.run(3)
    assert table.asked() == ["unseen"]
    table.answer("no")
    table.run(10)
    assert "unseen" not in table.asked()


def test_v_13_of_three_cards_at_once_before_the_seat_that_is_due_one_is_asked_about():
    table = Tabletop("trut", 4, "0 deal 3")
    for card, place in (("QS", (-28, 0)), ("7S", (-28, 9)), ("8S", (-28, -9))):
        table.put(card, at=place)
    assert table.run(7) == []
    assert table.asked() == ["card"]


@pytest.mark.parametrize("read", [{"KS": 0.5, "back": 0.45}, {"2B": 0.9}])
def test_v_13_what_is_rather_no_card_is_asked_about_where_nothing_else_comes(read):
    table = Tabletop("trut", 4, "0 deal 3")
    table.put("KS", at=(-25, 3), **read)
    table.run(14)
    assert table.asked() == ["card"]


def test_v_2_a_card_like_one_that_was_taken_away_is_another_one():
    table = Tabletop("trut", 4, "0 deal 3")
    for card, seat in (("8H", 1), ("KS", 2), ("QS", 3), ("JS", 0)):
        table.put(card, seat)
        table.run(1)
    table.take()
    table.run(12)
    card = table.put("8D", at=(-20, -8), **{"8H": 0.68, "8D": 0.3})
    written = table.run(0.4)
    table.cards[card][4] = {"8D": 0.97}
    assert (written + table.run(3))[-1:] == ["1 play 8D"]


def test_v_12_a_card_whose_suit_was_guessed_for_another_one_is_played():
    table = Tabletop("trut", 4, "0 deal 3")
    table.put("KC", 1, KS=0.5, KC=0.47)
    table.run(1)
    table.put("KD", 2, KS=0.5, KC=0.47)
    table.run(1)
    table.put("KC#2", 3, KC=0.97)
    written = table.run(4)
    assert [each.rsplit(" ", 1)[1][0] for each in written if " play " in each][-1] == "K"
    assert table.asked() == []


def test_v_12_a_guessed_suit_that_turns_out_to_be_of_the_other_kind_stops_nothing():
    table = Tabletop("truc_spain", 2, "1 tap", "0 deal 3")
    card = table.put("7S", 1, **{"7S": 0.5, "7O": 0.46})
    assert table.run(1) == ["1 play 7S"]
    table.cards[card][4] = {"7O": 0.97}
    table.run(3)
    table.put("6D", 0)
    assert table.run(3) == ["0 play 6D"]
