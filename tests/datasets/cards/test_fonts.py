"""The letters and numbers of indices."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from datasets.cards import fonts
from datasets.cards.decks import KEPT_FONTS, Shelf
from datasets.cards.fonts import GLYPH_TEXTS, Alphabet, font_name, installed_families
from datasets.cards.vector import DrawingError

ALPHABETS = range(40)


def glyph(text: str, stroke: int = 7) -> np.ndarray:
    """A character with strokes of about so many pixels."""
    ink = np.zeros((96, 80), np.uint8)
    cv2.putText(ink, text[0], (8, 84), cv2.FONT_HERSHEY_DUPLEX, 3.2, 255, stroke)
    x, y, width, height = cv2.boundingRect(ink)
    return ink[y : y + height, x : x + width]


GLYPHS = {text: glyph(text) for text in GLYPH_TEXTS}


def test_printings_have_letters_of_their_own() -> None:
    made = [Alphabet(GLYPHS, Random(seed))["D"] for seed in ALPHABETS]
    wide = [each.shape[1] / each.shape[0] for each in made]
    ink = [each.mean() / 255 for each in made]
    assert min(wide) < 0.75 * max(wide)
    assert min(ink) < 0.85 * max(ink)


@pytest.mark.parametrize("stroke", [3, 7, 13], ids=["light", "usual", "heavy"])
def test_a_letter_stays_the_letter_it_is(stroke) -> None:
    """However a font is varied, each of its characters stays whole and has as many holes."""
    glyphs = {text: glyph(text, stroke) for text in GLYPH_TEXTS}
    for alphabet in (Alphabet(glyphs, Random(seed)) for seed in ALPHABETS):
        for text in ("A", "D", "R", "8"):
            assert holes(alphabet[text]) == holes(glyphs[text]), text


def test_a_hairline_stays_whole() -> None:
    hairline = GLYPHS["J"].copy()
    middle = len(hairline) // 2
    hairline[middle, : hairline[middle].nonzero()[0][-3]] = 0
    glyphs = GLYPHS | {"J": hairline}
    for alphabet in (Alphabet(glyphs, Random(seed)) for seed in ALPHABETS):
        assert holes(alphabet["J"]) == (1, 0)


def test_no_index_has_hairlines() -> None:
    hairline = np.zeros((80, 40), np.uint8)
    hairline[:, 19:21] = 255
    for alphabet in (Alphabet({"1": hairline}, Random(seed)) for seed in ALPHABETS):
        if alphabet._width >= 1:  # else a narrow letter has a narrow stem
            assert (alphabet["1"].max(axis=0) > 127).sum() >= 0.05 * len(hairline)


def test_a_printing_has_one_alphabet() -> None:
    alphabet = Alphabet(GLYPHS, Random(1))
    assert (alphabet["R"] == alphabet["R"]).all()


def test_decks_to_measure_with_have_fonts_that_nobody_trains_on() -> None:
    kept = font_name(KEPT_FONTS[0], bold=True)
    shelf = Shelf((), {"Trained": {"A": GLYPHS["A"]}, kept: {"A": GLYPHS["K"]}})
    trained = {shelf.alphabet("train", Random(seed))._glyphs["A"].tobytes() for seed in range(9)}
    measured = {shelf.alphabet("unseen", Random(seed))._glyphs["A"].tobytes() for seed in range(9)}
    assert trained == {GLYPHS["A"].tobytes()}
    assert measured == {GLYPHS["K"].tobytes()}


def test_a_cache_without_fonts_says_so() -> None:
    with pytest.raises(DrawingError, match="no index characters"):
        Shelf((), {}).alphabet("train", Random(1))


def test_a_font_that_is_not_installed_is_left_out_and_named(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fonts, "installed_families", lambda: {"Here"})
    monkeypatch.setattr(fonts, "draw_glyph", lambda text, family, *, bold: GLYPHS[text])
    said = list(fonts.draw_fonts(["Here", "Elsewhere"], tmp_path))
    assert said == ["font Elsewhere: left out, not installed"]
    assert {each.name for each in tmp_path.iterdir()} == {"Here", "Here-bold"}


def test_without_fontconfig_it_is_said(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DrawingError, match="install fontconfig"):
        installed_families()


def holes(ink: np.ndarray) -> tuple[int, int]:
    """The number of pieces and of holes of a character."""
    room = cv2.copyMakeBorder(ink, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=0)
    solid = (room > 127).astype(np.uint8)
    pieces = cv2.connectedComponents(solid)[0] - 1
    return pieces, cv2.connectedComponents(1 - solid, connectivity=4)[0] - 2
