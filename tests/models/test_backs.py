"""How much the likeness of two backs counts is fitted to pairs of backs and of other things."""

import numpy as np
import pytest

from datasets.scenes.scene import Scene, SceneCard
from models.backs import fit, pairs_of
from tests.vision.detection.test_known_back import BOOK, RED
from vision.detection.detections import Detection

WHERE = np.array([[0, 0], [160, 0], [160, 224], [0, 224]], np.float32)


class Sees:
    """A reader that sees a back at each of four places side by side."""

    def read(self, picture):
        return [
            Detection(WHERE + np.float32([160 * place, 0]), 0.9, (("back", 0.9 - place / 10),))
            for place in range(4)
        ]


def test_pairs_are_of_backs_and_of_a_back_and_a_thing_and_never_of_what_lies_on_a_card():
    picture = np.hstack([RED, RED, BOOK, RED])
    half = WHERE + np.array([160 * 3 + 60, 0])  # half of the last detection lies on this card
    cards = (
        SceneCard("back", WHERE.astype(float), 1.0, False),
        SceneCard("back", WHERE + np.array([160.0, 0]), 1.0, False),
        SceneCard("KS", half, 1.0, True),
    )
    pairs = list(pairs_of(Sees(), Scene(picture, cards)))
    assert sorted(kind for _, kind in pairs) == [False, False, True, True]
    same = [min(likeness) for likeness, kind in pairs if kind]
    other = [max(likeness) for likeness, kind in pairs if not kind]
    assert min(same) > 0.99 > max(other)


def test_what_is_more_alike_is_likelier_the_same_back():
    draw = np.random.default_rng(0)
    same = np.repeat([True, False], [3000, 900])
    alike = draw.normal(np.where(same[:, None], 0.7, 0.2), 0.2, (3900, 2))
    pattern, colours, constant = fit(alike, same)
    assert min(pattern, colours) > 1
    assert pattern * 0.45 + colours * 0.45 + constant == pytest.approx(0, abs=0.6)
