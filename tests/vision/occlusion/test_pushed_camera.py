"""What is covered, where the camera was pushed."""

from dataclasses import replace

from tests.vision.occlusion.test_cover import Scene


def test_a_missed_card_outside_of_the_picture_is_not_looked_for():
    """The camera was pushed, and a part of the table is cut off."""
    scene = Scene()
    card = scene.watched()
    scene.known.clear()
    away = scene.steady(card, missing=1.5)
    away = replace(away, corners=away.corners + 2000, quad=away.quad + 200)
    assert all(not look.regions for look in scene.run(3, gone=(away,))[-1:])
