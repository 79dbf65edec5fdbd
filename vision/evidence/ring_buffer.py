"""The last seconds in memory, as JPEG pictures of the table, for evidence.

Raw frames of 1920×1080 pixels take 6.2 MB each; as JPEGs, ten seconds fit into some 60 MB. What
lies outside the table's outline is blackened before a picture is kept, so that it never shows the
people around the table, nor the cards that they hold there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.capture.sources import Frame
from vision.health import TablePlane
from vision.opencv import load_opencv

QUALITY = 80
"""JPEG quality, 0–100."""


Face = tuple[int | None, NDArray[np.floating[Any]]]
"""A card that shows its face: its number, None for one in a hand; and its corners, shape (4, 2), in
pixels."""


@dataclass(frozen=True)
class Shot:
    """One picture of the table.

    Attributes:
        at: When it was taken, in seconds of the source's clock.
        jpeg: The picture, black outside the table.
        faces: The cards that show their faces in it.
    """

    at: float
    jpeg: bytes
    faces: tuple[Face, ...] = ()


class Ring:
    """Keeps the pictures of the last seconds.

    Args:
        seconds: How long a picture is kept.
        rate: Most pictures that are kept of a second.
        most: Most bytes that all pictures take; the oldest go where they would take more.
    """

    def __init__(self, seconds: float = 10.0, rate: float = 15.0, most: int = 90_000_000) -> None:
        self._seconds, self._gap, self._most = seconds, 1 / rate, most
        self._shots: deque[Shot] = deque()
        self._size = 0
        self._mask: tuple[object, tuple[int, int], NDArray[np.uint8]] | None = None

    @property
    def newest(self) -> Shot | None:
        """The latest picture; None where there is none."""
        return self._shots[-1] if self._shots else None

    def add(self, frame: Frame, plane: TablePlane, faces: Iterable[Face] = ()) -> bool:
        """Keeps a frame; returns False where the one before came too short a time ago for that.

        Args:
            frame: The frame. If its time is earlier than that of the one before, another film has
                begun, and all pictures of the old one are forgotten.
            plane: Where the table is in it.
            faces: The cards that show their faces in it; asked for only where the frame is kept.
        """
        if self._shots and frame.at < self._shots[-1].at:
            self.clear()
        if self._shots and frame.at - self._shots[-1].at < self._gap * 0.9:
            return False
        cv2: Any = load_opencv()
        inside = cv2.bitwise_and(frame.picture, frame.picture, mask=self._outline(frame, plane))
        done, data = cv2.imencode(".jpg", inside, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not done:
            return False
        self._shots.append(Shot(frame.at, data.tobytes(), tuple(faces)))
        self._size += len(self._shots[-1].jpeg)
        while len(self._shots) > 1 and (
            self._size > self._most or frame.at - self._shots[0].at > self._seconds
        ):
            self._size -= len(self._shots.popleft().jpeg)
        return True

    def between(self, start: float, end: float) -> list[Shot]:
        """The pictures taken from ``start`` to ``end``, in order."""
        return [shot for shot in self._shots if start <= shot.at <= end]

    def clear(self) -> None:
        """Forgets all pictures."""
        self._shots.clear()
        self._size = 0

    def _outline(self, frame: Frame, plane: TablePlane) -> NDArray[np.uint8]:
        size = (frame.picture.shape[1], frame.picture.shape[0])
        if self._mask is not None and self._mask[0] is plane and self._mask[1] == size:
            return self._mask[2]
        cv2: Any = load_opencv()
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillPoly(mask, [np.floor(plane.to_frame(plane.outline)).astype(np.int32)], 255)
        self._mask = (plane, size, mask)
        return mask
