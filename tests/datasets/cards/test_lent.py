"""Photographed Spanish decks, and what they lend to drawn printings."""

import json
import shutil
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from datasets.cards.decks import CARD_HEIGHT, Shelf, open_shelf
from datasets.cards.indices import LEGIBLE
from datasets.cards.lent import figure, recoloured, whole_face
from datasets.cards.photographed import add_decks
from datasets.cards.spanish import SpanishPack

FORTY = [f"{rank}{suit}" for suit in "OUEB" for rank in (*range(1, 8), 10, 11, 12)]
TOP, BOTTOM = (40, 40, 220), (220, 60, 30)  # BGR: red above, blue below


@pytest.fixture(scope="module")
def lenders(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """The cache with two photographed decks. Every second outline begins at the lower edge."""
    photos, own = tmp_path_factory.mktemp("photos"), tmp_path_factory.mktemp("with") / "decks"
    picture = np.full((300, 225, 3), 90, np.uint8)
    picture[50:250, 50:170] = 160  # paper in dim light
    picture[80:120, 80:140], picture[180:220, 80:140] = TOP, BOTTOM
    cv2.imwrite(str(photos / "x.png"), picture)
    corners = [[50, 50], [170, 50], [170, 250], [50, 250]]
    lines = [
        {
            "photo": "x.png",
            "cards": [{"card": card, "corners": corners[turn:] + corners[:turn], "readable": True}],
        }
        for turn in (0, 2)
        for card in FORTY
    ]
    (photos / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))
    shutil.copytree(cache, own)
    assert add_decks(own, photos, "seen") == 2
    assert add_decks(own, photos, "seen") == 2, "decks of a family take the place of those before"
    return open_shelf(own)


def test_a_photographed_deck_stands_upright_on_white_paper_among_those_that_are_trained_on(
    lenders: Shelf,
) -> None:
    decks = lenders.of("spanish", "train")
    assert [deck.name for deck in decks] == ["seen-00", "seen-01"]
    for deck in decks:
        face = deck.face("3E")
        assert face.shape == (CARD_HEIGHT, 240, 4)
        assert face[200, 10].min() > 235
        assert int(face[100, 120, 2]) > 150 > int(face[300, 120, 2])


def test_a_face_is_lent_where_a_deck_has_the_card(lenders: Shelf) -> None:
    decks = lenders.of("spanish", "train")
    assert whole_face(decks, "3E", Random(1)) is not None
    assert whole_face(decks, "9E", Random(1)) is None, "they have no nine"


def test_a_figure_comes_of_a_court_of_either_kind_of_deck(lenders: Shelf) -> None:
    for deck in lenders.decks:
        art = figure(deck, "E", Random(2))
        assert art.shape[0] == pytest.approx(CARD_HEIGHT * 0.88, abs=2)


def test_other_inks_keep_the_papers_colour_and_the_outline(lenders: Shelf) -> None:
    art = lenders.of("spanish", "train")[0].face("3E")
    printed = recoloured(art, (200, 230, 240), Random(3))
    assert np.array_equal(printed[..., 3], art[..., 3])
    assert np.abs(printed[200, 10, :3].astype(int) - (200, 230, 240)).max() < 25


def test_some_printings_show_lent_faces_and_some_other_cards_than_their_numbers_say(
    lenders: Shelf,
) -> None:
    decks = lenders.of("spanish", "train")
    packs = [SpanishPack(lenders, Random(seed), strangers=decks) for seed in range(240)]
    assert {pack.face(card).shape[0] for pack in packs[:40] for card in ("7O", "9E")} == {
        CARD_HEIGHT
    }
    assert 40 < sum(pack.lent for pack in packs) < 140
    misleading = [pack for pack in packs if pack.misleading]
    assert 3 < len(misleading) < 40
    assert all(pack._index_height >= LEGIBLE for pack in misleading)
    assert not any(SpanishPack(lenders, Random(seed)).lent for seed in range(40))


def test_a_misleading_printing_prints_the_right_number_on_what_another_card_shows(
    lenders: Shelf,
) -> None:
    packs = (SpanishPack(lenders, Random(seed)) for seed in range(200))
    misleading = [pack for pack in packs if pack.misleading]
    shown = {
        number: {pack._shown(number, suit) for pack in misleading for suit in "OUEB"}
        for number in (3, 11)
    }
    assert all(len(others) > 1 for others in shown.values())
    assert max(shown[3]) < 10 <= min(shown[11])
