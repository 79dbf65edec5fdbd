"""Whether the camera was moved: how far the picture as a whole has shifted since it was set up.

Cards and hands come and go, and light changes; what stays is the pattern of the table, its edges,
and what stands around it. So the picture is compared with the first one part by part, by phase
correlation of its edges. A card that was laid elsewhere shifts one part or two. A camera that was
moved shifts all of them alike, and one that was twisted turns them together. A camera that is
tilted by one degree shifts the picture by about 18 pixels of 1280. One that is moved by more than a
sixth of the picture shows other things in each part: then no shift can be measured any more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.opencv import load_opencv

WIDTH = 320
"""Width of the small pictures that are compared, in pixels."""
PARTS = (4, 3)
"""How many parts are compared, across and down; they overlap."""
PART = 0.3
"""A part's width and height, as a share of the picture's."""
TRUST = 0.4
"""Least height of the correlation's peak, 0–1; under it two parts have too little in common."""
STRUCTURE = 0.1
"""Least standard deviation of a part's edges: a part with less shows only noise."""
SMOOTH, FAINT = 1.0, 12.0
"""The blur that smooths noise, in pixels of the small picture; and a steepness that is added to the
mean around each pixel, so that edges much weaker than this hardly count."""
ALIKE = 1.5
"""Two parts have shifted alike if their shifts differ by no more than this, in pixels of the small
picture."""
LEAST = 3
"""The camera was moved if at least this many parts, and half of those whose shift is known, have
shifted alike ..."""
TURNED = 4
"""... or at least this many, and half of those, have turned together."""
MANY = 8
"""If this many parts show something, and fewer than ``LEAST`` are where they were, the camera shows
other things than before. Measured in films of bars: three to nine of twelve parts were where they
were in the first picture, and more were where they had been just before. With a camera that was
moved by a sixth of the picture, or twisted by ten degrees, two were at most."""
STILL = 0.004
"""Largest shift of a camera that stands where it stood, as a share of the picture's width."""
ELSEWHERE = 1.0
"""The shift that is told of a camera that shows other things than before."""

Edges = NDArray[np.float32]


class Drift:
    """Compares frames with the first one, and with the latest one that was not shifted.

    The latest one is needed on evenings on which the light changes slowly, until nothing in the
    picture is like the first one. Until a frame was like the first one, a frame that has nothing in
    common with it takes its place: the first one was dark, or out of focus.
    """

    def __init__(self) -> None:
        self._known: list[Edges] = []  # of the first frame, and of the latest that was not shifted

    def update(self, frame: NDArray[np.uint8]) -> float | None:
        """How far a frame is shifted against those before it.

        Args:
            frame: BGR, 8 bits; one of another shape than the first becomes the first one.

        Returns:
            A share of the picture's width; ``ELSEWHERE`` where it shows other things than before;
            None where nothing can be told, as in the dark, or behind many hands.
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
        alike: of how many parts the shift can be told.
        shift: how far one is shifted, as a share of the width; None where that cannot be told.
        differs: whether both show something in many parts, and hardly any part is where it was.
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
    """How far each part of the picture has shifted.

    Returns:
        How many parts show something in both pictures; the middles of the parts of which the shift
        can be told; and their shifts. Both are of shape (N, 2), in pixels of the small picture.
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
    """How strong the edges of a frame made small are at each pixel, 0–3, whatever the light is."""
    height = max(round(frame.shape[0] * WIDTH / frame.shape[1]), 1)
    small = cv2.resize(frame, (WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = cv2.GaussianBlur(grey, (0, 0), SMOOTH)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    around = cv2.GaussianBlur(steep, (0, 0), 8) + FAINT
    return np.asarray(np.minimum(steep / around, 3.0), np.float32)
