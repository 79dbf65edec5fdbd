"""Changes crops at random in training: their light, sharpness and noise, and what covers them."""

import cv2
import numpy as np

from datasets.scenes.textures import Image, noise


def disturb(rng: np.random.Generator, crop: Image) -> Image:
    """Vary a crop's light, colour, sharpness and noise."""
    height, width = crop.shape[:2]
    if rng.random() < 0.35:  # a card that is small in the frame
        ratio = float(rng.uniform(0.3, 0.85))
        size = (round(width * ratio), round(height * ratio))
        small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
        crop = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    picture = crop.astype(np.float32)
    picture *= rng.normal(1, 0.05, 3).astype(np.float32) * float(np.exp(rng.normal(0, 0.25)))
    if rng.random() < 0.3:
        picture = (picture - 128) * float(rng.uniform(0.6, 1.4)) + 128 + float(rng.normal(0, 15))
    if rng.random() < 0.2:
        sigma = float(rng.uniform(0.4, 1.6))
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    if rng.random() < 0.4:
        picture += noise(rng, height, width, 1.0)[..., None] * float(rng.exponential(6))
    return np.clip(picture, 0, 255).astype(np.uint8)


def cover(rng: np.random.Generator, crop: Image, other: Image) -> Image:
    """Cover a part of a card with another card or with one colour; one index stays free.

    Args:
        rng: draws which part is covered, and with what.
        crop: a flattened card, upright or upside down.
        other: the flattened card that may cover it, of the same size.
    """
    height, width = crop.shape[:2]
    free = np.array([0.0, 0.0]) if rng.random() < 0.5 else np.array([1.0, 1.0])
    away = np.array([0.5, 0.5]) - free
    angle = float(np.arctan2(away[1], away[0]) + rng.uniform(-0.9, 0.9))
    normal = np.array([np.cos(angle), np.sin(angle)])
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = (x / width - free[0]) * normal[0] + (y / height - free[1]) * normal[1]
    corners = np.abs(0.27 * np.sign(away) * normal).sum()  # the index and the pip below it
    edge = float(rng.uniform(corners, max(0.8, corners + 0.1)))
    if rng.random() < 0.7:
        turn = float(rng.uniform(0, 360))
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, float(rng.uniform(1, 1.6)))
        above = cv2.warpAffine(other, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    else:
        above = np.full_like(crop, rng.integers(0, 256, 3).astype(np.uint8))
    share = np.clip((reach - edge) * width / 2 + 0.5, 0, 1)[..., None]
    shadow = 1 - 0.35 * float(rng.random()) * np.exp(-np.maximum(edge - reach, 0) * 25)[..., None]
    return np.clip(crop * shadow * (1 - share) + above * share, 0, 255).astype(np.uint8)


def hold(rng: np.random.Generator, crop: Image) -> Image:
    """Lay a finger over a card from one of its edges, as the finger of a hand that holds it."""
    height, width = crop.shape[:2]
    edge = int(rng.choice(4, p=[0.1, 0.2, 0.5, 0.2]))  # top, right, bottom, left
    along = float(rng.uniform(0.12, 0.88))
    root = np.array([(along, -0.1), (1.1, along), (along, 1.1), (-0.1, along)][edge])
    inwards = np.array([(0, 1), (-1, 0), (0, -1), (1, 0)][edge])
    lean = rng.normal(0, 0.35)
    way = np.array([inwards[0] - lean * inwards[1], inwards[1] + lean * inwards[0]])
    tip = (root * (width, height) + way * width * float(rng.uniform(0.3, 0.65))).astype(np.float32)
    root = (root * (width, height)).astype(np.float32)
    thick = width * float(rng.uniform(0.09, 0.16))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    spine = tip - root
    share = ((x - root[0]) * spine[0] + (y - root[1]) * spine[1]) / float(spine @ spine)
    share = np.clip(share, 0, 1)
    gap = np.hypot(x - root[0] - share * spine[0], y - root[1] - share * spine[1])
    skin = np.array([105, 135, 190]) * float(rng.uniform(0.35, 1.25)) + rng.normal(0, 10, 3)
    shade = 1.1 - 0.35 * (np.minimum(gap / thick, 1) ** 2)[..., None]
    shadow = 1 - 0.4 * float(rng.random()) * np.exp(-np.maximum(gap - thick, 0) / 6)[..., None]
    finger = np.clip(thick - gap + 0.5, 0, 1)[..., None]
    return np.clip(crop * shadow * (1 - finger) + skin * shade * finger, 0, 255).astype(np.uint8)
