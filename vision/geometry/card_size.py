"""The size of a card, where it is known what a centimetre of the table is in the picture.

An outline that is far from it goes round a part of a card, such as the figure on a court, or round
two cards. What it is read as is worth nothing; made as large as a card, it can be refined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry.table_plane import CARD_CM, Plane

OFF = 0.2
"""A side that differs by more than this part from a card's is not a card's side: Spanish cards
differ by 0.08, and cards in a hand that reaches over the table seem larger by as much."""


def with_a_cards_sides(corners: NDArray[np.floating], plane: Plane) -> NDArray[np.float32]:
    """An outline that is none of a whole card, made as large as one, about its own middle.

    Args:
        corners: shape (4, 2), in the frame's pixels, clockwise.
        plane: where the table is.

    Returns:
        The corners, shape (4, 2), clockwise, beginning with a short side; as they came where both
        sides may be a card's.
    """
    a, b, c, d = plane.to_table(np.asarray(corners, np.float64))
    across, down = (b - a + c - d) / 2, (d - a + c - b) / 2
    if np.linalg.norm(across) > np.linalg.norm(down):
        across, down = down, -across
    sides = np.array([np.linalg.norm(across), np.linalg.norm(down)])
    if (np.abs(sides / CARD_CM - 1) <= OFF).all():
        return np.asarray(corners, np.float32)
    wide, tall = CARD_CM
    down *= tall / 2 / max(sides[1], 1e-9)
    across = np.array([down[1], -down[0]]) * wide / tall
    middle = (a + b + c + d) / 4
    quad = middle + np.array([-across - down, across - down, across + down, down - across])
    return plane.to_frame(quad).astype(np.float32)
