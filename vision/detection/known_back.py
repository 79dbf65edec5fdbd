"""The back of a deck: all of its cards have the same one.

A book, a phone or a print on the cloth may look like the back of some deck. It hardly looks like
the back of this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import Image, flatten
from vision.detection.detections import Detection
from vision.detection.likeness import Vectors, patterns, tints, turned
from vision.packs import BACK

PATTERN, TINT, NEITHER = 8.7, 11.6, -10.7
"""What the likeness of patterns and of colours count, in logits, and what is taken off; fitted by
``models.backs``."""

LEAST, MOST = -5.0, 4.0
"""No fewer and no more logits: half of a back may lie under a hand, and light changes."""

ANOTHER = 0.02
"""Probability that the table plays with another deck now than the one whose back is known."""

RATHER = 0.5
"""What is a back with less is rather no card at all."""

FEWEST, EACH, KEPT = 4, 6, 12
"""A back is learned from so many cards at least; of one deal so many are kept, of all so many: the
light changes, and a table may take turns with two decks."""

_LEAST = 1e-6


class Looks(NamedTuple):
    """What N flattened cards look like.

    Attributes:
        patterns: shape (N, …).
        tints: shape (N, …).
    """

    patterns: Vectors
    tints: Vectors


def looks_of(crops: Sequence[Image]) -> Looks:
    """What flattened cards look like; one at least."""
    return Looks(patterns(crops), tints(crops))


def likeness(first: Looks, second: Looks) -> tuple[Vectors, Vectors]:
    """How alike each of N cards is to each of M: by pattern, −1 to 1, and colours, 0 to 1.

    Returns:
        Two of shape (N, M).
    """
    pattern = np.maximum(
        first.patterns @ second.patterns.T, turned(first.patterns) @ second.patterns.T
    )
    return pattern, first.tints @ second.tints.T


def logits(first: Looks, second: Looks) -> NDArray[np.float64]:
    """How much likelier each of M cards is a back of the same deck as each of N backs.

    Returns:
        Shape (N, M): logarithms of the odds against a thing that is no card.
    """
    pattern, tint = likeness(first, second)
    return np.clip(np.float64(PATTERN) * pattern + TINT * tint + NEITHER, LEAST, MOST)


def of_one_deck(
    chances: Sequence[float], looks: Looks, known: Looks | None = None
) -> NDArray[np.float64]:
    """How likely each of N things is a back, where all backs are of one deck.

    The known back says what the others are, and each of them in turn does, taken for a back. None
    becomes likelier by it: a thing that is seen twice is alike, too.

    Args:
        chances: how likely each is a back by itself.
        looks: what they look like.
        known: what the deck's back looks like; None where nobody knows.

    Returns:
        Shape (N,): probabilities.
    """
    own = np.clip(np.asarray(chances, np.float64), _LEAST, 1 - _LEAST)
    itself = np.eye(len(own), dtype=bool)
    back = own * np.where(itself, 1 / own, np.exp(logits(looks, looks)))  # [by back, of thing]
    seen = back + np.where(itself, 0.0, 1 - own)
    logs = [*(np.log(own) + np.log(seen).sum(axis=1)), np.log(1 - own).sum()]
    told = [*(back / seen), np.zeros(len(own))]  # the last: none of them is a back
    if known is not None:
        likelier = own * np.exp(logits(known, looks).max(axis=0))
        logs = [np.log(ANOTHER) + log for log in logs]
        logs.append(np.log(1 - ANOTHER) + np.log(likelier + 1 - own).sum())
        told.append(likelier / (likelier + 1 - own))
    weights = np.exp(np.asarray(logs) - max(logs))
    weighed = weights @ np.stack(told) / weights.sum()
    return np.asarray(np.minimum(weighed, own), np.float64)


class DeckBack:
    """Learns the back of the deck from the cards that were dealt, and weighs what may be one."""

    def __init__(self) -> None:
        self._known: Looks | None = None

    def learn(self, crops: Sequence[Image]) -> None:
        """Takes in cards that were dealt face down, where most of them look alike.

        Args:
            crops: the flattened picture of each.
        """
        if len(crops) < FEWEST:
            return
        looks = looks_of(crops)
        alike = (logits(looks, looks) > 0).sum(axis=0) - 1 > len(crops) / 2
        if alike.sum() <= len(crops) / 2:
            return
        new = Looks(looks.patterns[alike][:EACH], looks.tints[alike][:EACH])
        old = self._known or Looks(new.patterns[:0], new.tints[:0])
        both = [np.concatenate(pair)[:KEPT] for pair in zip(new, old, strict=True)]
        self._known = Looks(*both)

    def weigh(self, picture: Image, detections: Sequence[Detection]) -> list[Detection]:
        """The detections of a picture, without backs that are rather no card of this deck."""
        backs = [each for each in detections if each.card == BACK]
        if self._known is None or not backs:
            return list(detections)
        looks = looks_of([flatten(picture, each.corners) for each in backs])
        chances = of_one_deck([each.probability for each in backs], looks, self._known)
        strange = {id(each) for each, p in zip(backs, chances, strict=True) if p < RATHER}
        return [each for each in detections if id(each) not in strange]
