"""``DeckBack``: once the back of the deck is known, things that look different are no backs."""

import cv2
import numpy as np
import pytest

from vision.detection.detections import Detection
from vision.detection.known_back import (
    ANOTHER,
    FEWEST,
    LEAST,
    MOST,
    DeckBack,
    appearance_of,
    logits,
    of_one_deck,
)


def back(seed, colour=(60, 60, 200)):
    """A patterned back of one colour."""
    spots = np.random.default_rng(seed).uniform(0.4, 1.0, (12, 8, 1))
    spots = cv2.resize(np.repeat(spots, 3, axis=2), (160, 224), interpolation=cv2.INTER_CUBIC)
    return np.clip(spots * np.array(colour), 0, 255).astype(np.uint8)


RED, BLUE, BOOK = back(1), back(2, (200, 80, 60)), back(3, (60, 180, 120))


def shaded(crop):
    return (crop * np.linspace(0.6, 1.0, 224)[:, None, None]).astype(np.uint8)


@pytest.mark.parametrize(
    ("crop", "same"),
    [(RED, True), (RED[::-1, ::-1], True), (shaded(RED), True), (BLUE, False), (BOOK, False)],
    ids=["itself", "the other way up", "in a shadow", "another back", "a book"],
)
def test_a_back_is_told_from_what_looks_otherwise(crop, same):
    (((logit,),)) = logits(appearance_of([RED]), appearance_of([crop]))
    assert LEAST <= logit <= MOST
    assert logit > 2 if same else logit < -2


@pytest.mark.parametrize(
    ("crops", "chances", "known", "backs"),
    [
        ([RED], [0.6], None, [True]),
        ([RED, shaded(RED), BOOK], [0.9, 0.9, 0.8], None, [True, True, False]),
        ([BOOK, shaded(BOOK)], [0.4, 0.4], None, [False, False]),
        ([BOOK, BLUE], [0.6, 0.6], None, [False, False]),
        ([BOOK], [0.9], RED, [False]),
        ([shaded(RED), BOOK], [0.6, 0.9], RED, [True, False]),
        ([BLUE, shaded(BLUE), BLUE[::-1, ::-1]], [0.95] * 3, RED, [True, True, True]),
    ],
    ids=[
        "one alone is what it was read as", "a thing beside two alike",
        "a thing that is seen twice", "of two that differ neither is sure",
        "a thing where the back is known", "a known back that is read worse than a thing",
        "the deck was changed for another one",
    ],
)  # fmt: skip
def test_all_backs_of_a_deck_are_alike(crops, chances, known, backs):
    shown = None if known is None else appearance_of([known])
    told = of_one_deck(chances, appearance_of(crops), shown)
    assert [chance >= 0.5 for chance in told] == backs


@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
def test_one_thing_alone_is_a_back_with_the_chance_it_has(chance):
    (told,) = of_one_deck([chance], appearance_of([RED]))
    assert told == pytest.approx(chance, abs=1e-5)
    assert 0 < ANOTHER < 0.5


@pytest.mark.parametrize(
    ("crop", "readings", "wanted"),
    [
        (RED, {"9C": 0.6, "back": 0.4}, "back"),
        (shaded(RED), {"9C": 0.9, "back": 0.1}, "back"),
        (BOOK, {"9C": 0.5, "back": 0.5 - 1e-6}, "9C"),
        (RED, {"9C": 0.99, "back": 0.01}, "9C"),
    ],
    ids=["as the deck's back", "in a shadow", "otherwise", "a face without doubt"],
)
def test_a_face_that_looks_like_the_decks_back_is_a_back(crop, readings, wanted):
    known = DeckBack()
    known.learn([RED] * FEWEST)
    height, width = crop.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    (told,) = known.weigh(crop, [Detection(corners, 0.9, tuple(readings.items()))])
    assert told.card == wanted
    assert sum(chance for _, chance in told.readings) == pytest.approx(1)
    assert list(told.readings) == sorted(told.readings, key=lambda each: -each[1])
