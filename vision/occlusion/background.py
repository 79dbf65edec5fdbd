"""How the bare table looks, and how each card on it looks: what ``cover`` remembers.

All of it is kept in small pixels: those of the frame made smaller (``motion.smaller``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vision.geometry.table_plane import Points
from vision.occlusion.motion import Field, Image, Mask, smaller
from vision.opencv import load_opencv

EVENLY = np.ones((3, 3), np.uint8)
"""A small pixel and its eight neighbours: an edge may lie one pixel beside its place."""


_DIM = 16.0
"""Grey levels that are added before logarithms are taken: darker ones are mostly noise."""

_LOGARITHMS = np.log(np.arange(256) + _DIM).astype(np.float32)

_LIGHT_AND_COLOUR = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [1, -1, 0]], np.float32)
"""From logarithms of blue, green and red to brightness and two colours. A change of light hardly
changes the colours."""

_FINE = 5
"""Side of the square, in pixels of the frame, by whose mean a pixel is compared: what differs is a
fine pattern, of which a small pixel keeps only the mean."""

_SCALED = 8
"""Differences of grey levels are kept in eighths: they are multiplied by this, and rounded."""

_PLAIN = 0.01
"""Added to a contrast before its logarithm is taken: much smaller ones count as none."""


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
        """Brightness, two colours and texture of each small pixel, as natural logarithms.

        The texture is the contrast of what is finer than a small pixel. Fine black and white
        stripes have the mean of a plain grey cloth; only their texture tells them apart.

        Shape (rows, columns, 4).
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
    """The settings of ``Cover``.

    Times are seconds, parts are 0–1, and brightness, colours and texture are natural logarithms.

    Attributes:
        tick: the time between two updates of what is known.
        learn: a place that rests with another look than the known one has changed once the new look
            has lasted as long as the old one had: at least this time, ...
        relearn: ... and at most this. A place whose look is not known yet takes ``learn``.
        still: nothing is learned of a place where something moved less than this time ago.
        shadow: a place still looks the same if it is darker by no more than this, ...
        shine: ... or brighter by no more than this, ...
        tint: ... while each of its two colours differs by no more than this, ...
        pattern: ... and its texture by no more than this.
        seen: the look of a card is learned only if it was seen no longer ago than this.
        startled: where a larger part of the table than this rests and looks otherwise, the camera
            or all the light has changed: then all is learned anew.
        lately: the regions of a look are those where something moved no longer ago than this.
        lies: a card lies as it lay if at least this part of the pixels that tell it from the table
            look as they did.
        telling: there must be such pixels on at least this part of the card; else nothing is said.
        left: the place of a card may be bare once the card is missed, and its place rests, for
            longer than this.
        as_beside: such a place is bare if at least this part of it looks like the table around it.
        was_table: when a card is first read, and at least this part of its place looks as the table
            was thought to look there, then the card had been taken for the table.
        reaches: what reaches over the table's edge moved there no longer ago than this.
        arm_cm: and it covers at least this much of the edge, in centimetres.
        met: the table is known once at least this part of it is.
        nudge: the camera was nudged where the table's outline moved by at least this many small
            pixels.
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
        """How far each channel may be below and above, and still look the same; shape (4,) each."""
        alike = [self.tint, self.tint, self.pattern]
        return np.array([self.shadow, *alike], np.float32), np.array(
            [self.shine, *alike], np.float32
        )


Box = tuple[slice, slice]
ALL: Box = (slice(None), slice(None))


class Known:
    """What is known of how a part of the picture looks.

    Args:
        shape: rows and columns of the part, in small pixels.
        settings: how much may differ and still look the same.

    Attributes:
        settings: how much may differ and still look the same.
        looks: brightness, colours and texture, see ``Picture.looks``; shape (rows, columns, 4).
        age: for how many seconds each pixel was seen like this, 0 where it is not known; shape
            (rows, columns).
    """

    def __init__(self, shape: tuple[int, int], settings: CoverSettings) -> None:
        self.settings = settings
        self.looks = np.zeros((*shape, 4), np.float32)
        self.age = np.zeros(shape, np.float32)
        self._bounds: tuple[Field, Field] | None = None

    def alike(self, light: Field, box: Box = ALL) -> Mask:
        """Where a picture looks like what is known; an edge may lie one pixel beside its place.

        Args:
            light: how the picture looks, shape (rows, columns, 4); of the box.
            box: the box of what is known with which it is compared; all of it if left out.

        Returns:
            Shape (rows, columns); False where nothing is known.
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
        """Learns how some places look from a picture.

        Args:
            where: the places.
            light: how the picture looks, shape (rows, columns, 4).
            part: the weight of the picture, 0–1; a place that is not known takes all of it.
            seconds: for how long the places have looked so since the picture before.
        """
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
        """Moves all of it as the picture was moved; what comes in from outside is not known.

        Args:
            matrix: the homography from the old small pixels to the new ones, shape (3, 3).
        """
        cv2: Any = load_opencv()
        size = self.age.shape[::-1]
        self.looks = cv2.warpPerspective(self.looks, matrix, size)
        self.age = cv2.warpPerspective(self.age, matrix, size, flags=cv2.INTER_NEAREST)
        self._bounds = None


def outlined(quad: Points, shape: tuple[int, int]) -> tuple[Box, Mask]:
    """A box around an outline, and which pixels of the box are inside the outline.

    Args:
        quad: shape (4, 2), in pixels of the picture.
        shape: rows and columns of the picture.
    """
    cv2: Any = load_opencv()
    low = np.clip(np.floor(quad.min(axis=0)).astype(int) - 1, 0, np.array(shape)[::-1] - 1)
    high = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 2, low + 1, np.array(shape)[::-1])
    inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad - low - 0.5).astype(np.int32), 1)
    return (slice(low[1], high[1]), slice(low[0], high[0])), inside > 0


class CardAppearance:
    """How a card looks that lies on the table.

    Args:
        quad: its outline, shape (4, 2), in small pixels.
        shape: rows and columns of the small picture.
        settings: how much may differ and still look the same.

    Attributes:
        quad: its outline.
        box: a box around that.
        inside: which pixels of the box are on the card.
        free: which pixels of the box are on the card with no other card above.
        known: how the box looks.
        pictures: how many pictures it had been read in when its look was last learned.
    """

    def __init__(self, quad: Points, shape: tuple[int, int], settings: CoverSettings) -> None:
        self.quad = quad
        self.box, self.inside = outlined(quad, shape)
        self.free = self.inside
        self.known = Known(self.inside.shape, settings)
        self.pictures = 0

    def lies_at(self, quad: Points) -> bool:
        """Whether it still lies there: an outline is the same within two small pixels.

        Args:
            quad: the outline, shape (4, 2), in small pixels, from either end of the card on.
        """
        shifts = quad - self.quad, np.roll(quad, 2, axis=0) - self.quad
        return min(float(np.abs(shift).max()) for shift in shifts) < 2.0
