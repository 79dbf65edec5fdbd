"""Outlines of cards are found in the maps that the finder's network makes."""

import numpy as np
import pytest

from vision.detection.outlines import (
    OUTLINE_SCALE,
    STRIDE,
    Fit,
    decode,
    fit,
    outline_corners,
    outline_numbers,
)


@pytest.mark.parametrize(
    ("shape", "longest", "expected", "scale"),
    [
        ((720, 1280), 640, (384, 640), 0.5),
        ((480, 640), 640, (480, 640), 1.0),
        ((504, 378), 448, (448, 352), 448 / 504),
        ((1, 1000), 320, (32, 320), 0.32),
    ],
)
def test_a_frame_is_fitted_to_whole_cells(
    shape: tuple[int, int], longest: int, expected: tuple[int, int], scale: float
) -> None:
    picture, fitted = fit(np.zeros((*shape, 3), np.uint8), longest)
    assert picture.shape == (*expected, 3)
    assert fitted.scale == pytest.approx(scale)


def _maps(*cards: tuple[int, int, float]) -> tuple[np.ndarray, np.ndarray]:
    heat, outlines = np.zeros((20, 20), np.float32), np.zeros((8, 20, 20), np.float32)
    for row, column, score in cards:
        heat[row, column] = score
        quad = np.array([[-20, -30], [20, -30], [20, 30], [-20, 30]], np.float32)
        outlines[:, row, column] = outline_numbers(quad) / OUTLINE_SCALE
    return heat, outlines


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([], []),
        ([(5, 5, 0.2)], []),
        ([(5, 5, 0.9)], [0.9]),
        ([(5, 5, 0.6), (12, 14, 0.9)], [0.9, 0.6]),
        ([(5, 5, 0.9), (5, 6, 0.8)], [0.9]),
        ([(5, 5, 0.9), (6, 7, 0.5)], [0.9, 0.5]),
    ],
)
def test_middles_become_cards_once(
    cards: list[tuple[int, int, float]], expected: list[float]
) -> None:
    found = decode(*_maps(*cards), Fit(1.0, 160, 160), threshold=0.3)
    assert [card.score for card in found] == pytest.approx(expected)


def test_of_a_heap_whose_middles_lie_side_by_side_both_cards_are_found() -> None:
    heat, outlines = _maps((5, 5, 0.9), (5, 6, 0.7))
    turned = np.array([[-30, -20], [30, -20], [30, 20], [-30, 20]], np.float32)
    outlines[:, 5, 6] = outline_numbers(turned) / OUTLINE_SCALE
    found = decode(heat, outlines, Fit(1.0, 160, 160), threshold=0.3)
    assert [card.score for card in found] == pytest.approx([0.9, 0.7])


def test_a_cell_far_from_the_middle_of_its_card_is_left_out() -> None:
    heat, outlines = _maps((5, 5, 0.9))
    outlines[0, 5, 5] = 2 * STRIDE / OUTLINE_SCALE
    assert decode(heat, outlines, Fit(1.0, 160, 160), threshold=0.3) == []


def test_corners_come_in_the_frames_pixels() -> None:
    found = decode(*_maps((5, 10, 0.9)), Fit(0.5, 160, 160), threshold=0.3)
    middle = (np.array([10, 5]) + 0.5) * STRIDE * 2
    first = found[0].corners[:2] if found[0].corners[0, 1] < middle[1] else found[0].corners[2:]
    assert first[0] == pytest.approx(middle - np.array([40, 60]))


def test_an_outline_bent_over_is_no_card() -> None:
    heat, outlines = _maps((5, 5, 0.9))
    outlines[6:, 5, 5] = 5
    assert decode(heat, outlines, Fit(1.0, 160, 160), threshold=0.3) == []


@pytest.mark.parametrize("seed", range(8))
def test_corners_follow_from_the_numbers_and_half_a_turn_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 7)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    quad = np.array([[-30.0, -50], [30, -50], [30, 50], [-30, 50]]) @ turn.T
    quad += rng.normal(0, 6, (4, 2)) + np.array([200, 100])
    numbers = outline_numbers(quad)
    assert outline_numbers(np.roll(quad, 2, axis=0)) == pytest.approx(numbers)
    corners = outline_corners(numbers)
    gaps = [np.abs(np.roll(quad, half, axis=0) - corners).max() for half in (0, 2)]
    assert min(gaps) < 1e-3
