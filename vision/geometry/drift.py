"""Whether the camera was moved: how far the picture as a whole has shifted since it was set up.

Cards and hands come and go, and light changes; what stays is the pattern of the table, its edges,
and what stands around it. The picture is therefore compared with the first one part by part, by
phase correlation of its edges. A card that was laid elsewhere shifts one part or two; a camera that
was moved shifts all of them alike, and one that was twisted turns them together. Tilted by one
degree, it shifts the picture by about 18 pixels of 1280. Moved by more than a sixth of the picture,
it shows other things in each part: then the picture has nothing in common with any before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
MANY = 8
"""Of so many parts that show something three at least are where they were, if the camera is. In
films of bars three to nine of twelve were, by the first picture, and more by one of just before; of
a camera that was moved by a sixth of the picture, or twisted by ten degrees, two at most."""
STILL = 0.004
"""A shift up to which the camera stands where it stood, as a share of the picture's width."""
ELSEWHERE = 1.0
"""What is said of a camera that shows nothing of what it showed."""

Edges = NDArray[np.float32]


class Drift:
    """Compares frames with the first one, and with the latest one that was like it.

    The latest one is there for an evening on which the light changes by and by, until nothing is
    left of the first one. A first one with which no later frame has anything in common was dark, or
    out of focus: then the next one takes its place.
    """

    def __init__(self) -> None:
        self._known: list[Edges] = []  # the first one, and the latest one like it

    def update(self, frame: NDArray[np.uint8]) -> float | None:
        """How far a frame is shifted against those before it.

        Args:
            frame: BGR, 8 bits; of the size of the first one, or it becomes the first one.

        Returns:
            A share of the picture's width; ``ELSEWHERE`` where it shows other things; None where
            nothing can be told, as in the dark, or behind many hands.
        """
        cv2: Any = load_opencv()
        edges = _edges(cv2, frame)
        if not self._known or self._known[0].shape != edges.shape:
            self._known = [edges]
            return 0.0
        compared = [_compared(cv2, known, edges) for known in self._known]
        shift = next((each.shift for each in compared if each.shift is not None), None)
        if shift is not None and shift <= STILL:
            self._known[1:] = [edges]
        elif len(self._known) == 1 and compared[0].alike < LEAST:
            self._known = [edges]
        elif all(each.differs for each in compared):
            return ELSEWHERE
        return shift


class _Compared(NamedTuple):
    """What two pictures have in common.

    Attributes:
        alike: how many of their parts.
        shift: how far one is shifted, as a share of the width; None where that cannot be told.
        differs: whether both show much, and hardly anything of it is where it was.
    """

    alike: int
    shift: float | None
    differs: bool


def _compared(cv2: Any, before: Edges, now: Edges) -> _Compared:
    """What a picture has in common with one before it."""
    shown, middles, shifts = _shifts(cv2, before, now)
    count = len(shifts)
    still = int((np.linalg.norm(shifts, axis=1) <= ALIKE).sum())
    nothing = _Compared(count, None, shown >= MANY and still < LEAST)
    if count < LEAST:
        return nothing
    apart = np.linalg.norm(shifts[:, None] - shifts[None], axis=2)
    alike = apart[int((apart <= ALIKE).sum(axis=1).argmax())] <= ALIKE
    width: int = now.shape[1]
    if alike.sum() >= max(LEAST, count / 2):
        return _Compared(count, float(np.linalg.norm(shifts[alike].mean(axis=0))) / width, False)
    _, inliers = cv2.estimateAffinePartial2D(
        middles, middles + shifts, method=cv2.RANSAC, ransacReprojThreshold=ALIKE
    )
    together = np.zeros(count, np.bool_) if inliers is None else inliers.ravel() > 0
    if together.sum() < max(TURNED, count / 2):
        return nothing
    return _Compared(count, float(np.linalg.norm(shifts[together], axis=1).max()) / width, False)


def _shifts(
    cv2: Any, known: Edges, now: Edges
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """How many parts show something in both pictures, and where those are that have shifted.

    Returns:
        The number; the middles of the parts of which a shift can be told, and their shifts, both of
        shape (N, 2).
    """
    height, width = known.shape
    across, down = round(width * PART), round(height * PART)
    window = cv2.createHanningWindow((across, down), cv2.CV_32F)
    shown, middles, shifts = 0, [], []
    for top in np.linspace(0, height - down, PARTS[1]).astype(int):
        for left in np.linspace(0, width - across, PARTS[0]).astype(int):
            part = np.s_[top : top + down, left : left + across]
            before, after = np.ascontiguousarray(known[part]), np.ascontiguousarray(now[part])
            if before.std() < STRUCTURE:
                continue
            shown += bool(after.std() >= STRUCTURE)
            (x, y), peak = cv2.phaseCorrelate(before, after, window)
            if peak >= TRUST:
                middles.append((left + across / 2, top + down / 2))
                shifts.append((x, y))
    return shown, np.array(middles, np.float64).reshape(-1, 2), np.array(shifts).reshape(-1, 2)


def _edges(cv2: Any, frame: NDArray[np.uint8]) -> Edges:
    """How steep a small version of a frame is at each pixel, light and dark parts alike."""
    height = max(round(frame.shape[0] * WIDTH / frame.shape[1]), 1)
    small = cv2.resize(frame, (WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = cv2.GaussianBlur(grey, (0, 0), SMOOTH)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    around = cv2.GaussianBlur(steep, (0, 0), 8) + FAINT
    return np.asarray(np.minimum(steep / around, 3.0), np.float32)
