"""Bent cards keep their corners."""

import numpy as np

from datasets.bend import bent


def test_the_corners_stay_where_they_were() -> None:
    face = np.full((400, 260, 4), 255, np.uint8)
    for seed in range(12):
        picture, border = bent(np.random.default_rng(seed), face)
        assert picture.shape == (400 + 2 * border, 260 + 2 * border, 4)
        solid = picture[..., 3] > 127
        for row, column in ((0, 0), (0, 259), (399, 0), (399, 259)):
            around = solid[
                border + row - 6 : border + row + 7, border + column - 6 : border + column + 7
            ]
            assert 0 < around.sum() < around.size  # an edge runs through here
