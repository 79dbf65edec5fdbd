"""From a card's corners in a frame to the tensors that the refiner and the reader see.

Training, scoring and reading all come through here, so that they see the same pixels for one card.
The middle of a picture's first pixel is (0.5, 0.5).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_SHARPER, _FINE = 1.2, 1.5
"""How much contrast is added to fine details in the mean of four frames, as a part of what they
have; and how wide a blur is, in pixels, that takes them away. The letters and numbers in a card's
corners are small and often out of focus."""

_CELLS = (10, 14)
"""Two crops are compared by the mean colours of their cells, in so many columns and rows."""

_ALIKE, _OTHERWISE = 12, 4
"""They show the same if no more than four cells differ by more than this, of 255, in some colour. A
crop that is shifted by three pixels does not pass."""

Image = NDArray[np.uint8]
Corners = NDArray[np.floating]


@dataclass(frozen=True)
class View:
    """How a card is laid into a crop.

    Attributes:
        width: of the crop, in pixels.
        height: of the crop, in pixels.
        margin: what is kept around the card, as a part of the crop's width at the left and right,
            and of its height above and below.
    """

    width: int
    height: int
    margin: float

    def corners(self) -> NDArray[np.float32]:
        """Where the card's corners come to lie in the crop, shape (4, 2)."""
        x0, y0 = self.width * self.margin, self.height * self.margin
        x1, y1 = self.width - x0, self.height - y0
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


READER_VIEW = View(160, 224, 0.05)
REFINER_VIEW = View(96, 128, 0.2)


def flatten(frame: Image, corners: Corners, view: View = READER_VIEW) -> Image:
    """Straighten one card.

    Args:
        frame: BGR, 8 bits.
        corners: shape (4, 2), pixels, clockwise from the corner that comes to the upper left.
        view: how the card is laid into the crop.

    Returns:
        Shape (height, width, 3) of the view, BGR; black where the frame ends.
    """
    corners = np.asarray(corners, np.float32)
    target = view.corners()
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    shrink = float(sides.max()) / float(target[3, 1] - target[0, 1])
    if shrink > 1.5:  # average pixels down first: warping alone would skip most of them
        around = 8 + view.margin * 2 * float(sides.max())
        low = np.maximum(np.floor(corners.min(axis=0) - around), 0).astype(int)
        high = np.maximum(np.ceil(corners.max(axis=0) + around), 0).astype(int)
        part = frame[low[1] : high[1], low[0] : high[0]]
        if part.size:
            width = max(round(part.shape[1] / shrink), 1)
            height = max(round(part.shape[0] / shrink), 1)
            scale = np.array([width / part.shape[1], height / part.shape[0]], np.float32)
            frame = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
            corners = (corners - low.astype(np.float32)) * scale
    half = np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(corners - half, target - half)
    size = (view.width, view.height)
    return cv2.warpPerspective(frame, matrix, size, flags=cv2.INTER_LINEAR).astype(np.uint8)


def flatten_still(frames: Sequence[Image], corners: Corners) -> tuple[Image, int]:
    """Straighten one card for the reader, by the mean of the latest frames that show it alike.

    The mean has less noise, so it can be made sharper (:func:`sharpened`).

    Args:
        frames: BGR, 8 bits; the latest first.
        corners: see :func:`flatten`; of the card in the latest frame.

    Returns:
        The crop, see :func:`flatten`; and the number of frames that it is the mean of.
    """
    latest = flatten(frames[0], corners)
    cells, total, count = _cells(latest), latest.astype(np.float32), 1
    for frame in frames[1:]:
        crop = flatten(frame, corners)
        apart = cv2.absdiff(_cells(crop), cells).max(axis=2)
        if np.count_nonzero(apart > _ALIKE) > _OTHERWISE:
            break  # a hand was over the card, or it was not there yet
        cv2.accumulate(crop, total)
        count += 1
    return cv2.convertScaleAbs(total, alpha=1 / count).astype(np.uint8), count


def _cells(crop: Image) -> Image:
    return cv2.resize(crop, _CELLS, interpolation=cv2.INTER_AREA).astype(np.uint8)


def sharpened(crop: Image, frames: int = 1) -> Image:
    """A crop with more contrast in its fine details: the more, the less noise it has.

    A crop of one frame stays as it is: its noise would grow as much as its details.

    Args:
        crop: BGR, 8 bits.
        frames: the number of frames that the crop is the mean of.
    """
    more = _SHARPER * (math.sqrt(frames) - 1)
    if not more:
        return crop
    soft = cv2.GaussianBlur(crop, (0, 0), _FINE)
    return cv2.addWeighted(crop, 1 + more, soft, -more, 0).astype(np.uint8)


def to_tensor(crops: list[Image]) -> NDArray[np.float32]:
    """Stack BGR pictures of one size to shape (N, 3, height, width), RGB, 0–1."""
    stack = np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)


def offsets_in_view(corners: Corners, truth: Corners, view: View = REFINER_VIEW) -> Corners:
    """How far the true corners lie from assumed ones in a crop, as parts of the crop's height.

    Args:
        corners: the assumed ones, shape (4, 2), in pixels of the frame.
        truth: the true ones, likewise.
        view: how the card is laid into the crop by the assumed corners.

    Returns:
        Shape (4, 2).
    """
    corners = np.asarray(corners, np.float32)
    matrix = cv2.getPerspectiveTransform(corners, view.corners())
    at = cv2.perspectiveTransform(np.asarray(truth, np.float32)[None], matrix)[0]
    return np.asarray((at - view.corners()) / view.height, np.float32)


def moved(corners: Corners, offsets: Corners, view: View = REFINER_VIEW) -> NDArray[np.float32]:
    """Assumed corners in the frame, moved by what :func:`offsets_in_view` tells; shape (4, 2)."""
    corners = np.asarray(corners, np.float32)
    matrix = cv2.getPerspectiveTransform(view.corners(), corners)
    at = view.corners() + np.asarray(offsets, np.float32) * np.float32(view.height)
    return np.asarray(cv2.perspectiveTransform(at[None], matrix)[0], np.float32)
