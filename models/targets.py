"""Draws the maps that the finder should give for a picture."""

import numpy as np
from numpy.typing import NDArray

from datasets.scenes.scene import SceneCard
from vision.detection.outlines import OUTLINE_SCALE, STRIDE, outline_numbers

Array = NDArray[np.float32]

_AROUND = 0.1
"""How much the outline counts in a card's cells away from its middle, where it counts up to 1.
Learning is faster when many cells have an outline."""


def target_maps(
    cards: list[SceneCard], side: int, least_visible: float
) -> tuple[Array, Array, Array, Array, Array]:
    """Heat, outlines, weight, size and asked for the cards of a square picture.

    ``models.data.FinderBatches`` says what each of the maps holds.

    Args:
        cards: the cards, with corners in the picture's pixels; later ones lie over earlier ones.
        side: width and height of the picture, in pixels.
        least_visible: where a smaller share of a card is visible, the finder may find it or not.
    """
    cells = side // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    outlines = np.zeros((8, cells, cells), np.float32)
    weight = np.zeros((cells, cells), np.float32)
    size = np.ones((cells, cells), np.float32)
    asked = np.ones((cells, cells), np.float32)
    ys, xs = np.mgrid[0:cells, 0:cells].astype(np.float32)
    middles = (np.stack([xs, ys], -1) + 0.5) * STRIDE
    for card in cards:
        quad = card.corners.astype(np.float32)
        middle = quad.mean(axis=0)
        inside = bool((middle > 0).all() and (middle < side).all())
        right = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
        down = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
        axes = np.stack([right, down], axis=1)
        if abs(float(np.linalg.det(axes))) < 4:
            continue
        spread = 0.22 + 0.5 * STRIDE / np.linalg.norm(axes, axis=0)
        places = (middles - middle) @ np.linalg.inv(axes).T  # -1–1 within the card
        bump = np.exp(-0.5 * ((places / spread) ** 2).sum(axis=-1)).astype(np.float32)
        if not inside or card.visible < least_visible:
            asked[bump > 0.1] = 0
            if card.visible < least_visible:
                continue
        else:
            column, row = (min(int(v // STRIDE), cells - 1) for v in middle)
            bump[row, column] = 1
            heat = np.maximum(heat, bump)
        covers = (np.abs(places) < 1).all(axis=-1) & (weight <= _AROUND)
        mine = covers | ((bump >= weight) & (bump > 0.3))
        weight[mine] = np.maximum(bump, _AROUND)[mine]
        size[mine] = np.sqrt(abs(float(np.linalg.det(axes))) * 4) / OUTLINE_SCALE
        numbers = np.tile(outline_numbers(quad)[:, None], (1, int(mine.sum())))
        numbers[:2] -= middles[mine].T
        outlines[:, mine] = numbers / OUTLINE_SCALE
    asked[heat >= 1] = 1
    return heat, outlines, weight, size, asked
