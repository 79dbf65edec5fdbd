"""Which letters the deck on the table prints: R or K, 1 or A.

The reader names a king whichever letter it bears. A second output of its network says which letter
it sees in a card's corners. These letters are gathered from the aces and courts of an evening, and
together they tell which printing the deck has.
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
"""Least probability that a view leaves to any letter, so that one misread card rules no printing
out. Measured on 320 printings of decks that the network had not learned from, drawn and disturbed:
from 3 to 12 cards none was told wrongly. A larger value delays the answer (with 0.05, 38 of 100
printings were told after eight cards; with this one, 54)."""

SURE = 0.99
"""A printing is told once its probability is at least this."""

CARDS, RANKS = 3, 2
"""A printing is told only after this many different aces and courts, of this many ranks."""

RANK_SURE = 0.98
"""The letter of a card counts where the card is read with at least this probability."""

SAME = 2.0
"""A detection is of a tracked card if their middles are nearer than this, in pixels, across and
down."""


class Letters:
    """Gathers the letters of a deck's cards, and tells its printing.

    Args:
        printings: those that the deck may have. Those with Spanish suits are left out: they all
            print the same numbers.
        known: the letters that the reader can tell; printings that have others are left out.
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
        """Takes in one frame; each tracked card counts once, when it is first read clearly.

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
        """Takes in the detections of a photograph."""
        for each in detections:
            if each.letters and each.probability >= RANK_SURE:
                self.add(each.card, each.letters)

    def add(self, card: str, letters: Mapping[str, float]) -> None:
        """Takes in one view of a card.

        Args:
            card: its plain name, as ``KH``.
            letters: how likely each letter stands in its corners, 0–1.
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

        All views of one card count together as one: a card that is misread once is often misread
        again.
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
        """The name of the printing that the deck has; None while that is not sure."""
        if len(self._cards) < CARDS or len({card[:-1] for card in self._cards}) < RANKS:
            return None
        name, chance = max(self.chances().items(), key=lambda each: each[1])
        return name if chance >= SURE else None


def _of(card: TrackedCard, detections: Sequence[Detection]) -> Detection | None:
    """The detection of a card in the latest frame; None where that does not show it."""
    middle = card.corners.mean(axis=0)
    for detection in detections:
        if np.abs(detection.corners.mean(axis=0) - middle).max() < SAME:
            return detection
    return None
