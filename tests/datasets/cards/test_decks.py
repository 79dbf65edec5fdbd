"""The catalogue of decks, and how pictures of cards are read from files."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.cards import decks
from datasets.cards.decks import CATALOGUE, SPLITS
from datasets.cards.indices import INDEX_FAMILIES
from datasets.cards.labels import BACK, FRENCH_CARDS, SPANISH_CARDS

FAMILIES = {family for source in CATALOGUE["source"] for family in source["decks"].values()}
NAMES = {
    source.get("prefix", "") + deck for source in CATALOGUE["source"] for deck in source["decks"]
}


def test_what_the_catalogue_says_is_of_decks_that_it_names() -> None:
    for table in ("split", "weight", "indices"):
        assert set(CATALOGUE[table]) <= FAMILIES, table
    assert set(CATALOGUE["backs"]["left_out"]) <= NAMES
    assert set(CATALOGUE["split"].values()) | {"train"} == set(SPLITS)
    assert set(CATALOGUE["indices"].values()) <= set(INDEX_FAMILIES)
    assert {source["reader"] for source in CATALOGUE["source"]} <= set(decks._READERS)


def test_a_deck_is_named_once() -> None:
    assert len(NAMES) == sum(len(source["decks"]) for source in CATALOGUE["source"])


def test_the_unseen_split_has_french_indices_and_spanish_suits() -> None:
    unseen = {family for family, split in CATALOGUE["split"].items() if split == "unseen"}
    spanish = {
        family
        for source in CATALOGUE["source"]
        if source.get("suits") == "spanish"
        for family in source["decks"].values()
    }
    french = {family for family in unseen if CATALOGUE["indices"].get(family) == "french"}
    assert (len(unseen - spanish - french), len(french), len(unseen & spanish)) == (2, 1, 1)


def _write(folder: Path, stems: dict[str, int]) -> None:
    for stem, shade in stems.items():
        picture = np.full((90, 60, 3), shade, np.uint8)
        cv2.imwrite(str(folder / f"{stem}.png"), picture)


@pytest.mark.parametrize(
    ("suits", "stem", "card"),
    [
        ("french", "01c", "AC"),
        ("french", "12d", "QD"),
        ("french", "10s", "10S"),
        ("spanish", "01d", "1O"),
        ("spanish", "11c", "10B"),
        ("spanish", "13h", "12U"),
        ("spanish", "09s", "9E"),
    ],
)
def test_numbered_pictures_get_their_cards_names(
    tmp_path: Path, suits: str, stem: str, card: str
) -> None:
    _write(tmp_path, {stem: 7, "back01": 99})
    cards = decks._numbered(tmp_path, {"suits": suits})
    assert set(cards) == {card, BACK}
    assert int(cards[card][0, 0, 0]) == 7


STEMS = {
    "reader": "stems", "card": "{suit}_{rank}.png", "ranks": [*"A23456789TJQK"],
    "suit_names": ["club", "diamond", "heart", "spade"], "back": "blue.png",
}  # fmt: skip
COUNTED = {"reader": "counted", "suit_order": "DHSC", "back": "blue.png"}


@pytest.mark.parametrize(
    ("source", "stem", "card"),
    [
        (STEMS, "heart_T", "10H"),
        (STEMS, "spade_A", "AS"),
        (COUNTED, "0", "2D"),
        (COUNTED, "12", "AD"),
        (COUNTED, "23", "QH"),
        (COUNTED, "50", "KC"),
    ],
)
def test_pictures_that_are_named_otherwise_get_their_cards_names(
    tmp_path: Path, source: dict[str, Any], stem: str, card: str
) -> None:
    names = [f"{suit}_{rank}" for suit in STEMS["suit_names"] for rank in STEMS["ranks"]]
    _write(tmp_path, dict.fromkeys((*names, *map(str, range(52)), "blue"), 99) | {stem: 7})
    cards = decks._READERS[source["reader"]](tmp_path, source)
    assert cards.keys() == {*FRENCH_CARDS, BACK}
    assert [name for name, picture in cards.items() if picture[0, 0, 0] == 7] == [card]


def test_sources_whose_folder_is_not_given_are_left_out(tmp_path: Path) -> None:
    given = {str(path) for *_, path in decks._jobs(tmp_path / "art", None)}
    assert not any("None" in path or "{" in path for path in given)
    assert any(path.startswith(str(tmp_path)) for path in given)


def test_a_spanish_set_has_no_tens(tmp_path: Path) -> None:
    _write(tmp_path, {f"{number:02d}{suit}": number for number in range(1, 14) for suit in "cdhs"})
    cards = decks._numbered(tmp_path, {"suits": "spanish"})
    assert set(cards) == set(SPANISH_CARDS)
    assert 10 not in {int(picture[0, 0, 0]) for picture in cards.values()}


def test_of_a_set_of_courts_only_the_courts_must_be_there() -> None:
    assert decks._wanted("french", True) == {card for card in FRENCH_CARDS if card[0] in "JQK"}
    assert decks._wanted("french", False) == set(FRENCH_CARDS)
