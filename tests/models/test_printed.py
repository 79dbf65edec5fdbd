"""The reader is measured on new printings of decks."""

from pathlib import Path
from random import Random
from types import SimpleNamespace

import cv2
import numpy as np

from datasets.cards.decks import Deck, Shelf
from datasets.cards.faces import blank_card
from datasets.cards.labels import CLASSES, FRENCH_CARDS
from models.printed import CARDS_A_PRINTING, score_printings


class SaysKings:
    """A reader that reads everything as a king."""

    classes = CLASSES

    def read_crops(self, crops):
        logits = np.zeros((len(crops), len(CLASSES)), np.float32)
        logits[:, CLASSES.index("KS")] = 20
        return SimpleNamespace(logits=logits)


def test_right_ranks_are_counted_by_what_indices_are_like(tmp_path: Path) -> None:
    for card in FRENCH_CARDS:
        cv2.imwrite(str(tmp_path / f"{card}.png"), blank_card(Random(1), 270, (255, 255, 255)))
    deck = Deck("plain", "plain", "french", "unseen", tmp_path, FRENCH_CARDS)
    glyph = np.full((40, 24), 255, np.uint8)
    texts = (*"AJQKVRDB", *(str(number) for number in range(1, 13)))
    shelf = Shelf((deck,), {"blocks": dict.fromkeys(texts, glyph)})
    rows = score_printings(SaysKings(), shelf, "unseen", 24)
    cards = [row["cards"] for row in rows.values()]
    assert sum(cards) == 2 * 24 * CARDS_A_PRINTING  # each counts by its index, and among all
    assert {"printings, french, jumbo", "printings, french, as printed, together"} <= set(rows)
    for row in rows.values():
        assert 0 <= row["rank_low"] <= row["rank_right"] <= row["rank_high"] < 0.6
        assert row["sure"] == 1
    mean = np.average([row["rank_right"] for row in rows.values()], weights=cards)
    assert 0.1 < mean < 0.23  # a quarter of the courts and aces, a thirteenth of the others
