"""The models that ship read cards that are drawn here."""

from pathlib import Path

import numpy as np
import pytest

from models.bench import CARDS, six_cards
from vision.detection.crops import flatten
from vision.detection.deck_templates import KnownDeck
from vision.detection.reader import CardReader, How

WEIGHTS = Path(__file__).parents[3] / "vision" / "weights"


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader(WEIGHTS, threads=1)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_six_cards_are_read(reader: CardReader, seed: int) -> None:
    frame, outlines = six_cards(None, seed)
    detections = reader.read(frame)
    assert sorted(detection.card for detection in detections) == sorted(CARDS)
    for detection in detections:
        middle = detection.corners.mean(axis=0)
        gaps = [np.linalg.norm(corners.mean(axis=0) - middle) for corners in outlines]
        assert CARDS[int(np.argmin(gaps))] == detection.card
        assert min(gaps) < 6


@pytest.mark.parametrize("turn", range(4))
def test_a_frame_that_is_turned_for_the_finder_gives_the_same_cards(
    reader: CardReader, turn: int
) -> None:
    frame, outlines = six_cards(None, 0)
    detections = reader.read(frame[:, :1000], how=How(turn, 416))
    inside = [place for place, each in enumerate(outlines) if each[:, 0].max() < 990]
    assert sorted(each.card for each in detections) == sorted(CARDS[place] for place in inside)
    for detection in detections:
        corners = outlines[CARDS.index(detection.card)]
        ends = corners, np.roll(corners, 2, axis=0)  # a ten looks the same upside down
        assert min(np.abs(detection.corners - each).max() for each in ends) < 12


def test_a_deck_that_was_shown_makes_the_reader_surer(reader: CardReader) -> None:
    frame, outlines = six_cards(None, 0)
    deck = KnownDeck(CARDS, [flatten(frame, corners) for corners in outlines])
    other, _ = six_cards(None, 1)
    alone, helped = reader.read(other), reader.read(other, deck=deck)
    assert sorted(detection.card for detection in helped) == sorted(CARDS)
    assert sum(s.probability for s in helped) > sum(s.probability for s in alone)


def test_an_empty_table_has_no_cards(reader: CardReader) -> None:
    assert reader.read(np.full((720, 1280, 3), 60, np.uint8)) == []
