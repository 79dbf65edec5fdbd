"""Whether the camera was moved: how far the picture as a whole has shifted since it was set up.

Cards and hands come and go, and light changes; what stays is the pattern of the table, its edges,
and what stands around it. The picture is therefore compared with the first one part by part, by
phase correlation of its edges. A card that was laid elsewhere shifts one part or two; a camera that
was moved shifts all of them alike, and one that was twisted turns them together. Tilted by one
degree, it shifts the picture by about 18 pixels of 1280.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.opencv import load_opencv

WIDTH = 320
"""Pixels to which pictures are made smaller."""
PARTS = (4, 3)
"""How many parts are compared, across and down; they overlap."""
PART = 0.3
"""A part's size, as a share of the picture's."""
TRUST = 0.4
"""Least height of the correlation's peak, 0–1; under it two parts have too little in common."""
STRUCTURE = 0.1
"""Least deviation of a part's edges: a part without any says nothing but its noise."""
SMOOTH, FAINT = 1.0, 12.0
"""Pixels of the small picture over which noise is smoothed, and edges too weak to count."""
ALIKE = 1.5
"""Pixels of the small picture by which shifts of two parts may differ and be one shift."""
LEAST = 3
"""So many parts at least, and half of those that tell anything, must have shifted alike ..."""
TURNED = 4
"""... or so many have turned together."""

Edges = NDArray[np.float32]


class Drift:
    """Compares frames with the first one.

    One with which no later frame has anything in common was dark, or out of focus: then the next
    one takes its place.
    """

    def __init__(self) -> None:
        self._first: Edges | None = None
        self._met = False  # whether a later one had something in common with it

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
            self._first, self._met = edges, False
            return 0.0
        width: int = edges.shape[1]
        middles, shifts = _shifts(cv2, self._first, edges)
        if len(shifts) < LEAST:
            if not self._met:
                self._first = edges
            return None
        self._met = True
        apart = np.linalg.norm(shifts[:, None] - shifts[None], axis=2)
        alike = apart[int((apart <= ALIKE).sum(axis=1).argmax())] <= ALIKE
        if alike.sum() >= max(LEAST, len(shifts) / 2):
            return float(np.linalg.norm(shifts[alike].mean(axis=0))) / width
        _, inliers = cv2.estimateAffinePartial2D(
            middles, middles + shifts, method=cv2.RANSAC, ransacReprojThreshold=ALIKE
        )
        together = np.zeros(len(shifts), np.bool_) if inliers is None else inliers.ravel() > 0
        if together.sum() < max(TURNED, len(shifts) / 2):
            return None
        return float(np.linalg.norm(shifts[together], axis=1).max()) / width


def _shifts(cv2: Any, first: Edges, now: Edges) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The middles of a picture's parts, and how far each has shifted, both of shape (N, 2).

    Only those of which that can be told.
    """
    height, width = first.shape
    across, down = round(width * PART), round(height * PART)
    window = cv2.createHanningWindow((across, down), cv2.CV_32F)
    middles, shifts = [], []
    for top in np.linspace(0, height - down, PARTS[1]).astype(int):
        for left in np.linspace(0, width - across, PARTS[0]).astype(int):
            part = np.s_[top : top + down, left : left + across]
            before, after = np.ascontiguousarray(first[part]), np.ascontiguousarray(now[part])
            if before.std() < STRUCTURE:
                continue
            (x, y), peak = cv2.phaseCorrelate(before, after, window)
            if peak >= TRUST:
                middles.append((left + across / 2, top + down / 2))
                shifts.append((x, y))
    return np.array(middles, np.float64).reshape(-1, 2), np.array(shifts, np.float64).reshape(-1, 2)


def _edges(cv2: Any, frame: NDArray[np.uint8]) -> Edges:
    """How steep a small version of a frame is at each pixel, light and dark parts alike."""
    height = max(round(frame.shape[0] * WIDTH / frame.shape[1]), 1)
    small = cv2.resize(frame, (WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = cv2.GaussianBlur(grey, (0, 0), SMOOTH)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    around = cv2.GaussianBlur(steep, (0, 0), 8) + FAINT
    return np.asarray(np.minimum(steep / around, 3.0), np.float32)
