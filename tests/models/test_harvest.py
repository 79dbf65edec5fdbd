"""Labelled boxes and found corners."""

import numpy as np
import pytest

from datasets.photos import PhotoCard
from models.harvest import assign, overlap
from vision.locate import Found


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ((0, 0, 10, 10), (0, 0, 10, 10), 1.0),
        ((0, 0, 10, 10), (5, 0, 15, 10), 1 / 3),
        ((0, 0, 10, 10), (10, 0, 20, 10), 0.0),
        ((0, 0, 10, 10), (30, 30, 40, 40), 0.0),
    ],
)
def test_overlap(first: tuple, second: tuple, share: float) -> None:
    assert overlap(first, second) == pytest.approx(share)


def _found(x: float, y: float) -> Found:
    corners = np.array([[0, 0], [50, 0], [50, 80], [0, 80]], np.float32)
    return Found(corners + np.array([x, y], np.float32), 0.9)


def test_only_what_fills_a_box_is_kept_and_once() -> None:
    labels = (PhotoCard("KS", (0, 0, 52, 80)), PhotoCard("9H", (100, 0, 152, 82)))
    found = [_found(0, 0), _found(2, 3), _found(130, 20)]
    pairs = assign(labels, found, (200, 100))
    assert [(label.card, card) for label, card in pairs] == [("KS", found[0])]


def test_a_card_that_leaves_the_picture_is_compared_by_what_is_inside() -> None:
    labels = (PhotoCard("KS", (0, 0, 30, 80)),)
    assert len(assign(labels, [_found(-20, 0)], (200, 100))) == 1
