"""In a kept picture, the faces of cards that were not played are covered."""

from types import SimpleNamespace

import numpy as np
import pytest

from vision.detection.detections import Detection
from vision.evidence.recorder import faces_of

QUAD = np.float32([[0, 0], [40, 0], [40, 60], [0, 60]])


@pytest.mark.parametrize(
    ("down", "played", "reads", "hidden"),
    [
        (False, True, "KS", []),
        (False, False, "KS", [7]),
        (True, False, "KS", [None]),  # its owner has lifted it to look at it
        (True, False, "back", []),
        (False, True, "AS", [None]),
    ],
    ids=["played", "not played", "lifted", "face down", "another is held above it"],
)
def test_a_face_that_was_not_played_is_covered(down, played, reads, hidden) -> None:
    card = SimpleNamespace(id=7, down=down, corners=QUAD, best="KS")
    seen = Detection(QUAD + 2, 0.9, ((reads, 0.98),))
    found = faces_of([card], {7} if played else (), [seen])  # type: ignore[list-item]
    assert [number for number, _ in found] == hidden
