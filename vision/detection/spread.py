"""A deck that is spread out before the camera: each card with its picture, to be counted."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import flatten
from vision.detection.detections import Detection
from vision.detection.reader import Image
from vision.opencv import load_opencv
from vision.packs import BACK


class SpreadCard(NamedTuple):
    """One card of a deck that is shown.

    Attributes:
        readings: cards and their probabilities, the likeliest first.
        corners: shape (4, 2), pixels of the picture.
        crop: the flattened card, as a PNG.
    """

    readings: tuple[tuple[str, float], ...]
    corners: NDArray[np.float64]
    crop: bytes


def are_dealt(detections: Sequence[Detection]) -> bool:
    """Whether somebody may be dealing: a deck that is shown has one heap face down at most."""
    return sum(detection.card == BACK for detection in detections) > 1


def spread_to(picture: Image, detections: Sequence[Detection]) -> list[dict[str, Any]]:
    """The cards of a picture as objects that JSON can hold; ``spread_from`` reads them."""
    cv2: Any = load_opencv()
    return [
        {
            "readings": [[card, round(chance, 4)] for card, chance in detection.readings],
            "corners": detection.corners.round(1).tolist(),
            "crop": base64.b64encode(
                cv2.imencode(".png", flatten(picture, detection.corners))[1].tobytes()
            ).decode(),
        }
        for detection in detections
    ]


def spread_from(data: Sequence[dict[str, Any]]) -> list[SpreadCard]:
    """Reads what :func:`spread_to` made."""
    return [
        SpreadCard(
            tuple((card, chance) for card, chance in each["readings"]),
            np.array(each["corners"], np.float64),
            base64.b64decode(each["crop"]),
        )
        for each in data
    ]
