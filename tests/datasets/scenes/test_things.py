"""Things on a table that are no cards."""

import numpy as np

from datasets.scenes import things
from vision.geometry.markers import CORNER_IDS, FIRST_CALL, find_markers


def test_printed_markers_are_the_ones_that_trucam_reads() -> None:
    read = set()
    for seed in range(12):
        thing = things.marker(np.random.default_rng(seed))
        page = np.full((thing.shape[0] + 80, thing.shape[1] + 80, 3), 120, np.uint8)
        page[40:-40, 40:-40] = thing[..., :3]
        found = find_markers(page)
        assert len(found) == 1
        read.add(found[0].id)
        tall = thing.shape[0] / thing.shape[1]
        assert tall == 1 if found[0].id in CORNER_IDS else 1.2 < tall < 1.4
    assert any(number in CORNER_IDS for number in read)
    assert sum(number >= FIRST_CALL for number in read) > 2


def test_markers_are_a_small_share_of_the_things() -> None:
    markers = sum(make is things.marker for make in things._THINGS)
    assert 0 < markers / len(things._THINGS) <= 0.1


def test_every_thing_is_a_picture_with_a_height() -> None:
    for seed in range(60):
        thing, tall = things.random_thing(np.random.default_rng(seed))
        assert thing.dtype == np.uint8
        assert thing.shape[2] == 4
        assert thing[..., 3].any()
        assert 2 < tall < 30
