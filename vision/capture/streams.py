"""Addresses of streams as people type them: completes them, tries usual paths, hides passwords."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from scorekeeper.messages import N_
from vision.errors import SourceError

SCHEMES = ("rtsp", "rtsps", "rtmp", "http", "https", "udp", "tcp", "srt")

RTSP_PORTS = frozenset({554, 8554})
"""Ports by which an address without a scheme means RTSP, and not HTTP."""

USUAL_PATHS = (
    "video", "videofeed", "mjpegfeed", "mjpeg", "stream", "video.mjpg", "?action=stream",
    "shot.jpg",
)  # fmt: skip
"""Paths at which cameras and apps send their pictures: IP Webcam, IP Camera Lite, DroidCam,
ESP32-CAM, MJPG-streamer."""

_BARE = re.compile(
    r"""(?:[^/\s]*@)?                             # a name and a password
        (?:\[[0-9a-f:.]+\]                        # IPv6
          |\d{1,3}(?:\.\d{1,3}){3}                # IPv4
          |localhost
          |[\w-]+(?:\.[\w-]+)*\.(?:local|lan|home)
          |[\w-]+(?:\.[\w-]+)*(?=:\d))            # any other name needs a port
        (?::\d{1,5})?
        (?:[/?].*)?""",
    re.VERBOSE | re.IGNORECASE,
)


def stream_address(text: str) -> str | None:
    """The whole address of a stream, with its scheme; None where the text is no address.

    Args:
        text: As it was typed: ``rtsp://camera/1``, ``192.168.1.30:8080``, ``phone.local/video``.

    Raises:
        SourceError: It is an address, but a faulty one, or of a kind that cannot be read.
    """
    text = text.strip()
    if "://" not in text:
        if not _BARE.fullmatch(text):
            return None
        text = f"http://{text}"
        if _port(text) in RTSP_PORTS:
            text = text.replace("http", "rtsp", 1)
    scheme = text.partition("://")[0].lower()
    if scheme not in SCHEMES:
        raise SourceError(
            N_("{name} is no stream that can be read; the kinds are {kinds}."),
            name=shown(text),
            kinds=", ".join(SCHEMES),
        )
    if _port(text) is None or re.search(r"\s", text):
        raise SourceError(
            N_("{name} is no address: write it as 192.168.1.30:8080."), name=shown(text)
        )
    return text


def _port(url: str) -> int | None:
    """The port of an address, 0 where it names none; None where it is no valid address."""
    try:
        parts = urlsplit(url)
        return (parts.port or 0) if parts.hostname else None
    except ValueError:
        return None


def shown(source: str) -> str:
    """A source as it may be shown: an address without anything in it that may be a password."""
    scheme = re.match(r"[a-z][a-z0-9+.-]*://|", source.strip(), re.IGNORECASE)
    assert scheme is not None
    rest = source.strip().removeprefix(scheme[0])
    if not scheme[0] and not _BARE.fullmatch(rest) and not re.match(r"[^/\\]*:.*@", rest):
        return source  # a camera's name, a film, a folder
    rest = rest.rpartition("@")[2]
    plain = re.split(r"[?#;=&]", rest, maxsplit=1)[0]
    return f"{scheme[0]}{plain}{'…' if plain != rest else ''}"


def where_to_look(url: str) -> Iterator[str]:
    """The address; if it is of HTTP and has no path, also with each of the ``USUAL_PATHS``."""
    yield url
    parts = urlsplit(url)
    if parts.scheme.lower() in ("http", "https") and parts.path in ("", "/") and not parts.query:
        for path in USUAL_PATHS:
            yield f"{url.rstrip('/')}/{path}"
