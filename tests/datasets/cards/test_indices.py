"""Where and how large indices are printed."""

from random import Random

import numpy as np
import pytest

from datasets.cards.decks import CARD_HEIGHT
from datasets.cards.faces import blank_card
from datasets.cards.indices import SMALL, IndexStyle, draw_style, print_indices

BLACK = (0, 0, 0)


def _style(tall: float, *, four: bool = False, beside: bool = False) -> IndexStyle:
    return IndexStyle(tall, four, beside, 0.6, 0.04, 0.04, 0.43, "pips")


def _printed(style: IndexStyle) -> np.ndarray:
    """The ink of a card on which rank and sign are black boxes."""
    card = blank_card(Random(1), 280, (255, 255, 255))
    print_indices(
        card, style, np.full((96, 60), 255, np.uint8), np.full((96, 96), 255, np.uint8), BLACK
    )
    return (card[..., :3].max(axis=2) < 40) & (card[..., 3] > 200)


def _corners(ink: np.ndarray) -> list[bool]:
    y, x = ink.shape[0] // 2, ink.shape[1] // 2
    return [bool(part.any()) for part in (ink[:y, :x], ink[:y, x:], ink[y:, x:], ink[y:, :x])]


@pytest.mark.parametrize(
    ("four", "corners"), [(False, [True, False, True, False]), (True, [True] * 4)]
)
def test_an_index_stands_in_two_corners_or_in_four(four: bool, corners: list[bool]) -> None:
    ink = _printed(_style(0.1, four=four))
    assert _corners(ink) == corners
    assert np.abs(ink.astype(int) - ink[::-1, ::-1].astype(int)).mean() < 0.01


def test_a_right_corners_letters_are_not_mirrored() -> None:
    card = blank_card(Random(1), 280, (255, 255, 255))
    half = np.zeros((96, 60), np.uint8)
    half[:, :20] = 255  # its left third is ink
    print_indices(card, _style(0.1, four=True), half, np.zeros((96, 96), np.uint8), BLACK)
    upper = card[: CARD_HEIGHT // 4, :, :3].max(axis=2) < 40
    left, right = upper[:, :140], upper[:, 140:]
    for side in (left, right):
        columns = np.nonzero(side.any(axis=0))[0]
        assert columns.max() - columns.min() < 14
    assert np.nonzero(right.any(axis=0))[0].mean() < 140 - np.nonzero(left.any(axis=0))[0].mean()


@pytest.mark.parametrize("tall", [0.04, 0.1, 0.3, 0.42])
def test_a_rank_is_as_tall_as_its_style_says_and_ends_in_its_half(tall: float) -> None:
    ink = _printed(_style(tall, beside=True))
    rows = np.nonzero(ink[: CARD_HEIGHT // 2].any(axis=1))[0]
    assert rows.max() - rows.min() == pytest.approx(CARD_HEIGHT * tall, abs=3)
    assert rows.max() < CARD_HEIGHT / 2 - 4


def test_indices_are_of_many_sizes_and_large_ones_take_the_pips_room() -> None:
    styles = [draw_style(Random(seed)) for seed in range(300)]
    tall = [style.tall for style in styles]
    assert min(tall) < 0.05
    assert max(tall) > 0.38
    jumbo = [style for style in styles if style.jumbo]
    assert 30 < len(jumbo) < 90
    assert {style.body for style in jumbo} == {"pips", "none", "one", "other"}
    usual = [style for style in styles if not style.jumbo]
    assert sum(style.body == "pips" for style in usual) > 0.8 * len(usual)


def test_where_the_index_is_small_the_pips_tell_the_number() -> None:
    styles = [draw_style(Random(seed)) for seed in range(600)]
    assert {style.body for style in styles if style.tall < SMALL} == {"pips"}
    assert {style.body for style in styles} == {"pips", "none", "one", "other"}


def test_in_training_more_numbers_stand_beside_one_pip() -> None:
    usual, trained = (
        [draw_style(Random(seed), trained=each) for seed in range(900)] for each in (False, True)
    )
    ones = [sum(style.body == "one" for style in styles) for styles in (usual, trained)]
    assert ones[1] > 1.5 * ones[0]
    assert [style.tall for style in usual] == [style.tall for style in trained]
