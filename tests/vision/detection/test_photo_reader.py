"""A photo is looked at several times: the more looks agree on a card, the surer it is."""

import numpy as np
import pytest

from vision.detection.detections import Detection
from vision.detection.photo_reader import LOOKS, StillReader

BOX = np.array([[0, 0], [63, 0], [63, 90], [0, 90]], np.float32)


class Sees:
    """A reader that returns the detections of the test, look by look."""

    def __init__(self, *looks: list[Detection]) -> None:
        self._looks = iter(looks)
        self.hows = []

    def read(self, picture, *, pack, deck, keep, how):
        self.hows.append(how)
        return next(self._looks, [])


def seen(card: str, chance: float, x: float = 0.0, score: float = 0.9) -> Detection:
    others = (("QS", (1 - chance) / 2), ("9H", (1 - chance) / 2))
    return Detection(BOX + np.float32(x), score, ((card, chance), *others))


DOUBT = Detection(BOX, 0.9, (("JS", 0.5), ("KS", 0.3), ("QS", 0.2)))


@pytest.mark.parametrize(
    ("looks", "card", "least", "most"),
    [
        ([[seen("KS", 0.98)]] * 4, "KS", 0.97, 0.99),  # as sure as each of them
        ([[seen("KS", 0.98)], [seen("KS", 0.98, 4)], [], []], "KS", 0.5, 0.7),  # half overlook it
        ([[seen("KS", 0.98)], [], [], []], "KS", 0.3, 0.5),  # one alone is not believed
        ([[seen("KS", 0.98)]] * 3 + [[DOUBT]], "KS", 0.9, 0.975),  # one doubts
        ([[seen("KS", 0.9)]] * 2 + [[seen("JS", 0.9)]] * 2, None, 0.0, 0.5),  # a draw is not sure
    ],
)
def test_how_sure_several_looks_are(looks, card, least, most):
    (found,) = StillReader(Sees(*looks)).read(np.zeros((90, 90, 3), np.uint8))
    assert least < found.probability < most
    if card:
        assert found.card == card


def test_cards_apart_stay_apart_and_all_looks_are_taken():
    eyes = Sees([seen("KS", 0.9), seen("JS", 0.9, 70)], [seen("JS", 0.9, 72)])
    found = StillReader(eyes).read(np.zeros((90, 190, 3), np.uint8))
    found.sort(key=lambda each: float(each.corners[0, 0]))
    assert [each.card for each in found] == ["KS", "JS"]
    assert eyes.hows == list(LOOKS)


@pytest.mark.parametrize("apart", [11, 12, 13, 18, 45])
def test_cards_that_one_look_tells_apart_are_two(apart):
    """In a fan, the outlines of two cards may cover each other by more than half."""
    looks = [[seen("AS", 0.97), seen("KH", 0.96, apart)]] * len(LOOKS)
    found = StillReader(Sees(*looks)).read(np.zeros((90, 190, 3), np.uint8))
    assert sorted(each.card for each in found) == ["AS", "KH"]
    assert all(0.9 < each.probability < 1 for each in found)


def test_the_outline_is_that_of_the_surest_look():
    eyes = Sees([seen("KS", 0.6)], [seen("KS", 0.95, 5)], [seen("KS", 0.7, 2)])
    (found,) = StillReader(eyes).read(np.zeros((90, 90, 3), np.uint8))
    assert np.array_equal(found.corners, BOX + np.float32(5))
