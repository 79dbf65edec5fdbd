"""The stream that every screen follows, and polling where streams are blocked."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, abort, copy_current_request_context, request
from flask.typing import ResponseReturnValue

from webui.screens import SCREENS, drawings
from webui.visitor import grant, language_code, room

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
    channel = room().channel

    @copy_current_request_context
    def draw() -> str:
        return _message(name)

    def messages() -> Iterator[str]:
        yield "retry: 1000\n\n"
        seen = -1
        while True:
            number = channel.wait(seen, BEAT_SECONDS)
            if number == seen:
                yield "event: beat\ndata:\n\n"
            else:
                seen = number
                yield f"data: {draw()}\n\n"

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
    return Response(_message(name), mimetype="application/json")


def _message(name: str) -> str:
    return drawings().message(name, room().snapshot(), grant(), language_code())
