"""Sends screens to browsers, as they change; see ``webui.requests.streams``."""

from __future__ import annotations

from flask import Blueprint, Response, abort, copy_current_request_context
from flask.typing import ResponseReturnValue

from webui.presenters.screens import SCREENS, drawings
from webui.requests.streams import polled, pushed
from webui.requests.visitor import grant, grant_source, language_code, room
from webui.table.access import Grant
from webui.table.snapshot import Snapshot

blueprint = Blueprint("live", __name__, url_prefix="/live")


@blueprint.get("/<name>")
def stream(name: str) -> ResponseReturnValue:
    """A stream of a screen."""
    if name not in SCREENS:
        abort(404)
    return follow(name)


def follow(name: str) -> Response:
    """A stream of a screen, or of the state (``STATE``) that screens are drawn from."""
    table, drawn, code, grant_now = room(), drawings(), language_code(), grant_source()

    # To enter the request again takes longer than to send what was drawn for somebody else: it is
    # only entered to draw.
    @copy_current_request_context
    def draw(snapshot: Snapshot, grant: Grant) -> bytes:
        return drawn.message(name, snapshot, grant, code)

    def newest() -> tuple[int, bytes]:
        snapshot, grant = table.snapshot(), grant_now()
        message = drawn.ready(name, snapshot, grant, code) or draw(snapshot, grant)
        return snapshot.number, message

    return pushed(table.channel, newest, plays=grant_now().scores)


@blueprint.get("/<name>/poll")
def poll(name: str) -> ResponseReturnValue:
    """The whole screen if it is newer than ``?seen=``, else 204."""
    if name not in SCREENS:
        abort(404)
    return polled(
        room().channel,
        lambda: drawings().message(name, room().snapshot(), grant(), language_code()),
    )
