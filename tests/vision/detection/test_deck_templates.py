"""A learned deck: how it is kept and opened, and how likely it makes each card."""

from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from vision.detection import deck_templates
from vision.detection.deck_templates import (
    SAME,
    STRANGE,
    UNLIKE,
    WEIGHT,
    DeckError,
    KnownDeck,
    deck_pictures,
    forget_deck,
    keep_deck,
    keep_learned,
    open_deck,
    settle,
)

CLASSES = ("KS", "QS", "JS", "back")


def drawn(seed):
    """A card with its own random pattern."""
    spots = np.random.default_rng(seed).integers(0, 256, (10, 7, 3), np.uint8)
    return cv2.resize(spots, (112, 160), interpolation=cv2.INTER_CUBIC)


def grey(level):
    return np.full((160, 112, 3), level, np.uint8)


def lit(crop):
    """The same card, half in a shadow and under a reddish lamp."""
    shade = np.linspace(0.6, 1.0, 160)[:, None, None] * np.array([0.7, 0.8, 1.0])
    return (crop * shade).astype(np.uint8)


def shifted(crop):
    return np.roll(crop, (2, -2), axis=(0, 1))


def larger(crop):
    return cv2.resize(crop, (160, 224), interpolation=cv2.INTER_CUBIC)


@pytest.mark.parametrize(
    "seen", [lambda crop: crop, lambda crop: crop[::-1, ::-1], lit, shifted, larger],
    ids=["as it was shown", "upside down", "in other light", "with its outline a little off",
         "in a larger crop than when it was kept"],
)  # fmt: skip
def test_a_card_is_most_like_itself_by_far(seen):
    deck = KnownDeck(["KS", "QS"], [drawn(1), drawn(2)])
    king, queen = deck.likeness(seen(drawn(1)))
    assert king > 0.9 > 0.4 > queen
    (added,) = deck.evidence([seen(drawn(1))], CLASSES)
    assert added[0] == added[3] == 0  # of backs likeness says nothing
    assert added[1] == pytest.approx(WEIGHT * (UNLIKE - king), abs=1e-4)


def test_a_card_that_was_shown_twice_counts_where_it_is_more_alike():
    deck = KnownDeck(["KS", "QS", "KS"], [drawn(1), drawn(2), drawn(3)])
    first, second = deck.evidence([drawn(1), drawn(3)], CLASSES)
    assert first[0] == second[0] == 0
    assert max(first[1], second[1]) < -5


def test_a_card_that_was_not_shown_is_none_of_those_that_were():
    deck = KnownDeck(["KS", "QS"], [drawn(1), drawn(2)])
    (stranger, king) = deck.evidence([drawn(3), drawn(1)], CLASSES)
    assert stranger[2] == stranger.max() == 0  # as like as the likest
    assert king[2] == pytest.approx(WEIGHT * (STRANGE - 1), abs=0.1)


def test_cards_of_another_deck_are_read_as_if_none_were_known():
    deck = KnownDeck(["KS", "QS", "JS"], [drawn(1), drawn(2), drawn(3)])
    assert not deck.evidence([drawn(seed) for seed in range(4, 9)], CLASSES).any()


def test_a_deck_can_be_taught_one_card_more():
    deck, more = KnownDeck(["KS", "QS"], [drawn(1), drawn(2)]), ["JS", drawn(3)]
    assert deck.taught(*more).cards == ("KS", "QS", "JS")
    assert deck.taught(*more).likeness(drawn(3)).argmax() == 2
    assert deck.cards == ("KS", "QS")


def test_a_card_that_a_person_names_is_none_of_the_cards_that_it_was_taken_for():
    deck = KnownDeck(["KS", "QS"], [drawn(1), drawn(2)]).taught("JS", drawn(1))
    assert deck.cards == ("QS", "JS")
    assert deck.likeness(drawn(1)).argmax() == 1


def test_what_looks_like_another_card_is_not_learned_by_how_it_was_read():
    deck = KnownDeck(["KS", "QS"], [drawn(1), drawn(2)])
    assert deck.learned("JS", drawn(1)) is deck
    assert deck.learned("JS", drawn(3)).cards == ("KS", "QS", "JS")
    assert deck.learned("KS", lit(drawn(1))).cards == ("KS", "QS", "KS")


def test_cards_that_look_rather_alike_are_both_learned():
    """Sevens of two black suits, say."""
    deck = KnownDeck(["7C"], [drawn(1)])
    seven = cv2.addWeighted(drawn(1), 0.6, drawn(2), 0.4, 0).astype(np.uint8)
    assert STRANGE < deck.likeness(seven).item() < SAME
    for both in (deck.learned("7S", seven), deck.taught("7S", seven)):
        assert both.cards == ("7C", "7S")


def test_of_many_pictures_of_a_card_the_first_and_the_latest_are_kept():
    deck = KnownDeck(["QS", "KS"], [drawn(0), drawn(1)])
    for seed in range(2, 9):
        deck = deck.taught("KS", drawn(seed))
    assert deck.cards == ("QS", "KS", "KS", "KS")
    kept = [seed for seed in range(9) if deck.likeness(drawn(seed)).max() > 0.9]
    assert kept == [0, 1, 7, 8]


def test_a_plain_picture_is_like_nothing():
    deck = KnownDeck(["KS", "QS"], [drawn(1), grey(90)])
    assert np.isfinite(deck.likeness(grey(30))).all()


def test_a_kept_deck_is_opened_again(tmp_path):
    keep_deck("mine", {"QS": drawn(1), "KS": drawn(2)}, tmp_path)
    deck = open_deck("mine", tmp_path)
    assert deck.cards == ("KS", "QS")
    assert deck.likeness(drawn(2))[0] == pytest.approx(1, abs=1e-3)
    (tmp_path / ".new-ab").mkdir()  # left by a power cut while another deck was written
    (tmp_path / ".new-ab" / "KS.png").write_bytes((tmp_path / "mine" / "KS.png").read_bytes())
    assert deck_templates.deck_names(tmp_path) == ["mine"]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (OSError("Cannot call rmtree on a symbolic link"), "Cannot call rmtree"),
    ],
)
def test_a_deck_that_cannot_be_deleted_stays(tmp_path, monkeypatch, error, why):
    keep_deck("mine", {"KS": drawn(2)}, tmp_path)
    monkeypatch.setattr(deck_templates.shutil, "rmtree", Mock(side_effect=error))
    with pytest.raises(DeckError, match=f"The deck 'mine' cannot be deleted: {why}"):
        forget_deck("mine", tmp_path)
    assert deck_templates.deck_names(tmp_path) == ["mine"]


@pytest.mark.parametrize(
    ("learned", "known", "kept"),
    [
        ({}, None, []),
        ({}, "before", ["AD 2", "KS 1"]),
        ({"KS": 9, "7H": 8}, None, ["7H 8", "KS 9"]),
        ({"KS": 9, "7H": 8}, "before", ["7H 8", "AD 2", "KS 9"]),  # and no QS, which was unlearned
        ({"KS": 9}, "gone", ["KS 9"]),
    ],
    ids=["nothing learned", "nothing new", "a new deck", "a known deck", "one that was deleted"],
)
def test_a_deck_is_kept_as_it_was_learned_while_people_played(tmp_path, learned, known, kept):
    def picture(shade: int):
        return np.full((8, 6, 3), shade, np.uint8)

    keep_deck("before", {"KS": picture(1), "AD": picture(2), "QS": picture(3)}, tmp_path)
    pictures = {card: picture(shade) for card, shade in learned.items()}
    cards = ["KS", "AD", "7H"]
    assert keep_learned("now", pictures, known=known, cards=cards, folder=tmp_path) == len(kept)
    assert ("now" in deck_templates.deck_names(tmp_path)) == bool(kept)
    if kept:
        found = deck_pictures("now", tmp_path)
        assert [f"{card} {crop[0, 0, 0]}" for card, crop in sorted(found.items())] == kept


def test_a_new_deck_replaces_the_old_one_of_its_name(tmp_path):
    keep_deck("mine", {"KS": grey(200)}, tmp_path)
    keep_deck("mine", {"QS": grey(9)}, tmp_path)
    assert open_deck("mine", tmp_path).cards == ("QS",)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "a.", "x" * 41])
def test_names_that_no_folder_has(name):
    with pytest.raises(DeckError):
        deck_templates.check_name(name)


@pytest.mark.parametrize("left", [b"no picture", b"", None])
def test_a_damaged_picture_is_told(tmp_path, left):
    place = keep_deck("mine", {"KS": grey(200)}, tmp_path) / "KS.png"
    place.unlink()
    if left is None:
        place.mkdir()  # it can be opened by nobody
    else:
        place.write_bytes(left)
    with pytest.raises(DeckError, match="damaged"):
        open_deck("mine", tmp_path)


KINGS = [[("KS", 0.97), ("QS", 0.02)], [("KS", 0.99), ("QS", 0.01)]]
"""Two cards that are read as kings."""


@pytest.mark.parametrize(
    ("readings", "seeds", "named"),
    [
        ([[("KS", 0.6), ("QS", 0.3)], [("KS", 0.9)], [("7H", 0.9)]], [1, 2, 3],
         ["QS", "KS", None]),
        (KINGS, [1, 2], ["QS", "KS"]),
        (KINGS, [1, 1], [None, "KS"]),
        ([*KINGS, [("QS", 0.9), ("KS", 0.1)]], [1, 1, 1], [None, "KS", "QS"]),
        ([], [], []),
    ],
    ids=["the surest first", "two cards that are read alike", "one card in two photos",
         "a card that is read otherwise is another one", "nothing"],
)  # fmt: skip
def test_each_card_is_named_once(readings, seeds, named):
    assert settle(readings, [lit(drawn(seed)) for seed in seeds], ["KS", "QS"]) == named
