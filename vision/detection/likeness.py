"""How alike two flattened cards look: their pattern, and their colours.

A pattern is compared small and soft, as if it were lit evenly, whichever way up the card lies; so
only its colours tell two plain cards apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import Image

Vectors = NDArray[np.float32]

_SIZE, _BLUR, _LIGHT = (32, 46), 1.5, 4.0
"""Cards are compared in so many pixels, of pictures softened by so much, without what is as wide as
a shadow or a glare."""

_CROP, _TRIM = (112, 160), (6, 8)
"""Crops are brought to so many pixels first, as kept decks have them; so many of them at each side
show the card's edge, and the table."""

_SHIFT = 1
"""An outline may be off by so many of the pixels that are compared."""

_TINTS, _SPREAD = 32, 1.0
"""Colours are counted in so many steps each way, softened by so many of them."""


def patterns(crops: Sequence[Image]) -> Vectors:
    """The patterns of N flattened cards, shape (N, …)."""
    inside = slice(_SHIFT, _SIZE[1] - _SHIFT), slice(_SHIFT, _SIZE[0] - _SHIFT)
    return np.stack([_normed(_plain(crop)[inside]) for crop in crops])


def turned(shown: Vectors) -> Vectors:
    """The patterns of N cards that lie the other way up."""
    width, height = (side - 2 * _SHIFT for side in _SIZE)
    upright = shown.reshape(len(shown), height, width, -1)
    return np.ascontiguousarray(upright[:, ::-1, ::-1]).reshape(shown.shape)


def correlations(shown: Vectors, crop: Image) -> Vectors:
    """How alike the pattern of a flattened card is to N others.

    Args:
        shown: the patterns of the others.
        crop: the card.

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

    The product of two is the Bhattacharyya coefficient of the histograms, 0 to 1.
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
    """A picture as a vector of length one, with no colour on the whole."""
    even = (picture - picture.mean(axis=(0, 1))).ravel()
    return np.asarray(even / max(float(np.linalg.norm(even)), 1e-3), np.float32)
