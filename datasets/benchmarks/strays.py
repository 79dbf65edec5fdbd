"""Draws tables with calling cards and corner markers but no playing card.

Whatever a reader names there is wrong.
"""

from collections.abc import Iterator
from random import Random

import numpy as np

from datasets.benchmarks.heights import lay
from datasets.scenes import optics
from datasets.scenes.geometry import Camera, card_corners
from datasets.scenes.textures import Image, surface
from datasets.scenes.things import marker

MARKERS_A_TABLE = 6
_SIZE = (1280, 720)
_TALL = 8.0
"""Height of every marker's paper, in centimetres."""


def tables_of_markers(count: int) -> Iterator[Image]:
    """Yields so many frames of 1280×720, BGR, in which markers are 55–136 pixels tall."""
    for number in range(count):
        rng, draw = Random(f"m{number}"), np.random.default_rng(number)
        width, height = _SIZE
        away = 1000 * 8.8 / rng.uniform(60, 150)
        camera = Camera(1000.0, away, rng.uniform(0, 0.4), rng.gauss(0, 0.1), _SIZE)
        scene = surface(draw, height, width)
        for place in range(MARKERS_A_TABLE):
            sheet = marker(draw)
            across = (place % 3 + rng.uniform(0.3, 0.7)) / 3 * width
            down = (place // 3 + rng.uniform(0.3, 0.7)) / 2 * height
            size = (_TALL * sheet.shape[1] / sheet.shape[0], _TALL)
            where = camera.on_table((across, down))
            corners = camera.project(card_corners(*size, where, rng.uniform(0, 6.3)))
            lay(scene, np.ascontiguousarray(sheet[..., :3]), corners)
        yield optics.photograph(draw, optics.light(draw, scene), scale=0.7)
