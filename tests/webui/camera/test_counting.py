"""A deck is counted as it is laid before the camera, and its cards get their names."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.engine.match import start
from tests.webui.phones import header
from vision.belief.context import pack_of
from vision.detection.spread import SpreadCard
from webui.camera.counting import Counting

TRUT = pack_of(start(header("trut", remarks={"_suits": "french"})))
CROP = cv2.imencode(".png", np.full((160, 112, 3), 250, np.uint8))[1].tobytes()


def spread(*cards: str, at: float = 0.0, chance: float = 0.99) -> list[SpreadCard]:
    """Cards in a row, each of 50 by 70 pixels."""
    quad = np.array([[0, 0], [50, 0], [50, 70], [0, 70]], float)
    return [
        SpreadCard(((card, chance),), quad + np.array([60.0 * number, at]), CROP)
        for number, card in enumerate(cards)
    ]


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


DIM = spread("KS", chance=0.4)
"""A card that could not be read."""


@pytest.mark.parametrize(
    ("pictures", "unread", "cards"),
    [
        ([DIM], set(), set()),  # it may be on its way
        ([DIM, DIM], {1}, set()),
        ([DIM, DIM, DIM, spread()], {1}, set()),
        ([DIM, DIM, spread("KS"), spread("KS")], set(), {1: "KS"}),
        ([DIM, DIM, spread("7C"), spread("7C")], set(), {1: "7C"}),
        ([spread("KS"), spread("KS"), DIM, DIM], set(), {1: "KS"}),
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


@pytest.mark.parametrize("said", ["QS", None])
def test_a_card_that_is_laid_where_one_was_put_right_is_itself(said):
    first, then = spread("KS"), spread("7C")
    counting = counted(first, first)
    (wrong,) = counting.cards
    counting.put_right(wrong, said)
    for picture in (first, first, spread(), then, then):
        counting.add(picture)
    assert {card.card for card in counting.cards.values()} == {"7C"} | ({said} - {None})
