"""Frame sources give the newest picture with its time, and name any trouble within two seconds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from vision.capture import captures, frames
from vision.capture.captures import CaptureError, Webcam, WebcamCapture, find_webcam
from vision.capture.films import FilmSource
from vision.capture.frames import Kind, LiveSource, SourceError, check_source, open_source
from vision.opencv import load_opencv

cv2 = load_opencv()  # before anything is written: libraries read their log level only once

RATE, LENGTH = 25, 75


def picture(number: int, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    """A picture whose grey level is its number, with a pattern that survives compression."""
    shown = np.full((size[1], size[0], 3), number % 200, np.uint8)
    shown[::8, ::8] = 255
    return shown


def film(path: Path, codec: str, sizes: tuple[tuple[int, int], ...] = ((64, 48),)) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*codec), RATE, sizes[0])
    for number in range(LENGTH):
        writer.write(picture(number * 2))
    writer.release()
    return path


def dark(number: int) -> np.ndarray:
    """A picture of a camera whose lens is covered: black, with other noise in each picture."""
    noise = np.random.default_rng(number).integers(0, 5, (480, 640, 3))
    return np.asarray(noise, np.uint8)


class Time:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waited: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


class Camera:
    """A camera that does what a test says: returns a picture or None (its end), or raises."""

    def __init__(self, does: Iterator[object]) -> None:
        self.does, self.opened, self.closed = does, 0, 0

    def open(self) -> Camera:
        self.opened += 1
        return self

    def read(self) -> np.ndarray | None:
        what = next(self.does)
        if isinstance(what, Exception):
            raise what
        return what

    def close(self) -> None:
        self.closed += 1


def live(does: Iterator[object], time: Time, noisy: bool = True) -> tuple[LiveSource, Camera]:
    camera = Camera(does)
    return LiveSource("Cam", camera.open, noisy=noisy, clock=time, threaded=False), camera


def run(source: LiveSource, time: Time, seconds: float, each: float = 0.1) -> float:
    """Steps as the thread would; returns the seconds until trouble showed (infinite: never)."""
    start = time.now
    while time.now - start < seconds:
        time.now += max(source.step(), each)
        if source.trouble is not None:
            return time.now - start
    return float("inf")


UNPLUGGED = CaptureError(Kind.MISSING, "There is no camera {wish}.", wish="Cam")
BUSY = CaptureError(Kind.BUSY, "{name} is in use.", name="Cam")


@pytest.mark.parametrize(
    ("does", "kind"),
    [
        pytest.param(itertools.repeat(UNPLUGGED), Kind.MISSING, id="unplugged"),
        pytest.param(itertools.repeat(BUSY), Kind.BUSY, id="busy"),
        pytest.param(itertools.repeat(None), Kind.ENDED, id="ended"),
        pytest.param(itertools.repeat(picture(7)), Kind.FROZEN, id="frozen"),
        pytest.param(itertools.repeat(np.zeros((48, 64, 3), np.uint8)), Kind.COVERED, id="covered"),
        pytest.param((dark(n) for n in itertools.count()), Kind.COVERED, id="covered-with-noise"),
        pytest.param((picture(n, (48, 64)) for n in itertools.count()), Kind.RESIZED,
                     id="turned"),
    ],
)  # fmt: skip
def test_trouble_is_named_within_two_seconds(does: Iterator[object], kind: Kind) -> None:
    time = Time()
    good = (picture(number) for number in range(10))
    source, _ = live(itertools.chain(good, does), time)
    assert run(source, time, 0.8) == float("inf")
    assert source.next(0) is not None
    assert run(source, time, 4.0) <= 2.2  # 0.2 s are good pictures still
    assert source.trouble is not None
    assert source.trouble.kind is kind
    assert source.trouble.sentence().endswith((".", "?"))
    assert "\n" not in source.trouble.sentence()
    assert not source.ended


def test_black_pictures_are_not_passed_on() -> None:
    source, _ = live(iter([picture(1), dark(1), dark(2)]), Time())
    source.step()
    assert source.next(0) is not None
    source.step()
    source.step()
    assert source.next(0) is None
    assert source.trouble is None  # a hand over the lens


def test_a_read_that_hangs_is_noticed_too() -> None:
    time = Time()
    source, _ = live(iter([picture(1)]), time)
    source.step()
    assert source.trouble is None
    time.now += 1.9
    assert source.trouble is not None
    assert source.trouble.kind is Kind.SILENT


def test_a_camera_that_never_sends_anything_is_noticed() -> None:
    time = Time()
    source, _ = live(iter([]), time)
    time.now += 1.9
    assert source.trouble is not None


@pytest.mark.parametrize("trouble", [UNPLUGGED, BUSY, None, cv2.error("a library's own")])
def test_it_is_retried_with_backoff_and_picked_up_again(trouble: CaptureError | None) -> None:
    time = Time()
    fails = itertools.repeat(trouble, 7)
    source, camera = live(itertools.chain([picture(1)], fails, [picture(2)]), time)
    source.step()
    first = source.next(0)
    pauses = [source.step() for _ in range(7)]
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0]
    assert (camera.opened, camera.closed) == (7, 7)
    assert source.trouble is not None
    assert source.next(0) is None
    assert source.step() == 0
    assert source.trouble is None
    again = source.next(0)
    assert first is not None
    assert again is not None
    assert (again.number, again.picture[1, 1, 0]) == (first.number + 1, 2)


def test_a_camera_that_cannot_be_closed_is_opened_anew() -> None:
    source, camera = live(iter([picture(1), BUSY, picture(2)]), Time())
    camera.close = cv2.destroyWindow  # it lacks what it needs, and raises
    assert [source.step() for _ in range(3)] == [0.0, 0.25, 0.0]
    assert camera.opened == 2


def test_after_it_was_picked_up_the_retries_begin_anew() -> None:
    source, _ = live(iter([BUSY, BUSY, picture(1), BUSY]), Time())
    assert [source.step() for _ in range(4)] == [0.25, 0.5, 0.0, 0.25]


def test_trouble_keeps_the_time_when_it_began() -> None:
    time = Time()
    source, _ = live(itertools.repeat(BUSY), time)
    source.step()
    time.now += 60
    source.step()
    assert source.trouble is not None
    assert source.trouble.since == 100.0


def test_a_stream_compressed_over_time_may_repeat_pictures() -> None:
    time = Time()
    source, _ = live(itertools.repeat(picture(7)), time, noisy=False)
    assert run(source, time, 5.0) == float("inf")


def test_only_the_newest_frame_is_kept() -> None:
    time = Time()
    source, _ = live(map(picture, itertools.count()), time)
    for _ in range(5):
        time.now += 1 / 30
        source.step()
    frame = source.next(0)
    assert frame is not None
    assert (frame.number, frame.at, frame.picture[1, 1, 0]) == (4, time.now, 4)
    assert source.next(0) is None


def test_pictures_of_another_size_are_held_back_until_they_change_back_or_stay_so() -> None:
    pictures, time = [picture(1), picture(2, (48, 64)), picture(3)], Time()
    upright = (picture(number, (48, 64)) for number in itertools.count())
    source, _ = live(itertools.chain(pictures, upright), time)
    source.step()
    source.next(0)
    source.step()
    assert source.next(0) is None
    assert source.trouble is not None
    assert source.trouble.sentence().startswith("The pictures changed from 64×48 to 48×64")
    source.step()
    assert source.next(0) is not None
    assert source.trouble is None
    for _ in range(60):  # the phone was upright, and hangs sideways now
        time.now += 0.1
        source.step()
    assert source.next(0) is not None
    assert source.trouble is None


def test_a_thread_reads_it_and_ends_when_it_is_closed() -> None:
    with LiveSource("Cam", Camera(map(picture, itertools.count())).open) as source:
        first, second = source.next(10), source.next(10)
        assert first is not None
        assert second is not None
        assert first.number < second.number
        assert first.at <= second.at
    assert source.ended
    assert not source._thread.is_alive()


# Files


@pytest.mark.parametrize(("name", "codec"), [("a.avi", "MJPG"), ("a.mp4", "mp4v")])
def test_every_frame_of_a_file_with_its_time(tmp_path: Path, name: str, codec: str) -> None:
    with open_source(str(film(tmp_path / name, codec))) as source:
        seen = list(source)
    assert [frame.number for frame in seen] == list(range(LENGTH))
    assert [frame.at for frame in seen] == pytest.approx([n / RATE for n in range(LENGTH)])
    assert np.median(seen[30].picture) == pytest.approx(60, abs=4)
    assert source.trouble is None


@pytest.mark.parametrize(
    ("slow", "numbers"),
    [(0.0, [0, 1, 2, 3]), (0.065, [0, 1, 3, 4, 6]), (0.2, [0, 5, 10, 15])],
)
def test_at_real_pace_late_frames_are_passed_over(
    tmp_path: Path, slow: float, numbers: list[int]
) -> None:
    """The reader takes ``slow`` seconds for a frame; frames are 0.04 seconds apart."""
    time = Time()
    path = film(tmp_path / "a.avi", "MJPG")
    source = FilmSource("a", captures.VideoCapture(path), "real", clock=time, wait=time.wait)
    seen = []
    for _ in numbers:
        frame = source.next()
        assert frame is not None
        seen.append(frame.number)
        assert time.now - 100.0 >= frame.at - 1e-9  # never before its time
        assert time.now - 100.0 < frame.at + 0.04 + 1e-9
        time.now += slow
    assert seen == numbers
    source.close()


def test_a_file_that_ends_in_the_middle_says_so(tmp_path: Path) -> None:
    path = film(tmp_path / "a.avi", "MJPG")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with open_source(str(path)) as source:
        seen = list(source)
    assert 20 < len(seen) < 50
    assert source.trouble is not None
    assert source.trouble.kind is Kind.ENDED
    assert f"{len(seen)} of its {LENGTH} pictures" in source.trouble.sentence()


def test_a_folder_of_pictures_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        cv2.imwrite(str(tmp_path / f"shot{number}.png"), picture(number, (64, 40 + number)))
    (tmp_path / "shot3.png").write_bytes(b"rubbish")
    (tmp_path / "notes.txt").write_text("no picture")
    with open_source(str(tmp_path), rate=2.0) as source:
        seen = [(frame.picture[1, 1, 0], frame.at) for frame in source]
    assert seen == [(1, 0.0), (2, 0.5), (10, 1.5)]
    assert source.trouble is not None
    assert source.trouble.kind is Kind.RUBBISH


@pytest.mark.parametrize(
    ("text", "content", "says"),
    [
        ("7", None, "no camera 7"),
        *((name, None, f"called {name}, and") for name in ("No such", "~noone/a", "a" * 300)),
        ("ftp://x/y", None, "no stream"),
        ("film.mp4", b"", "no video"),
        ("film.mp4", b"this is no video at all", "no video"),
        ("README.md", b"# Nor is this", "no video"),
    ],
)
def test_what_is_no_source_ends_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    text: str, content: bytes | None, says: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(frames, "list_webcams", list)
    if content is not None:
        Path(text).write_bytes(content)
    with pytest.raises(SourceError, match=says) as caught:
        open_source(text)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")  # nor do libraries write a word


def test_a_folder_without_pictures_ends_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no picture in the folder"):
        open_source(str(tmp_path))


# Webcams

PLUGGED = [Webcam(0, "Integrated Camera", 0), Webcam(2, "C920 HD", 0), Webcam(4, "HD USB", 0)]


@pytest.mark.parametrize(
    ("text", "there"),
    [("C920", True), ("phone", True), ("10.0.0.7:8080", True), (".", True), ("none.mp4", False)],
)
def test_a_source_is_looked_for_without_being_opened(
    monkeypatch: pytest.MonkeyPatch, text: str, there: bool
) -> None:
    monkeypatch.setattr(frames, "list_webcams", lambda: PLUGGED)
    says = "no file, folder or single camera called none.mp4; the cameras are: 0: Integrated"
    with nullcontext() if there else pytest.raises(SourceError, match=says):
        check_source(text)


@pytest.mark.parametrize(
    ("wish", "number"),
    [("2", 2), ("c920", 2), ("C920 HD", 2), ("usb", 4), ("3", None), ("hd", None), ("x", None)],
)
def test_a_webcam_by_number_or_name(wish: str, number: int | None) -> None:
    if number is not None:
        assert find_webcam(wish, PLUGGED).number == number
        return
    with pytest.raises(CaptureError, match="2: C920 HD") as caught:
        find_webcam(wish, PLUGGED)
    assert caught.value.kind is Kind.MISSING


class Device:
    """Replaces ``cv2.VideoCapture``."""

    def __init__(self, opens: bool, reads: int, rates: Mapping[int, float] | None = None) -> None:
        self.opens, self.reads, self.settings = opens, reads, {}
        self.rates = rates or {}

    def isOpened(self) -> bool:
        return self.opens

    def set(self, key: int, value: float) -> None:
        self.settings[key] = value

    def get(self, key: int) -> float:
        assert key == cv2.CAP_PROP_FPS
        return self.rates.get(self.settings[cv2.CAP_PROP_FRAME_HEIGHT], 0.0)

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.reads -= 1
        return (True, picture(1)) if self.reads >= 0 else (False, None)

    def release(self) -> None:
        self.opens = False


@pytest.mark.parametrize(
    ("opens", "reads", "still_there", "kind"),
    [
        (False, 0, True, Kind.BUSY),
        (True, 0, True, Kind.BUSY),
        (True, 2, True, Kind.SILENT),
        (True, 2, False, Kind.MISSING),
    ],
)
def test_what_is_wrong_with_a_webcam(
    monkeypatch: pytest.MonkeyPatch, opens: bool, reads: int, still_there: bool, kind: Kind
) -> None:
    device, plugged = Device(opens, reads), list(PLUGGED)
    monkeypatch.setattr(cv2, "VideoCapture", lambda number, backend: device)
    capture = WebcamCapture("c920", lambda: plugged)
    for _ in range(reads):
        assert capture.read() is not None
    if not still_there:
        plugged.clear()
    with pytest.raises(CaptureError) as caught:
        capture.read()
    assert caught.value.kind is kind
    capture.close()


@pytest.mark.parametrize(
    ("rates", "height"),
    [
        pytest.param({1080: 30.0, 720: 30.0}, 1080, id="large and quick"),
        pytest.param({1080: 5.0, 720: 10.0}, 720, id="large is too slow"),
        pytest.param({}, 1080, id="does not say how quick"),
    ],
)
def test_a_webcam_is_asked_for_large_pictures_unless_they_are_slow(
    monkeypatch: pytest.MonkeyPatch, rates: dict[int, float], height: int
) -> None:
    device = Device(opens=True, reads=0, rates=rates)
    monkeypatch.setattr(cv2, "VideoCapture", lambda number, backend: device)
    WebcamCapture("c920", lambda: list(PLUGGED))
    assert device.settings[cv2.CAP_PROP_FRAME_HEIGHT] == height
    assert device.settings[cv2.CAP_PROP_FRAME_WIDTH] == height * 16 // 9


def test_a_webcam_of_another_user_says_who_may(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(CaptureError, match="trucam doctor") as caught:
        WebcamCapture("0", lambda: [Webcam(0, "Cam", 0, "/dev/video0")])
    assert caught.value.kind is Kind.REFUSED


def test_a_webcam_is_opened_by_its_name_so_that_its_number_may_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wishes = []
    monkeypatch.setattr(frames, "list_webcams", lambda: PLUGGED)
    monkeypatch.setattr(frames, "LiveSource", lambda name, opener, clock: opener())
    monkeypatch.setattr(frames, "WebcamCapture", wishes.append)
    open_source("2")
    assert wishes == ["C920 HD"]
