"""How alike two flattened cards look: their pattern, and their colours.

Patterns are compared small, softened, and with differences of light taken out, whichever way up the
cards lie. So two cards of one plain colour each have the same pattern: only their colours differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import Image

Vectors = NDArray[np.float32]

_SIZE, _BLUR, _LIGHT = (32, 46), 1.5, 4.0
"""Width and height, in pixels, at which patterns are compared; the blur before that, in pixels of
the crop; and, in the pixels that are compared, a wide blur that is taken off, and with it what is
as wide as a shadow or a glare."""

_CROP, _TRIM = (112, 160), (6, 8)
"""Width and height to which crops are brought first, in pixels; and how many of these are left out
at each side, and above and below, for they show the card's edge, and the table."""

_SHIFT = 1
"""An outline may be off by this many of the pixels that are compared."""

_TINTS, _SPREAD = 32, 1.0
"""Steps in which each of the two colours is counted, and the blur of the counts, in steps."""


def patterns(crops: Sequence[Image]) -> Vectors:
    """The patterns of N flattened cards, shape (N, …), each a vector of length one."""
    inside = slice(_SHIFT, _SIZE[1] - _SHIFT), slice(_SHIFT, _SIZE[0] - _SHIFT)
    return np.stack([_normed(_plain(crop)[inside]) for crop in crops])


def turned(shown: Vectors) -> Vectors:
    """The patterns that N cards would have the other way up, shape (N, …)."""
    width, height = (side - 2 * _SHIFT for side in _SIZE)
    upright = shown.reshape(len(shown), height, width, -1)
    return np.ascontiguousarray(upright[:, ::-1, ::-1]).reshape(shown.shape)


def correlations(shown: Vectors, crop: Image) -> Vectors:
    """How alike the pattern of a flattened card is to those of N others.

    Args:
        shown: the patterns of the others, shape (N, …).
        crop: the card's flattened picture, BGR, 8 bits.

    Returns:
        Shape (N,): normalized correlations, −1 to 1.
    """
    plain, (width, height) = _plain(crop), _SIZE
    shifts = range(2 * _SHIFT + 1)
    laid = [
        _normed(way[y : y + height - 2 * _SHIFT, x : x + width - 2 * _SHIFT])
        for way in (plain, plain[::-1, ::-1])
        for y in shifts
        for x in shifts
    ]
    return np.asarray((shown @ np.stack(laid).T).max(axis=1), np.float32)


def tints(crops: Sequence[Image]) -> Vectors:
    """The colours of N flattened cards, whatever their brightness, shape (N, …).

    The scalar product of two is how alike they are, 0 to 1: the Bhattacharyya coefficient of their
    histograms.
    """
    return np.stack([_tint(crop) for crop in crops])


def _tint(crop: Image) -> Vectors:
    across, down = _TRIM
    small = cv2.resize(crop, _CROP, interpolation=cv2.INTER_AREA)[down:-down, across:-across]
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    counts = cv2.calcHist([lab], [1, 2], None, [_TINTS, _TINTS], [64, 192, 64, 192])
    soft = cv2.GaussianBlur(counts, (0, 0), _SPREAD).ravel()
    return np.asarray(np.sqrt(soft / max(float(soft.sum()), 1e-9)), np.float32)


def _plain(crop: Image) -> Vectors:
    """A card as it is compared: small, soft, and as if it were lit evenly."""
    across, down = _TRIM
    crop = cv2.resize(crop, _CROP, interpolation=cv2.INTER_AREA).astype(np.uint8)
    soft = cv2.GaussianBlur(crop, (0, 0), _BLUR)[down:-down, across:-across]
    small = cv2.resize(soft, _SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(small - cv2.GaussianBlur(small, (0, 0), _LIGHT), np.float32)


def _normed(picture: Vectors) -> Vectors:
    """A picture as a vector of length one, after the mean of each colour was taken off."""
    even = (picture - picture.mean(axis=(0, 1))).ravel()
    return np.asarray(even / max(float(np.linalg.norm(even)), 1e-3), np.float32)
