"""A deck is counted as it is laid before the camera, and its cards get their names."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.engine.match import start
from tests.vision.detection.test_deck_templates import drawn
from tests.webui.phones import header
from vision.belief.context import pack_of
from vision.detection.spread import SpreadCard
from webui.camera.counting import Counting

TRUT = pack_of(start(header("trut", remarks={"_suits": "french"})))
CROP = cv2.imencode(".png", np.full((160, 112, 3), 250, np.uint8))[1].tobytes()


def spread(
    *cards: str, at: float = 0.0, chance: float = 0.99, crop: bytes = CROP
) -> list[SpreadCard]:
    """Cards in a row, each of 50 by 70 pixels."""
    quad = np.array([[0, 0], [50, 0], [50, 70], [0, 70]], float)
    return [
        SpreadCard(((card, chance),), quad + np.array([60.0 * number, at]), crop)
        for number, card in enumerate(cards)
    ]


def looks(seed: int) -> bytes:
    """The picture of a card with its own random pattern."""
    return cv2.imencode(".png", drawn(seed))[1].tobytes()


def may_be(seed: int, at: float = 0.0, **chances: float) -> SpreadCard:
    """A card that looks like ``seed``, lies so far to the right, and may be several ones."""
    quad = np.array([[at, 0], [at + 50, 0], [at + 50, 70], [at, 70]], float)
    return SpreadCard(tuple(chances.items()), quad, looks(seed))


def counted(*pictures: list[SpreadCard]) -> Counting:
    counting = Counting(TRUT)
    for picture in pictures:
        counting.add(picture)
    return counting


def test_pictures_add_up_to_a_deck():
    half = sorted(TRUT)[:16], sorted(TRUT)[16:]
    counting = counted(*(spread(*cards) for cards in half for _ in range(2)))
    assert counting.check().right
    assert set(counting.crops()) == TRUT


@pytest.mark.parametrize(
    ("pictures", "found"),
    [
        ([spread("KS")], set()),  # it may be on its way
        ([spread("KS"), spread("KS", at=300)], set()),
        ([spread("KS"), spread("QS")], set()),
        ([spread("KS"), spread("KS")], {"KS"}),
        ([spread("KS"), spread("KS"), spread()], {"KS"}),
        ([spread("KS", chance=0.4), spread("KS", chance=0.4)], set()),
        ([spread("KS", "6D"), spread("KS", "6D")], {"KS", "6D"}),
    ],
)
def test_a_card_counts_once_it_lies(pictures, found):
    assert {card.card for card in counted(*pictures).cards.values()} == found


def test_foreign_double_and_unread_cards_are_named():
    picture = [*spread("KS", "KS", "6D", "XJ", "back"), *spread("?", at=200)]
    check = counted(picture, picture).check()
    assert (check.seen, check.foreign, check.doubled) == (("KS",), ("6D", "XJ"), ("KS",))
    assert (check.unread, check.face_down, check.right) == (1, 1, False)
    assert len(check.missing) == 31


@pytest.mark.parametrize(("said", "left"), [("QS", {"QS", "AH"}), (None, {"AH"}), ("AH", {"AH"})])
def test_a_card_that_was_put_right_stays_so_while_it_lies_there(said, left):
    picture = spread("KS", "AH")
    counting = counted(picture, picture)
    (wrong,) = (number for number, card in counting.cards.items() if card.card == "KS")
    assert counting.put_right(wrong, said)
    assert not counting.put_right(99, said)
    for _ in range(3):
        counting.add(picture)
    assert {card.card for card in counting.cards.values()} == left
    counting.start_over()
    assert not counting.cards


DIM = spread("KS", chance=0.4, crop=looks(1))
"""A card that could not be read."""


@pytest.mark.parametrize(
    ("pictures", "unread", "cards"),
    [
        ([DIM], set(), set()),  # it may be on its way
        ([DIM, DIM], {1}, set()),
        ([DIM, DIM, DIM, spread()], {1}, set()),
        ([DIM, DIM, *[spread("KS", crop=looks(1))] * 2], set(), {1: "KS"}),
        ([DIM, DIM, *[spread("7C", crop=looks(1))] * 2], set(), {1: "7C"}),
        ([DIM, DIM, *[spread("7C", crop=looks(2))] * 2], {1}, {2: "7C"}),  # laid there later
        ([*[spread("KS", crop=looks(1))] * 2, DIM, DIM], set(), {1: "KS"}),
        ([spread("KS"), spread("KS"), DIM, DIM], {2}, {1: "KS"}),  # read alike, looks otherwise
        ([spread("7C"), spread("7C"), DIM, DIM], {2}, {1: "7C"}),  # laid there later
    ],
)
def test_a_card_that_cannot_be_read_waits_for_its_name(pictures, unread, cards):
    counting = counted(*pictures)
    assert set(counting.unread) == unread
    assert {number: card.card for number, card in counting.cards.items()} == dict(cards)


@pytest.mark.parametrize(("said", "cards"), [("QS", {"QS"}), (None, set())])
def test_a_card_that_cannot_be_read_is_named_or_left_out(said, cards):
    counting = counted(DIM, DIM)
    assert counting.put_right(1, said)
    for _ in range(3):
        counting.add(DIM)
    assert ({card.card for card in counting.cards.values()}, counting.unread) == (cards, {})
    assert set(counting.crops()) == cards  # a deck is learned from them


@pytest.mark.parametrize("said", ["JC", None])
def test_a_card_that_is_laid_where_one_was_put_right_is_itself(said):
    first, then = spread("KS"), spread("7C")
    counting = counted(first, first)
    (wrong,) = counting.cards
    counting.put_right(wrong, said)
    for picture in (first, first, spread(), then, then):
        counting.add(picture)
    assert {card.card for card in counting.cards.values()} == {"7C"} | ({said} - {None})


KING = may_be(1, KS=0.98, QS=0.01)
LIKE_A_KING = may_be(2, 60, KS=0.7, QS=0.28)
SURELY_A_KING = may_be(2, 60, KS=0.97, QS=0.02)
"""What is read as a king beside the king."""


@pytest.mark.parametrize(
    ("pictures", "cards", "unread", "doubled"),
    [
        ([[KING, LIKE_A_KING]], {"KS": True, "QS": False}, 0, ()),
        ([[LIKE_A_KING], [KING]], {"KS": True, "QS": False}, 0, ()),
        ([[LIKE_A_KING]], {"KS": False}, 0, ()),
        ([[KING, SURELY_A_KING]], {"KS": True}, 1, ("KS",)),
        ([[KING], [SURELY_A_KING]], {"KS": True}, 1, ()),
        ([[KING], [may_be(2, KS=0.97, QS=0.02)]], {"KS": True}, 0, ()),
        ([[KING], [may_be(1, 60, KS=0.97, QS=0.02)]], {"KS": True}, 0, ()),
        ([[KING, may_be(1, 60, KS=0.97)]], {"KS": True}, 1, ("KS",)),
        ([[may_be(1, KS=0.6, QS=0.3)], [may_be(1, QS=0.6, KS=0.3)]], {"QS": False}, 0, ()),
        ([[KING], [may_be(1, QS=0.99)]], {"KS": True, "QS": True}, 0, ()),
    ],
    ids=["it gets the name that is left", "also in another picture", "nothing else has its name",
         "a person is asked", "also in another picture where it looks otherwise",
         "a card that is read the same at the same place is the same",
         "a card that was moved is itself", "unless both lie there",
         "one card is read now this way, now that", "of two that look alike both are sure"],
)  # fmt: skip
def test_no_two_cards_have_one_name_and_none_is_lost(pictures, cards, unread, doubled):
    counting = counted(*(picture for picture in pictures for _ in range(2)))
    assert {each.card: each.sure for each in counting.cards.values()} == cards
    assert (len(counting.unread), counting.check().doubled) == (unread, doubled)


def test_a_card_that_was_read_as_another_one_is_named_by_a_person():
    picture = [KING, SURELY_A_KING]
    counting = counted(picture, picture)
    (number,) = counting.unread
    counting.put_right(number, "QS")
    for _ in range(2):
        counting.add(picture)
        assert {each.card for each in counting.cards.values() if each.sure} == {"KS", "QS"}
        assert (counting.unread, counting.check().doubled) == ({}, ())


def test_of_two_that_lay_there_together_both_wait_for_their_names_when_others_are_laid():
    """A queen that looks like the king, and is surely read as one, is no king that was moved."""
    queen = may_be(1, 60, KS=0.99, QS=0.01)
    counting = counted(*[[queen, KING]] * 2, *[spread("AH", "KH", "QH", at=200)] * 3)
    (number,) = counting.unread
    counting.put_right(number, "KS")  # now the other one is not known
    (other,) = counting.unread
    assert other != number
    counting.put_right(other, "QS")
    assert {"KS", "QS"} < {each.card for each in counting.cards.values() if each.sure}
    assert not counting.unread


FOUR = [may_be(1, QC=0.6), *spread("AS", "KS", "QS", at=200)]
OTHERS = [may_be(1, QC=0.6), *spread("AH", "KH", "QH", at=200)]
"""Four other cards; one of them looks like the one that lay there before."""


@pytest.mark.parametrize(
    ("pictures", "cards", "unread"),
    [
        ([FOUR, FOUR, OTHERS, OTHERS], 7, 1),
        ([*[FOUR] * 2, *[OTHERS] * 3, *[FOUR] * 3, *[OTHERS] * 3], 7, 1),
        ([FOUR, FOUR, [], OTHERS, OTHERS], 7, 1),
        ([FOUR, FOUR, [], FOUR, FOUR], 4, 0),
        ([FOUR, FOUR, FOUR[:2], FOUR, FOUR], 4, 0),
        ([FOUR, FOUR, FOUR[:3], FOUR[:3], FOUR, FOUR], 4, 0),
        ([FOUR, FOUR, [], [], FOUR[1:], FOUR[1:], FOUR, FOUR], 4, 0),
        ([FOUR, FOUR, [], [], OTHERS, OTHERS], 7, 1),
    ],
    ids=[
        "laid at once", "laid again", "taken away before", "a head over all", "over most",
        "a hand that stays", "a head that stays", "taken away long before",
    ],
)  # fmt: skip
def test_a_card_that_looks_like_one_that_lay_there_is_another_once_the_others_are_new(
    pictures, cards, unread
):
    counting = counted(*pictures)
    assert (len(counting.cards), len(counting.unread)) == (cards, unread)


@pytest.mark.parametrize("said", ["JC", None])
def test_what_a_person_said_of_a_card_stays_when_the_cards_are_seen_again_after_a_while(said):
    counting = counted(FOUR, FOUR)
    (number,) = (number for number, each in counting.cards.items() if not each.sure)
    counting.put_right(number, said)
    before = {n: each.card for n, each in counting.cards.items()}
    for picture in ([], [], FOUR, FOUR):
        counting.add(picture)
    assert {n: each.card for n, each in counting.cards.items()} == before
    assert not counting.unread


def test_a_deck_is_complete_whatever_else_lies_there():
    deck = spread(*sorted(TRUT))
    others = [*spread("back", at=200), *spread("KS", at=300, chance=0.2)]
    assert counted(*[[*deck, *others]] * 2).check().right
    assert not counted(*[[*deck[1:], *others]] * 2).check().right
