"""Makes crops of cards straight from their printings, without a scene.

A scene takes a tenth of a second and shows one printing. Here a card's picture is laid flat on a
colour, a pattern or another card. So the reader sees far more printings. ``models.disturb`` adds
light, blur, noise and what covers cards.
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
"""How many printings a batch takes its crops from. Each batch exchanges one of them. With six
printings, each used for a hundred batches, the network memorised them."""

_COURTS = 0.6
"""Share of court cards, which are harder: their pictures differ from deck to deck."""

_SPANISH, _BACKS = 0.45, 0.15  # share of Spanish printings; share of crops that show a back

_AFAR, _TALL = 0.5, (50, 120)
"""Share of crops that are made as blurred as a camera over a table sees a card, and how tall (from,
to) the card is in its frame, in pixels. A crop is 224 pixels tall. On so small a card a B may be 9
pixels tall, and is easily taken for a D."""

_FACE = CARD_HEIGHT * 7 // 10
"""Height of the card in the picture that a crop is cut from, in pixels. A crop is not much smaller,
so more pixels would only cost time."""

_ROOM = _FACE // 8  # pixels around that card on each side

_ADORNED = 0.04
"""Share of aces of spades, besides those that are drawn by chance: printers decorate this card, so
its looks vary most."""


class Printings:
    """Makes crops of cards of always new printings.

    Args:
        shelf: the decks.
        seed: decides the printings.
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
            rng: draws which card, and what it lies on.
            step: number of the batch.
            jitter: standard deviation of a corner, as a part of the card's height.

        Returns:
            The crop, as the reader takes it, and the card's name.
        """
        number = step + int(rng.integers(0, _AT_HAND))
        if rng.random() < _BACKS:  # many different ones: any table may have a new back
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
    """A crop of a card that lies on another card, or on something else, as the reader takes it.

    Args:
        rng: draws what lies below it, and from how far it is seen.
        face: the card's picture.
        other: the picture of the card below it; None for something else.
        jitter: standard deviation of a corner, as a part of the card's height.
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
