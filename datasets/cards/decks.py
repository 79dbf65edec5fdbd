"""The decks that pictures are made from: where their art comes from, and the cache of their cards.

``python -m datasets.cards.decks --cache DIR [--art DIR] [--npm DIR]`` draws every deck that is
installed into ``DIR/<deck>/<card>.png`` (BGRA, :data:`CARD_HEIGHT` pixels tall), and index
characters of the system's fonts into ``DIR/glyphs``. Decks that are missing are left out and named.
"""

import argparse
import functools
import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.fonts import Alphabet, draw_fonts, font_name
from datasets.cards.labels import BACK, FRENCH_CARDS, SPANISH_CARDS
from datasets.cards.vector import (
    DrawingError,
    Picture,
    decode,
    draw_elements,
    draw_glyph,
    draw_sheet,
    render_svg,
)
from scorekeeper.games.cards import FRENCH_SUITS, RANKS

CARD_HEIGHT = 400
"""Height of a cached card, in pixels."""

Split = Literal["train", "calibrate", "test", "unseen"]
SPLITS: tuple[Split, ...] = ("train", "calibrate", "test", "unseen")
"""``unseen`` is a second test split, from sources that no training deck shares. Models are measured
on it, but nobody looks at single errors, so that nothing is ever fitted to them."""

CATALOGUE = tomllib.loads(Path(__file__).with_name("decks.toml").read_text(encoding="utf-8"))
"""``decks.toml``: where decks lie, their families, and which families are held out."""

KEPT_FONTS: tuple[str, ...] = tuple(CATALOGUE["fonts"]["kept"])
"""Fonts that only decks outside training use."""


@dataclass(frozen=True)
class Deck:
    """A deck in the cache.

    Attributes:
        name: the folder's name.
        family: decks whose court pictures are alike share a family.
        suits: ``french`` or ``spanish``.
        split: what its pictures are for: training, fitting probabilities, or measuring.
        folder: where its cards lie as PNG.
        cards: the names that are there, jokers and back included.
        courts_only: only its court pictures and its back are of use; all else is drawn.
        weight: how often its family is drawn, relative to other families.
        indices: the index letters that it always carries, by their name in
            ``datasets.cards.indices.INDEX_FAMILIES``; empty where it may carry any.
    """

    name: str
    family: str
    suits: Literal["french", "spanish"]
    split: Split
    folder: Path
    cards: tuple[str, ...]
    courts_only: bool = False
    weight: float = 1.0
    indices: str = ""

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
        fonts: by a font's name and an index's text, the text's coverage (0–255).
    """

    decks: tuple[Deck, ...]
    fonts: dict[str, dict[str, NDArray[np.uint8]]]

    def of(self, suits: str, split: Split) -> tuple[Deck, ...]:
        """The decks of this split with these suits."""
        return tuple(deck for deck in self.decks if deck.suits == suits and deck.split == split)

    def alphabet(self, split: Split, rng: Random) -> Alphabet:
        """The index characters of a random printing, in a font of this split.

        Raises:
            DrawingError: the cache holds no fonts.
        """
        kept = {font_name(each, bold=bold) for each in KEPT_FONTS for bold in (False, True)}
        fonts = sorted(self.fonts.keys() - kept if split == "train" else self.fonts.keys() & kept)
        fonts = fonts or sorted(self.fonts)
        if not fonts:
            raise DrawingError("the cache holds no index characters: draw the decks again")
        return Alphabet(self.fonts[rng.choice(fonts)], rng)


def open_shelf(cache: Path) -> Shelf:
    """Read a cache's catalogue; pictures are loaded when they are asked for."""
    catalogue = cache / "decks.json"
    if not catalogue.is_file():
        raise DrawingError(
            f"no decks in {cache}: run python -m datasets.cards.decks --cache {cache}"
        )
    decks = tuple(
        Deck(folder=cache / entry["name"], **{**entry, "cards": tuple(entry["cards"])})
        for entry in json.loads(catalogue.read_text())
    )
    fonts: dict[str, dict[str, NDArray[np.uint8]]] = {}
    for path in sorted((cache / "glyphs").glob("*/*.png")):
        ink = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        if ink is not None:
            fonts.setdefault(path.parent.name, {})[path.stem] = ink.astype(np.uint8)
    return Shelf(decks, fonts)


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


def _picture(path: Path) -> Picture:
    picture = decode(path.read_bytes()) if path.is_file() else None
    if picture is None:
        raise DrawingError(f"{path} is no picture")
    return picture


def _named(folder: Path, source: Mapping[str, Any]) -> dict[str, Picture]:
    """Reads pictures whose files have the names of their cards."""
    names = SPANISH_CARDS if source.get("suits") == "spanish" else FRENCH_CARDS
    return {name: _picture(folder / f"{name}.png") for name in (*names, BACK)}


def _numbered(folder: Path, source: Mapping[str, Any]) -> dict[str, Picture]:
    """Reads pictures of PySolFC, ``01c … 13s``, as far as OpenCV can read them.

    11 to 13 are the courts. In Spanish decks c, d, h and s are bastos, oros, copas and espadas;
    their number cards 10 are left out, because Spanish packs have none.
    """
    if source.get("suits") == "spanish":
        ranks = {**{str(n): n for n in range(1, 10)}, "10": 11, "11": 12, "12": 13}
        letters = {"B": "c", "O": "d", "U": "h", "E": "s"}
    else:
        ranks = {rank: number for number, rank in enumerate(RANKS, start=1)}
        letters = {suit: suit.lower() for suit in FRENCH_SUITS}
    stems = {
        f"{rank}{suit}": f"{number:02d}{letter}"
        for rank, number in ranks.items()
        for suit, letter in letters.items()
    } | {BACK: "back01"}
    cards = {}
    for name, stem in stems.items():
        for path in folder.glob(f"{stem}.*"):
            try:
                cards[name] = _picture(path)
            except DrawingError:  # some are GIFs that OpenCV does not read
                continue
    return cards


def _numbered_anew(folder: Path, source: Mapping[str, Any]) -> dict[str, Picture]:
    """Like :func:`_numbered`, with the card's number printed again in two corners."""
    cards = _numbered(folder, source)
    for name, picture in cards.items():
        if name == BACK:
            continue
        height, width = picture.shape[:2]
        glyph = draw_glyph(name[:-1], "DejaVu Sans Condensed", bold=False)
        tall = round(height * 0.065)
        size = (max(round(glyph.shape[1] * tall / glyph.shape[0]), 1), tall)
        ink = 255 - cv2.resize(glyph, size, interpolation=cv2.INTER_AREA)
        for view in (picture, picture[::-1, ::-1]):
            top, left = round(height * 0.04), round(width * 0.07)
            view[top : top + tall + 4, left - 2 : left + round(width * 0.12), :3] = 255
            view[top + 2 : top + 2 + tall, left : left + size[0], :3] = ink[..., None]
    return cards


def _stems(folder: Path, source: Mapping[str, Any]) -> dict[str, Picture]:
    """Reads pictures whose names are made of the source's own words for ranks and suits."""
    file, ranks, suits = source["card"], source["ranks"], source["suit_names"]
    paths = {
        f"{rank}{suit}": file.format(rank=its_rank, suit=its_suit)
        for rank, its_rank in zip(RANKS, ranks, strict=True)
        for suit, its_suit in zip(FRENCH_SUITS, suits, strict=True)
    }
    if "back" in source:
        paths[BACK] = source["back"]
    return {name: _drawn(folder / path) for name, path in paths.items()}


def _counted(folder: Path, source: Mapping[str, Any]) -> dict[str, Picture]:
    """Reads pictures that are numbered from 0, suit by suit, twos first and aces last."""
    order = [*RANKS[1:], RANKS[0]]
    cards = {
        f"{rank}{suit}": _drawn(folder / f"{number}.png")
        for number, (suit, rank) in enumerate(product(source["suit_order"], order))
    }
    return cards | {BACK: _drawn(folder / source["back"])}


def _drawn(path: Path) -> Picture:
    if path.suffix == ".svg":
        return render_svg(path, "-h", str(CARD_HEIGHT))
    return _picture(path)


_READERS: dict[str, Callable[[Path, Mapping[str, Any]], dict[str, Picture]]] = {
    "sheet": lambda path, source: draw_sheet(path, CARD_HEIGHT),
    "elements": lambda path, source: draw_elements(path, CARD_HEIGHT),
    "stems": _stems,
    "counted": _counted,
    "named": _named,
    "numbered": _numbered,
    "numbered_anew": _numbered_anew,
}


def _wanted(suits: str, courts_only: bool) -> set[str]:
    if suits == "spanish":
        return set(SPANISH_CARDS)
    return {card for card in FRENCH_CARDS if not courts_only or card[0] in "JQK"}


def _jobs(art: Path | None, npm: Path | None) -> Iterator[tuple[dict[str, Any], str, str, Path]]:
    """Yields for each deck its source, its name, its family and its path."""
    absent = [part for part, given in (("{art}", art), ("{npm}", npm)) if given is None]
    for source in CATALOGUE["source"]:
        if source["folder"].startswith(tuple(absent)):
            continue
        for deck, family in source["decks"].items():
            folder = Path(source["folder"].format(art=art, npm=npm, deck=deck))
            pattern = source.get("file", "").format(deck=deck)
            for path in sorted(folder.glob(pattern)) if pattern else [folder]:
                yield source, source.get("prefix", "") + deck, family, path


def draw_cache(cache: Path, art: Path | None = None, npm: Path | None = None) -> Iterable[str]:
    """Draw every deck that can be found; yields one line of report for each.

    Args:
        cache: the folder to fill; decks that are already there are not drawn again.
        art: the folder of further card art, where there is one.
        npm: the folder of npm's packages, ``node_modules``, where there is one.
    """
    catalogue = []
    for source, name, family, path in _jobs(art, npm):
        folder = cache / name
        suits, courts_only = source.get("suits", "french"), source.get("courts_only", False)
        wanted = _wanted(suits, courts_only)
        try:
            if not path.exists():
                raise DrawingError("not installed")
            if not folder.is_dir():
                _save(_READERS[source["reader"]](path, source), folder)
            drawn = {file.stem for file in folder.glob("*.png")}
            drawn -= {BACK} if name in CATALOGUE["backs"]["left_out"] else set()
            cards = sorted(drawn & (wanted | {BACK}) if courts_only else drawn)
            missing = sorted(wanted - set(cards))
            if missing:
                raise DrawingError(f"lacks {' '.join(missing)}")
        except DrawingError as error:
            yield f"{name}: left out, {error}"
            continue
        weight = CATALOGUE["weight"].get(family, source.get("weight", 1))
        entry = {"name": name, "family": family, "suits": suits, "cards": cards, "weight": weight}
        entry |= {"split": CATALOGUE["split"].get(family, "train"), "courts_only": courts_only}
        catalogue.append(entry | {"indices": CATALOGUE["indices"].get(family, "")})
        yield f"{name}: {len(cards)} cards, {entry['split']}"
    yield from draw_fonts([*CATALOGUE["fonts"]["train"], *KEPT_FONTS], cache / "glyphs")
    cache.joinpath("decks.json").write_text(
        json.dumps(sorted(catalogue, key=lambda entry: str(entry["name"])), indent=1)
    )


def main(arguments: list[str] | None = None) -> int:
    """Draw the decks."""
    parser = argparse.ArgumentParser(prog="datasets.cards.decks", description=main.__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="folder to draw the decks into")
    parser.add_argument("--art", type=Path, help="folder with further card art")
    parser.add_argument("--npm", type=Path, help="folder with npm's packages, node_modules")
    options = parser.parse_args(arguments)
    for line in draw_cache(options.cache, options.art, options.npm):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
