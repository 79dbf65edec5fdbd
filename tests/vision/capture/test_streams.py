"""Network streams: the pictures of phone apps, and every reason why none come."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.capture.test_frames import film, picture
from vision.capture import frames, mjpeg
from vision.capture.captures import CaptureError
from vision.capture.frames import Kind, SourceError, open_source
from vision.capture.streams import shown, stream_address
from vision.geometry.calibration import keep_plane, open_plane
from vision.geometry.table_plane import Plane

JPEG = cv2.imencode(".jpg", picture(90))[1].tobytes()
_SIZE = JPEG.index(b"\xff\xc0") + 5  # the place of a JPEG's height and width
HUGE = JPEG[:_SIZE] + b"\xea\x60\xea\x60" + JPEG[_SIZE + 4 :]
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: "
MIXED = HEAD + b"multipart/x-mixed-replace; boundary=cut\r\n\r\n"
WITH_LENGTH = b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n"
PART = WITH_LENGTH % (len(JPEG), JPEG)
BARE = b"--cut\r\nContent-Type: image/jpeg\r\n\r\n" + JPEG + b"\r\n"


@contextmanager
def served(
    answer: bytes | dict[str, bytes], check: Callable[[str], None] = lambda line: None
) -> Iterator[str]:
    """Serves an answer on the loopback, or one for each path; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            check(str(self.headers.get("Authorization")))
            here = answer if isinstance(answer, bytes) else answer.get(self.path, NOT_FOUND)
            self.wfile.write(here)

        def log_message(self, *_: object) -> None:
            pass

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/video"
        finally:
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


@pytest.mark.parametrize("named", [b"cut", b"--cut", b'"--cut"'])
@pytest.mark.parametrize("written", [b"--cut", b"----cut"])
def test_the_cut_between_two_pictures_is_known_however_its_dashes_count(
    named: bytes, written: bytes
) -> None:
    head = MIXED.replace(b"boundary=cut", b"boundary=" + named)
    body = (PART + BARE + PART).replace(b"--cut", written)
    with served(head + body) as url, closing(frames.open_stream(url)) as capture:
        for _ in range(3):
            assert capture.read() is not None


def test_a_phones_stream_through_the_whole_source() -> None:
    with served(MIXED + PART) as url, open_source(url) as source:
        frame = source.next(10)
        assert frame is not None
        assert frame.picture.shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        pytest.param(NOT_FOUND, Kind.MISSING, id="not there"),
        pytest.param(b"HTTP/1.1 401 No\r\n\r\n", Kind.REFUSED, id="password"),
        pytest.param(HEAD + b"text/html\r\n\r\n<html>", Kind.RUBBISH, id="a page"),
        pytest.param(HEAD + b"image/jpeg\r\n\r\n" + JPEG[:20], Kind.RUBBISH, id="half a picture"),
        pytest.param(HEAD + b"image/jpeg\r\n\r\n" + HUGE, Kind.RUBBISH, id="far too large"),
        pytest.param(HEAD + b"image/png\r\n\r\n", Kind.RUBBISH, id="a drawing"),
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


# --- addresses as people type them ---


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("192.168.1.5:8080", "http://192.168.1.5:8080"),
        (" 192.168.1.5 ", "http://192.168.1.5"),
        ("192.168.1.5:8080/video?x=1", "http://192.168.1.5:8080/video?x=1"),
        ("192.168.1.5:554/live", "rtsp://192.168.1.5:554/live"),
        ("ana:se cret@phone:8080", None),
        ("ana:se@cret@phone:8080", "http://ana:se@cret@phone:8080"),
        ("phone.local", "http://phone.local"),
        ("[fe80::1]:8080/video", "http://[fe80::1]:8080/video"),
        ("RTSP://camera/1", "RTSP://camera/1"),
        ("srt://10.0.0.7:9000", "srt://10.0.0.7:9000"),
        ("0", None),
        ("Logitech BRIO", None),
        ("USB 2.0 Camera: HD 720p", None),
        ("match.mp4", None),
        ("/home/ana/films", None),
        ("C:\\films\\match.mp4", None),
        ("..", None),
        ("", None),
    ],
)
def test_an_address_is_understood_without_its_scheme(typed: str, address: str | None) -> None:
    assert stream_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    ["file:///etc/passwd", "concat://a|b", "http://", "http://[::1", "http://ana:se/cret@camera/1",
     "http://camera:80800/", "http://a b/", "ftp://ana:secret@camera/video"],
)  # fmt: skip
def test_an_address_that_cannot_be_read_is_one_sentence_without_the_password(typed: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(typed)
    assert "cret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("http://ana:secret@10.0.0.7/video", "http://10.0.0.7/video"),
        ("ana:secret@10.0.0.7:8080", "10.0.0.7:8080"),
        ("ana:se cret@phone", "phone"),
        ("http://ana:se/cr@et@10.0.0.7/video", "http://10.0.0.7/video"),
        ("http://a://ana:secret@10.0.0.7/", "http://10.0.0.7/"),
        ("http://10.0.0.7/cgi?user=ana&pwd=secret", "http://10.0.0.7/cgi…"),
        ("rtsp://10.0.0.7/user=ana_password=secret_channel=1", "rtsp://10.0.0.7/user…"),
        ("http://10.0.0.7:8080/video", "http://10.0.0.7:8080/video"),
        ("Logitech BRIO", "Logitech BRIO"),
        ("/films/ana=1.mp4", "/films/ana=1.mp4"),
    ],
)
def test_a_password_is_in_no_address_that_is_shown(source: str, seen: str) -> None:
    assert shown(source) == seen


@pytest.mark.parametrize(
    "path", ["/", "/video", "/videofeed", "/mjpegfeed", "/mjpeg", "/?action=stream", "/shot.jpg"]
)
def test_where_only_the_camera_is_named_its_video_is_looked_for(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mjpeg, "SNAPSHOT_EVERY", 0.0)
    page = HEAD + b"text/html\r\n\r\n<html>"
    video = HEAD + b"image/jpeg\r\n\r\n" + JPEG if path.endswith(".jpg") else MIXED + PART * 3
    with served({"/": page, path: video}) as url:
        host = url.removeprefix("http://").removesuffix("/video")
        with open_source(host) as source:
            assert source.name == f"http://{host}"
            for _ in range(2):
                frame = source.next(10)
                assert frame is not None
                assert frame.picture.shape == (48, 64, 3)


def test_where_a_path_is_named_no_other_is_tried() -> None:
    with served({"/video": MIXED + PART}) as url, pytest.raises(CaptureError) as caught:
        frames.open_stream(url.replace("/video", "/live"))
    assert caught.value.kind is Kind.MISSING


def test_what_the_address_itself_sends_is_told_where_no_video_is_found() -> None:
    with served({"/": HEAD + b"text/html\r\n\r\n"}) as url, pytest.raises(CaptureError) as caught:
        frames.open_stream(url.removesuffix("/video"))
    assert "sends a page" in str(caught.value)


def test_a_password_that_is_asked_for_ends_the_search() -> None:
    asked: list[str] = []
    with (
        served({"/": b"HTTP/1.1 401 No\r\n\r\n"}, asked.append) as url,
        pytest.raises(CaptureError) as caught,
    ):
        frames.open_stream(url.removesuffix("/video"))
    assert (caught.value.kind, len(asked)) == (Kind.REFUSED, 1)


def test_where_a_table_lies_is_kept_without_the_password(tmp_path: Path) -> None:
    plane = Plane(np.eye(3), np.zeros((4, 2)), 2, {}, 0.0)
    one, other = (f"rtsp://ana:secret@nvr/user=ana&pwd=secret&channel={n}" for n in (1, 2))
    kept = keep_plane(one, plane, tmp_path)
    assert "secret" not in kept.name
    assert "secret" not in kept.read_text(encoding="utf-8")
    assert open_plane(one, tmp_path) is not None
    assert open_plane(other, tmp_path) is None
