"""Stills of films: the same for the same number, and the cards are where the labels say."""

import json

import cv2
import numpy as np
import pytest

from datasets.films.stills import STILLS_A_FILM, film_stills, main


@pytest.mark.parametrize("number", [0, 3])
def test_a_film_has_the_same_stills_again(shelf, number):
    stills, again = film_stills(shelf, "test", number), film_stills(shelf, "test", number)
    assert len(stills) == STILLS_A_FILM
    for still, same in zip(stills, again, strict=True):
        assert np.array_equal(still.picture, same.picture)
        assert [card.card for card in still.cards] == [card.card for card in same.cards]


def test_a_card_at_rest_is_brighter_than_what_is_around_it(shelf):
    """The cards of the made-up deck are white paper."""
    tried = 0
    for still in film_stills(shelf, "test", 1):
        height, width = still.picture.shape[:2]
        for card in still.cards:
            inside = (card.corners > 0).all() and (card.corners < (width, height)).all()
            if not (card.readable and card.visible > 0.95 and inside):
                continue
            tried += 1
            on, near = (np.zeros((height, width), np.uint8) for _ in range(2))
            cv2.fillConvexPoly(on, card.corners.round().astype(np.int32), 255)
            cv2.dilate(on, np.ones((15, 15)), near)
            bright = cv2.cvtColor(still.picture, cv2.COLOR_BGR2GRAY)
            assert bright[on > 0].mean() > bright[(near > 0) & (on == 0)].mean() + 20
    assert tried > 3


def test_stills_are_written_as_scenes_are(cache, tmp_path):
    assert main(["--cache", str(cache), "--out", str(tmp_path), "--films", "1"]) == 0
    lines = (tmp_path / "labels.jsonl").read_text().splitlines()
    assert len(lines) == STILLS_A_FILM
    for line in map(json.loads, lines):
        picture = cv2.imread(str(tmp_path / line["photo"]))
        assert [picture.shape[1], picture.shape[0]] == line["size"]
