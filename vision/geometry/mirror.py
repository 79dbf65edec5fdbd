"""Whether a camera mirrors its pictures, as programs for video calls do.

In a mirrored picture cards are read wrong or not at all, no marker is found, and the left and right
seats change places. Nobody would guess the cause, so it is looked for here.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import flatten
from vision.detection.detections import Detection
from vision.detection.reader import NO_CARDS, CardReader
from vision.geometry.markers import Marker, find_markers

Image = NDArray[np.uint8]

ENOUGH = 8.0
"""The sum over all cards that decides, in natural logarithms. Each card adds the logarithm of how
much larger the doubt about its reading is straight than mirrored, on average over its looks.

Many a face is nearly its own mirror image. So a card of an unknown deck adds only 0.1 to 2.3 on
average, with a spread of 0.8 to 1.6. Measured on films and photographs of six decks: in no order of
the cards did the sum come this far the wrong way; the right way it did after 4 to 25 cards. 12
Spanish cards told nothing.
"""
LEAST_DOUBT = 0.01
"""Added to each doubt, so that no single sure reading decides."""
LOOKS = 3
"""Most looks at one card: further ones would say the same again."""
MARKERS = 2
"""Fewest markers in a picture's mirror image that show it to be mirrored; one may be chance."""


class Mirror:
    """Finds out whether pictures are mirrored: by markers, else by cards that read better so.

    Args:
        reader: reads cards.

    Attributes:
        mirrored: whether they are; None while that is not known.
    """

    def __init__(self, reader: CardReader) -> None:
        self._reader = reader
        self._weights: dict[str, list[float]] = defaultdict(list)
        self.mirrored: bool | None = None

    def look(
        self, frame: Image, markers: Collection[Marker], detections: Sequence[Detection]
    ) -> None:
        """Looks at one more frame; nothing is done any more once it is known to be straight.

        Args:
            frame: BGR, 8 bits.
            markers: those that are found in it as it is.
            detections: the cards that lie in it face up.
        """
        if self.mirrored is False:
            return
        if markers:
            self.mirrored = False
        elif len(find_markers(np.ascontiguousarray(frame[:, ::-1]))) >= MARKERS:
            self.mirrored = True
        else:
            self._weigh(frame, detections)

    def _weigh(self, frame: Image, detections: Sequence[Detection]) -> None:
        """Adds up how much surer the cards read one way than the other."""
        new = [each for each in detections if len(self._weights.get(each.card, ())) < LOOKS]
        new = [each for each in new if each.card not in NO_CARDS]
        if not new:
            return
        crops = [flatten(frame, each.corners) for each in new]
        straight = self._doubts(crops)
        flipped = self._doubts([np.ascontiguousarray(crop[:, ::-1]) for crop in crops])
        for detection, plain, turned in zip(new, straight, flipped, strict=True):
            self._weights[detection.card].append(math.log(plain / turned))
        total = sum(sum(weights) / len(weights) for weights in self._weights.values())
        if abs(total) >= ENOUGH:
            self.mirrored = total > 0
            self._weights.clear()  # whoever switches mirroring off is believed as fast

    def _doubts(self, crops: list[Image]) -> list[float]:
        """The doubt about each flattened card: what the likeliest face's probability lacks of 1."""
        logits = self._reader.read_crops(crops).logits
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        faces = [name not in NO_CARDS for name in self._reader.classes]
        doubts: list[float] = (1 - chances[:, faces].max(axis=1) + LEAST_DOUBT).tolist()
        return doubts
