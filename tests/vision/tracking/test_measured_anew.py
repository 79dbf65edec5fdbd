"""If a table is measured anew, as by its first card, the tracked cards have not moved."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.test_tracker import kinds, watched
from vision.tracking.covered import covered_by


def test_cards_lie_on_where_only_the_table_was_measured_anew():
    table = watched()
    for number in range(3):
        table.put(f"back#{number}", at=(-10 + 8 * number, -20))
    table.put("KS", at=(20, 14), turn=0.7)
    table.run(2)
    before, seen = {card.id: card.place for card in table.table.cards}, kinds(table)
    plane, grown = table.table.plane, np.diag([1.3, 1.2, 1])
    table.table.plane = replace(
        plane, homography=grown @ plane.homography, outline=plane.outline * (1.3, 1.2)
    )
    table.run(2)
    assert kinds(table) == seen
    for card in table.table.cards:
        x, y = before[card.id]
        assert card.place == pytest.approx((1.3 * x, 1.2 * y), abs=0.1)


def test_a_card_under_a_hand_lies_on_where_the_camera_was_nudged():
    table = watched()

    def rests_a_hand(left, right):
        mask = np.zeros((720, 1280), bool)
        mask[450:, left:right] = True
        table.covered = covered_by(mask)
        table.run(2)

    table.put("KS", at=(0, 20))
    table.run(1)
    table.unseen.add("KS")
    rests_a_hand(590, 690)
    plane = table.table.plane
    back = np.array([[1, 0, -80], [0, 1, 0], [0, 0, 1]])
    table.table.plane = replace(plane, homography=plane.homography @ back)
    rests_a_hand(670, 770)
    assert [card.best for card in table.table.cards] == ["KS"]
