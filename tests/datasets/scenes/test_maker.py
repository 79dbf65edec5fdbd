"""Drawn scenes and their labels."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from datasets.cards.decks import Shelf
from datasets.cards.faces import blank_card
from datasets.cards.labels import BACK
from datasets.cards.vector import premultiplied
from datasets.scenes import maker
from datasets.scenes.bend import moving
from datasets.scenes.geometry import area
from datasets.scenes.maker import SceneMaker


def test_a_scene_depends_on_its_number_and_seed_alone(shelf: Shelf) -> None:
    forwards, backwards = (SceneMaker(shelf, 3, "train") for _ in range(2))
    first = {number: forwards.make(number) for number in (0, 7, 30)}
    second = {number: backwards.make(number) for number in (30, 7, 0)}
    for number, scene in first.items():
        assert np.array_equal(scene.picture, second[number].picture)
    other = SceneMaker(shelf, 4, "train").make(7)
    assert other.picture.tobytes() != first[7].picture.tobytes()


def test_cards_are_not_mirrored_and_shares_are_shares(shelf: Shelf) -> None:
    scene_maker = SceneMaker(shelf, 1, "train")
    cards = [card for number in range(25) for card in scene_maker.make(number).cards]
    assert len(cards) > 40
    assert all(area(card.corners) > 0 for card in cards)
    assert all(0 <= card.visible <= 1 for card in cards)
    assert any(card.readable for card in cards)


def test_of_a_card_that_leans_too_far_the_back_is_seen(shelf: Shelf, monkeypatch) -> None:
    def leaning(rng, kind, count, camera, tall):
        return [((0.0, 0.0), 0.3, 0.0, (3.0, 0.0))] * count

    monkeypatch.setattr(maker, "poses", leaning)
    scene_maker = SceneMaker(shelf, 1, "train")
    cards = [card for number in range(4) for card in scene_maker.make(number).cards]
    assert cards
    assert {card.card for card in cards} == {BACK}
    assert all(area(card.corners) > 0 for card in cards)


@pytest.mark.parametrize("tall", [60.0, 250.0])
@pytest.mark.parametrize("moves", [False, True])
def test_white_paper_on_white_paper_has_no_edge(tall: float, moves: bool) -> None:
    face, border = premultiplied(blank_card(Random(1), 270, (255, 255, 255))), 0
    if moves:
        face, border = moving(np.random.default_rng(1), face, border)
    corners = np.array([[-0.35, -0.5], [0.35, -0.5], [0.35, 0.5], [-0.35, 0.5]]) * tall
    corners = corners @ np.array([[0.96, 0.28], [-0.28, 0.96]]) + 200.3
    scene = np.full((400, 400, 3), 255, np.uint8)
    laid = maker._warped(face, corners, (400, 400), border)
    assert laid is not None
    assert maker._blend(scene, *laid).any()
    assert scene.min() > 250


def test_labels_say_how_much_of_a_card_is_visible_and_whether_it_is_readable() -> None:
    owner = np.zeros((100, 100), np.uint8)
    corners = np.array([[20.0, 10], [80, 10], [80, 90], [20, 90]])
    owner[10:90, 20:80] = 1
    whole = maker._seen("KS", corners, owner, 1)
    owner[50:, :] = 2
    half = maker._seen("KS", corners, owner, 1)
    owner[10:40, 20:40] = 2
    covered = maker._seen("KS", corners, owner, 1)
    assert whole.visible == pytest.approx(1)
    assert half.visible == pytest.approx(0.5)
    assert [card.readable for card in (whole, half, covered)] == [True, True, False]


def test_labels_are_written_as_json(shelf: Shelf, cache: Path, tmp_path: Path) -> None:
    assert (
        maker.main(["--cache", str(cache), "--out", str(tmp_path), "--count", "5", "--seed", "1"])
        == 0
    )
    lines = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert [line["photo"] for line in lines] == [f"{number:07d}.jpg" for number in range(5)]
    scene_maker = SceneMaker(shelf, 1, "train")
    for number, line in enumerate(lines):
        assert [card["card"] for card in line["cards"]] == [
            card.card for card in scene_maker.make(number).cards
        ]
        assert (tmp_path / line["photo"]).is_file()
