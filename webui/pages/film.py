"""The film of the demo table, which boards play in step with what the camera sees of it."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Any

from flask import Blueprint, abort, current_app, redirect, request, send_file
from flask.typing import ResponseReturnValue

from webui.camera.camera import Camera
from webui.requests.visitor import grant, room

blueprint = Blueprint("film", __name__, url_prefix="/film")

ENDED = "demo ended"
KEPT = 3600
"""Seconds that a browser may keep the film, which it plays again and again."""


@blueprint.get("/match.mp4")
def film() -> ResponseReturnValue:
    """The film itself."""
    return send_file(_shown()[1], mimetype="video/mp4", max_age=KEPT)


@blueprint.get("/clock")
def clock() -> ResponseReturnValue:
    """``{"at": seconds}``: how far the film is; 204 while it is not shown."""
    at = _shown()[0].film_at()
    return ("", 204) if at is None else {"at": round(at, 3)}


@blueprint.post("/own")
def own() -> ResponseReturnValue:
    """Ends the demo, and leads to a table of one's own at the same address."""
    if not _may_end():
        abort(403)
    link = current_app.config["OWN_TABLE"]()
    current_app.extensions[ENDED] = True
    return redirect(link, 303), {"Connection": "close"}


@blueprint.before_app_request
def wait_for_the_table() -> ResponseReturnValue | None:
    """While the demo ends, has browsers ask again in a second: then the new table answers."""
    ended = current_app.extensions.get(ENDED, False)
    return ("", {"Refresh": "1", "Connection": "close"}) if ended else None


@blueprint.app_context_processor
def plays_own() -> dict[str, Any]:
    """Whether the visitor may end the demo."""
    return {"plays_own": _may_end()}


def _may_end() -> bool:
    """Whether there is a demo to end, and the visitor is the host or sits at this computer."""
    here = ip_address(request.remote_addr or "0.0.0.0").is_loopback
    return current_app.config["OWN_TABLE"] is not None and (here or grant().host)


def _shown() -> tuple[Camera, Path]:
    camera = room().camera
    if camera is None or camera.film is None:
        abort(404)
    return camera, camera.film
