"""Makes crops of aces and courts whose index letters are known: R or K, 1 or A.

Two kinds of printings have known letters: those whose cards the project draws, and those that show
a deck's art unchanged, for which ``[letters]`` in ``decks.toml`` names the letters. Where new ranks
are printed over the art, some cards may keep their old letter; such printings are not used.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np

from datasets.cards.decks import Shelf, Split
from datasets.cards.faces import Pack, draw_pack
from datasets.cards.indices import INDEX_FAMILIES
from datasets.cards.labels import FRENCH_CARDS, rank_of
from datasets.scenes.printings import flattened
from datasets.scenes.textures import Image, colour

NO_LETTER = ""
"""The "letter" of a card on which no letter can be seen."""

LETTERS = (NO_LETTER, *sorted({text for each in INDEX_FAMILIES.values() for text in each.values()}))
"""Everything that may stand in the corner of an ace or a court."""

_COURTS = tuple(card for card in FRENCH_CARDS if rank_of(card) in "AJQK")
_OTHERS = tuple(card for card in FRENCH_CARDS if card not in _COURTS)
_JITTER = 0.022  # standard deviation of a corner, as a part of the card's height
_HIDDEN, _PIPS, _ON_ANOTHER = 0.06, 0.06, 0.3
"""Share of crops whose corners are covered, of number cards, and of cards that lie on another."""


class Lettered(NamedTuple):
    """A flattened card.

    Attributes:
        crop: the picture, as the reader takes it.
        card: the card's name.
        letter: what stands in its corners; empty where no letter can be seen.
        printing: number of its printing.
        family: the letters of that printing, by their name in ``INDEX_FAMILIES``; empty for none.
        kind: the kind of its indices, see ``Pack.indices``.
    """

    crop: Image
    card: str
    letter: str
    printing: int
    family: str
    kind: str


def lettered(
    shelf: Shelf, split: Split, printings: int, cards: int, seed: int = 1
) -> Iterator[Lettered]:
    """Cards of random French printings.

    Args:
        shelf: the decks.
        split: the split whose decks are used.
        printings: how many printings.
        cards: how many cards of each.
        seed: decides all that is drawn.
    """
    for number in range(printings):
        rng = Random(f"letters {split} {seed} {number}")
        pack = _known(shelf, split, rng)
        draw = np.random.default_rng(rng.getrandbits(64))
        for _ in range(cards):
            chance = rng.random()
            card = rng.choice(_OTHERS if chance < _PIPS else _COURTS)
            on = pack.face(rng.choice(_COURTS)) if rng.random() < _ON_ANOTHER else None
            crop = flattened(draw, pack.face(card), on, _JITTER)
            letter = INDEX_FAMILIES.get(pack.letters or "", {}).get(rank_of(card), NO_LETTER)
            if chance > 1 - _HIDDEN:
                crop, letter = _hide(draw, crop), NO_LETTER
            yield Lettered(crop, card, letter, number, pack.letters or "", pack.indices)


def _known(shelf: Shelf, split: Split, rng: Random) -> Pack:
    """A random printing whose letters are known, or that is known to have none."""
    while True:
        pack = draw_pack(shelf, "french", split, rng)
        if pack.letters is not None:
            return pack


def _hide(rng: np.random.Generator, crop: Image) -> Image:
    """Cover the corners that indices stand in with something of one colour."""
    height, width = crop.shape[:2]
    tall, wide = round(height * rng.uniform(0.3, 0.45)), round(width * rng.uniform(0.3, 0.45))
    crop = crop.copy()
    for view in (crop, crop[::-1, ::-1]):
        view[:tall, :wide] = colour(rng, 0, 255)
    return crop
