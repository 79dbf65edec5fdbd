"""The ring buffer holds the last seconds: bounded, in order, and only of the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.capture.sources import Frame
from vision.evidence.ring_buffer import Ring


class Plane:
    """A table in the middle of a picture of 320 by 180 pixels."""

    outline = np.array([[-40.0, -30], [40, -30], [40, 30], [-40, 30]])

    def __init__(self, scale: float = 2.0) -> None:
        self.scale = scale

    def to_frame(self, points: np.ndarray) -> np.ndarray:
        return points * self.scale + (160, 90)


PLANE = Plane()


def frame(number: int, rate: float = 30.0) -> Frame:
    grain = np.random.default_rng(number).integers(60, 255, (180, 320, 3), np.uint8)
    return Frame(grain, number / rate, number)


def test_it_keeps_the_last_seconds_at_its_rate() -> None:
    ring = Ring(seconds=2.0, rate=15.0)
    kept = [ring.add(frame(number), PLANE) for number in range(300)]
    assert sum(kept) == 150
    shots = ring.between(0.0, 100.0)
    assert len(shots) == 31
    assert [shot.at for shot in shots] == sorted(shot.at for shot in shots)
    assert shots[-1].at - shots[0].at <= 2.0


def test_memory_is_bounded_whatever_the_pictures_are() -> None:
    ring = Ring(seconds=1000.0, rate=100.0, most=400_000)
    for number in range(60):
        ring.add(frame(number), PLANE)
        shots = ring.between(0.0, 100.0)
        assert sum(len(shot.jpeg) for shot in shots) <= 400_000
    sizes = [len(shot.jpeg) for shot in shots]
    assert 1 < len(shots) < 60
    assert sum(sizes) + max(sizes) > 400_000  # and as many are kept as there is room for


@pytest.mark.parametrize(("start", "end", "count"), [(1.0, 1.5, 8), (-5, -1, 0), (1.9, 9, 1)])
def test_what_was_taken_between_two_moments(start: float, end: float, count: int) -> None:
    ring = Ring()
    for number in range(0, 60, 2):
        ring.add(frame(number), PLANE)
    assert len(ring.between(start, end)) == count


def test_pictures_that_are_forgotten_are_gone() -> None:
    ring = Ring()
    for number in range(0, 60, 2):
        ring.add(frame(number), PLANE)
    ring.clear()
    assert (ring.between(0.0, 100.0), ring.newest) == ([], None)
    for number in range(60, 90, 2):  # and take no room of those that come
        ring.add(frame(number), PLANE)
    assert len(ring.between(0.0, 100.0)) == 15


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_nothing_outside_the_tables_outline_is_ever_in_it(scale: float) -> None:
    ring = Ring()
    ring.add(frame(0), PLANE)
    plane = Plane(scale)  # another table, as after a nudge: the outline is drawn anew
    ring.add(frame(30), plane)
    shot = ring.newest
    assert shot is not None
    shown = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
    x, y = round(40 * scale), round(30 * scale)
    outside = np.ones((180, 320), bool)
    outside[90 - y - 18 : 90 + y + 18, 160 - x - 18 : 160 + x + 18] = False  # a JPEG smears
    assert shown[outside].max() == 0
    assert shown[90 - y + 8 : 90 + y - 8, 160 - x + 8 : 160 + x - 8].min() > 10


def test_a_clock_that_goes_back_begins_anew() -> None:
    ring = Ring()
    for at in (5.0, 6.0, 0.0, 1.0):
        assert ring.add(Frame(frame(0).picture, at, 0), PLANE, [(3, np.zeros((4, 2)))])
    assert [shot.at for shot in ring.between(0.0, 9.0)] == [0.0, 1.0]
    assert ring.newest is not None
    assert [number for number, _ in ring.newest.faces] == [3]
