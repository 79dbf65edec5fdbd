"""All cards of a table have one size; what is outlined otherwise is none of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tabletop import corners, plane
from vision.geometry.card_size import with_a_cards_sides

PLANE = plane(2)


def scaled(x: float, y: float, turn: float, wide: float, tall: float) -> np.ndarray:
    """An outline with so many times a card's sides, about the middle of a card."""
    whole = corners(x, y, turn)
    middle = whole.mean(axis=0)
    a, b, _, d = whole - middle
    across, down = (b - a) / 2 * wide, (d - a) / 2 * tall
    around = np.array([-across - down, across - down, across + down, down - across])
    return (middle + around).astype(np.float32)


@pytest.mark.parametrize("turn", [0.0, 0.6, 1.5, 2.4])
@pytest.mark.parametrize(("wide", "tall"), [(1.0, 1.0), (0.85, 1.0), (0.97, 1.08), (1.1, 1.15)])
def test_an_outline_with_a_cards_sides_stays_as_it_is(turn, wide, tall):
    outline = scaled(3, -7, turn, wide, tall)
    assert np.array_equal(with_a_cards_sides(outline, PLANE), outline)


@pytest.mark.parametrize("turn", [0.0, 0.6, 1.5, 2.4])
@pytest.mark.parametrize(
    ("wide", "tall"), [(0.4, 0.4), (0.7, 0.8), (1.0, 0.75), (1.0, 1.5), (2.0, 2.0)],
    ids=["a figure", "a frame", "most of a card", "two cards", "a book"],
)  # fmt: skip
def test_any_other_outline_is_made_as_large_as_a_card_about_its_middle(turn, wide, tall):
    made = with_a_cards_sides(scaled(3, -7, turn, wide, tall), PLANE)
    assert made == pytest.approx(corners(3, -7, turn), abs=0.01)


def test_the_longer_side_of_an_outline_is_a_cards_longer_side():
    half = scaled(3, -7, 0.6, 1.0, 0.5)  # lies across
    made = with_a_cards_sides(half, PLANE)
    assert made == pytest.approx(corners(3, -7, 0.6 + np.pi / 2), abs=0.01)


def test_a_point_is_no_outline_and_makes_no_trouble():
    assert np.isfinite(with_a_cards_sides(np.zeros((4, 2), np.float32), PLANE)).all()
