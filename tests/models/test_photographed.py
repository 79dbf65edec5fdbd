"""A deck is cut out of labelled photographs."""

from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from datasets.cards.decks import CARD_HEIGHT, open_shelf
from datasets.cards.faces import draw_pack
from datasets.cards.labels import FRENCH_CARDS
from datasets.scenes.photos import PhotoCard
from models.photographed import (
    CARD_WIDTH,
    NAME,
    in_white_light,
    lying_free,
    quality,
    write_deck,
)
from vision.detection.detections import Detection

SIZE = (960, 720)


def _detection(x: float, y: float, width: float = 100, height: float = 140) -> Detection:
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return Detection(corners + np.array([x, y], np.float32), 0.9, (("2C", 0.9),))


def _label(card: str, x: float, y: float, width: float = 100, height: float = 140) -> PhotoCard:
    return PhotoCard(card, (x, y, x + width, y + height))


@pytest.mark.parametrize(
    ("labels", "detections", "free"),
    [
        ([_label("KS", 10, 10)], [_detection(10, 10)], ["KS"]),
        ([_label("KS", 10, 10)], [_detection(300, 10)], []),
        (  # another card lies on it
            [_label("KS", 10, 10), _label("9H", 60, 20)],
            [_detection(10, 10), _detection(60, 20)],
            [],
        ),
        (
            [_label("KS", 10, 10), _label("9H", 200, 10)],
            [_detection(200, 10), _detection(10, 10)],
            ["9H", "KS"],
        ),
        ([_label("KS", 10, 10, 100, 110)], [_detection(10, 10, 100, 110)], []),  # from the side
    ],
)
def test_the_label_alone_says_which_card_lies_free(
    labels: list, detections: list, free: list
) -> None:
    kept = [card for card, _ in lying_free(tuple(labels), detections, SIZE)]
    assert sorted(kept) == sorted(free)


def _printed() -> np.ndarray:
    face = np.full((CARD_HEIGHT, CARD_WIDTH, 3), 200, np.uint8)
    cv2.putText(face, "K", (40, 200), cv2.FONT_HERSHEY_SIMPLEX, 5, (0, 0, 0), 8)
    return face


def test_sharp_pictures_are_better_than_blurred_or_drowned_ones() -> None:
    sharp = _printed()
    blurred = cv2.blur(sharp, (9, 9))
    drowned = np.where(sharp > 100, 255, sharp).astype(np.uint8)
    assert quality(sharp) > quality(blurred) > 0
    assert quality(sharp) > quality(drowned)


def test_the_paper_of_all_cards_becomes_equally_white() -> None:
    yellow_and_dim = (_printed() * np.array([0.5, 0.7, 0.8])).astype(np.uint8)
    white = in_white_light(yellow_and_dim)
    assert white[5, 5].tolist() == [245, 245, 245]
    assert white.min() == 0


def test_the_cache_is_a_shelf_whose_one_deck_films_are_made_of(tmp_path: Path) -> None:
    write_deck(dict.fromkeys(FRENCH_CARDS, _printed()), tmp_path)
    pack = draw_pack(open_shelf(tmp_path), "french", "test", Random(1))
    assert pack.deck.name == NAME
    assert set(pack.cards) == set(FRENCH_CARDS)
    face = pack.face("KS")
    assert face.shape == (CARD_HEIGHT, CARD_WIDTH, 4)
    assert face[0, 0, 3] == 0  # round corners
    assert face[CARD_HEIGHT // 2, CARD_WIDTH // 2, 3] == 255
