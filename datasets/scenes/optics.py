"""Adds what light and a camera do to a scene: shadows, glare, colour, blur, noise, compression.

:func:`light` and :func:`photograph` take a BGR picture of 8 bits and return one of the same size.
"""

import cv2
import numpy as np

from datasets.scenes.textures import Field, Image, noise


def _polygon_shadow(rng: np.random.Generator, height: int, width: int) -> Field:
    """A shadow with soft edges, as factors of the brightness: 1 in light, less in the shadow."""
    mask = np.ones((height // 4 + 1, width // 4 + 1), np.float32)
    centre = rng.uniform(0, 1, 2) * (mask.shape[1], mask.shape[0])
    points = centre + rng.normal(0, mask.shape[1] * 0.35, (int(rng.integers(3, 6)), 2))
    cv2.fillPoly(mask, [points.astype(np.int32)], float(rng.uniform(0.35, 0.8)))
    blur = float(rng.uniform(0.6, 12))
    soft = cv2.GaussianBlur(mask, (0, 0), blur)
    return cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)


def light(rng: np.random.Generator, scene: Image) -> Image:
    """Light a scene at random: shadows, a lamp, glare, warm or cold light, exposure, contrast."""
    height, width = scene.shape[:2]
    gain: Field = np.ones((height, width), np.float32)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        gain *= _polygon_shadow(rng, height, width)
    if rng.random() < 0.6:
        y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
        cx, cy = rng.uniform(-0.2, 1.2, 2) * (width, height)
        reach = float(rng.uniform(0.5, 1.6)) * width
        lamp = 1 / (1 + ((x - cx) ** 2 + (y - cy) ** 2) / reach**2)
        lamp = cv2.resize(lamp, (width, height))
        depth = float(rng.uniform(0.2, 0.9))
        gain *= 1 - depth + depth * lamp / lamp.mean()
    warm = float(rng.normal(0, 0.12))
    tint = np.array([1 - warm, 1 + rng.normal(0, 0.04), 1 + warm], np.float32)
    exposure = float(np.exp(rng.normal(-0.05, 0.3)))
    extreme = rng.random()
    if extreme < 0.1:  # overexposed: white cards lose their edges
        exposure *= float(rng.uniform(1.3, 2.2))
    elif extreme < 0.24:
        exposure *= float(rng.uniform(0.28, 0.7))
    picture = scene.astype(np.float32)
    picture *= gain[..., None]
    picture *= tint * exposure
    if rng.random() < 0.2:  # a lamp mirrored by coated cards or a polished table
        spot = np.zeros((height // 8 + 1, width // 8 + 1), np.float32)
        centre = (int(rng.integers(0, spot.shape[1])), int(rng.integers(0, spot.shape[0])))
        axes = (int(rng.integers(3, 16)), int(rng.integers(2, 10)))
        strength = float(rng.uniform(60, 255))
        cv2.ellipse(spot, centre, axes, float(rng.uniform(0, 180)), 0, 360, strength, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(1.5, 6)))
        picture += cv2.resize(spot, (width, height))[..., None]
    if rng.random() < 0.5:
        contrast, middle = float(rng.uniform(0.75, 1.35)), 120.0
        picture = (picture - middle) * contrast + middle
    return np.clip(picture, 0, 255).astype(np.uint8)


def _motion_kernel(length: int, angle: float) -> Field:
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1
    matrix = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), angle, 1)
    kernel = cv2.warpAffine(kernel, matrix, (length, length)).astype(np.float32)
    return kernel / max(float(kernel.sum()), 1e-6)


def photograph(rng: np.random.Generator, scene: Image, *, scale: float = 1.0) -> Image:
    """Add a camera's faults at random: blur, noise, sharpening, the losses of JPEG or video.

    Args:
        rng: draws which faults, and how strong.
        scene: the lit scene.
        scale: how strong blur may be: 1 for cards of usual size, less for small ones, which would
            become unreadable.
    """
    height, width = scene.shape[:2]
    picture = scene
    if rng.random() < 0.55:
        sigma = float(rng.uniform(0.3, 1.5)) * scale
        picture = cv2.GaussianBlur(picture, (0, 0), sigma).astype(np.uint8)
    if rng.random() < 0.15:
        length = 1 + 2 * int(rng.integers(1, 2 + round(3 * scale)))
        kernel = _motion_kernel(length, float(rng.uniform(0, 180)))
        picture = cv2.filter2D(picture, -1, kernel).astype(np.uint8)
    if rng.random() < 0.25:  # a picture scaled up by the camera, or softened by video
        ratio = float(rng.uniform(0.6, 0.95)) ** scale
        small = cv2.resize(
            picture, (round(width * ratio), round(height * ratio)), interpolation=cv2.INTER_AREA
        )
        picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(
            np.uint8
        )
    if rng.random() < 0.3:
        blurred = cv2.GaussianBlur(picture, (0, 0), 1.2)
        amount = float(rng.uniform(0.3, 1.2))
        picture = cv2.addWeighted(picture, 1 + amount, blurred, -amount, 0).astype(np.uint8)
    if rng.random() < 0.7:
        strength = float(rng.exponential(4.0))
        grain = noise(rng, height, width, 1.0)
        if rng.random() < 0.5:
            grain = grain + noise(rng, height, width, 2.0) * 0.7
        picture = np.clip(picture + grain[..., None] * strength, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        quality = int(rng.uniform(30, 95))
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        pixels = cv2.imdecode(data, cv2.IMREAD_COLOR) if done else None
        if pixels is not None:
            picture = pixels.astype(np.uint8)
    return picture
