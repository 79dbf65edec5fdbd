"""The letters and numbers of indices: the system's fonts, changed for each printing.

Index letters of real cards are often narrow, heavy or slanted. So a printing takes a font and draws
it wider or narrower, bolder or thinner, upright or leaning (:class:`Alphabet`). Some fonts are not
used in training (``[fonts]`` in ``decks.toml``): decks to measure with have those.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.vector import DrawingError, draw_glyph

Mask = NDArray[np.uint8]

GLYPH_TEXTS = (*"AJQKVRDB", *(str(number) for number in range(1, 13)))
"""The texts of indices in all languages."""

_WIDTHS, _SLANTS, _STROKES = (0.55, 1.15), (-0.25, 0.25), (-5, 9)
"""From, to: the factor of a letter's width; how far its top leans to the right, as a part of its
height; and how much wider its strokes become, in hundredths of its height."""

_CHANGED, _SLANTED = 0.65, 0.1
"""Share of printings whose width changes, and likewise whose strokes change; and share of printings
whose letters lean."""

_LEAST_STROKE = 0.09
"""Least width of a character's strokes, as a part of its height: no card's index has hairlines."""

_SPECK = 0.004
"""Ink, or paper within it, that covers less than this part of a character's box counts as none."""


def installed_families() -> set[str]:
    """The font families of this system.

    Raises:
        DrawingError: fontconfig is not installed.
    """
    try:
        said = subprocess.run(["fc-list", ":", "family"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise DrawingError(f"fc-list cannot be run ({error}): install fontconfig") from error
    lines = said.stdout.decode(errors="replace").splitlines()
    return {name.strip() for line in lines for name in line.split(",")}


def draw_fonts(families: Sequence[str], folder: Path) -> Iterator[str]:
    """Draws the index characters of fonts into ``FOLDER/<font>/<text>.png``.

    Args:
        families: the fonts' families. One that is not installed is left out, because the system
            would draw another font in its place.
        folder: the folder to draw into.

    Yields:
        A line for each font that is left out.
    """
    known = installed_families()
    for family in families:
        if family not in known:
            yield f"font {family}: left out, not installed"
            continue
        for bold in (False, True):
            own = folder / font_name(family, bold=bold)
            if own.is_dir():
                continue
            own.mkdir(parents=True)
            for text in GLYPH_TEXTS:
                cv2.imwrite(str(own / f"{text}.png"), draw_glyph(text, family, bold=bold))


def font_name(family: str, *, bold: bool) -> str:
    """A font's name in the cache."""
    return f"{family.replace(' ', '-')}{'-bold' if bold else ''}"


class Alphabet:
    """The characters of one printing's indices.

    Args:
        glyphs: a font's texts and their coverage (0–255), trimmed to their ink.
        rng: draws how this printing changes the font.
    """

    def __init__(self, glyphs: Mapping[str, Mask], rng: Random) -> None:
        self._glyphs, self._made = glyphs, dict[str, Mask]()
        self._width = rng.uniform(*_WIDTHS) if rng.random() < _CHANGED else 1.0
        self._stroke = rng.uniform(*_STROKES) / 100 if rng.random() < _CHANGED else 0.0
        self._slant = rng.uniform(*_SLANTS) if rng.random() < _SLANTED else 0.0
        own = float(np.median([_stroke(each) for each in glyphs.values()]))
        self._stroke = max(self._stroke, _LEAST_STROKE - own)
        if not all(_is_whole(self._thick(each), each) for each in glyphs.values()):
            self._stroke = 0.0

    def __getitem__(self, text: str) -> Mask:
        """The coverage (0–255) of a text of one or two characters."""
        if text not in self._made:
            self._made[text] = self._drawn(self._glyphs[text])
        return self._made[text]

    def _drawn(self, glyph: Mask) -> Mask:
        # The strokes change before the width does, so that narrow letters get narrow stems.
        glyph = self._thick(glyph)
        height, width = glyph.shape
        lean = self._slant * height
        matrix = np.array([[self._width, -self._slant, max(lean, 0.0)], [0, 1, 0]])
        size = (max(round(width * self._width + abs(lean)), 2), height)
        return cv2.warpAffine(glyph, matrix, size, flags=cv2.INTER_AREA).astype(np.uint8)

    def _thick(self, glyph: Mask) -> Mask:
        """A character with the strokes of this printing."""
        return _with_strokes(glyph, round(abs(self._stroke) * len(glyph)), self._stroke > 0)


def _stroke(glyph: Mask) -> float:
    """How wide a character's strokes are, as a part of its height.

    The ink's distances to the paper are a quarter of that on average.
    """
    ink = cv2.copyMakeBorder(glyph, *[1] * 4, cv2.BORDER_CONSTANT, value=0) > 127
    distances = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 5)
    return 4 * float(distances[ink].mean()) / len(glyph) if ink.any() else 0.0


def _is_whole(changed: Mask, glyph: Mask) -> bool:
    """Whether no stroke of a changed character broke, and no counter was filled or cut open.

    Counters are the paper that strokes enclose, as in an eight. The two digits of a ten may touch.
    """
    (ink, paper), (own_ink, own_paper) = map(_pieces, (changed, glyph))
    return 0 < ink <= own_ink and paper == own_paper


def _pieces(glyph: Mask) -> tuple[int, int]:
    """How many connected pieces of ink a character has, and of paper; specks do not count."""
    ink = cv2.copyMakeBorder((glyph > 127).astype(np.uint8), *[1] * 4, cv2.BORDER_CONSTANT, value=0)
    found = []
    for mask, connectivity in ((ink, 8), (1 - ink, 4)):
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
        found.append(int((stats[1:, cv2.CC_STAT_AREA] >= _SPECK * glyph.size).sum()))
    return found[0], found[1]


def _with_strokes(glyph: Mask, pixels: int, wider: bool) -> Mask:
    """A character whose strokes are so many pixels wider, or thinner."""
    if not pixels:
        return glyph
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (pixels + 1, pixels + 1))
    if wider:
        room = cv2.copyMakeBorder(glyph, *[(pixels + 1) // 2] * 4, cv2.BORDER_CONSTANT, value=0)
        return cv2.dilate(room, kernel).astype(np.uint8)
    return cv2.erode(glyph, kernel).astype(np.uint8)
