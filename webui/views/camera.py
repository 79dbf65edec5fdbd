"""The camera, for the host: what it sees, and where the table is in it."""

from __future__ import annotations

from flask import Blueprint, Response, abort
from flask.typing import ResponseReturnValue

from scorekeeper.errors import FormatError
from scorekeeper.messages import N_
from webui.camera import Camera
from webui.visitor import grant, json_body, may_write, room

blueprint = Blueprint("camera", __name__, url_prefix="/host/camera")


@blueprint.get("/picture.jpg")
def picture() -> ResponseReturnValue:
    """What the camera sees; nothing while people hold cards."""
    if not grant().host:
        abort(403)
    camera = _camera()
    seen = camera.picture() if _shows_picture(camera) else b""
    if not seen or not _shows_picture(camera):  # a hand may have begun meanwhile
        return "", 204
    return Response(seen, mimetype="image/jpeg")


@blueprint.post("/turn")
def turn() -> ResponseReturnValue:
    """The first player sits a quarter of a turn further, clockwise."""
    may_write()
    _camera()
    room().turn_camera()
    return {"seq": room().snapshot().number}


@blueprint.post("/corners")
def corners() -> ResponseReturnValue:
    """The table's corners: ``{"corners": [[x, y], …]}``, clockwise, as shares of the picture."""
    may_write()
    try:
        points = tuple((float(x), float(y)) for x, y in json_body().get("corners") or ())
    except (TypeError, ValueError):
        points = ()
    if len(points) != 4 or not all(0 <= value <= 1 for point in points for value in point):
        raise FormatError(N_("a table has four corners, each with its place in the picture"))
    _camera().place(points)
    return {"seq": room().snapshot().number}


def _shows_picture(camera: Camera) -> bool:
    return camera.view.shows_picture(room().snapshot().match)


def _camera() -> Camera:
    camera = room().camera
    if camera is None:
        abort(404)
    return camera
