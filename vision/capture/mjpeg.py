"""A phone's or a camera's MJPEG stream over HTTP: JPEG pictures in one answer that never ends.

OpenCV reads such streams too, but cannot say what is wrong with one. People type these addresses by
hand, so a wrong address is the usual trouble, and should be told.
"""

from __future__ import annotations

import base64
import http.client
import re
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from scorekeeper.messages import N_
from vision.capture.captures import PATIENCE_MS, CaptureError, Kind
from vision.capture.streams import shown
from vision.opencv import load_opencv

LARGEST = 16_000_000
"""Most bytes of one picture; what is larger is no picture."""
CHUNK = 16_384
"""Most bytes of a line; a longer one before a picture shows that this is no stream of pictures."""
HEADERS = 30
"""Most lines before a picture; more show that this is no stream of pictures."""
BROKEN_IN_A_ROW = 10
"""This many damaged pictures in a row are no accident."""
SNAPSHOT_EVERY = 0.1
"""Seconds from one request for a picture to the next."""


class NotPictures(Exception):
    """The address sends something else, which may be a video of another kind."""


class OnePicture(Exception):
    """The address sends one picture each time that it is asked."""


def ask(url: str) -> Any:
    """Asks an address over HTTP, and returns the open answer.

    Args:
        url: The address; a name and a password may stand in it.

    Raises:
        CaptureError: Nobody answers, or it is refused.
    """
    name, parts = shown(url), urlsplit(url)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    request = urllib.request.Request(bare.geturl())
    if parts.username is not None:
        secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_header("Authorization", f"Basic {base64.b64encode(secret.encode()).decode()}")
    # The camera is in this network: a proxy outside would not find it.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        return opener.open(request, timeout=PATIENCE_MS / 1000)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(error.code, name) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise CaptureError(
            Kind.SILENT,
            N_("{name} does not answer: check the address, and that both are in one network."),
            name=name,
        ) from error


def _refused(code: int, name: str) -> CaptureError:
    if code in (401, 403):
        reason = N_("{name} asks for a name and a password: http://name:password@address.")
        return CaptureError(Kind.REFUSED, reason, name=name)
    reason = N_("{name} has no video there (it answers {code}): check the address.")
    return CaptureError(Kind.MISSING, reason, name=name, code=code)


def _rubbish(name: str) -> CaptureError:
    reason = N_("{name} sends something that is no picture: check the camera's app.")
    return CaptureError(Kind.RUBBISH, reason, name=name)


def _decoded(data: bytes) -> NDArray[np.uint8] | None:
    """The picture of a JPEG; None where it is damaged, or something else."""
    cv2: Any = load_opencv()
    if not data.startswith(b"\xff\xd8"):
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # it claims to be larger than OpenCV allows
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


class SnapshotCapture:
    """Pictures from an address that sends one each time that it is asked.

    Args:
        url: The address; see ``ask``.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._due = 0.0

    def read(self) -> NDArray[np.uint8] | None:
        """The next picture; see ``vision.capture.captures.Capture``."""
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._due = time.monotonic() + SNAPSHOT_EVERY
        try:
            with ask(self._url) as answer:
                data = answer.read(LARGEST)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise CaptureError(
                Kind.SILENT, N_("The stream {name} has stopped sending pictures."),
                name=shown(self._url),
            ) from error  # fmt: skip
        picture = _decoded(data)
        if picture is None:
            raise _rubbish(shown(self._url))
        return picture

    def close(self) -> None:
        """Nothing is open between two pictures."""


class MjpegCapture:
    """Pictures from an address that sends one after the other in an answer that never ends.

    Args:
        url: The address; see ``ask``.

    Raises:
        CaptureError: No stream of pictures comes from there.
        NotPictures: It sends a video of another kind.
        OnePicture: It sends one picture.
    """

    def __init__(self, url: str) -> None:
        self._name = shown(url)
        self._broken = 0
        self._answer = _Answer(ask(url))
        kind, boundary = self._answer.kind, self._answer.boundary
        if kind != "multipart/x-mixed-replace" or not isinstance(boundary, str):
            self.close()
            if kind == "image/jpeg":
                raise OnePicture(kind)
            if kind.startswith(("text/", "image/")):
                raise CaptureError(
                    Kind.RUBBISH,
                    N_("{name} sends a page, not pictures: the camera's app names the address of "
                       "its video."),
                    name=self._name,
                )  # fmt: skip
            raise NotPictures(kind)
        self._boundary = boundary.strip('"').lstrip("-").encode("latin-1")

    def read(self) -> NDArray[np.uint8] | None:
        """The next picture; see ``vision.capture.captures.Capture``."""
        while True:
            try:
                data = self._part()
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise CaptureError(
                    Kind.SILENT,
                    N_("The stream {name} has stopped sending pictures."),
                    name=self._name,
                ) from error
            picture = _decoded(data)
            if picture is not None:
                self._broken = 0
                return picture
            self._broken += 1
            if self._broken >= BROKEN_IN_A_ROW:
                raise _rubbish(self._name)

    def _part(self) -> bytes:
        """The bytes of the next part."""
        length, lines, inside = 0, 0, False
        while True:
            line = self._answer.readline(CHUNK)
            if not line:
                raise http.client.IncompleteRead(b"")
            lines += 1
            if lines > HEADERS or len(line) == CHUNK:
                raise _rubbish(self._name)
            line = line.strip()
            if self._is_boundary(line):
                inside, length = True, 0
            elif inside and (found := re.match(rb"content-length:\s*(\d{1,9})$", line, re.I)):
                length = int(found[1])
            elif inside and not line:
                break
        if length > LARGEST:
            raise _rubbish(self._name)
        return self._exactly(length) if length else self._up_to_boundary()

    def _exactly(self, length: int) -> bytes:
        data = bytearray()
        while len(data) < length:
            piece = self._answer.read(length - len(data))
            if not piece:
                raise http.client.IncompleteRead(bytes(data))
            data += piece
        return bytes(data)

    def _up_to_boundary(self) -> bytes:
        """The bytes before the next boundary, which is left for the next part."""
        data = bytearray()
        while len(data) <= LARGEST:
            line = self._answer.readline(CHUNK)
            if not line:
                raise http.client.IncompleteRead(bytes(data))
            data += line
            if self._is_boundary(line):
                end = len(data) - len(line)
                self._answer.give_back(line)
                return bytes(data[:end]).rstrip(b"\r\n")
        raise _rubbish(self._name)

    def _is_boundary(self, line: bytes) -> bool:
        """Whether a part begins with this line.

        Some cameras name a boundary with its leading dashes, so these are not compared.
        """
        return line.startswith(b"--") and line.lstrip(b"-").startswith(self._boundary)

    def close(self) -> None:
        """Ends the connection."""
        self._answer.close()


class _Answer:
    """An answer that is read line by line; the last line can be given back, to be read again."""

    def __init__(self, answer: Any) -> None:
        self._answer, self._line = answer, b""
        self.kind: str = answer.headers.get_content_type()
        self.boundary: object = answer.headers.get_param("boundary")

    def give_back(self, line: bytes) -> None:
        self._line = line

    def readline(self, limit: int) -> bytes:
        line, self._line = self._line, b""
        return line or bytes(self._answer.readline(limit))

    def read(self, size: int) -> bytes:
        return bytes(self._answer.read(size))

    def close(self) -> None:
        self._answer.close()
