"""What a camera does by itself: it looks for its focus, and exposes by what it sees."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.films.automatic import FLICKER, GAINS, HUNT_BLUR, HUNT_S, Automatic
from datasets.films.paint import Painter
from datasets.films.stage import Stage
from datasets.scenes.textures import Image
from tests.datasets.films.test_film import SMALL, made

GREY = 100


def grey(white: float = 0.0) -> Image:
    """A grey picture; the upper part of it, 0–1, is white."""
    picture = np.full((*SMALL[::-1], 3), GREY, np.uint8)
    picture[: round(SMALL[1] * white)] = 255
    return picture


def hunting() -> tuple[Stage, Automatic, list[float]]:
    """A film in which the camera looks for its focus, and the blur, 20 times a second."""
    for seed in range(1, 60):
        camera = Automatic(stage := made("bar", seed))
        blur = [camera.blur(number / 20) for number in range(round(stage.ends * 20))]
        if max(blur) > 2:
            return stage, camera, blur
    raise AssertionError("no camera looks for its focus")


def test_the_focus_goes_away_and_comes_back_within_seconds():
    _, _, blur = hunting()
    assert HUNT_BLUR[0] < max(blur) <= HUNT_BLUR[1]
    runs = "".join("b" if each else " " for each in blur).split()
    assert all(len(run) <= HUNT_S[1] * 20 + 1 for run in runs)
    assert sum(map(len, runs)) < len(blur) / 4


def test_a_picture_out_of_focus_is_blurred(shelf):
    stage, _, blur = hunting()
    worst, sharp = int(np.argmax(blur)) / 20, blur.index(0.0) / 20
    assert blur[0] == 0

    def edges(at: float) -> float:
        bare = replace(stage, lying=(), lights=(), shifts=())
        painter = Painter(bare, shelf, markers=(0, 1, 2, 3), automatic=True)
        return float(
            cv2.Laplacian(cv2.GaussianBlur(painter.frame(at), (0, 0), 1), cv2.CV_32F).std()
        )

    assert edges(worst) < 0.8 * edges(sharp)


def test_a_white_picture_is_made_darker_after_a_moment():
    camera = Automatic(made())
    assert camera.exposure(grey(), 0.0) == pytest.approx(1)
    at_once, *_, later = [camera.exposure(grey(white=0.5), at / 30) for at in range(1, 90)]
    assert GAINS[0] <= later < 0.9 < at_once < 1
    assert [camera.exposure(grey(), 3 + at / 30) for at in range(90)][-1] == pytest.approx(
        1, abs=0.02
    )


def test_lamps_on_the_mains_paint_bands_that_move():
    for seed in range(1, 60):
        camera = Automatic(made(seed=seed))
        if camera._depth > FLICKER[1] / 2 and camera._mirror is None:
            break
    rows = [camera.light(grey(), at).mean(axis=(1, 2)) / GREY for at in (1.0, 1.0 + 1 / 30)]
    for each in rows:
        assert each.max() - 1 == pytest.approx(camera._depth, abs=0.02)
        assert 1 - each.min() == pytest.approx(camera._depth, abs=0.02)
        crossings = np.count_nonzero(np.diff(np.sign(each - 1)[np.abs(each - 1) > 0.01]))
        assert crossings in (4, 5, 6)  # two bands and a half
    assert np.abs(rows[0] - rows[1]).max() > camera._depth


def test_a_mirrored_lamp_is_brightest_in_its_middle():
    camera = next(
        c for c in (Automatic(made(seed=s)) for s in range(1, 60)) if c._mirror is not None
    )
    picture = camera.light(grey(), 0.0).mean(axis=2)
    row, column = np.unravel_index(np.argmax(camera._mirror[..., 0]), SMALL[::-1])
    assert picture[row, column] > 1.2 * np.median(picture)


def test_the_same_film_has_the_same_camera(shelf):
    stage = made("bar", 3)
    one, same = (Painter(stage, shelf, automatic=True) for _ in range(2))
    assert all((one.frame(at) == same.frame(at)).all() for at in (0.5, 4.0, 6.0))
    assert (Painter(stage, shelf).frame(4.0) != same.frame(4.0)).any()
