"""Cards are drawn into a picture with their names, and with a probability if they are not sure."""

import cv2
import numpy as np
import pytest

from vision.evidence.draw import SURE, UNSURE, draw_table
from vision.tracking.tracked_card import TrackedCard

GROUND = (30, 30, 30)


@pytest.mark.parametrize(
    ("evidence", "colour", "wide"),
    [({"KS": 9.0}, SURE, False), ({"KS": 1.0, "JS": 0.5}, UNSURE, True)],
    ids=["sure", "unsure"],
)
def test_a_card_bears_its_name_and_only_where_it_is_unsure_how_likely_it_is(evidence, colour, wide):
    quad = np.array([[100, 100], [226, 100], [226, 276], [100, 276]], np.float32)
    card = TrackedCard(
        id=1, place=(163.0, 188.0), turn=0.0, came=None, quad=quad, corners=quad, evidence=evidence,
        detections=5, since=0.0, appeared=0.0, seen=0.0, missing=0.0,
    )  # fmt: skip
    drawn = draw_table(np.full((400, 400, 3), 255, np.uint8), [card], None)
    assert (drawn == colour).all(axis=2).any()
    width = cv2.boundingRect((drawn == GROUND).all(axis=2).astype(np.uint8))[2]
    assert (width > 40) == wide
