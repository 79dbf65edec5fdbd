"""All cards of a table have one size; what is outlined otherwise is none of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tabletop import corners, plane
from vision.geometry.card_size import ENOUGH, CardSize
from vision.geometry.table_plane import CARD_CM

PLANE = plane(2)

SPANISH = (0.97, 1.08)
"""Sides of a Spanish card, in those of a French one."""


def scaled(turn: float, wide: float, tall: float) -> np.ndarray:
    """An outline with so many times a French card's sides, about the middle of a card."""
    whole = corners(3, -7, turn)
    middle = whole.mean(axis=0)
    a, b, _, d = whole - middle
    across, down = (b - a) / 2 * wide, (d - a) / 2 * tall
    around = np.array([-across - down, across - down, across + down, down - across])
    return (middle + around).astype(np.float32)


def knowing(wide: float, tall: float, cards: int = ENOUGH, first: int = 0) -> CardSize:
    """A table on which some cards were seen."""
    size = CardSize()
    quads = [PLANE.to_table(scaled(0.7 * number, wide, tall)) for number in range(cards)]
    size.see((first + number, quad) for number, quad in enumerate(quads))
    return size


TURNS = pytest.mark.parametrize("turn", [0.0, 0.6, 1.5, 2.4])


@TURNS
@pytest.mark.parametrize(("wide", "tall"), [(1.0, 1.0), (0.85, 1.0), SPANISH, (1.1, 1.15)])
def test_an_outline_with_a_cards_sides_stays_as_it_is(turn, wide, tall):
    outline = scaled(turn, wide, tall)
    assert np.array_equal(CardSize().whole(outline, PLANE), outline)


@TURNS
@pytest.mark.parametrize(
    ("wide", "tall"), [(0.4, 0.4), (0.7, 0.78), (1.0, 0.75), (1.0, 1.5), (2.0, 2.0)],
    ids=["a figure", "a frame", "most of a card", "two cards", "a book"],
)  # fmt: skip
def test_any_other_outline_is_made_as_large_as_a_card_about_its_middle(turn, wide, tall):
    made = CardSize().whole(scaled(turn, wide, tall), PLANE)
    assert made == pytest.approx(corners(3, -7, turn), abs=0.01)


def test_the_longer_side_of_an_outline_is_a_cards_longer_side():
    made = CardSize().whole(scaled(0.6, 1.0, 0.5), PLANE)  # half of a card lies across
    assert made == pytest.approx(corners(3, -7, 0.6 + np.pi / 2), abs=0.01)


@TURNS
def test_the_size_of_the_deck_is_learned_from_the_cards_that_lie_there(turn):
    size = knowing(*SPANISH)
    assert size.sides == pytest.approx(np.multiply(CARD_CM, SPANISH), abs=0.01)
    whole = scaled(turn, *SPANISH)
    assert np.array_equal(size.whole(whole, PLANE), whole)
    without_its_head = scaled(turn, SPANISH[0], 0.9)
    assert size.whole(without_its_head, PLANE) == pytest.approx(whole, abs=0.01)


def test_few_cards_or_one_that_is_seen_often_tell_no_size():
    quad = PLANE.to_table(scaled(0.0, *SPANISH))
    size = knowing(*SPANISH, cards=ENOUGH - 1)
    size.see((0, quad) for _ in range(20))
    assert size.sides == pytest.approx(CARD_CM)


def test_single_outlines_that_are_wrong_do_not_count():
    size = knowing(1.0, 1.0, cards=5)
    size.see((100 + number, PLANE.to_table(scaled(0.0, 1.2, 0.8))) for number in range(2))
    assert size.sides == pytest.approx(CARD_CM, abs=0.01)


def test_a_point_is_no_outline_and_makes_no_trouble():
    assert np.isfinite(CardSize().whole(np.zeros((4, 2), np.float32), PLANE)).all()
