"""What the cards of one deck tell of one another: they have one kind of suits, and one back.

A card that is hard to read among forty Spanish ones is a Spanish card. What looks like a back, but
not like the other backs, is a book or a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scorekeeper.games.cards import SUIT_SYSTEMS
from vision.detection.crops import Image, flatten
from vision.detection.detections import Detection
from vision.detection.known_back import RATHER, appearance_of, of_one_deck
from vision.detection.reader import NO_CARDS, NO_FACES
from vision.packs import BACK

FOREIGN = 0.02
"""Probability that a card has other suits than its deck."""

ANOTHER_DECK = -3.0
"""Least logits that the other photos give to a kind of suits, where their likeliest kind has 0: a
photo may show another deck than they do."""

WEIGHED = 12
"""Readings of each card that are worth weighing; those after them are too unlikely."""

_LEAST = 1e-6

Chances = Mapping[str, float]


class _Seen(NamedTuple):
    """A card of a photo.

    Attributes:
        photo: the photo's number, from 0.
        detection: what was seen.
        crop: its flattened picture where it may be a back; else None.
    """

    photo: int
    detection: Detection
    crop: Image | None


class OneDeck:
    """Weighs each reading of some photos by all that were read in them."""

    def __init__(self) -> None:
        self._photos = 0
        self._seen: list[_Seen] = []

    def add(self, picture: Image, detections: Sequence[Detection]) -> None:
        """Takes in a photo; the more readings its detections have, the better."""
        for each in detections:
            may_be_back = BACK in dict(each.readings)
            crop = flatten(picture, each.corners) if may_be_back else None
            self._seen.append(_Seen(self._photos, each, crop))
        self._photos += 1

    def read(self, *, keep: int = 5) -> list[list[Detection]]:
        """The detections of each photo, in their order, without what is probably no card.

        Args:
            keep: how many readings of each stay.
        """
        suits = self._suits()
        chances = [
            _by_suit(each.detection.readings, known)
            for each, known in zip(self._seen, suits, strict=True)
        ]
        crops = {n: each.crop for n, each in enumerate(self._seen) if each.crop is not None}
        if crops:
            own = [chances[n][BACK] for n in crops]
            for n, back in zip(
                crops, of_one_deck(own, appearance_of([*crops.values()])), strict=True
            ):
                chances[n] = _by_back(chances[n], float(back))
        kept: list[list[Detection]] = [[] for _ in range(self._photos)]
        for each, weighed in zip(self._seen, chances, strict=True):
            readings = tuple(sorted(weighed.items(), key=lambda reading: -reading[1])[:keep])
            if readings[0][0] not in NO_FACES or readings[0][1] >= RATHER:
                kept[each.photo].append(replace(each.detection, readings=readings))
        return kept

    def _suits(self) -> list[Chances]:
        """How likely each card has each suit, by what the other cards are.

        The other cards of its photo count in full, and those of the other photos only up to a
        limit. The card itself does not count here, for its own readings are weighed by this.
        """
        systems = list(SUIT_SYSTEMS.values())
        photos = np.array([each.photo for each in self._seen], int)
        alone = np.zeros((len(self._seen), len(systems)))
        for row, each in zip(alone, self._seen, strict=True):
            faces = [(name[-1], p) for name, p in each.detection.readings if name not in NO_CARDS]
            fit = np.array([sum(p for suit, p in faces if suit in system) for system in systems])
            rest = max(1.0 - fit.sum(), 0.0)
            fit = (1 - FOREIGN) * fit + FOREIGN * (fit.sum() - fit)
            row[:] = np.log(rest + fit + _LEAST)
        own = np.zeros((self._photos, len(systems)))
        np.add.at(own, photos, alone)
        others = own.sum(axis=0) - own
        others = np.maximum(others - others.max(axis=1, keepdims=True), ANOTHER_DECK)
        total = (own + others)[photos] - alone
        chances = np.exp(total - total.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        chances = FOREIGN + (1 - len(systems) * FOREIGN) * chances
        return [
            {suit: p for system, p in zip(systems, row, strict=True) for suit in system}
            for row in chances.tolist()
        ]


def _by_suit(readings: Sequence[tuple[str, float]], suits: Chances) -> dict[str, float]:
    """What a card may be, where its deck has such suits; how likely it is a face stays the same."""
    faces = {name: p * suits[name[-1]] for name, p in readings if name not in NO_CARDS}
    whole = sum(p for name, p in readings if name in faces)
    share = whole / max(sum(faces.values()), _LEAST)
    return {name: faces[name] * share if name in faces else p for name, p in readings}


def _by_back(chances: Chances, back: float) -> dict[str, float]:
    """What a card may be, where it is a back with that probability."""
    others = (1 - back) / max(1 - chances[BACK], _LEAST)
    return {name: back if name == BACK else p * others for name, p in chances.items()}
