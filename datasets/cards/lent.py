"""Takes figures and whole faces from printed and photographed decks for a Spanish printing.

The figures that the project draws are flat. Real ones are engraved, and differ from deck to deck.
"""

from collections.abc import Sequence
from random import Random

import numpy as np

from datasets.cards.decks import Deck
from datasets.cards.indices import Colour
from datasets.cards.labels import rank_of, suit_of
from datasets.cards.vector import Picture, tinted

_COURTS = {"french": ("J", "Q", "K"), "spanish": ("10", "11", "12")}


def figure(deck: Deck, suit: str, rng: Random, rank: str | None = None) -> Picture:
    """A deck's court picture without its indices, perhaps mirrored; of this suit if it has it.

    Args:
        deck: the deck that lends it.
        suit: the suit's letter in a Spanish pack.
        rng: draws which picture.
        rank: the rank of the picture, which the deck has to have; None for any court.
    """
    spanish = deck.suits == "spanish"
    courts = _COURTS["spanish" if spanish else "french"] if rank is None else (rank,)
    cards = [card for card in deck.cards if rank_of(card) in courts]
    alike = [card for card in cards if spanish and suit_of(card) == suit]
    art = _within(deck.face(rng.choice(alike or cards)), 0.06, 0.14 if spanish else 0.17)
    return art[:, ::-1] if rng.random() < 0.5 else art


def whole_face(decks: Sequence[Deck], card: str, rng: Random) -> Picture | None:
    """The part of a Spanish deck's card inside its frame, without its numbers.

    Args:
        decks: the Spanish decks that may lend it.
        card: the card's name; decks of forty cards have neither eights nor nines.
        rng: draws the deck.

    Returns:
        BGRA, or None where no deck has the card.
    """
    having = [deck for deck in decks if card in deck.cards]
    return _within(rng.choice(having).face(card), 0.05, 0.12) if having else None


def recoloured(art: Picture, paper: Colour, rng: Random) -> Picture:
    """The same picture on other paper (BGR), in inks of slightly other hue, strength, lightness."""
    lightness = rng.uniform(0.75, 1.4)
    inks = tinted(art, hue=rng.uniform(-10, 10), strength=rng.uniform(0.4, 1.4))
    printed = 255 * (inks[..., :3] / np.float32(255)) ** lightness
    printed *= np.array(paper, np.float32) / 255
    return np.dstack([printed, art[..., 3]]).astype(np.uint8)


def _within(art: Picture, above: float, beside: float) -> Picture:
    height, width = art.shape[:2]
    return art[
        round(height * above) : round(height * (1 - above)),
        round(width * beside) : round(width * (1 - beside)),
    ]
