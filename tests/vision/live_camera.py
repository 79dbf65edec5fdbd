"""A network camera on the loopback. Tests say what it shows; it adds the noise of a sensor."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
BOUNDARY = "picture"
RATE = 12.0
"""Pictures a second."""
NOISE = 3
"""By so many grey levels a pixel is off at most."""


class LiveCamera:
    """Serves pictures as an MJPEG stream until it is closed.

    Args:
        scene: Returns what the camera sees now; called for each picture.
        rate: Pictures a second.

    Attributes:
        url: Its address.
        cut: While set, open streams end, and new ones get no answer.
        frozen: While set, it sends the same picture again and again.
        black: While set, its pictures are black.
    """

    def __init__(self, scene: Callable[[], Image], rate: float = RATE) -> None:
        self.scene, self._rate = scene, rate
        self.cut, self.frozen, self.black = threading.Event(), threading.Event(), threading.Event()
        self._stop = threading.Event()
        self._noise = np.random.default_rng(7)
        self._last = b""
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if camera.cut.is_set():
                    return
                self.send_response(200)
                self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
                self.end_headers()
                try:
                    while not camera.cut.is_set() and not camera._stop.wait(1 / camera._rate):
                        jpeg = camera._picture()
                        self.wfile.write(
                            b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n"
                            % (BOUNDARY.encode(), len(jpeg), jpeg)
                        )
                except OSError:
                    pass  # the reader has closed the connection

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/video"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}
        )
        self._thread.start()

    def _picture(self) -> bytes:
        if self.frozen.is_set() and self._last:
            return self._last
        scene = self.scene()
        if self.black.is_set():
            scene = np.zeros_like(scene)
        else:
            noise = self._noise.integers(-NOISE, NOISE + 1, (*scene.shape[:2], 1), np.int16)
            scene = np.clip(scene + noise, 0, 255).astype(np.uint8)
        self._last = cv2.imencode(".jpg", scene, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        return self._last

    def close(self) -> None:
        """Stops the server."""
        self._stop.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
