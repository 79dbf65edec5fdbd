"""From a card's corners in a frame to the tensor that the reader sees.

Training, scoring and reading all come through here, so that they see the same pixels for one card.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_WIDTH, CROP_HEIGHT = 112, 160
"""Size of a flattened card, in pixels."""

CROP_MARGIN = 0.05
"""What is kept around the card on every side, as a part of its width and height."""

Image = NDArray[np.uint8]
Corners = NDArray[np.floating]


def flatten(frame: Image, corners: Corners) -> Image:
    """Straighten one card.

    Args:
        frame: BGR, 8 bits.
        corners: shape (4, 2), pixels, clockwise from the corner that comes to the upper left; the
            middle of the frame's first pixel is (0.5, 0.5).

    Returns:
        Shape (160, 112, 3), BGR; black where the card leaves the frame.
    """
    corners = np.asarray(corners, np.float32)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    shrink = max(float(sides.max()) / CROP_HEIGHT, 1.0)
    if shrink > 1.5:  # average pixels down first: warping alone would skip most of them
        low = np.maximum(np.floor(corners.min(axis=0)) - 8, 0).astype(int)
        high = np.ceil(corners.max(axis=0)).astype(int) + 8
        part = frame[low[1] : high[1], low[0] : high[0]]
        if part.size:
            width = max(round(part.shape[1] / shrink), 1)
            height = max(round(part.shape[0] / shrink), 1)
            scale = np.array([width / part.shape[1], height / part.shape[0]], np.float32)
            frame = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
            corners = (corners - low.astype(np.float32)) * scale
    x0, y0 = CROP_WIDTH * CROP_MARGIN, CROP_HEIGHT * CROP_MARGIN
    x1, y1 = CROP_WIDTH - x0, CROP_HEIGHT - y0
    target = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners - np.float32(0.5), target)
    size = (CROP_WIDTH, CROP_HEIGHT)
    return cv2.warpPerspective(frame, matrix, size, flags=cv2.INTER_LINEAR).astype(np.uint8)


def to_tensor(crops: list[Image]) -> NDArray[np.float32]:
    """Stack BGR pictures of one size to shape (N, 3, height, width), RGB, 0–1."""
    stack = np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)
