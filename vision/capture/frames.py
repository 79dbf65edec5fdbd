"""Frames: always the newest picture of a camera, or every picture of a film, each with its time.

A live source is read by a thread of its own that keeps only the newest picture. Trouble with a
source is noticed within two seconds, and told in one sentence. The source is tried again until it
works, and the match goes on meanwhile.
"""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.messages import N_
from vision.capture import mjpeg
from vision.capture.captures import (
    Capture,
    CaptureError,
    FolderCapture,
    Kind,
    StreamCapture,
    VideoCapture,
    WebcamCapture,
    find_webcam,
    list_webcams,
)
from vision.capture.films import Film, FilmSource, LoopSource, Pace
from vision.capture.phone_feed import PHONE, FeedAddress, PhoneCapture
from vision.capture.sources import Clock, Frame, FrameSource, Image, Trouble, resized
from vision.capture.streams import shown, stream_address, where_to_look
from vision.errors import SourceError

__all__ = [
    "FilmSource",
    "Frame",
    "FrameSource",
    "Kind",
    "LiveSource",
    "PhoneSource",
    "SourceError",
    "Trouble",
    "open_source",
]

log = logging.getLogger(__name__)

SILENT_AFTER = 1.5
"""Seconds without a new picture after which a live source is in trouble."""
TURNED_AFTER = 5.0
"""Seconds after which pictures of another size are taken: somebody scanned a code with an upright
phone, say, and then fixed the phone lengthwise over the table, where it stays."""
FIRST_RETRY, LAST_RETRY = 0.25, 4.0
"""Seconds before the first retry, and most seconds before later ones; each waits twice as long as
the one before."""
FLAT = 1.0
"""Standard deviation, in grey levels, under which a picture shows one colour only."""
FOLDER_RATE = 1.0
"""Pictures of a folder that are shown a second, where no rate is given."""
NO_PICTURES = N_("{name} sends no pictures: check that it is plugged in and switched on.")


class LiveSource(FrameSource):
    """A camera or a stream, read by a thread that keeps only the newest frame.

    Args:
        name: As people know it.
        opener: Opens it; called again after each failure.
        noisy: Whether two of its pictures are never quite equal, because a sensor has noise. Then
            equal pictures mean that it is frozen. Streams that are compressed over time may repeat
            pictures.
        clock: Tells the time, in seconds.
        threaded: Whether a thread reads it; tests call ``step`` themselves.
    """

    live = True
    silent_reason = NO_PICTURES
    """What is said where no pictures come and nothing else is wrong."""

    def __init__(
        self,
        name: str,
        opener: Callable[[], Capture],
        *,
        noisy: bool = True,
        clock: Clock = time.monotonic,
        threaded: bool = True,
    ) -> None:
        self.name = name
        self._opener, self._noisy, self._clock = opener, noisy, clock
        self._capture: Capture | None = None
        self._retry = FIRST_RETRY
        self._newest: Frame | None = None
        self._given, self._number = -1, -1
        self._size: tuple[int, int] | None = None
        self._mark, self._fresh = -1, clock()  # the last picture's checksum; when that last changed
        self._came = self._fresh  # when the last picture came, whatever it shows
        self._trouble: Trouble | None = None
        self._there = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"frames of {name}", daemon=True)
        if threaded:
            self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            pause = self.step()
            if pause:
                self._stop.wait(pause)
        self._close_capture()

    def step(self) -> float:
        """Opens the source, or reads one picture.

        Returns:
            Seconds to wait before the next step.
        """
        try:
            if self._capture is None:
                self._capture = self._opener()
            picture = self._capture.read()
            if picture is None:
                raise CaptureError(Kind.ENDED, N_("{name} has ended."), name=self.name)
            self._keep(picture)
        except CaptureError as error:
            self._fail(error)
        except Exception:  # some library's own error: the camera is opened anew
            log.exception("%s cannot be read", self.name)
            self._fail(CaptureError(Kind.SILENT, self.silent_reason, name=self.name))
        else:
            return 0.0
        pause, self._retry = self._retry, min(self._retry * 2, LAST_RETRY)
        return pause

    def _keep(self, picture: Image) -> None:
        """Makes a picture the newest frame, unless it is blank, repeated, or of another size.

        Raises:
            CaptureError: The source is frozen.
        """
        self._came = now = self._clock()
        sample = np.ascontiguousarray(picture[::4, ::4])
        mark = zlib.crc32(sample.tobytes())
        small = cv2.resize(sample, (16, 9), interpolation=cv2.INTER_AREA)
        blank = bool(small.std(axis=(0, 1)).max() < FLAT)
        if mark != self._mark and not blank:
            self._mark, self._fresh = mark, now
        elif blank:  # it must not be given: in it all cards would seem to be gone
            if now - self._fresh >= SILENT_AFTER:
                reason = N_("{name} shows one colour only: is its lid closed?")
                self._say(Trouble(Kind.COVERED, reason, self._fresh, {"name": self.name}))
            return
        elif self._noisy and now - self._fresh >= SILENT_AFTER:
            raise CaptureError(
                Kind.FROZEN,
                N_("{name} sends the same picture again and again: unplug it and plug it in."),
                name=self.name,
            )
        self._retry = FIRST_RETRY
        size = (picture.shape[1], picture.shape[0])
        with self._there:
            self._size = self._size or size
            if size != self._size:
                trouble = self._trouble
                known = trouble is not None and trouble.kind is Kind.RESIZED
                since = trouble.since if trouble is not None and known else now
                if now - since < TURNED_AFTER:
                    self._trouble = resized(size, self._size, since)
                    self._fresh = now
                    return
                self._size = size
            self._number += 1
            self._newest = Frame(picture, self._taken(now), self._number)
            self._trouble = None
            self._there.notify_all()

    def _taken(self, now: float) -> float:
        """When the latest picture was taken; most sources do not tell, so the time of reading."""
        return now

    def _fail(self, error: CaptureError) -> None:
        self._close_capture()
        self._say(Trouble(error.kind, error.reason, self._clock(), error.fields))

    def _say(self, trouble: Trouble) -> None:
        """Sets the present trouble; if it is the same as before, that stays with its time."""
        with self._there:
            before = self._trouble
            if before is None or (before.kind, before.reason) != (trouble.kind, trouble.reason):
                self._trouble = trouble

    def _close_capture(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            with suppress(Exception):  # what cannot be closed is no longer there
                capture.close()

    def next(self, timeout: float = 1.0) -> Frame | None:
        """The newest frame that was not given before; see ``FrameSource``."""
        with self._there:
            self._there.wait_for(self._is_new, timeout)
            if not self._is_new() or self._newest is None:
                return None
            self._given = self._newest.number
            return self._newest

    def _is_new(self) -> bool:
        return self._stop.is_set() or self._number > self._given

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong now, or None; also noticed while reading hangs."""
        with self._there:
            if self._trouble is not None:
                return self._trouble
            last = self._came
        if self._clock() - last < SILENT_AFTER:
            return None
        return Trouble(Kind.SILENT, self.silent_reason, last, {"name": self.name})

    @property
    def ended(self) -> bool:
        """Whether it was closed; else it is tried again for ever."""
        return self._stop.is_set()

    def close(self) -> None:
        """Stops the thread; if that hangs in a read, it is left to end by itself."""
        self._stop.set()
        with self._there:
            self._there.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)
        else:
            self._close_capture()


class PhoneSource(LiveSource):
    """A phone's browser, whose pictures say when they were taken.

    Args:
        address: Where the feed is read that passes its pictures on.
        clock: Tells the time, in seconds.
    """

    silent_reason = N_("No phone sends pictures: scan the camera's code with one.")

    def __init__(self, address: FeedAddress, clock: Clock = time.monotonic) -> None:
        self._feed: PhoneCapture | None = None

        def connect() -> PhoneCapture:
            self._feed = PhoneCapture(address, clock)
            return self._feed

        super().__init__(PHONE, connect, noisy=False, clock=clock)

    def close(self) -> None:
        """Stops the thread, also where it waits for a phone."""
        self._stop.set()
        if self._feed is not None:
            self._feed.close()
        super().close()

    def _taken(self, now: float) -> float:
        return now if self._feed is None else min(self._feed.taken, now)


def open_source(
    text: str,
    *,
    pace: Pace = "all",
    rate: float = FOLDER_RATE,
    clock: Clock = time.monotonic,
    feed: FeedAddress | None = None,
) -> FrameSource:
    """Opens the source of frames that a person names.

    Args:
        text: A camera's number or a part of its name, a video file, a folder of pictures, the
            address of a stream, or ``phone`` for a phone's browser.
        pace: How files and folders are watched; see ``Pace``. ``loop`` does not repeat a folder.
        rate: Pictures of a folder that are shown a second.
        feed: Where the pictures of a phone's browser are read; None where there is no such feed.
        clock: Tells the time, in seconds.

    Raises:
        SourceError: It is none of these. A camera or stream that is there, but gives no picture
            now, is no error: it is tried again.
    """
    if text == PHONE:
        if feed is None:
            raise SourceError(
                N_("Only trucam play can use a phone's browser as its camera: start trucam play "
                   "--camera phone.")
            )  # fmt: skip
        return PhoneSource(feed, clock)
    path = _file(text)
    url = stream_address(text) if path is None else None
    if url is not None:
        http = url.lower().startswith("http")
        return LiveSource(shown(url), lambda: open_stream(url), noisy=http, clock=clock)
    try:
        if path is not None and path.is_dir():
            film: Film = FolderCapture(path, rate)
            return FilmSource(text, film, pace, one_size=False, clock=clock)
        if path is not None and path.is_file() and pace == "loop":
            return LoopSource(text, partial(VideoCapture, path), clock=clock)
        if path is not None and path.is_file() and not text.isdecimal():
            return FilmSource(text, VideoCapture(path), pace, clock=clock)
        camera = find_webcam(text, list_webcams())
    except CaptureError as error:
        raise _none_such(text, path, error) from None
    # From now on it is opened by its name, for numbers change when cameras are plugged in and out.
    wish = camera.name if sum(c.name == camera.name for c in list_webcams()) == 1 else text
    return LiveSource(camera.name, lambda: WebcamCapture(wish), clock=clock)


def check_source(text: str) -> None:
    """Checks that a source is there, as far as that can be told without opening it.

    Args:
        text: As for ``open_source``.

    Raises:
        SourceError: There is no such file, folder or camera now.
    """
    path = _file(text)
    if text == PHONE or path is not None or stream_address(text) is not None:
        return
    try:
        find_webcam(text, list_webcams())
    except CaptureError as error:
        raise _none_such(text, path, error) from None


def open_stream(url: str) -> Capture:
    """Opens a network stream: at its address, or, if that has no path, at one that cameras use.

    Raises:
        CaptureError: No pictures come from there.
    """
    first: CaptureError | None = None
    for address in where_to_look(url):
        try:
            return _open_at(address)
        except CaptureError as error:
            if error.kind not in (Kind.MISSING, Kind.RUBBISH):
                raise
            first = first or error
    assert first is not None
    raise first


def _open_at(url: str) -> Capture:
    """Opens what an address sends: pictures over HTTP by our own code, all else by OpenCV."""
    if url.lower().startswith("http"):
        try:
            return mjpeg.MjpegCapture(url)
        except mjpeg.OnePicture:
            return mjpeg.SnapshotCapture(url)
        except mjpeg.NotPictures:
            pass
    return StreamCapture(url, shown(url))


def _file(text: str) -> Path | None:
    """The file or folder that a text names; None where none is there."""
    try:
        path = Path(text).expanduser()
        return path if path.exists() else None
    except (OSError, RuntimeError):  # it is too long for a name, or nobody is called ~so
        return None


def _none_such(text: str, path: Path | None, error: CaptureError) -> SourceError:
    if path is not None or text.isdecimal() or "cameras" not in error.fields:
        return SourceError(error.reason, **error.fields)
    if not list_webcams():
        return SourceError(
            N_("There is no file or folder called {name}, and no camera is plugged in."),
            name=shown(text),
        )
    return SourceError(
        N_("There is no file, folder or single camera called {name}; the cameras are: {cameras}."),
        name=shown(text),
        cameras=error.fields["cameras"],
    )
