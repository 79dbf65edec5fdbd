"""``Cover`` after the camera was pushed, and after the table was measured anew."""

from dataclasses import replace

import cv2
import numpy as np

from tests.vision.occlusion.test_cover import Scene, watched
from vision.geometry.table_plane import Plane


def test_a_missed_card_outside_of_the_picture_is_not_looked_for():
    """The camera was pushed, and its picture shows only a part of the table."""
    scene, card = watched()
    scene.known.clear()
    away = scene.steady(card, missing=1.5)
    away = replace(away, corners=away.corners + 2000, quad=away.quad + 200)
    assert all(not look.regions for look in scene.run(3, gone=(away,))[-1:])


def test_a_table_that_was_only_measured_anew_is_as_bare_as_before():
    scene = Scene()
    squares = scene.rng.integers(40, 220, (18, 32)).astype(np.float32)
    scene.table[:] = cv2.resize(squares, (640, 360), interpolation=cv2.INTER_NEAREST)[..., None]
    scene.run(4)
    scene.put(0, 10)
    scene.run(2)
    grown = np.diag([1.3, 1.3, 1.0])
    scene.plane = Plane(grown @ scene.plane.homography, scene.plane.outline * 1.3, 2)
    scene.run(1)
    across, down = np.meshgrid(np.arange(20, 620, 12), np.arange(20, 340, 12))
    points = np.stack((across, down), axis=-1).reshape(-1, 2).astype(float)
    assert scene.looks[-1].covered(points).mean() < 0.02
