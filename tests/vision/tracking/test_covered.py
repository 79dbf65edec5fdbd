"""A card under a hand is misread: such readings do not count for it or for a card laid onto it."""

import numpy as np
import pytest

from tests.vision.tabletop import Tabletop
from tests.vision.tracking.test_tracker import kinds, watched
from vision.tracking.covered import covered_by


def a_hand_covers(table: Tabletop, part: float) -> None:
    """From now on a hand covers this share of each card, from its left edge."""
    mask = np.zeros((720, 1280), bool)
    for detection in table._detections():
        left, right = detection.corners[:, 0].min(), detection.corners[:, 0].max()
        mask[:, int(left) : int(left + part * (right - left))] = True
    table.covered = covered_by(mask)


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_a_hand_that_rests_on_a_card_makes_it_no_back(part):
    table = watched()
    card = table.put("KS", at=(0, 20), turn=0.0, KS=0.999)
    table.run(2)
    a_hand_covers(table, part)
    table.cards[card][4] = {"back": 0.9, "KS": 0.1}
    table.run(0.5)
    a_hand_covers(table, 0)
    table.cards[card][4] = {"KS": 0.999}
    table.run(3)
    assert kinds(table) == [("appeared", "KS")]


@pytest.mark.parametrize("early", [0.6, 0.85, 0.95])
def test_a_card_that_is_laid_exactly_on_another_is_found_though_it_was_seen_under_fingers(early):
    table = watched()
    lower = table.put("KS", at=(0, 20), turn=0.1, KS=0.999)
    a_hand_covers(table, 0)
    table.run(2)
    a_hand_covers(table, 0.5)
    table.take(lower)
    upper = table.put("QD", at=(0.1, 20.1), turn=0.12, QD=early, KS=0.02)
    table.run(0.1)
    a_hand_covers(table, 0)
    table.cards[upper][4] = {"QD": 0.999}
    table.run(3)
    assert kinds(table) == [("appeared", "KS"), ("appeared", "QD")]
