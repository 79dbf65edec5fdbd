"""Sends screens to browsers: as a stream, or by polling where streams are blocked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Response, request
from flask.typing import ResponseReturnValue

from webui.table.channel import Channel

BEAT_SECONDS = 10.0
"""Seconds between two signs of life; a screen that misses two says that the connection is lost."""


def pushed(
    channel: Channel, newest: Callable[[], tuple[int, bytes]], *, plays: bool = False
) -> Response:
    """Answers with a stream: the whole screen, at once and again after each change.

    Args:
        channel: The changes to follow.
        newest: Draws the screen as it is now; returns the number of the change, and the screen.
        plays: Whether this is a player's screen; these get each change first.
    """

    def messages() -> Iterator[bytes]:
        yield b"retry: 1000\n\n"
        seen = -1
        while True:
            if channel.wait(seen, BEAT_SECONDS, plays=plays) == seen:
                yield b"event: beat\ndata:\n\n"
                continue
            seen, message = newest()  # perhaps newer than the change that woke us
            yield b"data: %b\n\n" % message

    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return Response(messages(), mimetype="text/event-stream", headers=headers)


def polled(channel: Channel, newest: Callable[[], bytes]) -> ResponseReturnValue:
    """Answers with the whole screen if it is newer than ``?seen=``, else with 204."""
    if request.args.get("seen") == f"{channel.run}.{channel.number}":
        return "", 204
    return Response(newest(), mimetype="application/json")
