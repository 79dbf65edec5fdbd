"""Bends a card's picture, or blurs it by motion; the card's corners stay where they are.

Pictures are BGRA, premultiplied.
"""

import cv2
import numpy as np

from datasets.cards.vector import Picture


def bent(rng: np.random.Generator, face: Picture) -> tuple[Picture, int]:
    """Bend a card along one or both of its axes, and shade it accordingly.

    Args:
        rng: draws how far it bends, and which way.
        face: the card's picture.

    Returns:
        A larger picture, and how many of its pixels lie outside the corners on each side.
    """
    height, width = face.shape[:2]
    border = round(height * 0.09)
    bulges = np.clip(rng.normal(0, 0.028, 2), -0.075, 0.075) * height
    if rng.random() < 0.6:
        bulges[int(rng.integers(0, 2))] = 0
    rows, columns = height + 2 * border, width + 2 * border
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) - np.float32(border)
    arch_x, arch_y = 1 - (2 * x / width - 1) ** 2, 1 - (2 * y / height - 1) ** 2
    source_x = (x - np.float32(bulges[0]) * np.maximum(arch_y, 0)).astype(np.float32)
    source_y = (y - np.float32(bulges[1]) * np.maximum(arch_x, 0)).astype(np.float32)
    picture = cv2.remap(face, source_x, source_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    slope = bulges[0] * (y / height - 0.5) + bulges[1] * (x / width - 0.5)
    light = 1 + slope / height * float(rng.normal(0, 6))
    picture[..., :3] = np.clip(picture[..., :3] * light[..., None], 0, 255)
    return picture.astype(np.uint8), border


def moving(rng: np.random.Generator, face: Picture, border: int) -> tuple[Picture, int]:
    """Blur a card by motion, as a card that was being laid while the shutter was open.

    Args:
        rng: draws how far it moves, and which way.
        face: the card's picture.
        border: how many of its pixels lie outside the corners on each side.

    Returns:
        A larger picture, and how many of its pixels lie outside the corners on each side.
    """
    reach = int((face.shape[0] - 2 * border) * rng.uniform(0.01, 0.04))
    angle = float(rng.uniform(0, np.pi))
    end = np.array([np.cos(angle), np.sin(angle)]) * reach
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    ends = [tuple(int(v) for v in np.round(reach + sign * end)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    kernel /= kernel.sum()
    more = (reach, reach, reach, reach)
    wide = cv2.copyMakeBorder(face, *more, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    return cv2.filter2D(wide, -1, kernel).astype(np.uint8), border + reach
