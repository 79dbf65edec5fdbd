"""Cards that were seen in a frame, each once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vision.detection.outlines import overlaps

ONE_CARD = 0.6
"""Two detections whose outlines overlap more (intersection over union) are of one card, whatever
they are read as."""

SAME_CARD = 0.3
"""Two detections that are read as the same card, and share more than this part of the smaller
outline, are of one card."""

NO_LETTERS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Detection:
    """A card that was seen in a frame.

    Attributes:
        corners: shape (4, 2), pixels of the frame, clockwise from the upper left of the card as it
            is read; those that something covers are guessed.
        score: how sure the finder is that this is a card, 0–1.
        readings: plain names of cards and their probabilities, the likeliest first; empty where a
            card was only seen to lie as it lay.
        letters: how likely each letter stands in its corners (``R``, ``1``), whatever the card is;
            empty where the reader cannot tell letters. What the sum lacks of 1 is the probability
            that no letter stands there.
    """

    corners: NDArray[np.float32]
    score: float
    readings: tuple[tuple[str, float], ...]
    letters: Mapping[str, float] = field(default_factory=lambda: NO_LETTERS)

    @property
    def card(self) -> str:
        """The likeliest reading; empty where there is none."""
        return self.readings[0][0] if self.readings else ""

    @property
    def probability(self) -> float:
        """The likeliest reading's probability, 0–1."""
        return self.readings[0][1] if self.readings else 0.0


def one_a_card(detections: list[Detection]) -> list[Detection]:
    """The detections, without a second one of the same card.

    Of two that lie nearly on one another, or that overlap and are read as the same card, the surer
    one stays: by the finder's score times the likeliest reading's probability.
    """
    kept: list[Detection] = []
    for detection in sorted(detections, key=lambda each: -each.score * each.probability):
        if not any(_same(detection, other) for other in kept):
            kept.append(detection)
    return sorted(kept, key=lambda each: -each.score)


def _same(first: Detection, second: Detection) -> bool:
    union, smaller = overlaps(first.corners, second.corners)
    return union > ONE_CARD or (first.card == second.card != "back" and smaller > SAME_CARD)
