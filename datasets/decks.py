"""The decks that pictures are made of: where their art comes from, and the cache they lie in.

``python -m datasets.decks --cache DIR [--art DIR]`` draws every deck that is installed into
``DIR/<deck>/<card>.png`` (BGRA, :data:`CARD_HEIGHT` pixels tall), and index characters of the
system's fonts into ``DIR/glyphs``. Decks that are missing are left out and named.
"""

import argparse
import functools
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards import BACK, FRENCH_CARDS, SPANISH_CARDS
from datasets.vector import DrawingError, Picture, decode, draw_elements, draw_glyph, draw_sheet

CARD_HEIGHT = 400
"""Height of a cached card, in pixels."""

GNOME_CARDS = Path("/usr/share/aisleriot/cards")
KDE_CARDS = Path("/usr/share/carddecks")

Split = Literal["train", "calibrate", "test"]
SPLITS: tuple[Split, ...] = ("train", "calibrate", "test")

# Decks of one family share court pictures: a family is on one side of the split as a whole.
_GNOME_FAMILIES = {
    "ancient_french": "paris",
    "anglo": "anglo",
    "anglo_bitmap": "anglo",
    "anglo_modern": "anglo_modern",
    "anglo_modern_4_color": "anglo_modern",
    "anglo_poker": "anglo_poker",
    "atlasnye": "atlasnye",
    "atlasnye_skat": "atlasnye",
    "bellot": "paris",
    "berlin": "berlin",
    "dondorf": "dondorf",
    "gnomangelo": "anglo",
    "gnomangelo_bitmap": "anglo",
    "guyenne-classic": "guyenne",
    "lattmann": "lattmann",
    "neoclassical": "neoclassical",
    "neoclassical_4_color": "neoclassical",
    "orell": "orell",
    "ornamental": "ornamental",
    "paris": "paris",
    "plastic": "plastic",
    "rheinland": "rheinland",
    "simplistic": "simplistic",
    "tango": "tango",
    "tango_nuevo": "tango",
    "tarocco": "tarocco",
    "tigullio": "tigullio",
}
_KDE_FAMILIES = {
    "svg-ancient-egyptians": "egyptians",
    "svg-jolly-royal": "jolly",
    "svg-nicu-white": "ornamental",
    "svg-oxygen": "oxygen",
    "svg-oxygen-white": "oxygen",
    "svg-standard": "standard",
}
HELD_OUT_FAMILIES: dict[str, Split] = {
    "jolly": "calibrate",
    "tigullio": "calibrate",
    "anglo_poker": "test",
    "lattmann": "test",
}
"""Families that are never trained on: two English, one Italian, one German pattern.

What probabilities are fitted on is not what they are measured on.
"""

GLYPH_FONTS = (
    "DejaVu Sans",
    "DejaVu Serif",
    "DejaVu Sans Condensed",
    "Liberation Sans",
    "Liberation Sans Narrow",
    "Liberation Serif",
    "FreeSans",
    "FreeSerif",
    "URW Bookman",
    "URW Gothic",
    "Century Schoolbook L",
    "C059",
    "P052",
    "Nimbus Roman",
    "Nimbus Sans Narrow",
    "Linux Libertine O",
    "Lato",
    "Old Standard TT",
    "Cabin",
)
GLYPH_TEXTS = (*"AJQKVRDB", *(str(number) for number in range(1, 13)))


@dataclass(frozen=True)
class Deck:
    """A deck in the cache.

    Attributes:
        name: the folder's name.
        family: decks whose court pictures are alike share a family.
        suits: ``french`` or ``spanish``.
        split: whether pictures for training, for fitting probabilities or for testing are made of
            it.
        folder: where its cards lie as PNG.
        cards: the names that are there, jokers and back included.
    """

    name: str
    family: str
    suits: Literal["french", "spanish"]
    split: Split
    folder: Path
    cards: tuple[str, ...]

    def face(self, card: str) -> Picture:
        """The picture of a card, BGRA; the caller must not write into it."""
        return _load(self.folder / f"{card}.png")


@functools.lru_cache(maxsize=4096)
def _load(path: Path) -> Picture:
    picture = decode(path.read_bytes())
    if picture is None:
        raise DrawingError(f"{path} is no picture: draw the decks again")
    picture.setflags(write=False)
    return picture


@dataclass(frozen=True)
class Shelf:
    """Every deck of a cache, and the index characters.

    Attributes:
        decks: sorted by name.
        glyphs: font name to character(s) to coverage (0–255).
    """

    decks: tuple[Deck, ...]
    glyphs: dict[str, dict[str, NDArray[np.uint8]]]

    def of(self, suits: str, split: Split) -> tuple[Deck, ...]:
        """The decks with these suits on this side of the split."""
        return tuple(deck for deck in self.decks if deck.suits == suits and deck.split == split)


def open_shelf(cache: Path) -> Shelf:
    """Read a cache's catalogue; pictures are loaded when they are asked for."""
    catalogue = cache / "decks.json"
    if not catalogue.is_file():
        raise DrawingError(f"no decks in {cache}: run python -m datasets.decks --cache {cache}")
    decks = tuple(
        Deck(folder=cache / entry["name"], **{**entry, "cards": tuple(entry["cards"])})
        for entry in json.loads(catalogue.read_text())
    )
    glyphs: dict[str, dict[str, NDArray[np.uint8]]] = {}
    for path in sorted((cache / "glyphs").glob("*/*.png")):
        ink = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        if ink is not None:
            glyphs.setdefault(path.parent.name, {})[path.stem] = ink.astype(np.uint8)
    return Shelf(decks, glyphs)


def _scaled(picture: Picture) -> Picture:
    scale = CARD_HEIGHT / picture.shape[0]
    size = (round(picture.shape[1] * scale), CARD_HEIGHT)
    area = scale < 1
    return cv2.resize(
        picture, size, interpolation=cv2.INTER_AREA if area else cv2.INTER_CUBIC
    ).astype(np.uint8)


def _save(cards: dict[str, Picture], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in cards.items():
        picture = _scaled(picture)
        if not cv2.imwrite(str(folder / f"{name}.png"), picture):
            raise DrawingError(f"cannot write {folder / name}.png")


def _spanish_art(path: Path, height: int) -> dict[str, Picture]:
    """Pictures of 319 pixels' height; what is asked for comes when they are saved."""
    cards = {}
    for name in (*SPANISH_CARDS, BACK):
        picture = decode((path / f"{name}.png").read_bytes())
        if picture is None:
            raise DrawingError(f"{path / name}.png is no picture")
        cards[name] = picture
    return cards


def draw_cache(cache: Path, art: Path | None = None) -> Iterable[str]:
    """Draw every deck that can be found; yields one line of report for each.

    Args:
        cache: the folder to fill; decks that are already there are not drawn again.
        art: the folder with ``paris-1rdv`` and ``spanish-basquetteur``, where there is one.
    """
    jobs = [
        (f"gnome-{stem}", family, "french", GNOME_CARDS / f"{stem}.svgz", draw_sheet)
        for stem, family in _GNOME_FAMILIES.items()
    ] + [
        (f"kde-{stem}", family, "french", path, draw_elements)
        for stem, family in _KDE_FAMILIES.items()
        for path in sorted((KDE_CARDS / stem).glob("*.svgz"))
    ]
    if art is not None:
        paris = art / "paris-1rdv" / "paris.svg"
        jobs.append(("paris-1rdv", "paris", "french", paris, draw_sheet))
        spanish = art / "spanish-basquetteur"
        jobs.append(("spanish-basquetteur", "basquetteur", "spanish", spanish, _spanish_art))
    catalogue = []
    for name, family, suits, source, draw in jobs:
        folder = cache / name
        wanted = SPANISH_CARDS if suits == "spanish" else FRENCH_CARDS
        try:
            if not source.exists():
                raise DrawingError("not installed")
            if not folder.is_dir():
                _save(draw(source, CARD_HEIGHT), folder)
            cards = tuple(sorted(path.stem for path in folder.glob("*.png")))
            missing = sorted(set(wanted) - set(cards))
            if missing:
                raise DrawingError(f"lacks {' '.join(missing)}")
        except DrawingError as error:
            yield f"{name}: left out, {error}"
            continue
        split = HELD_OUT_FAMILIES.get(family, "train")
        catalogue.append(
            {"name": name, "family": family, "suits": suits, "split": split, "cards": cards}
        )
        yield f"{name}: {len(cards)} cards, {split}"
    for font in GLYPH_FONTS:
        for bold in (False, True):
            folder = cache / "glyphs" / f"{font.replace(' ', '-')}{'-bold' if bold else ''}"
            if folder.is_dir():
                continue
            folder.mkdir(parents=True)
            for text in GLYPH_TEXTS:
                glyph = draw_glyph(text, font, bold=bold)
                cv2.imwrite(str(folder / f"{text}.png"), glyph)
    cache.joinpath("decks.json").write_text(
        json.dumps(sorted(catalogue, key=lambda entry: str(entry["name"])), indent=1)
    )


def main(arguments: list[str] | None = None) -> int:
    """Draw the decks."""
    parser = argparse.ArgumentParser(prog="datasets.decks", description=main.__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="folder to draw the decks into")
    parser.add_argument("--art", type=Path, help="folder with further card art")
    options = parser.parse_args(arguments)
    for line in draw_cache(options.cache, options.art):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
