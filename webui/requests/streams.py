"""The stream that a screen follows, and polling where streams are blocked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Response, request
from flask.typing import ResponseReturnValue

from webui.table.channel import Channel

BEAT_SECONDS = 10.0
"""Between two signs of life; a screen that misses two says that the connection is lost."""


def pushed(
    channel: Channel, newest: Callable[[], tuple[int, bytes]], *, plays: bool = False
) -> Response:
    """Pushes a screen whole, at once and after each change.

    Args:
        channel: Tells of changes.
        newest: Gives the screen as it is, and the number of the change that it shows.
        plays: Whether who asks plays, and has each change before those who look on.
    """

    def messages() -> Iterator[bytes]:
        yield b"retry: 1000\n\n"
        seen = -1
        while True:
            if channel.wait(seen, BEAT_SECONDS, plays=plays) == seen:
                yield b"event: beat\ndata:\n\n"
                continue
            # Where it is newer than the change that woke us, that one is past.
            seen, message = newest()
            yield b"data: %b\n\n" % message

    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return Response(messages(), mimetype="text/event-stream", headers=headers)


def polled(channel: Channel, newest: Callable[[], bytes]) -> ResponseReturnValue:
    """A screen whole if it is newer than ``?seen=``, else 204."""
    if request.args.get("seen") == f"{channel.run}.{channel.number}":
        return "", 204
    return Response(newest(), mimetype="application/json")
