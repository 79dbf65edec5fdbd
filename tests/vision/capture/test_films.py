"""``LoopSource`` shows a film again and again: time never goes back, and laps are counted."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.capture.test_frames import Time, film
from vision.capture.films import FilmSource, LoopSource
from vision.capture.frames import open_source

FRAMES = 10


class Reel:
    """A film of one second; the grey level of each picture is its number."""

    rate = 10.0

    def __init__(self, closed: list[int]) -> None:
        self._closed, self._number = closed, -1

    def skip(self) -> float | None:
        self._number += 1
        return self._number / self.rate if self._number < FRAMES else None

    def take(self) -> np.ndarray:
        return np.full((4, 4, 3), self._number, np.uint8)

    def missing(self) -> int:
        return 0

    def close(self) -> None:
        self._closed.append(self._number)


@pytest.fixture
def time() -> Time:
    return Time()


def loop(time: Time, closed: list[int]) -> LoopSource:
    return LoopSource("reel", lambda: Reel(closed), clock=time, wait=time.wait)


def seen(source: LoopSource, laps: int) -> list[tuple[int, float, int, int]]:
    """Lap, time, number and grey level of each frame of the first laps."""
    found = []
    while source.lap < laps or len(found) < laps * FRAMES:
        frame = source.next()
        if frame is not None:
            grey = int(frame.picture[0, 0, 0])
            found.append((source.lap, round(frame.at, 6), frame.number, grey))
    return found


def test_each_lap_goes_on_where_the_one_before_ended(time) -> None:
    closed: list[int] = []
    source = loop(time, closed)
    assert seen(source, 3) == [
        (lap + 1, round((lap * FRAMES + n) / 10, 6), lap * FRAMES + n, n)
        for lap in range(3)
        for n in range(FRAMES)
    ]
    assert closed == [FRAMES, FRAMES]
    assert not source.ended
    assert source.trouble is None


def test_how_much_is_shown_is_told_by_the_clock_and_begins_anew(time) -> None:
    source = loop(time, [])
    assert (source.lap, source.shown) == (0, 0.0)
    source.next()
    time.now += 0.73
    assert source.shown == pytest.approx(0.73)
    frame = source.next()
    assert frame is not None
    assert frame.at == pytest.approx(0.7)  # those before it are past
    while source.lap == 1:
        source.next()
    assert source.shown == pytest.approx(0.0)


def test_a_long_pause_between_two_pictures_is_waited_for_a_little_at_a_time(time) -> None:
    class Slides(Reel):
        def skip(self) -> float | None:
            at = super().skip()
            return None if at is None else at * 600  # a minute each

    source = FilmSource("slides", Slides([]), "real", clock=time, wait=time.wait)
    first = source.next(timeout=0.25)
    assert first is not None
    waits = 0
    while (frame := source.next(timeout=0.25)) is None:
        waits += 1
        assert time.now == pytest.approx(100.0 + waits * 0.25)
    assert (frame.number, frame.at, waits) == (1, 60.0, 239)


def test_it_ends_when_it_is_closed(time) -> None:
    closed: list[int] = []
    with loop(time, closed) as source:
        source.next()
    assert source.ended
    assert closed == [0]
    assert source.next() is None


def test_a_file_is_watched_as_a_camera_is(tmp_path) -> None:
    path = film(tmp_path / "film.avi", "MJPG")
    source = open_source(str(path), pace="loop")
    assert isinstance(source, LoopSource)
    assert source.live
    with source:
        frame = source.next()
    assert frame is not None
    assert frame.picture.shape == (48, 64, 3)
