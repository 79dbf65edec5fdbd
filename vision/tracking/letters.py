"""Which letters the deck on the table prints: R or K, 1 or A.

The reader knows a king by either letter. With its head for letters it says of each crop which one
it sees as well, and of an evening's aces and courts follows which printing the deck is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from scorekeeper.text.printings import FRENCH, Printing
from vision.detection.detections import Detection
from vision.tracking.tracked_card import TrackedCard

MARKED = tuple("AKQJ")
"""Ranks whose letters differ from deck to deck."""

FLOOR = 0.01
"""A letter that stands in no corner is seen there at this rate at least. Of 320 printings of decks
that the head had not learned from, drawn and disturbed, none was told wrongly at 3 to 12 cards; the
larger this is the later they are told (0.05: 38 of 100 rather than 54 after eight cards)."""

SURE = 0.99
"""Probability from which a printing is told."""

CARDS, RANKS = 3, 2
"""So many aces and courts, of so many ranks, have to be seen at least."""

RANK_SURE = 0.98
"""Probability of the rank from which a card's letter counts."""

SAME = 2.0
"""Pixels within which an outline is the one that a card was seen by last."""


class Letters:
    """Gathers the letters of a deck's cards.

    Args:
        printings: those that the deck may have; with Spanish suits all have the same numbers.
        known: the letters that the reader can tell; printings that have others are not told.
    """

    def __init__(self, printings: Iterable[Printing], known: Collection[str]) -> None:
        told = [
            each
            for each in printings
            if each.suits == FRENCH and all(each.sign(rank) in known for rank in MARKED)
        ]
        self._printings = told if len(told) > 1 else []  # one alone would always be sure
        self._counted: set[int] = set()
        self._cards: dict[str, list[list[float]]] = {}

    def see(self, cards: Iterable[TrackedCard], detections: Sequence[Detection]) -> None:
        """Takes in one look: of each card that lies there one view counts.

        Args:
            cards: the tracked cards.
            detections: what was seen in the latest frame.
        """
        if not self._printings:
            return
        for card in cards:
            if card.id in self._counted or card.missing or card.best[:-1] not in MARKED:
                continue
            seen = _of(card, detections)
            if seen is None or not seen.letters:
                continue
            if seen.card == card.best and seen.probability >= RANK_SURE:
                self._counted.add(card.id)
                self.add(card.best, seen.letters)

    def read(self, detections: Iterable[Detection]) -> None:
        """Takes in what a photograph shows."""
        for each in detections:
            if each.letters and each.probability >= RANK_SURE:
                self.add(each.card, each.letters)

    def add(self, card: str, letters: Mapping[str, float]) -> None:
        """Takes in one view of a card.

        Args:
            card: its name.
            letters: how likely each letter stands in its corners.
        """
        rank = card[:-1]
        if rank not in MARKED or not self._printings:
            return
        weights = [
            math.log(FLOOR + (1 - FLOOR) * letters.get(each.sign(rank), 0.0))
            for each in self._printings
        ]
        self._cards.setdefault(card, []).append(weights)

    def chances(self) -> dict[str, float]:
        """The printings that the deck may have, by name, with their probabilities.

        A card that is seen again is no other card: its views count together as one.
        """
        if not self._printings:
            return {}
        total = np.zeros(len(self._printings))
        for views in self._cards.values():
            total += np.mean(views, axis=0)
        chances = np.exp(total - total.max())
        chances /= chances.sum()
        return {each.name: float(p) for each, p in zip(self._printings, chances, strict=True)}

    @property
    def printing(self) -> str | None:
        """The printing that the deck has for sure; None while that is not known."""
        if len(self._cards) < CARDS or len({card[:-1] for card in self._cards}) < RANKS:
            return None
        name, chance = max(self.chances().items(), key=lambda each: each[1])
        return name if chance >= SURE else None


def _of(card: TrackedCard, detections: Sequence[Detection]) -> Detection | None:
    """The detection of a card in the latest frame."""
    middle = card.corners.mean(axis=0)
    for detection in detections:
        if np.abs(detection.corners.mean(axis=0) - middle).max() < SAME:
            return detection
    return None
