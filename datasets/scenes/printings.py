"""Crops of cards straight from their printings: far more printings than scenes can hold.

A scene takes a tenth of a second to make, and shows one printing. Here a printing is drawn, and its
cards are laid flat on something of one colour, on another card or on a pattern. What light and
lenses do, and what lies on cards, is left to ``models.disturb``.
"""

import functools
from random import Random

import cv2
import numpy as np

from datasets.cards.backs import any_back
from datasets.cards.decks import CARD_HEIGHT, Shelf
from datasets.cards.faces import Pack, draw_pack, strangers
from datasets.cards.labels import BACK, rank_of
from datasets.cards.spanish import SpanishPack
from datasets.cards.vector import Picture
from datasets.scenes.textures import Image, clutter, colour, pattern
from vision.detection.crops import READER_VIEW, flatten

_AT_HAND = 48
"""Printings of which a batch's crops are made; the next batch has one of them in another's place.
Six of them, each for a hundred batches, were learned by heart."""

_COURTS = 0.6
"""Share of courts: their pictures differ from deck to deck, and their indices are few."""

_SPANISH, _BACKS = 0.45, 0.15

_AFAR, _TALL = 0.5, (50, 120)
"""Share of cards that are as small in a frame as a camera over a table sees them, and how tall they
are there, in pixels: a crop is 224 pixels tall, and a B of 9 is soon a D."""

_FACE = CARD_HEIGHT * 7 // 10
"""Height of a face that is laid on something: a crop is not much taller, and pixels cost time."""

_ROOM = _FACE // 8

_ADORNED = 0.04
"""Share of aces of spades, beside those that come by chance: printers adorn them."""


class Printings:
    """Cards of ever new printings.

    Args:
        shelf: the decks.
        seed: of the run.
    """

    def __init__(self, shelf: Shelf, seed: int) -> None:
        self._shelf, self._seed = shelf, seed
        self._pack = functools.lru_cache(maxsize=_AT_HAND)(self._new_pack)
        self._back = functools.lru_cache(maxsize=_AT_HAND)(self._new_back)

    def _new_pack(self, number: int) -> Pack | SpanishPack:
        rng = Random(f"printing {self._seed} {number}")
        if rng.random() < _SPANISH:
            lenders = strangers(self._shelf, "train", "spanish", "french")
            return SpanishPack(self._shelf, rng, strangers=lenders)
        return draw_pack(self._shelf, "french", "train", rng)

    def _new_back(self, number: int) -> Picture:
        return any_back(self._shelf, "train", Random(f"back {self._seed} {number}"))

    def crop(self, rng: np.random.Generator, step: int, jitter: float) -> tuple[Image, str]:
        """A flattened card.

        Args:
            rng: draws which, and how it lies.
            step: number of the batch.
            jitter: deviation of a corner, of the card's height.

        Returns:
            The crop, as the reader takes it, and the card's name.
        """
        number = step + int(rng.integers(0, _AT_HAND))
        if rng.random() < _BACKS:  # of which every table has one that nobody has seen before
            name, face = BACK, self._back(number)
            other = face if rng.random() < 0.3 else None
        else:
            pack = self._pack(number)
            name = _draw(rng, pack.cards)
            face = pack.face(name)
            other = pack.face(_draw(rng, pack.cards)) if rng.random() < 0.3 else None
        return flattened(rng, face, other, jitter), name


def flattened(
    rng: np.random.Generator, face: Picture, other: Picture | None, jitter: float
) -> Image:
    """A face lying on another one, or on something else, as the reader takes it.

    Args:
        rng: draws what lies below, and how far away it is seen from.
        face: a card's picture.
        other: the card below it, if there is one.
        jitter: deviation of a corner, of the card's height.
    """
    picture = _on_something(rng, _smaller(face), other)
    height, width = (side - 2 * _ROOM for side in picture.shape[:2])
    corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]]) + _ROOM
    corners += rng.normal(0, jitter * height, (4, 2))
    crop = flatten(picture, corners, READER_VIEW)
    return _from_afar(rng, crop) if rng.random() < _AFAR else crop


def _smaller(face: Picture) -> Picture:
    size = (round(face.shape[1] * _FACE / face.shape[0]), _FACE)
    return cv2.resize(face, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


def _from_afar(rng: np.random.Generator, crop: Image) -> Image:
    height, width = crop.shape[:2]
    tall = int(rng.integers(*_TALL))
    small = cv2.resize(crop, (round(width * tall / height), tall), interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def _draw(rng: np.random.Generator, cards: tuple[str, ...]) -> str:
    if "AS" in cards and rng.random() < _ADORNED:
        return "AS"
    courts = [card for card in cards if rank_of(card) in ("J", "Q", "K", "10", "11", "12")]
    some = courts if courts and rng.random() < _COURTS else cards
    return some[int(rng.integers(0, len(some)))]


def _on_something(rng: np.random.Generator, face: Picture, other: Picture | None) -> Image:
    """A face with :data:`_ROOM` around it: another card, a colour, a pattern or clutter."""
    height, width = (side + 2 * _ROOM for side in face.shape[:2])
    kind = rng.random()
    if other is not None:
        under: Image = cv2.resize(other[..., :3], (width, height)).astype(np.uint8)
        under = np.roll(under, int(rng.integers(0, width)), axis=1)
    elif kind < 0.6:
        under = np.empty((height, width, 3), np.uint8)
        under[:] = colour(rng, 0, 255)
    else:
        under = (clutter if kind < 0.8 else pattern)(rng, height, width)
    inside = under[_ROOM:-_ROOM, _ROOM:-_ROOM]
    solid = np.where(face[..., 3] > 127, np.uint8(255), np.uint8(0))
    cv2.copyTo(np.ascontiguousarray(face[..., :3]), solid, inside)
    return under
