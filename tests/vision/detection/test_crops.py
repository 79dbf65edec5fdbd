"""Flattening a card."""

import numpy as np
import pytest

from vision.detection.crops import (
    READER_VIEW,
    flatten,
    flatten_still,
    moved,
    offsets_in_view,
    sharpened,
    to_tensor,
)

WIDTH, HEIGHT = READER_VIEW.width, READER_VIEW.height


def _corners(width: float, height: float) -> np.ndarray:
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def test_a_card_of_the_crops_own_size_is_left_as_it_is() -> None:
    frame = np.random.default_rng(0).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    crop = flatten(frame, READER_VIEW.corners())
    assert np.abs(crop.astype(int) - frame).max() <= 1


@pytest.mark.parametrize("size", [0.5, 1.0, 1.4, 1.6, 4.0, 9.0])
def test_the_four_quarters_stay_in_place_at_every_size(size: float) -> None:
    height, width = round(HEIGHT * size), round(WIDTH * size)
    frame = np.zeros((height, width, 3), np.uint8)
    frame[: height // 2, : width // 2] = (250, 0, 0)
    frame[: height // 2, width // 2 :] = (0, 250, 0)
    frame[height // 2 :, : width // 2] = (0, 0, 250)
    crop = flatten(frame, _corners(width, height)).astype(int)
    low, left = HEIGHT // 4, WIDTH // 4
    for y, x, channel in ((low, left, 0), (low, 3 * left, 1), (3 * low, left, 2)):
        assert crop[y, x, channel] == pytest.approx(250, abs=2)
    edge = np.flatnonzero(np.diff((crop[low, :, 1] > 125).astype(int)) == 1)
    assert edge.tolist() == pytest.approx([WIDTH / 2 - 1], abs=1)


def test_a_card_out_of_the_frame_is_black() -> None:
    frame = np.full((50, 50, 3), 200, np.uint8)
    assert flatten(frame, _corners(30, 40) + np.array([500, 500])).max() == 0


def test_tensors_are_rgb_from_0_to_1() -> None:
    crop = np.zeros((160, 112, 3), np.uint8)
    crop[..., 0] = 255
    tensor = to_tensor([crop, crop])
    assert tensor.shape == (2, 3, 160, 112)
    assert tensor.dtype == np.float32
    assert tensor[0, :, 0, 0].tolist() == [0, 0, 1]


@pytest.mark.parametrize("seed", range(5))
def test_corners_come_back_from_their_offsets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = _corners(60, 90) + np.array([100, 50]) + rng.normal(0, 5, (4, 2))
    rough = truth + rng.normal(0, 6, (4, 2))
    assert moved(rough, offsets_in_view(rough, truth)) == pytest.approx(truth, abs=1e-2)


CARD = np.full((HEIGHT, WIDTH, 3), 225, np.uint8)
CARD[60:120, 50:110] = (40, 40, 200)
CORNERS = READER_VIEW.corners()


def noisy(seed: int, picture: np.ndarray = CARD) -> np.ndarray:
    """A picture as a camera sees it in little light."""
    grain = np.random.default_rng(seed).normal(0, 10, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


HAND = CARD.copy()
HAND[150:, 60:] = (90, 120, 160)
OTHER = CARD[:, ::-1].copy()
OTHER[130:160, 20:60] = (40, 40, 200)


@pytest.mark.parametrize(
    ("before", "used"),
    [
        ([CARD] * 5, 6),
        ([], 1),
        ([CARD, CARD, HAND, CARD], 3),
        ([OTHER, CARD], 1),
        ([np.roll(CARD, 4, axis=1)], 1),
        ([CARD // 2], 1),
    ],
    ids=["still", "one frame", "a hand came by", "another card", "moved", "light switched on"],
)
def test_a_card_is_the_mean_of_the_latest_frames_that_show_the_same(before, used) -> None:
    frames = [noisy(seed, picture) for seed, picture in enumerate([CARD, *before])]
    crop, count = flatten_still(frames, CORNERS)
    assert count == used
    noise = np.std(crop.astype(float) - CARD)
    assert noise == pytest.approx(10 / np.sqrt(used), rel=0.15)


def test_fine_details_get_more_contrast_the_more_frames_there_are_and_even_areas_stay() -> None:
    card = np.full((HEIGHT, WIDTH, 3), 160, np.uint8)
    card[60:64, 50:54] = 100  # a stroke of an index
    strokes = [int(sharpened(card, frames)[61, 51, 0]) for frames in (1, 2, 6)]
    assert sorted(strokes, reverse=True) == strokes
    assert strokes[0] == 100
    assert 100 - strokes[2] > 20
    assert (sharpened(card, 6)[100:, 100:] == 160).all()
