"""A mirrored picture is noticed, by markers or by cards."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_markers import paper
from vision.mirror import looks_mirrored, mirrored_by_scores
from vision.read import Sighting

BOX = np.zeros((4, 2), np.float32)


class Reader:
    """Reads pictures whose left half is bright as straight, others as mirrored."""

    def __init__(self, straight: list[tuple[str, float]], flipped: list[tuple[str, float]]) -> None:
        self.straight, self.flipped = straight, flipped

    def read(self, frame: np.ndarray) -> list[Sighting]:
        cards = self.straight if frame[0, 0, 0] > 100 else self.flipped
        return [Sighting(BOX, 0.9, (card,)) for card in cards]


@pytest.mark.parametrize("mirrored", [False, True])
def test_by_markers(mirrored: bool) -> None:
    frame = paper((1, 10, (300, 200)), (20, 40, (450, 150)))
    shown = np.ascontiguousarray(frame[:, ::-1]) if mirrored else frame
    assert looks_mirrored(Reader([], []), shown) is mirrored


SURE, UNSURE = [("KS", 0.99), ("7D", 0.97), ("9H", 0.99)], [("KS", 0.5), ("XJ", 0.3)]


@pytest.mark.parametrize(
    ("straight", "flipped", "answer"),
    [
        (SURE, UNSURE, False),
        (UNSURE, SURE, True),
        (SURE, SURE, None),
        (SURE, [], None),
        (SURE[:1], UNSURE[:1], None),
        ([("back", 0.9)] * 4, [("back", 0.2)] * 4, None),
        ([], [], None),
    ],
)
def test_by_cards_that_read_better_flipped(
    straight: list[tuple[str, float]], flipped: list[tuple[str, float]], answer: bool | None
) -> None:
    frame = np.zeros((60, 80, 3), np.uint8)
    frame[:, :40] = 200
    assert looks_mirrored(Reader(straight, flipped), frame) is answer


def test_scores_that_differ_little_tell_nothing() -> None:
    assert mirrored_by_scores([0.95, 0.9], [0.9, 0.85]) is None
