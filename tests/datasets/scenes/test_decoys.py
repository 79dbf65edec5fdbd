"""Decoys: things that look like cards."""

import numpy as np
import pytest

from datasets.scenes import decoys


@pytest.mark.parametrize("make", sorted(set(decoys._DECOYS), key=lambda make: make.__name__))
def test_a_decoy_is_a_picture_of_the_asked_size_and_its_generators_alone(make) -> None:
    pictures = [make(np.random.default_rng(seed), 160, 112) for seed in (1, 1, 2)]
    assert {(picture.shape, picture.dtype) for picture in pictures} == {
        ((160, 112, 3), np.dtype(np.uint8))
    }
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
