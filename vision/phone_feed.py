"""Pictures of a phone's browser, on their way from the serving process to the watching one.

The phone's page sends them to the process that serves the screens. That one passes only the newest
on, over one connection of this machine that a secret opens: pictures reach nobody else, and none
waits for a slow reader.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np

from scorekeeper.messages import N_
from vision.captures import CaptureError, Image, Kind
from vision.errors import VisionError
from vision.opencv import load_opencv

PHONE = "phone"
"""Names a phone's browser as the source of pictures."""

MOST_PIXELS = 4096 * 2304
"""Of one picture; decoding a larger one would hold up the watching process."""

HEAD = struct.Struct("!dI")
"""Before each picture: when it was taken, by the clock of this machine, and how long it is."""
LOOPBACK = "127.0.0.1"
STOPS_WITHIN = 0.5
"""Seconds until a feed notices that it was closed."""


class BadPicture(VisionError):
    """What a phone sent is no picture."""


class FeedAddress(NamedTuple):
    """Where a feed is read, and the secret that opens it."""

    port: int
    secret: str


def check_picture(data: bytes) -> None:
    """Checks what a phone sent, without decoding it.

    Raises:
        BadPicture: It is no JPEG picture, or too large a one.
    """
    from PIL import Image as Pictures  # late: most tables have another camera

    try:
        with Pictures.open(BytesIO(data), formats=["JPEG"]) as picture:
            width, height = picture.size
    except (OSError, ValueError, SyntaxError, Pictures.DecompressionBombError):
        raise BadPicture(N_("This is no picture from a camera.")) from None
    if width * height > MOST_PIXELS:
        raise BadPicture(N_("This picture is too large."))


class PhoneFeed:
    """Passes the newest picture on to whoever reads it; the latest reader alone gets pictures.

    Attributes:
        address: For ``PhoneCapture``.
    """

    def __init__(self) -> None:
        self._listener = socket.create_server((LOOPBACK, 0))
        self._listener.settimeout(STOPS_WITHIN)
        self.address = FeedAddress(self._listener.getsockname()[1], secrets.token_hex(16))
        self._newest: tuple[float, bytes] | None = None
        self._number = self._reader = 0
        self._news = threading.Condition()
        self._closed = False
        threading.Thread(target=self._listen, name="phone feed", daemon=True).start()

    def push(self, picture: bytes, taken: float) -> None:
        """Makes a picture the newest one.

        Args:
            picture: A JPEG.
            taken: When it was taken, by ``time.monotonic``.
        """
        with self._news:
            self._newest = (taken, picture)
            self._number += 1
            self._news.notify_all()

    def close(self) -> None:
        """Ends all connections; the last picture is forgotten."""
        with self._news:
            self._closed, self._newest = True, None
            self._news.notify_all()

    def _listen(self) -> None:
        with self._listener:
            while not self._closed:
                try:
                    connection, _ = self._listener.accept()
                except TimeoutError:
                    continue
                except OSError:
                    return
                with self._news:
                    self._reader += 1
                    self._news.notify_all()
                threading.Thread(
                    target=self._serve, args=(connection, self._reader), daemon=True
                ).start()

    def _serve(self, connection: socket.socket, reader: int) -> None:
        """Sends pictures to one reader until another one comes."""
        with connection, suppress(OSError, EOFError):
            connection.settimeout(5.0)
            said = read_exactly(connection, len(self.address.secret))
            if not hmac.compare_digest(said, self.address.secret.encode()):
                return
            sent = 0
            while True:
                with self._news:
                    while self._number == sent and not self._ends(reader):
                        self._news.wait()
                    if self._ends(reader) or self._newest is None:
                        return
                    sent, (taken, picture) = self._number, self._newest
                connection.sendall(HEAD.pack(taken, len(picture)) + picture)

    def _ends(self, reader: int) -> bool:
        return self._closed or reader != self._reader


class PhoneCapture:
    """Reads a feed in the watching process; see ``vision.captures.Capture``.

    Args:
        address: The feed's.

    Attributes:
        taken: When the latest picture was taken, by ``time.monotonic``.

    Raises:
        CaptureError: It is not there.
    """

    def __init__(self, address: FeedAddress, clock: Callable[[], float] = time.monotonic) -> None:
        self.taken = clock()
        try:
            self._connection = socket.create_connection((LOOPBACK, address.port), timeout=5.0)
            self._connection.sendall(address.secret.encode())
            self._connection.settimeout(None)  # while no phone is there, nothing comes
        except OSError as error:
            raise _gone() from error

    def read(self) -> Image:
        """The next picture; waits for it."""
        cv2: Any = load_opencv()
        while True:
            try:
                self.taken, size = HEAD.unpack(read_exactly(self._connection, HEAD.size))
                data = read_exactly(self._connection, size)
            except (OSError, EOFError) as error:
                raise _gone() from error
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            if picture is not None:  # else its head alone was a picture's
                return np.asarray(picture, np.uint8)

    def close(self) -> None:
        """Ends the connection, also under a thread that reads."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def read_exactly(connection: socket.socket, size: int) -> bytes:
    """Reads so many bytes.

    Raises:
        EOFError: The other end has closed the connection before.
    """
    data = bytearray()
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def _gone() -> CaptureError:
    return CaptureError(Kind.SILENT, N_("The phone's pictures do not come through any more."))
