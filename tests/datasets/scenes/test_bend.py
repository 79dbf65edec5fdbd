"""Bent and moving cards keep their corners."""

from collections.abc import Callable

import numpy as np
import pytest

from datasets.cards.vector import Picture
from datasets.scenes.bend import bent, moving


def still(rng: np.random.Generator, face: Picture) -> tuple[Picture, int]:
    return moving(rng, face, 0)


@pytest.mark.parametrize(
    ("change", "near"),
    [pytest.param(bent, 6, id="bent"), pytest.param(still, 17, id="moving")],
)
def test_the_corners_stay_where_they_were(
    change: Callable[[np.random.Generator, Picture], tuple[Picture, int]], near: int
) -> None:
    face = np.full((400, 260, 4), 255, np.uint8)
    for seed in range(12):
        picture, border = change(np.random.default_rng(seed), face)
        assert picture.shape == (400 + 2 * border, 260 + 2 * border, 4)
        solid = np.pad(picture[..., 3] > 127, near)
        for row, column in ((0, 0), (0, 259), (399, 0), (399, 259)):
            y, x = border + row + near, border + column + near
            around = solid[y - near : y + near + 1, x - near : x + near + 1]
            assert 0 < around.sum() < around.size  # an edge runs through here


def test_a_moving_card_keeps_its_paint_and_blurs_it() -> None:
    face = np.zeros((400, 260, 4), np.uint8)
    face[..., 3] = 255
    face[::2, ::2, :3] = 255
    picture, border = moving(np.random.default_rng(3), face, 0)
    inside = picture[border + 40 : -border - 40, border + 40 : -border - 40, :3]
    assert inside.mean() == pytest.approx(face[..., :3].mean(), rel=0.1)
    assert inside.std() < face[..., :3].std() / 2


def test_what_lay_around_a_bent_card_lies_around_it_in_motion() -> None:
    rng = np.random.default_rng(0)
    face, before = bent(rng, np.full((400, 260, 4), 255, np.uint8))
    picture, border = moving(rng, face, before)
    assert border > before
    assert picture.shape == (400 + 2 * border, 260 + 2 * border, 4)
