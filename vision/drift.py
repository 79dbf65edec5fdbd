"""Whether the camera was moved: how far the picture as a whole has shifted since it was set up.

Cards and hands come and go, and light changes; what stays is the fine pattern of the table and of
what stands around it. The picture is therefore compared with the first one by phase correlation of
its edges, which asks only for a common shift. A nudge shifts everything by several pixels: one
degree is about 18 of 1280.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.opencv import load_opencv

WIDTH = 320
"""Pixels to which pictures are made smaller."""
TRUST = 0.08
"""Least height of the correlation's peak, 0–1; under it the two pictures have too little in common
to tell anything."""


class Drift:
    """Compares frames with the first one."""

    def __init__(self) -> None:
        self._first: NDArray[np.float32] | None = None
        self._window: NDArray[np.float32] | None = None

    def update(self, frame: NDArray[np.uint8]) -> float | None:
        """How far a frame is shifted against the first one.

        Args:
            frame: BGR, 8 bits; of the size of the first one, or it becomes the first one.

        Returns:
            A share of the picture's width; None where the pictures have too little in common.
        """
        cv2: Any = load_opencv()
        edges = _edges(cv2, frame)
        if self._first is None or self._first.shape != edges.shape:
            self._first = edges
            self._window = cv2.createHanningWindow(edges.shape[::-1], cv2.CV_32F)
            return 0.0
        (x, y), peak = cv2.phaseCorrelate(self._first, edges, self._window)
        if peak < TRUST:
            return None
        width: int = edges.shape[1]
        return float(np.hypot(x, y)) / width


def _edges(cv2: Any, frame: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How steep a small version of a frame is at each pixel, light and dark parts alike."""
    height = max(round(frame.shape[0] * WIDTH / frame.shape[1]), 1)
    small = cv2.resize(frame, (WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    around = cv2.GaussianBlur(steep, (0, 0), 8) + 4
    return np.asarray(np.minimum(steep / around, 3.0), np.float32)
