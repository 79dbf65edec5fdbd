"""What printed and photographed decks lend to a Spanish printing: figures and whole faces.

Drawn figures and signs are flat; engraved ones are not, and hardly two decks' are alike.
"""

from collections.abc import Sequence
from random import Random

import cv2
import numpy as np

from datasets.cards.decks import Deck
from datasets.cards.indices import Colour
from datasets.cards.labels import SPANISH_CARDS, rank_of, suit_of
from datasets.cards.vector import Picture

_COURTS = {"french": ("J", "Q", "K"), "spanish": ("10", "11", "12")}

_ANY_NUMBER = 0.3
"""Share of lent number cards that show as many signs as another card: what is printed counts."""


def figure(deck: Deck, suit: str, rng: Random) -> Picture:
    """A deck's court picture without its indices: of this suit, where it has that; of any rank."""
    spanish = deck.suits == "spanish"
    courts = _COURTS["spanish" if spanish else "french"]
    cards = [card for card in deck.cards if rank_of(card) in courts]
    alike = [card for card in cards if spanish and suit_of(card) == suit]
    art = _within(deck.face(rng.choice(alike or cards)), 0.06, 0.14 if spanish else 0.17)
    return art[:, ::-1] if rng.random() < 0.5 else art


def whole_face(decks: Sequence[Deck], card: str, rng: Random, *, numbered: bool) -> Picture | None:
    """What is printed inside the frame of a Spanish deck's card, without its numbers.

    Args:
        decks: those that lend; French ones are passed over.
        card: which.
        rng: draws the deck and, where a number says what the card is, now and then another number
            card of the suit, or another court.
        numbered: whether a number will say what the card is.

    Returns:
        BGRA, or None where no deck has the card.
    """
    spanish = [deck for deck in decks if deck.suits == "spanish"]
    if not spanish:
        return None
    deck = rng.choice(spanish)
    court = rank_of(card) in _COURTS["spanish"]
    like = [
        name
        for name in SPANISH_CARDS
        if name in deck.cards
        and suit_of(name) == suit_of(card)
        and (rank_of(name) in _COURTS["spanish"]) == court
    ]
    if numbered and like and (rng.random() < _ANY_NUMBER or card not in like):
        card = rng.choice(like)
    if card not in like:
        return None
    return _within(deck.face(card), 0.05, 0.12)


def recoloured(art: Picture, paper: Colour, rng: Random) -> Picture:
    """The same on another paper (BGR), in inks a little different: in hue, strength, lightness."""
    tones = cv2.cvtColor(np.ascontiguousarray(art[..., :3]), cv2.COLOR_BGR2HSV).astype(np.float32)
    tones[..., 0] = (tones[..., 0] + rng.uniform(-10, 10)) % 180
    tones[..., 1] *= rng.uniform(0.4, 1.4)
    tones[..., 2] = 255 * (tones[..., 2] / 255) ** rng.uniform(0.75, 1.4)
    colours = cv2.cvtColor(np.clip(tones, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR)
    printed = colours * (np.array(paper, np.float32) / 255)
    return np.dstack([printed, art[..., 3]]).astype(np.uint8)


def _within(art: Picture, above: float, beside: float) -> Picture:
    height, width = art.shape[:2]
    return art[
        round(height * above) : round(height * (1 - above)),
        round(width * beside) : round(width * (1 - beside)),
    ]
