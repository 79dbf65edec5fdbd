"""Outlines of no card, from which the reader learns what is no card."""

import numpy as np
import pytest

from datasets.scenes.scene import Scene, SceneCard
from models.no_cards import NEAR, beside


def _card(x: float, y: float, turn: float, visible: float = 1.0) -> SceneCard:
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-28.0, -40], [28, -40], [28, 40], [-28, 40]])
    return SceneCard("KS", corners @ [[c, s], [-s, c]] + (x, y), visible, True)


@pytest.mark.parametrize("seed", range(20))
def test_an_outline_that_takes_in_half_a_card_is_of_none(seed: int) -> None:
    cards = (_card(70, 80, 0.3), _card(190, 150, 1.2))
    scene = Scene(np.zeros((256, 256, 3), np.uint8), cards)
    place = beside(np.random.default_rng(seed), scene)
    assert place is not None
    away = [np.linalg.norm((card.corners - place).mean(axis=0)) for card in cards]
    tall = np.linalg.norm(place[3] - place[0])
    assert NEAR < min(away) / tall < 0.75


def test_it_is_of_none_only_where_no_other_card_lies() -> None:
    line = tuple(_card(20 + 12 * number, 100, 0) for number in range(20))
    scene = Scene(np.zeros((256, 256, 3), np.uint8), line)
    places = [beside(np.random.default_rng(seed), scene) for seed in range(40)]
    assert {place is None for place in places} == {True, False}
