"""A question comes with a picture of what it is about, which shows no card of a hand."""

import numpy as np
import pytest

from tests.vision.tabletop import Tabletop, corners
from vision.belief.proposals import Question
from vision.detection.detections import Detection
from vision.evidence.asked import Views
from vision.opencv import load_opencv

GREY = np.full((720, 1280, 3), 200, np.uint8)
IN_HAND = (30.0, 20.0)
"""A place over the table at which a player holds a card."""


def question(kind: str, card: int | None = None) -> Question:
    return Question(1, kind, 0, (), card, 1.0)


def looked(table: Tabletop, views: Views, *held: Detection) -> None:
    table.run()
    views.see(table.at, GREY, table.table, [*table._detections(), *held])


def seen_in(jpeg: bytes) -> np.ndarray:
    cv2 = load_opencv()
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def lit(jpeg: bytes, x: float, y: float) -> bool:
    """Whether a picture of the whole table (100 by 80 cm) is not blackened at a place."""
    picture = seen_in(jpeg)
    height, width = picture.shape[:2]
    return bool(picture[int((y + 40) * height / 80), int((x + 50) * width / 100)].mean() > 100)


@pytest.fixture
def table() -> Tabletop:
    """Seat 1 has played, and has laid another card before its turn."""
    table = Tabletop("trut", 2, "0 deal 3")
    table.put("KS", at=(0, -25))
    table.run()
    table.put("9D", at=(20, -25))
    return table


@pytest.mark.parametrize(
    ("kind", "place", "may"),
    [
        ("cleared", (0, -25), True),  # what was played
        ("unseen", (0, -25), True),
        ("cleared", (20, -25), False),  # what was not
        ("deal", (20, -25), True),  # shown to those who may answer alone
        ("deal", IN_HAND, False),
        ("cleared", IN_HAND, False),
        ("cleared", (0, 0), True),
    ],
)
def test_a_card_that_was_not_played_is_in_no_picture_that_all_may_see(table, kind, place, may):
    views = Views()
    held = Detection(corners(*IN_HAND, 0.0), 0.9, (("AS", 0.9),))
    looked(table, views, held)
    assert lit(views.of(question(kind)), *place) is may


def test_a_trick_is_shown_as_it_lay_before_it_was_taken_away(table):
    views = Views()
    looked(table, views)
    table.take()
    table.run(3)
    views.see(table.at, np.zeros_like(GREY), table.table, [])
    assert lit(views.of(question("cleared")), 0, -25)
    assert not lit(views.of(question("deal")), 0, -25)


@pytest.mark.parametrize("frame", [0, 1, 2])
def test_a_card_that_is_held_is_not_seen_where_one_frame_missed_it(table, frame):
    """The card is visible in the frame of the trick, but is detected only in the frame beside."""
    views = Views()
    held = Detection(corners(*IN_HAND, 0.0), 0.9, (("AS", 0.9),))
    table.run()
    for number in range(3):
        table.run(0.05)
        found = [held] if number == frame else []
        views.see(table.at, GREY, table.table, [*table._detections(), *found])
    table.take()
    table.run(3)
    views.see(table.at, np.zeros_like(GREY), table.table, [])
    assert not lit(views.of(question("cleared")), *IN_HAND)


def test_a_card_is_shown_from_near_and_outlined(table):
    views = Views()
    looked(table, views)
    card = next(each for each in table.table.cards if each.best == "9D")
    picture = seen_in(views.of(question("early", card.id)))
    assert max(picture.shape[:2]) < 250
    assert (abs(picture.astype(int) - (80, 200, 60)).sum(axis=2) < 60).any()  # green


def test_before_anything_was_seen_there_is_no_picture():
    assert Views().of(question("cleared")) == b""
