"""``OneDeck`` reads the photos of one deck together: each card helps to read the others."""

import numpy as np
import pytest

from tests.vision.detection.test_known_back import BOOK, RED
from vision.detection.detections import Detection
from vision.detection.one_deck import OneDeck

WHERE = np.array([[0, 0], [160, 0], [160, 224], [0, 224]], np.float32)


def photo(*cards):
    """A photo with cards in a row; for each card, its crop (or None) and its readings."""
    picture = np.full((224, 160 * len(cards), 3), 90, np.uint8)
    for place, (crop, _) in enumerate(cards):
        if crop is not None:
            picture[:, 160 * place : 160 * (place + 1)] = crop
    detections = [
        Detection(WHERE + np.float32([160 * place, 0]), 0.9, tuple(readings.items()))
        for place, (_, readings) in enumerate(cards)
    ]
    return picture, detections


def read(*photos):
    deck = OneDeck()
    for picture, detections in photos:
        deck.add(picture, detections)
    return [[each.card for each in detections] for detections in deck.read()]


ROOT = (None, {"10E": 0.95, "10S": 0.02})
DOUBT = (None, {"QS": 0.5, "11E": 0.4})
KING = (None, {"KS": 0.9, "12E": 0.05})
BACK, BACK_AGAIN, THING = (RED, {"back": 0.9}), (RED, {"back": 0.7}), (BOOK, {"back": 0.7})


@pytest.mark.parametrize(
    ("photos", "cards"),
    [
        ([[DOUBT]], [["QS"]]),
        ([[DOUBT, ROOT, ROOT]], [["11E", "10E", "10E"]]),
        ([[DOUBT], [ROOT], [ROOT]], [["11E"], ["10E"], ["10E"]]),
        ([[KING, KING], [ROOT, ROOT, ROOT]], [["KS", "KS"], ["10E", "10E", "10E"]]),
        ([[KING, KING, ROOT]], [["KS", "KS", "10E"]]),
        ([[BACK, BACK_AGAIN, THING]], [["back", "back"]]),
        ([[BACK, KING], [BACK_AGAIN], [THING, KING]], [["back", "KS"], ["back"], ["KS"]]),
        ([[THING]], [["back"]]),
        ([[]], [[]]),
        ([], []),
    ],
    ids=[
        "a card alone", "beside Spanish cards", "beside photos of Spanish cards",
        "photos of two decks", "one card of another deck", "a thing beside backs",
        "a thing in another photo", "what is not known better stays", "no card", "no photo",
    ],
)  # fmt: skip
def test_cards_are_read_as_those_of_one_deck(photos, cards):
    assert read(*(photo(*each) if each else (RED, []) for each in photos)) == cards


def test_a_face_is_as_likely_as_ever_and_few_readings_are_kept():
    deck = OneDeck()
    deck.add(*photo(DOUBT, ROOT, ROOT))
    first = deck.read(keep=2)[0][0]
    assert len(first.readings) == 2
    assert sum(p for _, p in first.readings) == pytest.approx(0.9)


@pytest.mark.parametrize("others", [[], [BACK]], ids=["by itself", "beside a back"])
def test_a_card_beside_no_other_face_is_as_sure_as_it_was(others):
    deck = OneDeck()
    deck.add(*photo(DOUBT, *others))
    assert dict(deck.read()[0][0].readings) == pytest.approx(DOUBT[1])
