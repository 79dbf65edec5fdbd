"""From the finder's maps to cards."""

import numpy as np
import pytest

from vision.locate import CORNER_SCALE, STRIDE, Fit, decode, fit


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
    heat, corners = np.zeros((20, 20), np.float32), np.zeros((8, 20, 20), np.float32)
    for row, column, score in cards:
        heat[row, column] = score
        quad = np.array([[-20, -30], [20, -30], [20, 30], [-20, 30]], np.float32)
        corners[:, row, column] = (quad / CORNER_SCALE).reshape(8)
    return heat, corners


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
def test_peaks_become_cards_once(
    cards: list[tuple[int, int, float]], expected: list[float]
) -> None:
    found = decode(*_maps(*cards), Fit(1.0, 160, 160), threshold=0.3)
    assert [card.score for card in found] == pytest.approx(expected)


def test_corners_come_in_the_frames_pixels() -> None:
    found = decode(*_maps((5, 10, 0.9)), Fit(0.5, 160, 160), threshold=0.3)
    middle = (np.array([10, 5]) + 0.5) * STRIDE * 2
    assert found[0].corners[0] == pytest.approx(middle - np.array([40, 60]))


def test_corners_that_cross_are_no_card() -> None:
    heat, corners = _maps((5, 5, 0.9))
    corners[[0, 2]] = corners[[2, 0]]
    assert decode(heat, corners, Fit(1.0, 160, 160), threshold=0.3) == []
