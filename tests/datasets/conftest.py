"""A small cache of drawn decks, so that the tests need no downloaded pictures of cards."""

import json
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from datasets.cards.decks import Shelf, open_shelf
from datasets.cards.faces import blank_card
from datasets.cards.fonts import GLYPH_TEXTS
from datasets.cards.labels import FRENCH_CARDS


def _write(text: str, height: int) -> np.ndarray:
    ink = np.zeros((height * 2, height * 4), np.uint8)
    cv2.putText(ink, text, (8, height * 3 // 2), cv2.FONT_HERSHEY_SIMPLEX, height / 24, 255, 4)
    x, y, width, height = cv2.boundingRect(ink)
    return ink[y : y + height, x : x + width]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the cache: a deck for training, a deck for testing, and a font."""
    folder = tmp_path_factory.mktemp("decks")
    entries = []
    for name, split in (("plain", "train"), ("other", "test")):
        (folder / name).mkdir()
        for card in (*FRENCH_CARDS, "back", "XJ"):
            picture = blank_card(Random(1), 270, (255, 255, 255))
            if card == "back":
                picture[20:-20, 20:-20, :3] = (180, 60, 20)
            else:
                glyph = cv2.resize(_write(card[:-1], 40), (24, 34))
                for view in (picture, picture[::-1, ::-1]):
                    view[20:54, 14:38, :3] = 255 - glyph[..., None]
            cv2.imwrite(str(folder / name / f"{card}.png"), picture)
        cards = [*FRENCH_CARDS, "back", "XJ"]
        entries.append(
            {"name": name, "family": name, "suits": "french", "split": split, "cards": cards}
        )
    (folder / "decks.json").write_text(json.dumps(entries))
    (folder / "glyphs" / "strokes").mkdir(parents=True)
    for text in GLYPH_TEXTS:
        cv2.imwrite(str(folder / "glyphs" / "strokes" / f"{text}.png"), _write(text, 60))
    return folder


@pytest.fixture(scope="session")
def shelf(cache: Path) -> Shelf:
    """The cache, opened."""
    return open_shelf(cache)
