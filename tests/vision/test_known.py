"""A deck that was shown: kept, opened, and weighed against the reader."""

from types import SimpleNamespace

import numpy as np
import pytest

from vision import known
from vision.known import DeckError, KnownDeck, keep_deck, open_deck, settle

CLASSES = ("KS", "QS", "JS", "back")


def reader(version="1"):
    """Gives every crop the features of its mean grey."""

    def look(crops):
        angles = np.array([crop.mean() / 255 for crop in crops])
        features = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        return SimpleNamespace(features=features)

    return SimpleNamespace(version=version, read_crops=look)


def grey(level):
    return np.full((160, 112, 3), level, np.uint8)


def test_the_nearest_card_gets_most_and_what_was_not_shown_least():
    deck = KnownDeck(["KS", "QS", "KS"], np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32), 10)
    (added,) = deck.evidence(np.array([[0.6, 0.8]], np.float32), CLASSES)
    assert added.tolist() == pytest.approx([0, -2, -2, 0], abs=1e-5)


def test_a_kept_deck_is_opened_again(tmp_path):
    keep_deck("mine", {"QS": grey(9), "KS": grey(200)}, tmp_path)
    for _ in range(2):  # the second time from the features that were stored
        deck = open_deck("mine", reader(), tmp_path)
        assert deck.cards == ("KS", "QS")
        assert deck.features[0] == pytest.approx(reader().read_crops([grey(200)]).features[0], 1e-3)
    assert known.deck_names(tmp_path) == ["mine"]


def test_features_are_made_anew_for_another_reader(tmp_path):
    place = keep_deck("mine", {"KS": grey(200)}, tmp_path)
    open_deck("mine", reader("1"), tmp_path)
    open_deck("mine", reader("2"), tmp_path)
    with np.load(place / "features.npz") as stored:
        assert str(stored["reader"]) == "2"


def test_a_new_deck_replaces_the_old_one_of_its_name(tmp_path):
    keep_deck("mine", {"KS": grey(200)}, tmp_path)
    keep_deck("mine", {"QS": grey(9)}, tmp_path)
    assert open_deck("mine", reader(), tmp_path).cards == ("QS",)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "a.", "x" * 41])
def test_names_that_no_folder_has(name):
    with pytest.raises(DeckError):
        known.check_name(name)


def test_a_damaged_picture_is_told(tmp_path):
    place = keep_deck("mine", {"KS": grey(200)}, tmp_path)
    (place / "KS.png").write_bytes(b"no picture")
    with pytest.raises(DeckError, match="damaged"):
        open_deck("mine", reader(), tmp_path)


def test_each_card_is_named_once_the_surest_first():
    readings = [[("KS", 0.6), ("QS", 0.3)], [("KS", 0.9)], [("7H", 0.9)]]
    assert settle(readings, ["KS", "QS"]) == ["QS", "KS", None]
