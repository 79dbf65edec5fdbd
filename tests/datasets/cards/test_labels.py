"""The names of cards."""

import pytest

from datasets.cards.labels import CLASSES, FRENCH_CARDS, SPANISH_CARDS, rank_of, suit_of


def test_every_class_is_named_once() -> None:
    assert (len(FRENCH_CARDS), len(SPANISH_CARDS), len(CLASSES)) == (52, 48, 103)
    assert len(set(CLASSES)) == len(CLASSES)


@pytest.mark.parametrize(
    ("card", "rank", "suit"),
    [
        ("10H", "10", "H"),
        ("AS", "A", "S"),
        ("12O", "12", "O"),
        ("K?", "K", None),
        ("XJ", "XJ", None),
        ("back", "back", None),
    ],
)
def test_a_name_is_taken_apart(card: str, rank: str, suit: str | None) -> None:
    assert (rank_of(card), suit_of(card)) == (rank, suit)
