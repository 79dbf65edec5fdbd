"""What moves in the picture: frames made small, and compared with those of before.

A frame is compared with two earlier ones: with one of a moment ago, which says what is in motion
now, and with the one that was looked at last, which says whether another look could tell anything
new. A card that is pushed slowly, or swapped between two looks, differs from the latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import Plane, mapped
from vision.opencv import load_opencv

WIDTH = 320
"""Pixels to which pictures are made smaller."""

_POOL = 3
"""Side of the squares, in pairs of small pixels, over which differences are averaged: a card
without contrast is larger than that, and noise is not."""

_LEAST = 3.0
"""Grey levels that a pooled difference has at least; what compression does to a still picture is
less."""

_ABOVE_NOISE = 7.0
"""Deviations of the noise that a difference has at least."""

_MOST_NOISE = 1.5
"""Grey levels: pooled noise is never taken for more, however much moves."""

_SPOT = np.ones((2, 2), np.uint8)
"""A change that counts differs all over such a square of pairs, at least."""

_AROUND = np.ones((4, 4), np.uint8)
"""And is taken to reach so far about what is left of it when that is worn off its edge."""

_OFTEN = 2
"""Every so-manieth row and column of pairs is enough to measure light and noise by."""

Image = NDArray[np.uint8]
Field = NDArray[np.float32]
Mask = NDArray[np.bool_]


def smaller(frame: Image) -> Image:
    """A frame with its width brought to :data:`WIDTH`, each small pixel the mean of its own."""
    cv2: Any = load_opencv()
    while frame.shape[1] >= 2 * WIDTH:  # halving is exact, and five times as fast as by areas
        half = (frame.shape[1] // 2, frame.shape[0] // 2)
        frame = cv2.resize(frame, half, interpolation=cv2.INTER_LINEAR)
    if frame.shape[1] > WIDTH:
        size = (WIDTH, max(round(frame.shape[0] * WIDTH / frame.shape[1]), 1))
        frame = cv2.resize(frame, size, interpolation=cv2.INTER_LINEAR)
    return frame


def table_mask(plane: Plane, shape: tuple[int, int], scale: float) -> Mask:
    """Where the table is in a small picture.

    Args:
        plane: the table, in pixels of the frame.
        shape: the small picture's height and width.
        scale: small pixels in one of the frame.
    """
    cv2: Any = load_opencv()
    mask = np.zeros(shape, np.uint8)
    outline = mapped(np.linalg.inv(plane.homography), plane.outline) * scale
    cv2.fillPoly(mask, [np.round(np.clip(outline, -9999, 9999)).astype(np.int32)], 1)
    return mask > 0 if mask.any() else np.ones(shape, np.bool_)


@dataclass(frozen=True)
class MotionSettings:
    """Times, in seconds.

    Attributes:
        before: what is in motion differs from the picture of so long ago, or twice that.
        keen: every picture is looked at for so long after something moved: what was laid settles.
        linger: and some for so long: a card that was not found at once may be found yet.
        pause: between two looks then.
        refresh: between two looks in any case.
    """

    before: float = 0.2
    keen: float = 0.6
    linger: float = 2.0
    pause: float = 0.2
    refresh: float = 4.0


class Motion:
    """Compares small pictures of the table over time.

    Args:
        settings: its times.
    """

    def __init__(self, settings: MotionSettings | None = None) -> None:
        self.settings = settings or MotionSettings()
        self.moved: Mask = np.zeros((0, 0), np.bool_)
        """Where something is in motion, of the small picture's shape."""
        self.share = 0.0
        """The part of the table that is in motion, 0–1."""
        self._noise = np.full(3, 1.0)
        self.forget()

    def forget(self) -> None:
        """The camera was moved: nothing can be compared with what was before."""
        self._earlier: tuple[float, Field] | None = None
        self._recent: tuple[float, Field] | None = None
        self._looked: tuple[float, Field] | None = None
        self._last_moved = -np.inf

    def update(self, at: float, small: Image, mask: Mask) -> bool:
        """Takes in one more picture.

        Args:
            at: its time, in seconds.
            small: BGR, 8 bits.
            mask: where the table is.

        Returns:
            Whether a look at it may tell something new; it is then taken to be looked at.
        """
        cv2: Any = load_opencv()
        height, width = small.shape[:2]
        pairs = cv2.resize(small, (width // 2, height // 2), interpolation=cv2.INTER_LINEAR)
        pooled = cv2.blur(pairs.astype(np.float32), (_POOL, _POOL))
        if self._looked is not None and self._looked[1].shape != pooled.shape:
            self.forget()
        if self._earlier is None or self._recent is None or self._looked is None:
            self._earlier = self._recent = self._looked = (at, pooled)
            self._last_moved = at
            self.moved, self.share = np.zeros(mask.shape, np.bool_), 0.0
            return True
        moved = self._differs(pooled, self._earlier[1], mask, measure=True)
        moved = cv2.resize(moved, (width, height), interpolation=cv2.INTER_NEAREST)
        self.moved = moved > 0
        self.share = float(self.moved[mask].mean()) if mask.any() else 0.0
        if at - self._recent[0] >= self.settings.before:
            self._earlier, self._recent = self._recent, (at, pooled)
        if self.share or self._differs(pooled, self._looked[1], mask).any():
            self._last_moved = at
        if at - self._looked[0] < self._pause(at - self._last_moved):
            return False
        self._looked = (at, pooled)
        return True

    def _pause(self, rested: float) -> float:
        """Seconds from one look to the next when nothing has moved for so long."""
        if rested <= self.settings.keen:
            return 0.0
        return self.settings.pause if rested <= self.settings.linger else self.settings.refresh

    def _differs(self, pooled: Field, other: Field, mask: Mask, *, measure: bool = False) -> Image:
        """Where two pictures differ by more than light and noise: 1 there, elsewhere 0.

        Light that changes, and exposure that follows, change each colour by a factor: the median
        of that over the table is taken out.
        """
        cv2: Any = load_opencv()
        height, width = pooled.shape[:2]
        mask = mask[: 2 * height : 2, : 2 * width : 2]
        some = mask[::_OFTEN, ::_OFTEN]
        now, then = pooled[::_OFTEN, ::_OFTEN][some], other[::_OFTEN, ::_OFTEN][some]
        gain = np.median((now + 1) / (then + 1), axis=0)
        difference = pooled - other * gain.astype(np.float32)
        if measure:
            noise = 1.48 * np.median(np.abs(now - then * gain), axis=0)
            # Slowly, so that neither a hand over half the table nor a picture sent twice counts.
            noise = np.clip(noise, self._noise * 0.95, self._noise * 1.02)
            self._noise = np.clip(noise, 0.2, _MOST_NOISE)
        limit = np.maximum(_ABOVE_NOISE * self._noise, _LEAST)
        differs = ((cv2.inRange(difference, -limit, limit) == 0) & mask).astype(np.uint8)
        return np.asarray(cv2.dilate(cv2.erode(differs, _SPOT), _AROUND), np.uint8)
