"""The film of the demo table: for the board alone, and in step with what the camera sees of it."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, abort, send_file
from flask.typing import ResponseReturnValue

from webui.camera import Camera
from webui.visitor import room

blueprint = Blueprint("film", __name__, url_prefix="/film")

KEPT = 3600
"""Seconds that a browser may keep the film; each lap would load it again."""


@blueprint.get("/match.mp4")
def film() -> ResponseReturnValue:
    """The film itself."""
    return send_file(_shown()[1], mimetype="video/mp4", max_age=KEPT)


@blueprint.get("/clock")
def clock() -> ResponseReturnValue:
    """``{"at": seconds}`` of the film that have been shown; nothing while none is."""
    at = _shown()[0].film_at()
    return ("", 204) if at is None else {"at": round(at, 3)}


def _shown() -> tuple[Camera, Path]:
    camera = room().camera
    if camera is None or camera.film is None:
        abort(404)
    return camera, camera.film
