"""Streams over the network: a phone's pictures, and every reason why none come."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import cv2
import pytest

from tests.vision.test_frames import film, picture
from vision import frames
from vision.captures import CaptureError
from vision.frames import Kind, open_source

JPEG = cv2.imencode(".jpg", picture(90))[1].tobytes()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: "
MIXED = HEAD + b"multipart/x-mixed-replace; boundary=cut\r\n\r\n"
WITH_LENGTH = b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n"
PART = WITH_LENGTH % (len(JPEG), JPEG)
BARE = b"--cut\r\nContent-Type: image/jpeg\r\n\r\n" + JPEG + b"\r\n"


@contextmanager
def served(answer: bytes, check: Callable[[str], None] = lambda line: None) -> Iterator[str]:
    """Serves one answer on the loopback, again and again; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            check(str(self.headers.get("Authorization")))
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/video"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(PART * 3, id="with lengths"),
        pytest.param(BARE * 3 + b"--cut--\r\n", id="without lengths"),
        pytest.param(PART + BARE + PART + b"\r\n", id="both"),
        pytest.param(
            PART + WITH_LENGTH % (5, b"no...") + WITH_LENGTH % (20, JPEG[:20]) + PART + PART,
            id="with damaged pictures between",
        ),
    ],
)
def test_a_phones_stream(body: bytes) -> None:
    with served(MIXED + body) as url:
        capture = frames.open_stream(url)
        for _ in range(3):
            shown = capture.read()
            assert shown is not None
            assert shown.shape == (48, 64, 3)
        with pytest.raises(CaptureError) as caught:
            capture.read()
        assert caught.value.kind is Kind.SILENT
        capture.close()


def test_a_phones_stream_through_the_whole_source() -> None:
    with served(MIXED + PART) as url, open_source(url) as source:
        frame = source.next(10)
        assert frame is not None
        assert frame.picture.shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        pytest.param(b"HTTP/1.1 404 Not Found\r\n\r\n", Kind.MISSING, id="not there"),
        pytest.param(b"HTTP/1.1 401 No\r\n\r\n", Kind.REFUSED, id="password"),
        pytest.param(HEAD + b"text/html\r\n\r\n<html>", Kind.RUBBISH, id="a page"),
        pytest.param(HEAD + b"image/jpeg\r\n\r\n" + JPEG, Kind.RUBBISH, id="one picture"),
        pytest.param(b"\x00\xffrubbish\r\n\r\n", Kind.SILENT, id="no HTTP"),
        pytest.param(MIXED + b"x" * 100_000, Kind.RUBBISH, id="no parts"),
        pytest.param(MIXED + WITH_LENGTH % (5, b"no...") * 12, Kind.RUBBISH, id="no pictures"),
        pytest.param(MIXED + PART[:200], Kind.SILENT, id="cut off"),
        pytest.param(
            MIXED + b"--cut\r\nContent-Length: 999999999\r\n\r\n", Kind.RUBBISH, id="endless"
        ),
    ],
)
def test_a_stream_that_is_none_says_why(answer: bytes, kind: Kind) -> None:
    with served(answer) as url, pytest.raises(CaptureError) as caught:  # noqa: PT012
        capture = frames.open_stream(url)
        with closing(capture):
            capture.read()
    assert caught.value.kind is kind
    assert "\n" not in str(caught.value)


def test_an_address_where_nobody_listens() -> None:
    with served(b"") as url:
        pass
    with pytest.raises(CaptureError, match="does not answer") as caught:
        frames.open_stream(url)
    assert caught.value.kind is Kind.SILENT


def test_a_password_is_sent_and_never_shown() -> None:
    told: list[str] = []
    with served(MIXED + PART, told.append) as url:
        source = open_source(url.replace("http://", "http://ana:se%40cret@"))
        assert source.next(10) is not None
        source.close()
    assert told[0] == "Basic YW5hOnNlQGNyZXQ="
    assert "cret" not in source.name


def test_another_video_over_http_is_read_too(tmp_path: Path) -> None:
    path = film(tmp_path / "a.avi", "MJPG")
    with served(HEAD + b"video/x-msvideo\r\n\r\n" + path.read_bytes()) as url:
        capture = frames.open_stream(url)
        shown = capture.read()
        assert shown is not None
        assert shown.shape == (48, 64, 3)
        capture.close()
