"""Training crops that are made from printings, without a scene."""

import numpy as np

from datasets.cards.decks import Shelf
from datasets.cards.labels import BACK, CLASSES
from datasets.scenes.printings import Printings
from vision.detection.crops import READER_VIEW


def _crops(printings: Printings, step: int) -> list[tuple[np.ndarray, str]]:
    rng = np.random.default_rng(step)
    return [printings.crop(rng, step, 0.02) for _ in range(12)]


def test_a_step_gives_the_same_crops_whatever_was_asked_before(shelf: Shelf) -> None:
    first, second = Printings(shelf, 3), Printings(shelf, 3)
    _crops(second, 90)
    for (one, name), (other, same) in zip(_crops(first, 5), _crops(second, 5), strict=True):
        assert name == same
        assert np.array_equal(one, other)


def test_crops_are_of_many_cards_and_as_the_reader_takes_them(shelf: Shelf) -> None:
    crops = [crop for step in range(0, 80, 8) for crop in _crops(Printings(shelf, 3), step)]
    assert {crop.shape for crop, _ in crops} == {(READER_VIEW.height, READER_VIEW.width, 3)}
    assert len({name for _, name in crops}) > 40
    assert BACK in {name for _, name in crops} <= set(CLASSES)
    assert len({crop.tobytes() for crop, _ in crops}) == len(crops)
