"""The geometry of the camera over the table."""

import numpy as np
import pytest

from datasets.scenes.geometry import Camera, area, card_corners


@pytest.mark.parametrize("tilt", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("roll", [0.0, 2.0])
def test_a_pixel_leads_back_to_its_place_on_the_table(tilt: float, roll: float) -> None:
    camera = Camera(500, 60, tilt, roll, (640, 480))
    place = np.array([[3.0, -4.0, 0.0]])
    pixel = camera.project(place)[0]
    assert camera.on_table((pixel[0], pixel[1])) == pytest.approx((3.0, -4.0), abs=1e-6)


def test_a_card_in_the_middle_has_the_height_that_focal_length_and_distance_say() -> None:
    camera = Camera(500, 44, 0.0, 0.0, (640, 480))
    corners = camera.project(card_corners(6.3, 8.8, (0, 0), 0.0))
    assert corners[3, 1] - corners[0, 1] == pytest.approx(100)
    assert corners[0].tolist() == pytest.approx([320 - 6.3 / 8.8 * 50, 190])


@pytest.mark.parametrize("turn", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("tilt", [0.0, 0.9])
def test_no_card_is_mirrored(turn: float, tilt: float) -> None:
    camera = Camera(500, 60, tilt, 0.3, (640, 480))
    assert area(camera.project(card_corners(6.3, 8.8, (2, 3), turn))) > 0


def test_the_tilt_is_the_angle_to_the_line_of_sight() -> None:
    camera = Camera(800, 60, 0.5, 0.3, (640, 480))
    flat, towards, away = (
        card_corners(6, 9, (0, 0), 0, 0, lean) for lean in ((0, 0), (0.5, 0), (-0.5, 0))
    )
    tilts = [camera.tilt_of(card) for card in (flat, towards, away)]
    assert sorted(tilts) == pytest.approx([0, np.degrees(0.5), np.degrees(1.0)], abs=1e-3)
