"""What the watching process reports in set-up, and whether players may hold cards."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scorekeeper.engine.header import Header
from tests.vision.tabletop import Tabletop, plane
from vision.detection.detections import Detection
from vision.detection.spread import are_dealt
from vision.geometry.table_plane import turned
from vision.process.status import LaidCard, Report, cards_face_up, may_be_held, spots

SIZE = (1280, 720)
HEADER = Header(game="trut", seats=("Ana", "Bea"))


@pytest.mark.parametrize(
    ("seats", "turn", "wanted"),
    [
        (2, 0, "near far"),
        (2, 1, "left right"),
        (4, 0, "near left far right"),
        (4, 1, "left far right near"),
    ],
)
def test_names_stand_before_their_seats(seats, turn, wanted):
    def side(x: float, y: float) -> str:
        if abs(x - 0.5) > abs(y - 0.5):
            return "left" if x < 0.5 else "right"
        return "far" if y < 0.5 else "near"

    found = spots(turned(plane(seats), turn), SIZE)
    assert " ".join(side(*spot) for spot in found) == wanted


def test_names_stay_in_the_picture():
    outside = plane(2)
    outside = type(outside)(outside.homography, outside.outline * 3, 2)
    assert all(0 < x < 1 and 0 < y < 1 for x, y in spots(outside, SIZE))


def test_cards_face_up_are_told_from_left_to_right_with_their_seats():
    table = Tabletop("trut", 2)
    table.put("KS", 0)
    table.put("7H", at=(-20.0, -20.0))
    table.put("back", at=(20.0, 20.0))
    table.run(1)
    told = cards_face_up(table.table.cards, plane(2))
    assert [(card.card, card.seat) for card in told] == [("7H", 1), ("KS", 0)]
    assert all(card.chance > 0.9 for card in told)
    table.take("KS")
    table.run(1.5)
    assert [card.card for card in cards_face_up(table.table.cards, plane(2))] == ["7H"]


@pytest.mark.parametrize(
    ("before", "after", "held"),
    [
        ([], [], False),
        (["KS", "7H"], [], False),  # the cards of the last hand
        (["KS"], ["AD"], True),  # a trick may have begun
        (["back"], [], False),  # the pack
        ([], ["back"], False),
        (["back"], ["back#2"], True),
        ([], ["back", "back#2"], True),
    ],
)
def test_a_hand_may_be_on_though_nobody_has_told_of_it(before, after, held):
    table = Tabletop("trut", 2)
    places = iter([(-30.0, -25.0), (30.0, -25.0), (30.0, 25.0), (-30.0, 25.0)])
    for card in before:
        table.put(card, at=next(places))
    table.run(2)
    over = table.at
    for card in after:
        table.put(card, at=next(places))
    table.run(2)
    assert may_be_held(table.table.cards, over) == held


def test_news_come_through_the_wire():
    news = {
        "spots": [(0.5, 0.9), (0.5, 0.1)], "laid": [LaidCard("KS", 0.9, None)], "came": 3,
        "held": True, "known": 7, "marked": True, "size": [1280, 720],
    }  # fmt: skip
    report = Report().after(json.loads(json.dumps(news)), HEADER)
    assert report == Report(
        alive=True, spots=((0.5, 0.9), (0.5, 0.1)), laid=(LaidCard("KS", 0.9, None),), came=3,
        held=True, known=7, marked=True, size=(1280, 720),
    )  # fmt: skip
    assert report.after({"laid": []}, HEADER).spots == report.spots
    assert np.shape(report.spots) == (2, 2)


@pytest.mark.parametrize(
    ("cards", "dealt"),
    [
        ("7S KS QH 10D", False),
        ("7S back KS", False),  # the rest of the deck lies there
        ("back back", True),
        ("", False),
    ],
)
def test_of_a_deck_that_is_shown_one_heap_lies_face_down_at_most(cards, dealt):
    quad = np.array([[0, 0], [50, 0], [50, 70], [0, 70]], np.float32)
    seen = [Detection(quad, 0.9, ((card, 0.9),)) for card in cards.split()]
    assert are_dealt(seen) is dealt
