"""The stream that every screen follows, and polling where streams are blocked."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, abort, copy_current_request_context, request
from flask.typing import ResponseReturnValue

from webui.presenters.screens import SCREENS, drawings
from webui.requests.visitor import asker, grant, language_code, room
from webui.table.access import Grant
from webui.table.snapshot import Snapshot

blueprint = Blueprint("live", __name__, url_prefix="/live")

BEAT_SECONDS = 10.0
"""Between two signs of life; a screen that misses two says that the connection is lost."""


@blueprint.get("/<name>")
def stream(name: str) -> ResponseReturnValue:
    """Pushes a screen whole, at once and after each change."""
    if name not in SCREENS:
        abort(404)
    return follow(name)


def follow(name: str) -> Response:
    """The stream of a screen, or of the state that all of them are drawn from."""
    table, drawn, code, grant_now = room(), drawings(), language_code(), asker()

    # Entering the request once more takes longer than sending what was drawn for somebody else.
    @copy_current_request_context
    def draw(snapshot: Snapshot, grant: Grant) -> bytes:
        return drawn.message(name, snapshot, grant, code)

    def messages() -> Iterator[bytes]:
        yield b"retry: 1000\n\n"
        seen = -1
        while True:
            if table.channel.wait(seen, BEAT_SECONDS) == seen:
                yield b"event: beat\ndata:\n\n"
                continue
            snapshot, grant = table.snapshot(), grant_now()
            seen = snapshot.number  # where it is newer than the change that woke us, that is past
            message = drawn.ready(name, snapshot, grant, code) or draw(snapshot, grant)
            yield b"data: %b\n\n" % message

    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return Response(messages(), mimetype="text/event-stream", headers=headers)


@blueprint.get("/<name>/poll")
def poll(name: str) -> ResponseReturnValue:
    """The screen whole if it is newer than ``?seen=``, else 204."""
    if name not in SCREENS:
        abort(404)
    channel = room().channel
    if request.args.get("seen") == f"{channel.run}.{channel.number}":
        return "", 204
    message = drawings().message(name, room().snapshot(), grant(), language_code())
    return Response(message, mimetype="application/json")
