"""Whether a camera mirrors its pictures, as programs for video calls do.

A mirrored card reads wrong or not at all, and left and right seats change places; nobody would
guess the cause.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.markers import find_markers
from vision.packs import BACK
from vision.read import CardReader

Image = NDArray[np.uint8]

MARGIN = 0.1
"""By how much a mirrored reading must be surer, a card, to tell anything.

Many a face is nearly its own mirror image. Of 16 photographs with two cards or more, none that was
straight came above it the wrong way, and a quarter, mirrored, came above it: one frame often says
nothing, some dozens do.
"""
LEAST_CARDS = 2
"""Fewer cards tell nothing."""


def looks_mirrored(reader: CardReader, frame: Image) -> bool | None:
    """Whether a frame is mirrored: by its markers, otherwise by cards that read better flipped.

    Args:
        reader: Reads the cards where no marker is there.
        frame: BGR, 8 bits.

    Returns:
        None where there is nothing to tell it by.
    """
    flipped = np.ascontiguousarray(frame[:, ::-1])
    straight, turned = len(find_markers(frame)), len(find_markers(flipped))
    if straight != turned:
        return turned > straight
    return mirrored_by_scores(_scores(reader, frame), _scores(reader, flipped))


def mirrored_by_scores(straight: list[float], flipped: list[float]) -> bool | None:
    """The answer by how surely the cards are read both ways, each list the surest first.

    Args:
        straight: Probabilities of the face-up cards as the camera gives them, 0–1.
        flipped: The same of the flipped picture.
    """
    count = min(len(straight), len(flipped))
    if count < LEAST_CARDS:
        return None
    difference = float(np.mean(flipped[:count]) - np.mean(straight[:count]))
    if abs(difference) < MARGIN:
        return None
    return difference > 0


def _scores(reader: CardReader, frame: Image) -> list[float]:
    seen = (sighting for sighting in reader.read(frame) if sighting.card != BACK)
    return sorted((sighting.probability for sighting in seen), reverse=True)
