"""Makes pictures of the ring ready to be kept: hides faces, outlines the card, writes clips."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.evidence.draw import SURE
from vision.evidence.ring_buffer import QUALITY, Shot
from vision.opencv import load_opencv

Image = NDArray[np.uint8]
Corners = NDArray[np.floating[Any]]

WIDEST = 960
"""Greatest width of a clip, in pixels: a phone's screen shows no more."""
CODEC = "h264"
CRF, PRESET = "28", "veryfast"
"""x264's settings of quality and speed; ``python -m tests.benchmarks.evidence`` measures them."""
TICKS = 90_000
"""Ticks of a clip's clock in a second."""
MARGIN = 1.2
"""What is drawn around a card, or over it, is this many times as large as the card: its outline may
be a little off."""


def load_av() -> Any:
    """Imports and returns PyAV.

    Raises:
        ImportError: It is not installed, or does not load here.
        ValueError: It was built without an encoder for H.264.
    """
    av: Any = importlib.import_module("av")
    av.Codec(CODEC, "w")
    return av


def table_in(shot: Shot, hidden: Sequence[Corners] = (), shown: Corners | None = None) -> Image:
    """A picture of the table with some cards blackened.

    Args:
        shot: The picture.
        hidden: Corners of the cards that nobody may see, each of shape (4, 2), in pixels.
        shown: Corners of a card that is not covered, whatever lies beside it.
    """
    cv2: Any = load_opencv()
    picture: Image = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if not hidden:
        return picture
    cover = np.zeros(picture.shape[:2], np.uint8)
    for corners in hidden:
        cv2.fillConvexPoly(cover, wider(corners), 255)
    if shown is not None:
        cv2.fillConvexPoly(cover, np.round(shown).astype(np.int32), 0)
    picture[cover > 0] = 0  # black, as all that is not to be seen
    return picture


def outlined(picture: Image, corners: Corners | None) -> bytes:
    """The picture as a JPEG, with a card outlined in it where there is one."""
    cv2: Any = load_opencv()
    if corners is not None:
        thick = max(2, round(picture.shape[1] / 400))
        cv2.polylines(picture, [wider(corners)], True, SURE, thick, cv2.LINE_AA)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    jpeg: bytes = data.tobytes()
    return jpeg


def write_clip(path: Path, pictures: Iterable[tuple[float, Image]]) -> None:
    """Writes a film that phones can play: H.264 in MP4, with its index first and without sound.

    Args:
        path: Where the file is written.
        pictures: Each with its time in seconds, later than the one before; all of one size.

    Raises:
        ImportError: PyAV does not load here; ``load_av`` says more.
        OSError: The file cannot be written.
    """
    av, cv2 = load_av(), load_opencv()
    stream: Any = None
    begun = 0.0
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as film:
        for at, picture in pictures:
            if stream is None:
                begun = at
                size = _size(picture)
                stream = film.add_stream(CODEC, options={"preset": PRESET, "crf": CRF})
                stream.width, stream.height = size
                stream.pix_fmt = "yuv420p"
                stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS)
                stream.codec_context.thread_count = 1  # watching the table needs the other cores
            scaled = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
            frame = av.VideoFrame.from_ndarray(scaled, format="bgr24")
            frame.pts, frame.time_base = round((at - begun) * TICKS), Fraction(1, TICKS)
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))


def _size(picture: Image) -> tuple[int, int]:
    """Width and height of a clip, in pixels: even numbers, as its colour format needs."""
    height, width = picture.shape[:2]
    scale = min(1.0, WIDEST / width)
    return round(width * scale / 2) * 2, round(height * scale / 2) * 2


def wider(corners: Corners) -> NDArray[np.int32]:
    """A card's corners moved outwards by ``MARGIN``, shape (4, 2), in pixels."""
    middle = corners.mean(axis=0)
    farther: Corners = np.round(middle + (corners - middle) * MARGIN)
    return farther.astype(np.int32)
