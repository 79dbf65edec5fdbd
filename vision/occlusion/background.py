"""How the bare table looks, and each card on it: what ``cover`` knows of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vision.geometry.table_plane import Points
from vision.occlusion.motion import Field, Image, Mask, smaller
from vision.opencv import load_opencv

EVENLY = np.ones((3, 3), np.uint8)
"""Edges may lie a small pixel beside their place."""


_DIM = 16.0
"""Grey levels added before logarithms: darker ones are mostly noise."""

_LOGARITHMS = np.log(np.arange(256) + _DIM).astype(np.float32)

_LIGHT_AND_COLOUR = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [1, -1, 0]], np.float32)
"""From logarithms of blue, green, red to brightness and two colours; light changes the first."""

_FINE = 5
"""Pixels of a frame across which a pattern is fine: of a small pixel only the mean is left."""

_SCALED = 8
"""Differences of grey levels are kept in eighths."""

_PLAIN = 0.01
"""A contrast as small as this is none."""


class Picture:
    """A frame as ``vision.occlusion.cover`` looks at it.

    Args:
        frame: BGR, 8 bits.

    Attributes:
        small: the frame, made smaller.
        scale: small pixels in one of the frame.
    """

    def __init__(self, frame: Image) -> None:
        self._frame, self.small = frame, smaller(frame)
        self.scale = self.small.shape[1] / frame.shape[1]

    @cached_property
    def looks(self) -> Field:
        """Brightness, two colours and texture of each small pixel, as logarithms of ratios.

        The texture is the contrast of what is finer than a small pixel: stripes of black and white
        are as grey as a plain cloth, and look otherwise all the same.
        """
        cv2: Any = load_opencv()
        soft = cv2.blur(self.small, (3, 3))
        light = cv2.transform(cv2.LUT(soft, _LOGARITHMS), _LIGHT_AND_COLOUR)
        grey = cv2.cvtColor(self._frame, cv2.COLOR_BGR2GRAY)
        fine = cv2.absdiff(grey, cv2.blur(grey, (_FINE, _FINE)))
        fine = cv2.blur(smaller(cv2.convertScaleAbs(fine, alpha=_SCALED)), (3, 3))
        contrast = fine / (_SCALED * (cv2.cvtColor(soft, cv2.COLOR_BGR2GRAY) + _DIM))
        texture = np.log(contrast + _PLAIN).astype(np.float32)
        return np.asarray(cv2.merge([*cv2.split(light), texture]), np.float32)


@dataclass(frozen=True, kw_only=True)
class CoverSettings:
    """Amounts. Times are seconds; brightness and colours are natural logarithms of ratios.

    Attributes:
        tick: what is known is looked after so often.
        learn: a place that never was seen bare is known after so long without a change.
        relearn: one that was is not taken for changed before so long.
        still: nothing is learned of a place that did not rest for so long.
        shadow: so much darker is still the same.
        shine: and so much brighter.
        tint: and of a colour so different.
        pattern: and patterned so much more or less finely.
        seen: a card that was seen within this is as it looks now.
        startled: a larger part of the table that looks otherwise while nothing moves means that
            the camera or all the light was changed.
        lately: so long ago something moved that belongs to a look's regions.
        lies: a card of which this part, where it can be told from the table, looks as it did.
        telling: and it cannot be told by less than this part of the card.
        left: the place of a card that is missed so long, and rests, may be bare.
        as_beside: and is, where this part of it looks as the table does around it.
        was_table: a card that looks like this much of its place did was taken for the table.
        reaches: so long ago something moved that reaches over the table's edge.
        arm_cm: what does is at least so wide there, in centimetres.
        met: the table is known once this part of it is.
        nudge: small pixels by which the table's outline must have moved in the picture.
    """

    tick: float = 0.2
    learn: float = 2.0
    relearn: float = 30.0
    still: float = 1.0
    shadow: float = 0.25
    shine: float = 0.15
    tint: float = 0.12
    pattern: float = 0.6
    seen: float = 0.25
    startled: float = 0.6
    lately: float = 1.2
    lies: float = 0.6
    telling: float = 0.15
    left: float = 1.0
    as_beside: float = 0.9
    was_table: float = 0.85
    reaches: float = 0.5
    arm_cm: float = 4.0
    met: float = 0.5
    nudge: float = 0.5

    @property
    def spare(self) -> tuple[Field, Field]:
        """By how much less, and more, of each channel something still looks the same."""
        alike = [self.tint, self.tint, self.pattern]
        return np.array([self.shadow, *alike], np.float32), np.array(
            [self.shine, *alike], np.float32
        )


Box = tuple[slice, slice]
ALL: Box = (slice(None), slice(None))


class Known:
    """How a part of the picture looks: light, colours, texture, and what may pass for the same."""

    def __init__(self, shape: tuple[int, int], settings: CoverSettings) -> None:
        self.settings = settings
        self.looks = np.zeros((*shape, 4), np.float32)
        self.age = np.zeros(shape, np.float32)
        """For how many seconds it was seen like this; 0 where it is not known."""
        self._bounds: tuple[Field, Field] | None = None

    def alike(self, light: Field, box: Box = ALL) -> Mask:
        """Where a picture looks like this, or like a box of it.

        Edges may lie a small pixel beside their place.
        """
        cv2: Any = load_opencv()
        if self._bounds is None:
            under, over = self.settings.spare
            self._bounds = (
                cv2.erode(self.looks, EVENLY) - under,
                cv2.dilate(self.looks, EVENLY) + over,
            )
        low, high = self._bounds
        inside = cv2.inRange(light, low[box], high[box])
        return np.asarray((inside > 0) & (self.age[box] > 0), np.bool_)

    def take(self, where: Mask, light: Field, part: float, seconds: float) -> None:
        """Lets some places look more like a picture; by all of it where they are not known."""
        cv2: Any = load_opencv()
        new = where & (self.age == 0)
        cv2.accumulateWeighted(light, self.looks, part, (where & ~new).astype(np.uint8))
        cv2.copyTo(light, new.astype(np.uint8), self.looks)
        self.age += where * np.float32(seconds)
        self._bounds = None

    def forget(self, where: Mask) -> None:
        """Makes some places unknown."""
        self.age[where] = 0
        self._bounds = None

    def swap(self, other: Known, where: Mask) -> None:
        """Exchanges what is known of some places."""
        self.looks[where], other.looks[where] = other.looks[where], self.looks[where]
        self.age[where], other.age[where] = other.age[where], self.age[where]
        self._bounds = other._bounds = None

    def warp(self, matrix: Points) -> None:
        """Moves all of it as the picture was moved; what comes in is not known."""
        cv2: Any = load_opencv()
        size = self.age.shape[::-1]
        self.looks = cv2.warpPerspective(self.looks, matrix, size)
        self.age = cv2.warpPerspective(self.age, matrix, size, flags=cv2.INTER_NEAREST)
        self._bounds = None


def outlined(quad: Points, shape: tuple[int, int]) -> tuple[Box, Mask]:
    """A box around an outline, and which pixels of it are inside.

    Args:
        quad: shape (4, 2), in pixels of the picture.
        shape: rows and columns of that.
    """
    cv2: Any = load_opencv()
    low = np.clip(np.floor(quad.min(axis=0)).astype(int) - 1, 0, np.array(shape)[::-1] - 1)
    high = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 2, low + 1, np.array(shape)[::-1])
    inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad - low - 0.5).astype(np.int32), 1)
    return (slice(low[1], high[1]), slice(low[0], high[0])), inside > 0


class CardLooks:
    """How a card looks that lies on the table."""

    def __init__(self, quad: Points, shape: tuple[int, int], settings: CoverSettings) -> None:
        self.quad = quad
        self.box, self.inside = outlined(quad, shape)
        self.free = self.inside
        """Where no card lies on it."""
        self.known = Known(self.inside.shape, settings)
        self.pictures = 0
        """In how many it was read when its look was learned last."""

    def lies_at(self, quad: Points) -> bool:
        """Whether it has not been pushed since."""
        shifts = quad - self.quad, np.roll(quad, 2, axis=0) - self.quad
        return min(float(np.abs(shift).max()) for shift in shifts) < 2.0
