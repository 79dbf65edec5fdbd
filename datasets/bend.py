"""Cards that are not flat: a card's picture with bulging edges, its corners where they were."""

import cv2
import numpy as np

from datasets.vector import Picture


def bent(rng: np.random.Generator, face: Picture) -> tuple[Picture, int]:
    """Bend a card along one or both of its axes, and shade it as a bent card is.

    Args:
        rng: draws how far, and which way.
        face: the card, BGRA.

    Returns:
        A larger picture, and how many pixels of it lie beyond the corners on every side.
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
