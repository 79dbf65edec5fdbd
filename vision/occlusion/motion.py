"""What moves in the picture: frames are made small, and compared with earlier ones.

A frame is compared with two earlier ones. One is of a moment ago: what differs from it is in motion
now. The other is the one in which cards were last looked for: what differs from it may be news,
also where a card was pushed slowly, or swapped in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import Plane, mapped
from vision.opencv import load_opencv

WIDTH = 320
"""Width of the small pictures, in pixels."""

_POOL = 3
"""Side of the squares over which pictures are averaged before they are compared, in pairs of small
pixels (squares of two by two). Noise averages out over it; even a card of little contrast is larger
and does not."""

_LEAST = 3.0
"""Grey levels by which averaged pictures must differ for a change; compression of a still picture
makes a smaller difference."""

_ABOVE_NOISE = 7.0
"""Standard deviations of the noise by which they must differ, too."""

_MOST_NOISE = 1.5
"""Grey levels: the noise of averaged pictures is never taken to be more, however much moves."""

_SPOT = np.ones((2, 2), np.uint8)
"""A change counts only where a whole square of this size differs, in pairs of small pixels."""

_AROUND = np.ones((4, 4), np.uint8)
"""What is left of a change after that is grown by a square of this size, in pairs."""

_OFTEN = 2
"""Light and noise are measured on every second row and column of pairs, which is enough."""

Image = NDArray[np.uint8]
Field = NDArray[np.float32]
Mask = NDArray[np.bool_]


def smaller(frame: Image) -> Image:
    """A frame made :data:`WIDTH` pixels wide, each about the mean of what it stands for.

    A frame that is narrower stays as it is.
    """
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
        plane: where the table is in the frame.
        shape: the small picture's height and width.
        scale: small pixels in one of the frame.

    Returns:
        True on the table; all true where the table is not in the picture.
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
        before: motion is told by a picture that is at least this old, and at most about twice that.
        keen: for this long after something moved every picture is looked at, for what was laid may
            not have come to rest.
        linger: for this long after something moved some pictures are looked at, for a card that was
            not found at once may be found yet; ...
        pause: ... the time between two of these looks.
        refresh: the time between two looks while nothing moves.
    """

    before: float = 0.2
    keen: float = 0.6
    linger: float = 2.0
    pause: float = 0.2
    refresh: float = 4.0


class Motion:
    """Compares small pictures of the table over time.

    Args:
        settings: its times; None for the usual ones.

    Attributes:
        settings: its times.
        moved: where something is in motion on the table; of the small picture's shape.
        share: the part of the table that is in motion, 0–1.
    """

    def __init__(self, settings: MotionSettings | None = None) -> None:
        self.settings = settings or MotionSettings()
        self.moved: Mask = np.zeros((0, 0), np.bool_)
        self.share = 0.0
        self._noise = np.full(3, 1.0)
        self.forget()

    def forget(self) -> None:
        """Forgets all pictures: after the camera was moved they cannot be compared."""
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
            Whether looking for cards in it may tell something new; if so, the caller looks at it.
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
        """Seconds from one look to the next when nothing has moved for so many seconds."""
        if rested <= self.settings.keen:
            return 0.0
        return self.settings.pause if rested <= self.settings.linger else self.settings.refresh

    def _differs(self, pooled: Field, other: Field, mask: Mask, *, measure: bool = False) -> Image:
        """Where two averaged pictures differ by more than light and noise: 1 there, elsewhere 0.

        A change of light or exposure multiplies each colour by a factor. The median of that over
        the table is taken out.

        Args:
            pooled: the later picture.
            other: the earlier one.
            mask: where the table is, in small pixels.
            measure: whether the noise is measured anew by these two.
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
            # It changes slowly, so that a hand over half the table, or a picture that was sent
            # twice, hardly counts.
            noise = np.clip(noise, self._noise * 0.95, self._noise * 1.02)
            self._noise = np.clip(noise, 0.2, _MOST_NOISE)
        limit = np.maximum(_ABOVE_NOISE * self._noise, _LEAST)
        differs = ((cv2.inRange(difference, -limit, limit) == 0) & mask).astype(np.uint8)
        return np.asarray(cv2.dilate(cv2.erode(differs, _SPOT), _AROUND), np.uint8)
