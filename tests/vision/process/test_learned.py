"""What was learned of a deck goes to the process that owns the match, and to the next one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.vision.detection.test_deck_templates import drawn
from vision.process.learned import changes_to, learned_from

KING, QUEEN, OTHER_KING = drawn(1), drawn(2), drawn(3)


@pytest.mark.parametrize(
    ("before", "learned", "told"),
    [
        ({}, {"KS": KING}, {"KS": True}),
        ({"KS": KING}, {"KS": KING, "QS": QUEEN}, {"QS": True}),
        ({"KS": KING}, {"KS": OTHER_KING}, {"KS": True}),
        ({"KS": KING, "QS": QUEEN}, {"QS": QUEEN}, {"KS": False}),
    ],
    ids=["the first card", "another one", "a newer picture", "a card that was misnamed"],
)
def test_only_what_has_changed_is_told(before, learned, told):
    changes = json.loads(json.dumps(changes_to(learned, before)))
    assert {name: png is not None for name, png in changes.items()} == told
    for name, picture in learned_from({n: png for n, png in changes.items() if png}).items():
        assert np.array_equal(picture, learned[name])
