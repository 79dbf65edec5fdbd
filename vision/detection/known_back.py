"""The back of the deck on the table: all of its cards have the same one.

A book, a phone or a print on the cloth may look like the back of some deck. It hardly looks like
the back of this one. So the back is learned from cards that were dealt, and what looks otherwise is
taken for no card. What looks like it is a back, though it may have been read as a face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import Image, flatten
from vision.detection.detections import Detection
from vision.detection.likeness import Vectors, patterns, tints, turned
from vision.packs import BACK

PATTERN, TINT, NEITHER = 8.7, 11.6, -10.7
"""Logits that a likeness of 1 counts for, of patterns and of colours, and what is added to their
sum; fitted by ``models.backs``."""

LEAST, MOST = -5.0, 4.0
"""The sum is held to these logits: half of a back may lie under a hand, and light changes."""

ANOTHER = 0.02
"""Probability that the table now plays with another deck than the one whose back is known."""

RATHER = 0.5
"""A detection that is a back with a lower probability than this is taken for no card."""

MAY_BE = 0.02
"""What is read as a face may be a back if that has at least this probability."""

FEWEST, EACH, KEPT = 4, 6, 12
"""The fewest cards that a back is learned from, and the most whose looks are kept: of one deal, and
of all. Several are kept because the light changes, and a table may take turns with two decks."""

_LEAST = 1e-6


class Appearance(NamedTuple):
    """What N flattened cards look like.

    Attributes:
        patterns: shape (N, …), see ``vision.detection.likeness.patterns``.
        tints: shape (N, …), see ``vision.detection.likeness.tints``.
    """

    patterns: Vectors
    tints: Vectors


def appearance_of(crops: Sequence[Image]) -> Appearance:
    """What flattened cards look like; there must be at least one."""
    return Appearance(patterns(crops), tints(crops))


def likeness(first: Appearance, second: Appearance) -> tuple[Vectors, Vectors]:
    """How alike each of N cards is to each of M others.

    Returns:
        By pattern, −1 to 1, whichever way up they lie; and by colours, 0 to 1; both of shape
        (N, M).
    """
    pattern = np.maximum(
        first.patterns @ second.patterns.T, turned(first.patterns) @ second.patterns.T
    )
    return pattern, first.tints @ second.tints.T


def logits(first: Appearance, second: Appearance) -> NDArray[np.float64]:
    """How much likelier each of M cards is a back of the same deck as each of N backs.

    Returns:
        Shape (N, M): logarithms of the odds against a thing that is no card.
    """
    pattern, tint = likeness(first, second)
    return np.clip(np.float64(PATTERN) * pattern + TINT * tint + NEITHER, LEAST, MOST)


def of_one_deck(
    chances: Sequence[float], looks: Appearance, known: Appearance | None = None
) -> NDArray[np.float64]:
    """How likely each of N things is a back, where all backs are of one deck.

    Each thing in turn is supposed to be a back of the deck, and so is the known back; the others
    are weighed by how alike they are to that. All these cases count by their probabilities. None
    becomes likelier than it was by itself, for two equal things that are no cards are alike, too.

    Args:
        chances: how likely each is a back by itself, 0–1.
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
    """Learns the deck's back from cards that were dealt, and tells other things from it."""

    def __init__(self) -> None:
        self._known: Appearance | None = None

    def learn(self, crops: Sequence[Image]) -> None:
        """Learns from cards that were dealt face down; only if most of them look alike.

        Args:
            crops: the flattened picture of each.
        """
        if len(crops) < FEWEST:
            return
        looks = appearance_of(crops)
        alike = (logits(looks, looks) > 0).sum(axis=0) - 1 > len(crops) / 2
        if alike.sum() <= len(crops) / 2:
            return
        new = Appearance(looks.patterns[alike][:EACH], looks.tints[alike][:EACH])
        old = self._known or Appearance(new.patterns[:0], new.tints[:0])
        both = [np.concatenate(pair)[:KEPT] for pair in zip(new, old, strict=True)]
        self._known = Appearance(*both)

    def weigh(self, picture: Image, detections: Sequence[Detection]) -> list[Detection]:
        """The detections of a picture, without backs that are probably not of this deck.

        What may be a face or a back is read anew by how much it looks like this deck's back.
        """
        if (known := self._known) is None:
            return list(detections)
        detections = [_back_or_face(picture, each, known) for each in detections]
        backs = [each for each in detections if each.card == BACK]
        if not backs:
            return detections
        looks = appearance_of([flatten(picture, each.corners) for each in backs])
        chances = of_one_deck([each.probability for each in backs], looks, known)
        strange = {id(each) for each, p in zip(backs, chances, strict=True) if p < RATHER}
        return [each for each in detections if id(each) not in strange]


def _back_or_face(picture: Image, each: Detection, known: Appearance) -> Detection:
    """What is read as a face, with a back likelier the more it looks like the known one."""
    chances = dict(each.readings)
    if each.card == BACK or chances.get(BACK, 0.0) < MAY_BE:
        return each
    alike = logits(known, appearance_of([flatten(picture, each.corners)])).max()
    chances[BACK] *= float(ANOTHER + (1 - ANOTHER) * np.exp(alike))
    whole = sum(chances.values())
    order = sorted(chances, key=chances.__getitem__, reverse=True)
    return replace(each, readings=tuple((name, chances[name] / whole) for name in order))
