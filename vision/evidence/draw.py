"""Detections drawn into their picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detection.detections import Detection
from vision.geometry.table_plane import Plane
from vision.opencv import load_opencv
from vision.packs import BACK, UNREAD
from vision.tracking.tracked_card import TrackedCard

SURE, UNSURE, FACE_DOWN = (80, 200, 60), (40, 160, 255), (200, 160, 60)
"""Colours, BGR: green, orange, blue."""
TABLE = (200, 200, 200)
SURE_FROM = 0.9
"""Least probability of a reading that is drawn as sure."""


def draw(picture: NDArray[np.uint8], named: Sequence[tuple[str, Detection]]) -> NDArray[np.uint8]:
    """Returns a copy of a picture with the cards outlined and named.

    Args:
        picture: Shape (height, width, 3), BGR.
        named: Each detection with the name it goes by; the mark at its upper left corner shows
            which end is up.
    """
    drawn = picture.copy()
    for name, detection in named:
        colour = FACE_DOWN if name == BACK else SURE
        if name == UNREAD or detection.probability < SURE_FROM:
            colour = UNSURE
        text = name if name in (BACK, UNREAD) else f"{name} {detection.probability:.0%}"
        _outline(drawn, text, detection.corners, colour)
    return drawn


def draw_labels(
    picture: NDArray[np.uint8],
    labels: Sequence[tuple[str, NDArray[np.floating], bool]],
) -> NDArray[np.uint8]:
    """Returns a copy of a picture with cards outlined and labelled.

    Args:
        picture: Shape (height, width, 3), BGR.
        labels: The text of each card, its corners, and whether it is sure.
    """
    drawn = picture.copy()
    for text, corners, sure in labels:
        _outline(drawn, text, corners, SURE if sure else UNSURE)
    return drawn


def draw_table(
    picture: NDArray[np.uint8], cards: Iterable[TrackedCard], plane: Plane | None
) -> NDArray[np.uint8]:
    """Returns a copy of a picture with the table's outline and the cards that lie face up on it.

    Args:
        picture: Shape (height, width, 3), BGR.
        cards: The tracked cards.
        plane: Where the table is; None while nobody knows.
    """
    labels = []
    for card in cards:
        if card.missing or card.down:
            continue
        best, chance = next(iter(card.chances().items()), (UNREAD, 0.0))
        sure = chance >= SURE_FROM
        labels.append((best if sure else f"{best} {chance:.0%}", card.corners, sure))
    drawn = draw_labels(picture, labels)
    if plane is not None:
        cv2: Any = load_opencv()
        outline = np.round(plane.to_frame(plane.outline)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, TABLE, 2, cv2.LINE_AA)
    return drawn


def _outline(
    picture: NDArray[np.uint8], text: str, at: NDArray[np.floating], colour: tuple[int, int, int]
) -> None:
    """Draws one card's outline, the mark of its upper left corner and its label, in place."""
    cv2: Any = load_opencv()
    unit = max(picture.shape[:2]) / 1000
    corners = np.round(at).astype(np.int32)
    cv2.polylines(picture, [corners], True, colour, max(2, round(2 * unit)), cv2.LINE_AA)
    cv2.circle(picture, corners[0].tolist(), max(4, round(5 * unit)), colour, -1, cv2.LINE_AA)
    _label(cv2, picture, text, corners.mean(axis=0), colour, max(0.5, 0.7 * unit))


def _label(
    cv2: Any, picture: NDArray[np.uint8], text: str, middle: NDArray[np.float64],
    colour: tuple[int, int, int], size: float,
) -> None:  # fmt: skip
    """Writes text on a dark ground, centred, so that it can be read on any card."""
    font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, round(1.5 * size))
    (width, height), below = cv2.getTextSize(text, font, size, thick)
    x, y = round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2)
    pad = round(6 * size)
    cv2.rectangle(picture, (x - pad, y - height - pad), (x + width + pad, y + below + pad),
                  (30, 30, 30), -1)  # fmt: skip
    cv2.putText(picture, text, (x, y), font, size, colour, thick, cv2.LINE_AA)
