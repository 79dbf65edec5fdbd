"""Pictures of a phone's browser, on their way from the serving process to the watching one.

The phone's page sends them to the process that serves the screens. That process passes on only the
newest ones, over a connection inside this machine. A secret opens it, so that nobody else gets the
pictures. No picture waits for a slow reader.
"""

from __future__ import annotations

import hmac
import secrets
import select
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np

from scorekeeper.messages import N_
from vision.capture.captures import CaptureError, Image, Kind
from vision.errors import VisionError
from vision.opencv import load_opencv

PHONE = "phone"
"""The name of a phone's browser as the source of pictures."""

MOST_PIXELS = 4096 * 2304
"""Most pixels of one picture; decoding a larger one would hold up the watching process."""

LONGEST_RUN = 300
"""Most pictures of a film from one key picture to the next. A reader that comes late has to decode
all since the last key picture; but key pictures are large, and hold up a slow network."""

FULL = 1920
"""Longer side of the pictures that are given, in pixels. Smaller ones, as over a slow network
(``phone.js``) or from a simple lens, are enlarged, so that all have one size."""

HEAD = struct.Struct("!dBI")
"""What is sent before each picture: when it was taken, in seconds by this machine's clock; how it
is coded; and how many bytes it has."""
STARTS = (b"\0\0\0\1", b"\0\0\1")
"""Each picture of an H.264 film begins with one of these."""
NO_PICTURE = N_("This is no picture from a camera.")
LOOPBACK = "127.0.0.1"
STOPS_WITHIN = 0.5
"""Seconds until a feed notices that it was closed."""


class BadPicture(VisionError):
    """What a phone sent is no picture."""


class Coded(IntEnum):
    """How a picture is coded.

    ``JPEG`` and ``KEY``, the key picture of an H.264 film, stand by themselves. ``DELTA`` is a
    picture of such a film that needs those before it.
    """

    JPEG = 1
    KEY = 2
    DELTA = 3


class FeedAddress(NamedTuple):
    """The port of this machine on which a feed is read, and the secret that opens it."""

    port: int
    secret: str


def check_picture(data: bytes, coded: Coded = Coded.JPEG) -> None:
    """Checks what a phone sent, without decoding it.

    Raises:
        BadPicture: It is neither a JPEG picture nor one of a film (H.264, Annex B), or a JPEG that
            is too large. How large a film's picture is shows only when it is decoded.
    """
    if coded is not Coded.JPEG:
        if not data.startswith(STARTS):
            raise BadPicture(NO_PICTURE)
        return
    from PIL import Image as Pictures  # late: most tables have another camera

    try:
        with Pictures.open(BytesIO(data), formats=["JPEG"]) as picture:
            width, height = picture.size
    except (OSError, ValueError, SyntaxError, Pictures.DecompressionBombError):
        raise BadPicture(NO_PICTURE) from None
    if width * height > MOST_PIXELS:
        raise BadPicture(N_("This picture is too large."))


class PhoneFeed:
    """Passes pictures on to a reader; a new reader takes the place of the one before.

    It keeps the newest picture that stands by itself, and those of a film that need it. A reader
    that comes late, or is slow, goes on there.

    Attributes:
        address: Where ``PhoneCapture`` reads it.
    """

    def __init__(self) -> None:
        self._listener = socket.create_server((LOOPBACK, 0))
        self._listener.settimeout(STOPS_WITHIN)
        self.address = FeedAddress(self._listener.getsockname()[1], secrets.token_hex(16))
        self._run: list[bytes] = []
        self._runs = self._reader = 0
        self._is_film = False
        self._news = threading.Condition()
        self._closed = False
        threading.Thread(target=self._listen, name="phone feed", daemon=True).start()

    def push(self, coded: Coded, picture: bytes, taken: float) -> bool:
        """Passes a picture on.

        Args:
            coded: How it is coded.
            picture: A JPEG, or a picture of an H.264 film (Annex B).
            taken: When it was taken, by ``time.monotonic``, in seconds.

        Returns:
            False where the picture is of no use, and the phone has to send a key picture next.
        """
        message = HEAD.pack(taken, coded.value, len(picture)) + picture
        with self._news:
            if coded is not Coded.DELTA:
                self._run = [message]
                self._runs += 1
                self._is_film = coded is Coded.KEY
            elif self._is_film and len(self._run) < LONGEST_RUN:
                self._run.append(message)
            else:
                return False
            self._news.notify_all()
        return True

    def start_over(self) -> None:
        """Forgets the pictures so far: the next ones are another phone's."""
        with self._news:
            self._run, self._is_film = [], False

    def close(self) -> None:
        """Ends all connections; the last pictures are forgotten."""
        with self._news:
            self._closed, self._run = True, []
            self._news.notify_all()

    def _listen(self) -> None:
        with self._listener:
            while not self._closed:
                try:
                    connection, _ = self._listener.accept()
                except TimeoutError:
                    continue
                except OSError:  # somebody hung up, or too many files are open
                    time.sleep(STOPS_WITHIN)
                    continue
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
            run = sent = 0
            while True:
                with self._news:
                    while run == self._runs and sent >= len(self._run) and not self._ends(reader):
                        self._news.wait()
                    if self._ends(reader):
                        return
                    if run != self._runs:
                        run, sent = self._runs, 0
                    messages, sent = self._run[sent:], len(self._run)
                connection.sendall(b"".join(messages))

    def _ends(self, reader: int) -> bool:
        return self._closed or reader != self._reader


class Decoder:
    """Decodes what a phone sends; the pictures of a film must come in order."""

    def __init__(self) -> None:
        self._film: Any = None
        self._size = (0, 0)

    def decode(self, coded: Coded, data: bytes, *, wanted: bool = True) -> Image | None:
        """Decodes one picture.

        Args:
            coded: How it is coded.
            data: What was sent.
            wanted: Whether the picture is needed; if not, a film's picture is decoded only because
                later ones need it.

        Returns:
            BGR, 8 bits; None where it cannot be decoded, or a film's picture is not wanted.
        """
        if coded is not Coded.JPEG:
            return self._next_of_film(coded, data, wanted)
        cv2: Any = load_opencv()
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        return None if picture is None else self._full(np.asarray(picture, np.uint8))

    def _next_of_film(self, coded: Coded, data: bytes, wanted: bool) -> Image | None:
        import av  # late: most tables have another camera

        if coded is Coded.KEY:
            self._film = av.CodecContext.create("h264", "r")
            self._film.flags |= av.codec.context.Flags.low_delay
            self._film.options = {"max_pixels": str(MOST_PIXELS)}
        try:
            frames = self._film.decode(av.Packet(data)) if data else []
        except av.error.FFmpegError:
            return None
        if not frames or not wanted:
            return None
        return self._full(np.asarray(frames[-1].to_ndarray(format="bgr24"), np.uint8))

    def _full(self, picture: Image) -> Image:
        """Enlarges a picture that is smaller than ``FULL``."""
        height, width = picture.shape[:2]
        longer = max(width, height)
        size = (round(width * FULL / longer), round(height * FULL / longer))
        if longer >= FULL:
            self._size = (width, height)
            return picture
        if max(abs(a - b) for a, b in zip(size, self._size, strict=True)) > 2:
            self._size = size  # a smaller difference comes from rounding
        cv2: Any = load_opencv()
        return np.asarray(cv2.resize(picture, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)


class PhoneCapture:
    """Reads a feed in the watching process; see ``vision.capture.captures.Capture``.

    Args:
        address: Where the feed is read.
        clock: Tells the time, in seconds.

    Attributes:
        taken: When the latest picture was taken, by ``time.monotonic``, in seconds.

    Raises:
        CaptureError: The feed is not there.
    """

    def __init__(self, address: FeedAddress, clock: Callable[[], float] = time.monotonic) -> None:
        self.taken = clock()
        self._decoder = Decoder()
        try:
            self._connection = socket.create_connection((LOOPBACK, address.port), timeout=5.0)
            self._connection.sendall(address.secret.encode())
            self._connection.settimeout(None)  # while no phone is there, nothing comes
        except OSError as error:
            raise _gone() from error

    def read(self) -> Image:
        """Waits for the next picture, BGR; one that cannot be decoded is passed over."""
        while True:
            try:
                self.taken, coded, size = HEAD.unpack(read_exactly(self._connection, HEAD.size))
                data = read_exactly(self._connection, size)
                wanted = not self._has_more()
            except (OSError, EOFError, ValueError) as error:  # ValueError: closed before select
                raise _gone() from error
            picture = self._decoder.decode(Coded(coded), data, wanted=wanted)
            if picture is not None:
                return picture

    def _has_more(self) -> bool:
        """Whether a later picture has already come."""
        return bool(select.select([self._connection], [], [], 0)[0])

    def close(self) -> None:
        """Ends the connection, even while another thread reads from it."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def read_exactly(connection: socket.socket, size: int) -> bytes:
    """Reads exactly ``size`` bytes.

    Raises:
        EOFError: The other end closed the connection before that.
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
