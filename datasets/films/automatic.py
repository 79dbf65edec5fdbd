"""What cameras do by themselves: they focus anew, and set their exposure by what they see.

Webcams and phones look for the focus again when a hand comes close, and for a second all is
blurred. They make the picture darker when white cards lie there, and brighter when a sleeve covers
half of it. Lamps on the mains flicker a hundred times a second; as a camera reads its rows one
after the other, bands run over the picture. A lamp is mirrored by coated cards.

None of it belongs to the grades: a good camera does it too. :class:`Automatic` draws it for one
film, from the film's seed.
"""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np

from datasets.films.stage import Stage
from datasets.scenes.textures import Field, Image

HUNTS = 0.05
"""How likely the camera looks for its focus again when a hand comes in."""

HUNT_S = (0.4, 2.0)
"""How long it looks for it, in seconds."""

HUNT_BLUR = (1.5, 6.0)
"""Standard deviation of the blur where it is worst, in pixels of a picture of 720 rows."""

AWAY = 0.45
"""When the blur is worst, as a share of that time; then it overshoots and comes back."""

FOLLOWS = (0.4, 0.9)
"""How much of a change of the mean brightness the exposure makes up for, 0–1."""

LAG_S = (0.25, 1.0)
"""Time constant of the exposure, in seconds."""

GAINS = (0.6, 1.5)
"""Least and largest factor of the brightness."""

FLICKER = (0.0, 0.1)
"""How far the bands are darker or brighter than the picture, as a share of the brightness."""

MAINS_HZ = 100.0
"""How often a second a lamp on the mains is brightest."""

READOUT_S = 0.025
"""How long the sensor takes to read all rows, one after the other."""

MIRRORED = 0.5
"""Share of films in which a lamp is mirrored on the table."""

MIRROR_LIGHT = (40.0, 130.0)
"""How much brighter the middle of the mirrored lamp is, of 255."""

MIRROR_SIZE = (0.03, 0.09)
"""Standard deviation of the mirrored lamp, as a part of the picture's height."""


class Automatic:
    """What the camera of one film does by itself.

    Args:
        stage: the film.
    """

    def __init__(self, stage: Stage) -> None:
        rng = Random(f"automatic {stage.seed} {stage.grade}")
        self._hunts = [
            (hand.keys[0].at + rng.uniform(0.1, 0.5), rng.uniform(*HUNT_S), rng.uniform(*HUNT_BLUR))
            for hand in stage.hands
            if hand.kind == "hand" and rng.random() < HUNTS
        ]
        self._follows, self._lag = rng.uniform(*FOLLOWS), rng.uniform(*LAG_S)
        self._depth = rng.uniform(*FLICKER)
        self._usual = 0.0  # mean brightness of the first frame
        self._exposed: tuple[float, float] | None = None  # when, and the factor
        self._rows = np.arange(stage.camera.size[1], dtype=np.float32) / stage.camera.size[1]
        self._mirror = _mirrored(rng, stage.camera.size) if rng.random() < MIRRORED else None

    def light(self, frame: Image, at: float) -> Image:
        """The frame with the mirrored lamp, the flicker and the exposure of a time."""
        if self._mirror is not None:
            frame = cv2.add(frame, self._mirror).astype(np.uint8)
        phase = 2 * math.pi * MAINS_HZ * (at + self._rows * READOUT_S)
        bands = self.exposure(frame, at) * (1 + self._depth * np.sin(phase))
        levels = np.clip(bands * 128, 0, 255).round().astype(np.uint8)
        gains = np.broadcast_to(levels[:, None, None], frame.shape)
        return cv2.multiply(frame, np.ascontiguousarray(gains), scale=1 / 128).astype(np.uint8)

    def exposure(self, frame: Image, at: float) -> float:
        """The factor that the camera multiplies a frame with; times should rise."""
        mean = float(cv2.resize(frame, (32, 18), interpolation=cv2.INTER_AREA).mean())
        self._usual = self._usual or mean
        aim = min(max((self._usual / max(mean, 1.0)) ** self._follows, GAINS[0]), GAINS[1])
        if self._exposed is not None and at >= self._exposed[0]:
            since, factor = at - self._exposed[0], self._exposed[1]
            aim = factor + (aim - factor) * (1 - math.exp(-since / self._lag))
        self._exposed = (at, aim)
        return aim

    def blur(self, at: float) -> float:
        """Standard deviation of the blur at a time, in pixels of a picture of 720 rows."""
        return max((_hunted(at - begins, lasts, worst) for begins, lasts, worst in self._hunts),
                   default=0.0)  # fmt: skip


def _hunted(since: float, lasts: float, worst: float) -> float:
    share = since / lasts
    if not 0 < share < 1:
        return 0.0
    if share < AWAY:  # it goes away slowly, and comes back
        return worst * math.sin(math.pi / 2 * share / AWAY)
    left = (1 - share) / (1 - AWAY)
    return worst * left * abs(math.cos(math.pi * (1 - left)))


def _mirrored(rng: Random, size: tuple[int, int]) -> Image:
    """The mirrored lamp, as light that is added; BGR, 8 bits."""
    width, height = size
    x, y = rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height
    wide, tall = (rng.uniform(*MIRROR_SIZE) * height for _ in range(2))
    across: Field = np.exp(-0.5 * ((np.arange(width, dtype=np.float32) - x) / wide) ** 2)
    down: Field = np.exp(-0.5 * ((np.arange(height, dtype=np.float32) - y) / tall) ** 2)
    spot = rng.uniform(*MIRROR_LIGHT) * down[:, None] * across[None]
    return np.repeat(spot.round().astype(np.uint8)[..., None], 3, axis=2)
