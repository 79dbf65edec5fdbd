"""Where pictures come from: webcams, network streams, video files and folders.

A :class:`Capture` gives one picture after the other, or says in one sentence why it cannot. It
neither tries again nor keeps time: ``vision.capture.frames`` does.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scorekeeper.messages import N_
from vision.capture.photos import PhotoError, read_photo
from vision.errors import VisionError
from vision.opencv import load_opencv

Image = NDArray[np.uint8]

WANTED_SIZES = ((1920, 1080), (1280, 720))
WANTED_RATE = 30
"""What a webcam is asked for: width and height in pixels, and pictures a second. The second size is
asked for where the camera gives the first too slowly."""

LEAST_RATE = 15
"""Fewest pictures a second; with fewer, a card that is laid is seen too late."""

PATIENCE_MS = 2000
"""Milliseconds for which a camera may send nothing before reading it fails."""

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".heic", ".heif"}


class Kind(StrEnum):
    """What can be wrong with a source of pictures.

    In order: it is not there, is used by another program, is not open to this user, sends nothing,
    sends one picture again and again, shows one colour only, sends what is no picture, has ended,
    or sends pictures of another size than before.
    """

    MISSING = "missing"
    BUSY = "busy"
    REFUSED = "refused"
    SILENT = "silent"
    FROZEN = "frozen"
    COVERED = "covered"
    RUBBISH = "rubbish"
    ENDED = "ended"
    RESIZED = "resized"


class CaptureError(VisionError):
    """A source gives no picture now.

    Attributes:
        kind: What is wrong.
    """

    def __init__(self, kind: Kind, reason: str, **fields: object) -> None:
        super().__init__(reason, **fields)
        self.kind = kind


class Capture(Protocol):
    """Gives one picture after the other, until there are no more."""

    def read(self) -> Image | None:
        """The next picture, BGR; None at the end, which a live source does not have.

        Raises:
            CaptureError: It gives no picture now.
        """

    def close(self) -> None:
        """Frees the device, the connection or the file."""


@dataclass(frozen=True)
class Webcam:
    """A camera that is plugged in.

    Attributes:
        number: The number by which it is opened.
        name: What its maker calls it.
        backend: OpenCV's number of the interface that opens it.
        path: Its device file; empty where the system has none.
    """

    number: int
    name: str
    backend: int
    path: str = ""


def list_webcams() -> list[Webcam]:
    """The cameras that are plugged in, sorted by number."""
    cv2: Any = load_opencv()
    from cv2_enumerate_cameras import enumerate_cameras

    backend = {"linux": cv2.CAP_V4L2, "darwin": cv2.CAP_AVFOUNDATION, "win32": cv2.CAP_MSMF}
    chosen = backend.get(sys.platform, cv2.CAP_ANY)
    found = [
        Webcam(
            camera.index, camera.name or f"camera {camera.index}", chosen, str(camera.path or "")
        )
        for camera in enumerate_cameras(chosen)
    ]
    return sorted(found, key=lambda camera: camera.number)


def find_webcam(wish: str, cameras: Sequence[Webcam]) -> Webcam:
    """The camera of a number, or the one whose name has ``wish`` in it, whatever the case.

    Raises:
        CaptureError: There is none, or there are several.
    """
    listed = "; ".join(f"{camera.number}: {camera.name}" for camera in cameras) or "–"
    if wish.isdecimal():
        found = [camera for camera in cameras if camera.number == int(wish)]
    else:
        found = [camera for camera in cameras if camera.name.lower() == wish.lower()]
        found = found or [camera for camera in cameras if wish.lower() in camera.name.lower()]
    if not found:
        raise CaptureError(
            Kind.MISSING,
            N_("There is no camera {wish}: plug it in; the cameras are: {cameras}."),
            wish=wish,
            cameras=listed,
        )
    if len(found) > 1:
        raise CaptureError(
            Kind.MISSING,
            N_("Several cameras are called {wish}: choose one by its number; they are: {cameras}."),
            wish=wish,
            cameras=listed,
        )
    return found[0]


class WebcamCapture:
    """A webcam. It is looked up each time that it is opened, for its number may have changed.

    Args:
        wish: Its number, or a part of its name.
        cameras: Lists the cameras that are plugged in.

    Raises:
        CaptureError: It is not there, in use, or this user may not open it.
    """

    def __init__(self, wish: str, cameras: Callable[[], Sequence[Webcam]] = list_webcams) -> None:
        cv2: Any = load_opencv()
        self._wish, self._cameras = wish, cameras
        camera = find_webcam(wish, cameras())
        self._name = camera.name
        if camera.path.startswith("/dev/") and not os.access(camera.path, os.R_OK | os.W_OK):
            raise CaptureError(
                Kind.REFUSED,
                N_("This user may not open the camera {name}: trucam doctor says how to fix it."),
                name=camera.name,
            )
        # Without this OpenCV waits 10 s for a camera that hangs.
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(PATIENCE_MS // 1000))
        self._capture = cv2.VideoCapture(camera.number, camera.backend)
        if self._capture.isOpened():
            for width, height in WANTED_SIZES:
                # Uncompressed pictures do not fit through USB 2 at 30 a second.
                self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter_fourcc(*"MJPG"))
                self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
                self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
                self._capture.set(cv2.CAP_PROP_FPS, WANTED_RATE)
                if not 0 < self._capture.get(cv2.CAP_PROP_FPS) < LEAST_RATE:
                    break  # it is fast enough, or the system does not say and gives 0
            self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._read_before = False

    def read(self) -> Image | None:
        """The next picture; see ``Capture``."""
        done, picture = self._capture.read() if self._capture.isOpened() else (False, None)
        if done and picture is not None:
            self._read_before = True
            return np.asarray(picture, np.uint8)
        find_webcam(self._wish, self._cameras())  # raises an error if it was unplugged
        if self._read_before:
            raise CaptureError(
                Kind.SILENT,
                N_("The camera {name} has stopped sending pictures: unplug it and plug it in."),
                name=self._name,
            )
        raise CaptureError(
            Kind.BUSY,
            N_("The camera {name} gives no picture: close the other program that uses it."),
            name=self._name,
        )

    def close(self) -> None:
        """Frees the camera."""
        self._capture.release()


class StreamCapture:
    """A network stream that OpenCV reads, such as RTSP.

    Args:
        url: Its address.
        name: The address as it may be shown, without a password.

    Raises:
        CaptureError: Nothing that is a video comes from there.
    """

    def __init__(self, url: str, name: str) -> None:
        cv2: Any = load_opencv()
        self._name = name
        patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, PATIENCE_MS,
                    cv2.CAP_PROP_READ_TIMEOUT_MSEC, PATIENCE_MS]  # fmt: skip
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, patience)
        if not self._capture.isOpened():
            raise CaptureError(
                Kind.SILENT,
                N_("No video comes from {name}: check the address, and that it is switched on."),
                name=name,
            )

    def read(self) -> Image | None:
        """The next picture; see ``Capture``."""
        done, picture = self._capture.read()
        if not done or picture is None:
            raise CaptureError(
                Kind.SILENT, N_("The stream {name} has stopped sending pictures."), name=self._name
            )
        return np.asarray(picture, np.uint8)

    def close(self) -> None:
        """Ends the connection."""
        self._capture.release()


class VideoCapture:
    """A video file.

    Args:
        path: Where it lies.

    Attributes:
        rate: Frames a second.

    Raises:
        CaptureError: It is no video that can be read.
    """

    def __init__(self, path: Path) -> None:
        cv2: Any = load_opencv()
        self._cv2, self._path, self._done = cv2, path, 0
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        rate = float(self._capture.get(cv2.CAP_PROP_FPS)) if self._capture.isOpened() else 0.0
        if not self._capture.isOpened():
            raise CaptureError(
                Kind.RUBBISH,
                N_("{name} is no video that can be read: it is damaged, cut off, or another kind."),
                name=str(path),
            )
        self.rate = rate if 0 < rate < 1000 else float(WANTED_RATE)
        self._count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._at = -1.0

    def skip(self) -> float | None:
        """Goes to the next frame; its time in seconds of the film, None after the last one."""
        if not self._capture.grab():
            return None
        at = float(self._capture.get(self._cv2.CAP_PROP_POS_MSEC)) / 1000
        if not at > self._at:  # a container without times, or a time that is told twice
            at = self._at + 1 / self.rate if self._done else 0.0
        self._at = at
        self._done += 1
        return at

    def take(self) -> Image | None:
        """The picture that ``skip`` went to; None where it cannot be read."""
        done, picture = self._capture.retrieve()
        return np.asarray(picture, np.uint8) if done and picture is not None else None

    def missing(self) -> int:
        """How many of the frames that the file promised it did not give; 0 if hardly any."""
        lacking = self._count - self._done
        # Some containers only estimate how many frames there are.
        return lacking if lacking > max(self.rate / 2, 0.02 * self._count) else 0

    def close(self) -> None:
        """Closes the file."""
        self._capture.release()


class FolderCapture:
    """The pictures of a folder, in the order of their names; numbers in these are sorted by value.

    Args:
        folder: Where they lie.
        rate: Pictures a second.

    Attributes:
        rate: Pictures a second.

    Raises:
        CaptureError: There is no picture in it.
    """

    def __init__(self, folder: Path, rate: float) -> None:
        self.rate = rate
        self._paths = sorted(
            (path for path in folder.iterdir() if path.suffix.lower() in PICTURES), key=_in_order
        )
        self._next = 0
        if not self._paths:
            raise CaptureError(
                Kind.MISSING, N_("There is no picture in the folder {name}."), name=str(folder)
            )

    def skip(self) -> float | None:
        """Goes to the next picture; its time in seconds, None after the last one."""
        if self._next == len(self._paths):
            return None
        self._next += 1
        return (self._next - 1) / self.rate

    def take(self) -> Image | None:
        """The picture that ``skip`` went to; None where it cannot be read."""
        path = self._paths[self._next - 1]
        try:
            return read_photo(path)
        except (PhotoError, OSError):
            return None

    def missing(self) -> int:
        """Always 0: a folder promises no number of pictures."""
        return 0

    def close(self) -> None:
        """Nothing is open between two pictures."""


def _in_order(path: Path) -> list[tuple[int, str]]:
    """The key by which names are sorted: ``frame9`` comes before ``frame10``."""
    parts = re.split(r"(\d+)", path.name.lower())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
