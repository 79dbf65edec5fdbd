"""Detected outlines are matched with labelled boxes."""

import numpy as np
import pytest

from datasets.scenes.photos import PhotoCard
from models.harvest import assign, elsewhere, only_card, overlap
from vision.detection.outlines import Found


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


def _outline(x: float, y: float, width: float, height: float, score: float) -> Found:
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return Found(corners + np.array([x, y], np.float32), score)


@pytest.mark.parametrize(
    ("outlines", "chosen"),
    [
        ([(40, 40, 130, 210, 0.8), (60, 90, 70, 110, 0.9)], 0),  # the surer one is only a part
        ([(40, 40, 130, 210, 0.8), (0, 0, 190, 290, 0.1)], 0),  # the larger one is hardly sure
        ([(0, 0, 225, 100, 0.9), (40, 40, 130, 210, 0.6)], 1),  # no card's shape
        ([(40, 40, 30, 50, 0.9)], None),  # too small
    ],
)
def test_the_only_card_is_the_largest_sure_outline(
    outlines: list[tuple[float, float, float, float, float]], chosen: int | None
) -> None:
    found = [_outline(*each) for each in outlines]
    only = only_card(found, (225, 300))
    assert only is None if chosen is None else only is not None
    if only is not None and chosen is not None:
        assert np.array_equal(only.corners, found[chosen].corners)


def test_the_only_card_stands_upright() -> None:
    upside_down = Found(np.roll(_outline(40, 40, 130, 210, 1).corners, 2, axis=0), 0.9)
    only = only_card([upside_down], (225, 300))
    assert only is not None
    assert only.corners[0].tolist() == [40, 40]


def test_an_outline_that_touches_no_label_is_of_no_card() -> None:
    labels = (PhotoCard("KS", (0, 0, 52, 80)),)
    found = [
        _outline(0, 0, 50, 80, 0.9),
        _outline(30, 0, 50, 80, 0.3),
        _outline(90, 0, 50, 80, 0.2),
    ]
    assert elsewhere(labels, found, (200, 100)) == [found[2]]
