"""``Mirror`` notices mirrored pictures, by markers or by cards."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.geometry.test_markers import paper
from vision.detection.detections import Detection
from vision.detection.reader import Crops
from vision.geometry.markers import Marker, find_markers
from vision.geometry.mirror import LOOKS, Mirror

CLASSES = ("KS", "7D", "9H", "AC", "10D", "back", "unknown")
PLAIN = np.zeros((720, 1280, 3), np.uint8)


class Reader:
    """Reads a crop with probability ``sure`` if its left half is brighter, else ``doubtful``."""

    classes = CLASSES

    def __init__(self, sure: float = 0.99, doubtful: float = 0.6) -> None:
        self.sure, self.doubtful, self.read = sure, doubtful, 0

    def read_crops(self, crops: list[np.ndarray]) -> Crops:
        self.read += len(crops)
        logits = np.full((len(crops), len(CLASSES)), -30.0, np.float32)
        for row, crop in zip(logits, crops, strict=True):
            half = crop.shape[1] // 2
            bright = crop[:, :half].mean() > crop[:, half:].mean()
            row[0] = np.log(self.sure if bright else self.doubtful)
            row[1] = np.log(1 - np.exp(row[0]))
        return Crops(logits, np.zeros(len(crops), bool))


def table(cards: list[str], *, mirrored: bool) -> tuple[np.ndarray, list[Marker], list[Detection]]:
    """A picture of cards whose left halves are bright; if mirrored, their right halves."""
    frame, detections = PLAIN.copy(), []
    for number, name in enumerate(cards):
        left, top = 60 + 120 * number, 300
        frame[top : top + 90, left : left + 63] = 200
        bright = left + 32 if mirrored else left
        frame[top : top + 90, bright : bright + 31] = 255
        box = [[left, top], [left + 63, top], [left + 63, top + 90], [left, top + 90]]
        detections.append(Detection(np.array(box, np.float32), 0.9, ((name, 0.9),)))
    return frame, [], detections


@pytest.mark.parametrize("mirrored", [False, True])
def test_by_markers_at_once(mirrored: bool) -> None:
    frame = paper((1, 10, (300, 200)), (20, 40, (450, 150)))
    shown = np.ascontiguousarray(frame[:, ::-1]) if mirrored else frame
    mirror = Mirror(Reader())
    mirror.look(shown, find_markers(shown), [])
    assert mirror.mirrored is mirrored


@pytest.mark.parametrize(("cards", "mirrored", "answer"), [
    (["KS", "7D", "9H"], True, True),
    (["KS", "7D", "9H"], False, False),
    (["KS", "7D"], True, None),
    (["back"] * 9, True, None),
    ([], True, None),
])  # fmt: skip
def test_by_cards_that_read_better_one_way(
    cards: list[str], mirrored: bool, answer: bool | None
) -> None:
    mirror = Mirror(Reader())
    for _ in range(50):
        mirror.look(*table(cards, mirrored=mirrored))
    assert mirror.mirrored is answer


def test_cards_that_read_alike_both_ways_tell_nothing_and_are_looked_at_some_times_only() -> None:
    reader = Reader(0.9, 0.9)
    mirror = Mirror(reader)
    for _ in range(20):
        mirror.look(*table(["KS", "7D", "9H", "AC"], mirrored=True))
    assert mirror.mirrored is None
    assert reader.read == 4 * LOOKS * 2


def test_mirroring_that_is_switched_off_is_noticed() -> None:
    mirror = Mirror(Reader())
    for mirrored in (True, False):
        mirror.look(*table(["KS", "7D", "9H"], mirrored=mirrored))
        assert mirror.mirrored is mirrored


def test_a_picture_that_is_straight_is_not_asked_about_again() -> None:
    reader = Reader()
    mirror = Mirror(reader)
    for _ in range(3):
        mirror.look(*table(["KS", "7D", "9H"], mirrored=False))
    assert reader.read == 3 * 2
