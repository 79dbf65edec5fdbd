"""``PhoneCamera``: which phone is the camera, and when its pictures were taken."""

from __future__ import annotations

import pytest

from tests.vision.capture.test_phone_feed import jpeg
from vision.capture.phone_feed import BadPicture, PhoneCapture
from webui.camera.phone import GONE_AFTER, PhoneCamera, PhoneRefused


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def camera(clock: Clock) -> PhoneCamera:
    return PhoneCamera(clock)


def test_one_phone_at_a_time_and_the_next_when_it_is_gone(
    camera: PhoneCamera, clock: Clock
) -> None:
    assert not camera.sends
    camera.take("one", 1.0, jpeg())
    assert camera.sends
    clock.now += 1
    with pytest.raises(PhoneRefused, match="Another phone is the camera now"):
        camera.take("two", 1.0, jpeg())
    clock.now += GONE_AFTER
    assert not camera.sends
    camera.take("two", 1.0, jpeg())
    with pytest.raises(PhoneRefused):
        camera.take("one", 9.0, jpeg())


def test_a_dismissed_phone_makes_room_at_once(camera: PhoneCamera) -> None:
    camera.take("one", 1.0, jpeg())
    camera.dismiss()
    camera.take("two", 1.0, jpeg())


def test_what_is_no_picture_does_not_make_a_phone_the_camera(camera: PhoneCamera) -> None:
    with pytest.raises(BadPicture):
        camera.take("one", 1.0, b"no picture")
    assert not camera.sends


@pytest.mark.parametrize(("look", "rate"), [(0.0, 15), (0.2, 15), (0.05, 20), (0.01, 30)], ids=str)
def test_a_phone_is_asked_for_as_many_pictures_as_can_be_read(
    camera: PhoneCamera, look: float, rate: float
) -> None:
    camera.look = look
    assert camera.rate == rate


@pytest.mark.parametrize(
    ("sent", "at"),
    [
        # Of each picture: the phone's time, and the seconds on its way. Then, by our clock, when
        # the last one was taken.
        pytest.param([(5.0, 0.1)], 1000.1, id="the first one: as it comes"),
        pytest.param([(5.0, 0.1), (6.0, 0.4)], 1001.1, id="a late one: when the quickest says"),
        pytest.param([(5.0, 0.4), (6.0, 0.1)], 1001.1, id="a quicker one tells better"),
        pytest.param([(5.0, 0.1), (6.0, 0.1), (5.5, 0.9)], 1001.1, id="an overtaken one is left"),
        pytest.param([(5.0, 0.0), (6.0, 9.0)], 1008.0, id="a clock that jumps is not believed"),
        pytest.param([(5.0, 0.0), (25.0, 0.0), (8.0, 5.0)], 1008.0, id="a clock that was set back"),
    ],
)
def test_pictures_are_timed_by_the_phones_own_clock(
    camera: PhoneCamera, clock: Clock, sent: list[tuple[float, float]], at: float
) -> None:
    address = camera.address  # pictures are wanted from now on
    for taken, way in sent:
        clock.now = 1000.0 + (taken - sent[0][0]) + way
        camera.take("one", taken, jpeg())
    reader = PhoneCapture(address)
    reader.read()
    assert reader.taken == pytest.approx(at)
    reader.close()
    camera.rest()


def test_a_phone_whose_clock_stood_still_while_it_was_locked_is_late_for_one_picture(
    camera: PhoneCamera, clock: Clock
) -> None:
    reader, taken = PhoneCapture(camera.address), 5.0
    for locked in (0.0, 0.0, 60.0, 0.0):
        clock.now += 0.1 + locked
        taken += 0.1
        camera.take("one", taken, jpeg())
        reader.read()
    assert reader.taken == pytest.approx(clock.now)
    reader.close()
    camera.rest()
