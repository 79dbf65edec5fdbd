"""Stills of films depend only on their numbers, and show the cards where the labels say."""

import json
from functools import cache

import cv2
import numpy as np
import pytest

from datasets.films import stills
from datasets.films.paint import Painter
from datasets.films.stills import film_stills, main
from datasets.scenes.scene import PICTURES_A_DECK


@pytest.fixture(scope="module")
def drawn(shelf):
    """Makes the stills of a film by its number; each film is drawn only once."""
    return cache(lambda number: film_stills(shelf, "test", number))


@pytest.mark.parametrize("number", [0, 3])
def test_a_film_has_the_same_stills_again(shelf, drawn, number):
    stills, again = drawn(number), film_stills(shelf, "test", number)
    assert len(stills) == PICTURES_A_DECK
    for still, same in zip(stills, again, strict=True):
        assert np.array_equal(still.picture, same.picture)
        assert [card.card for card in still.cards] == [card.card for card in same.cards]


def test_a_card_at_rest_is_brighter_than_what_is_around_it(drawn):
    """The cards of the drawn deck are white paper."""
    tried = 0
    for still in drawn(1):
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
    assert len(lines) == PICTURES_A_DECK
    for line in map(json.loads, lines):
        picture = cv2.imread(str(tmp_path / line["photo"]))
        assert [picture.shape[1], picture.shape[0]] == line["size"]


def test_what_the_picture_cuts_off_is_not_seen(drawn):
    cut = 0
    for number in range(3):
        for still in drawn(number):
            height, width = still.picture.shape[:2]
            frame = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
            for card in still.cards:
                corners = card.corners.astype(np.float32)
                inside = cv2.intersectConvexConvex(corners, frame)[0] / cv2.contourArea(corners)
                assert card.visible <= inside + 0.1  # it is measured at some sixty points
                cut += inside < 0.4 and card.visible < 0.4
    assert cut > 3


def test_a_heap_is_where_its_upper_card_is_painted(shelf, monkeypatch):
    painted, labelled = [], []
    lay, card = Painter._lay, stills._card

    def laid(painter, frame, picture, places):
        painted.extend(places)
        lay(painter, frame, picture, places)

    def labels(seen, corners, *about):
        if seen.lying.thick > 1 and not seen.moving:
            labelled.append(corners)
        return card(seen, corners, *about)

    monkeypatch.setattr(Painter, "_lay", laid)
    monkeypatch.setattr(stills, "_card", labels)
    for number in range(2):
        film_stills(shelf, "test", number)
    assert len(labelled) > 10
    for found in labelled:  # in a part of a frame, so that only its size and shape are the same
        alike = [np.abs((found - found[0]) - (place - place[0])).max() for place in painted]
        assert min(alike) < 1e-6


def test_stills_tell_how_far_cards_are_tilted(drawn):
    tilts = [card.tilt for number in range(4) for still in drawn(number) for card in still.cards]
    assert min(tilts) < 20 < 40 < max(tilts) < 70
