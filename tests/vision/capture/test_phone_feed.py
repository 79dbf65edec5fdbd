"""``PhoneFeed`` passes the pictures of a phone's browser to the watching process."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from fractions import Fraction

import av
import cv2
import numpy as np
import pytest

from vision.capture import phone_feed
from vision.capture.captures import CaptureError
from vision.capture.frames import open_source
from vision.capture.phone_feed import (
    HEAD,
    LONGEST_RUN,
    BadPicture,
    Coded,
    FeedAddress,
    PhoneCapture,
    PhoneFeed,
    check_picture,
    read_exactly,
)
from vision.errors import SourceError
from vision.process.config import CameraConfig

PATTERN = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)


def jpeg(grey: int = 128, *, width: int = 64, height: int = 48) -> bytes:
    """A picture of one grey level."""
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


@pytest.fixture
def feed() -> Iterator[PhoneFeed]:
    feed = PhoneFeed()
    yield feed
    feed.close()


def test_a_reader_gets_the_picture_that_came_before_it_and_those_after(feed: PhoneFeed) -> None:
    feed.push(Coded.JPEG, jpeg(10), 1.5)
    reader = PhoneCapture(feed.address)
    first = reader.read()
    assert (first.shape, reader.taken) == ((1440, 1920, 3), 1.5)
    feed.push(Coded.JPEG, jpeg(200), 2.5)
    assert (reader.read().mean() > 190, reader.taken) == (True, 2.5)
    reader.close()


def test_a_slow_reader_gets_the_newest_picture_only(feed: PhoneFeed) -> None:
    for number in range(50):
        feed.push(Coded.JPEG, jpeg(number), float(number))
    reader = PhoneCapture(feed.address)
    reader.read()
    assert reader.taken == 49.0
    reader.close()


def test_who_does_not_know_the_secret_gets_nothing(feed: PhoneFeed) -> None:
    feed.push(Coded.JPEG, jpeg(), 1.0)
    stranger = PhoneCapture(FeedAddress(feed.address.port, "0" * 32))
    with pytest.raises(CaptureError):
        stranger.read()
    stranger.close()


def test_the_latest_reader_takes_over(feed: PhoneFeed) -> None:
    before = PhoneCapture(feed.address)
    feed.push(Coded.JPEG, jpeg(), 1.0)
    before.read()
    after = PhoneCapture(feed.address)
    after.read()  # the last picture, kept for it
    with pytest.raises(CaptureError):
        before.read()
    feed.push(Coded.JPEG, jpeg(), 2.0)
    after.read()
    assert after.taken == 2.0
    before.close()
    after.close()


def test_a_closed_feed_ends_its_readers(feed: PhoneFeed) -> None:
    reader = PhoneCapture(feed.address)
    feed.push(Coded.JPEG, jpeg(), 1.0)
    reader.read()
    feed.close()
    with pytest.raises(CaptureError):
        reader.read()
    reader.close()


def test_no_feed_is_said_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(CaptureError, match="do not come through"):
        PhoneCapture(FeedAddress(port, "0" * 32))


def test_a_reader_that_waits_ends_when_it_is_closed(feed: PhoneFeed) -> None:
    reader = PhoneCapture(feed.address)
    ended = threading.Event()

    def read() -> None:
        with pytest.raises(CaptureError):
            reader.read()
        ended.set()

    threading.Thread(target=read, daemon=True).start()
    reader.close()
    assert ended.wait(10)


def test_a_reader_that_is_closed_while_a_picture_comes_ends_in_words(
    feed: PhoneFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = PhoneCapture(feed.address)

    def reads_and_is_closed(connection: socket.socket, size: int) -> bytes:
        data = read_exactly(connection, size)
        if size != HEAD.size:
            reader.close()
        return data

    monkeypatch.setattr(phone_feed, "read_exactly", reads_and_is_closed)
    feed.push(Coded.JPEG, jpeg(), 1.0)
    with pytest.raises(CaptureError, match="do not come through"):
        reader.read()


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        pytest.param(jpeg(), True, id="a picture"),
        pytest.param(b"", False, id="nothing"),
        pytest.param(b"\xff\xd8\xff" + b"x" * 2000, False, id="rubbish that begins like one"),
        pytest.param(b"<html>", False, id="a page"),
        pytest.param(cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes(), False,
                     id="another kind of picture"),
        pytest.param(jpeg(width=7680, height=4320), False, id="8K"),
    ],
)  # fmt: skip
def test_what_is_no_picture_is_refused_undecoded(data: bytes, is_one: bool) -> None:
    if is_one:
        check_picture(data)
    else:
        with pytest.raises(BadPicture):
            check_picture(data)


def test_a_picture_whose_body_is_damaged_is_passed_over(feed: PhoneFeed) -> None:
    reader = PhoneCapture(feed.address)
    feed.push(Coded.JPEG, jpeg()[:20] + b"\x00" * 50, 1.0)
    seen: list[float] = []

    def read() -> None:
        reader.read()
        seen.append(reader.taken)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    feed.push(Coded.JPEG, jpeg(), 2.0)
    thread.join(10)
    assert seen == [2.0]
    reader.close()


def test_frames_of_a_phone_carry_the_time_at_which_they_were_taken(feed: PhoneFeed) -> None:
    with open_source("phone", feed=feed.address, clock=lambda: 100.0) as frames:
        feed.push(Coded.JPEG, cv2.imencode(".jpg", PATTERN)[1].tobytes(), 99.75)
        frame = frames.next(timeout=10)
        assert frame is not None
        assert frame.at == 99.75


def test_a_source_that_waits_for_a_phone_leaves_no_thread_behind(feed: PhoneFeed) -> None:
    frames = open_source("phone", feed=feed.address)
    feed.push(Coded.JPEG, cv2.imencode(".jpg", PATTERN)[1].tobytes(), 1.0)
    assert frames.next(timeout=10) is not None
    frames.close()
    assert not [each for each in threading.enumerate() if each.name == "frames of phone"]


def test_a_phone_is_a_source_of_a_served_table_alone() -> None:
    with pytest.raises(SourceError, match="trucam play --camera phone"):
        open_source("phone")


def test_a_camera_config_keeps_its_feed() -> None:
    config = CameraConfig(source="phone", seats=2, feed=FeedAddress(1234, "abc"))
    assert CameraConfig.from_json({**config.to_json(), "feed": [1234, "abc"]}) == config


def film(count: int, *, width: int = 320, height: int = 240) -> list[bytes]:
    """Pictures of an H.264 film that grow brighter; only the first is a key picture."""
    coder = av.CodecContext.create("libx264", "w")
    coder.width, coder.height, coder.pix_fmt = width, height, "yuv420p"
    coder.time_base = Fraction(1, 30)
    coder.options = {"tune": "zerolatency", "preset": "ultrafast", "g": "600"}
    made = []
    for number in range(count):
        grey = np.full((height, width, 3), 20 + 10 * number, np.uint8)
        frame = av.VideoFrame.from_ndarray(grey, format="bgr24")
        frame.pts = number
        made += [bytes(packet) for packet in coder.encode(frame)]
    return made


def test_pictures_of_a_film_come_one_by_one(feed: PhoneFeed) -> None:
    reader = PhoneCapture(feed.address)
    for number, picture in enumerate(film(5)):
        assert feed.push(Coded.DELTA if number else Coded.KEY, picture, float(number))
        assert abs(reader.read().mean() - (20 + 10 * number)) < 6
        assert reader.taken == number
    reader.close()


def test_a_late_reader_goes_on_in_mid_film_with_the_newest_picture(feed: PhoneFeed) -> None:
    for number, picture in enumerate(film(5)):
        feed.push(Coded.DELTA if number else Coded.KEY, picture, float(number))
    reader = PhoneCapture(feed.address)
    assert round(reader.read().mean(), -1) == 60
    assert reader.taken == 4.0
    reader.close()


@pytest.mark.parametrize(
    ("before", "sent", "seen"),
    [
        pytest.param((1920, 1080), (1280, 720), (1920, 1080), id="a smaller one"),
        pytest.param((1080, 1920), (360, 640), (1080, 1920), id="upright"),
        pytest.param((1920, 1078), (960, 538), (1920, 1078), id="sides were rounded"),
        pytest.param((1280, 720), (960, 540), (1920, 1080), id="a lens that gives no more"),
        pytest.param((1440, 1080), (1280, 960), (1920, 1440), id="a lens of another shape"),
        pytest.param((2560, 1440), (2560, 1440), (2560, 1440), id="a larger lens"),
    ],
)
def test_pictures_made_smaller_for_a_slow_network_are_enlarged(
    feed: PhoneFeed, before: tuple[int, int], sent: tuple[int, int], seen: tuple[int, int]
) -> None:
    reader = PhoneCapture(feed.address)
    for number, (width, height) in enumerate([before, sent]):
        feed.push(Coded.JPEG, jpeg(width=width, height=height), float(number))
        shape = reader.read().shape
    assert shape == (seen[1], seen[0], 3)
    reader.close()


def test_a_film_begins_with_a_picture_that_stands_by_itself(feed: PhoneFeed) -> None:
    key, delta = film(2)
    assert not feed.push(Coded.DELTA, delta, 1.0)
    feed.push(Coded.JPEG, jpeg(), 2.0)
    assert not feed.push(Coded.DELTA, delta, 3.0)
    assert feed.push(Coded.KEY, key, 4.0)
    assert feed.push(Coded.DELTA, delta, 5.0)
    feed.start_over()
    assert not feed.push(Coded.DELTA, delta, 6.0)


def test_a_film_without_an_end_begins_again_now_and_then(feed: PhoneFeed) -> None:
    key, delta = film(2)
    feed.push(Coded.KEY, key, 0.0)
    goes_on = [feed.push(Coded.DELTA, delta, 1.0) for _ in range(LONGEST_RUN)]
    assert goes_on == [True] * (LONGEST_RUN - 1) + [False]


@pytest.mark.parametrize("what", ["rubbish", "8K"])
def test_a_film_that_cannot_be_shown_is_passed_over(feed: PhoneFeed, what: str) -> None:
    bad = (
        b"\0\0\0\1" + b"rubbish" * 50 if what == "rubbish" else film(1, width=7680, height=4320)[0]
    )
    reader = PhoneCapture(feed.address)
    seen: list[tuple[int, ...]] = []
    thread = threading.Thread(target=lambda: seen.append(reader.read().shape), daemon=True)
    thread.start()
    feed.push(Coded.KEY, bad, 1.0)
    feed.push(Coded.KEY, film(1)[0], 2.0)
    thread.join(20)
    assert seen == [(1440, 1920, 3)]
    reader.close()
