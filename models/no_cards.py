"""Crops without a card, which the reader learns to call ``unknown``: things and empty places."""

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scenes.decoys import decoy
from datasets.scenes.scene import Scene
from datasets.scenes.textures import Image, colour
from datasets.scenes.things import label, marker, note, paper, phone
from vision.detection.crops import READER_VIEW, flatten

_THINGS = (marker, marker, label, paper, phone, note)
"""Things that look a little like cards. ``picture_card`` is not among them: it may look just like a
card's back."""

_DECOYS = 0.6
"""Share of the things that have no outline of their own: cloth, a cushion, a hand, a screen."""

_BESIDE = 0.5
"""Share of the empty places that are half on a card; the others are away from all cards."""

_PUSHED, NEAR = (0.35, 0.7), 0.2
"""How far (from, to) a place that is half on a card is shifted, as a part of that card's side; and
how near it may come to any card, as a part of the card's height."""


def thing(rng: np.random.Generator) -> Image:
    """A crop of something that a finder might take for a card, BGR, of ``READER_VIEW``'s size."""
    if rng.random() < _DECOYS:
        return decoy(rng, READER_VIEW.height, READER_VIEW.width)
    picture = _THINGS[int(rng.integers(0, len(_THINGS)))](rng)
    height, width = picture.shape[:2]
    around = height // 8
    ground = np.empty((height + 2 * around, width + 2 * around, 3), np.uint8)
    ground[:] = colour(rng, 0, 255)
    share = picture[..., 3:].astype(np.float32) / 255
    inside = ground[around:-around, around:-around]
    inside[:] = inside * (1 - share) + picture[..., :3] * share
    corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]]) + around
    corners += rng.normal(0, 0.04 * height, (4, 2))
    return flatten(ground, np.roll(corners, int(rng.integers(0, 4)), axis=0))


def outline_of_none(rng: np.random.Generator, scene: Scene) -> NDArray[np.float64] | None:
    """A place in a scene without a card, shape (4, 2); None where the place drawn has a card."""
    return (beside if rng.random() < _BESIDE else _elsewhere)(rng, scene)


def _elsewhere(rng: np.random.Generator, scene: Scene) -> NDArray[np.float64] | None:
    """A card-shaped place whose middle lies in no card."""
    height, width = scene.picture.shape[:2]
    middle = rng.uniform(0, 1, 2) * (width, height)
    outlines = [card.corners.astype(np.float32) for card in scene.cards]
    spot = (float(middle[0]), float(middle[1]))
    if any(cv2.pointPolygonTest(outline, spot, False) >= 0 for outline in outlines):
        return None
    tall = float(rng.uniform(40, 250))
    angle = float(rng.uniform(0, 2 * np.pi))
    up = np.array([np.sin(angle), -np.cos(angle)]) * tall / 2
    right = np.array([np.cos(angle), np.sin(angle)]) * tall * 0.35
    corners: NDArray[np.float64] = middle + np.array(
        [up - right, up + right, right - up, -up - right]
    )
    return corners


def beside(rng: np.random.Generator, scene: Scene) -> NDArray[np.float64] | None:
    """The place of a card, shifted by about half of it; None where that is near some card's place.

    A finder gives such an outline where a hand hides a part of the card.
    """
    seen = [card for card in scene.cards if card.visible > 0.3]
    if not seen:
        return None
    corners = np.asarray(seen[int(rng.integers(0, len(seen)))].corners, np.float64)
    along = corners[3] - corners[0] if rng.random() < 0.6 else corners[1] - corners[0]
    pushed = corners + along * float(rng.uniform(*_PUSHED)) * (1 if rng.random() < 0.5 else -1)
    tall = float(np.linalg.norm(corners[3] - corners[0]))
    away = [np.linalg.norm((card.corners - pushed).mean(axis=0)) for card in scene.cards]
    return pushed if min(away) > NEAR * tall else None
