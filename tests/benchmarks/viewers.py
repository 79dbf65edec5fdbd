"""Many viewers with open streams: ``python -m tests.benchmarks.viewers PORT HOW_MANY``.

It prints ``ready`` when each viewer has its first message, and then reads a line with the number of
the last change. When every viewer has that change, or after ``PATIENCE`` seconds, it prints as JSON
when each change reached each viewer, and how many streams the server closed.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time

SCREENS = ("board", "tv")
LANGUAGES = ("en", "fr", "es", "ca")
NUMBER = re.compile(rb'"number": "\w+\.(\d+)"')
CHECKED = 50
"""Only one message in so many is parsed as JSON: to parse all would slow the viewers down."""
PATIENCE = 10
"""Seconds to wait for the last change."""


class Viewer(asyncio.Protocol):
    """A viewer: reads chunks, lines and messages as they come.

    Attributes:
        seen: When each change came, by its number.
        first: Set once the first message has come.
        dropped: Whether the server closed the stream.
    """

    def __init__(self, which: int) -> None:
        self.seen: dict[int, float] = {}
        self.first: asyncio.Event = asyncio.Event()
        self.beats = 0
        self.closing = self.dropped = False
        self._buffer = bytearray()
        self._stream = bytearray()
        self._open = False
        screen = SCREENS[which % 2]
        language = LANGUAGES[which // 2 % len(LANGUAGES)]
        self._request = (
            f"GET /live/{screen} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Accept: text/event-stream\r\nAccept-Language: {language}\r\n\r\n"
        ).encode()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.dropped = not self.closing

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        self._buffer += data
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert head.startswith(b"HTTP/1.1 200"), head
            self._open, self._buffer = True, rest
        while True:  # each chunk: its length in hexadecimal, its bytes, an end of line
            size, found, rest = self._buffer.partition(b"\r\n")
            if not found or len(rest) < int(size, 16) + 2:
                break
            length = int(size, 16)
            self._stream += rest[:length]
            self._buffer = rest[length + 2 :]
        *messages, self._stream = self._stream.split(b"\n\n")
        for message in messages:
            self._message(bytes(message), now)

    def _message(self, message: bytes, now: float) -> None:
        if message.startswith(b"event: beat"):
            self.beats += 1
        if not message.startswith(b"data: "):
            return
        found = NUMBER.search(message)
        assert found, message
        number = int(found[1])
        self.seen.setdefault(number, now)
        self.first.set()
        if number % CHECKED == 0:
            assert json.loads(message[6:])["html"]


async def watch(port: int, how_many: int) -> dict[str, object]:
    """Opens the streams, prints ``ready``, and reads them until the last change."""
    loop = asyncio.get_running_loop()
    viewers = [Viewer(which) for which in range(how_many)]
    for viewer in viewers:
        await loop.create_connection(lambda viewer=viewer: viewer, "127.0.0.1", port)
    await asyncio.gather(*(viewer.first.wait() for viewer in viewers))
    print("ready", flush=True)
    last = int(await loop.run_in_executor(None, sys.stdin.readline))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and any(last not in viewer.seen for viewer in viewers):
        await asyncio.sleep(0.05)
    dropped = sum(viewer.dropped for viewer in viewers)
    for viewer in viewers:
        viewer.closing = True
        viewer.transport.close()
    return {"dropped": dropped, "seen": [list(viewer.seen.items()) for viewer in viewers]}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(watch(int(sys.argv[1]), int(sys.argv[2])))))
