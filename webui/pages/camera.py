"""The host's pages for the camera: choose one, see its picture, show it where the table is."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import FormatError
from scorekeeper.messages import N_
from vision.capture.streams import shown, stream_address
from vision.errors import SourceError
from webui.presenters.screens import screen
from webui.requests.visitor import (
    accepted,
    gettext,
    grant,
    json_body,
    language_code,
    may_write,
    room,
)

if TYPE_CHECKING:
    from webui.camera.camera import Camera  # it loads OpenCV and ONNX Runtime

blueprint = Blueprint("camera", __name__, url_prefix="/host/camera")

BY_HAND, PHONE, ADDRESS = "none", "phone", "address"
"""Choices besides the cameras that are plugged in."""

LONGEST_ADDRESS = 500

NO_CAMERA = N_(
    "Choose a camera, or write the address of a stream, such as 192.168.1.30:8080. "
    "Films and folders are named on the command line: trucam play --camera FILM."
)

DRAW_MARKERS = (sys.executable, "-m", "webui.presenters.marker_sheet")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The page to set the camera up; without a camera, or with ``?choose``, to choose one."""
    if not grant().host:
        return render_template("no_host.html"), 403
    snapshot = room().snapshot()
    if snapshot.header is None:
        return redirect(url_for("host.show"))
    if room().camera is None or "choose" in request.args:
        return _choice()
    if snapshot.match is not None:
        return redirect(url_for("host.show"))
    return screen("camera", grant(), at=snapshot)


def _choice(refusal: str | None = None, address: str = "") -> ResponseReturnValue:
    """The page to choose a camera.

    Args:
        refusal: The sentence that refuses an address; None at first.
        address: That address; what is secret in it is not shown.
    """
    camera = room().camera
    chosen = address or (BY_HAND if camera is None else camera.view.source)
    page = render_template(
        "choose_camera.html",
        cameras=_webcams(),
        now=shown(chosen),
        refusal=refusal,
    )
    return (page, 422) if refusal else page


def _webcams() -> list[tuple[str, str]]:
    """The cameras that are plugged in: the source that chooses each one, and its name."""
    from vision.capture.captures import list_webcams  # late: it loads OpenCV

    cameras = list_webcams()
    names = [camera.name for camera in cameras]
    # A name chooses a camera better than its number, which changes as cameras are plugged in. But
    # two cameras may have one name.
    return [
        (camera.name if names.count(camera.name) == 1 else str(camera.number), camera.name)
        for camera in cameras
    ]


@blueprint.post("/choose")
def choose() -> ResponseReturnValue:
    """Has another camera watch: ``camera`` is one of the list, or else there is an ``address``."""
    may_write()
    try:
        source = _chosen()
    except SourceError as error:
        return _choice(error.sentence(gettext), request.form.get("address", "").strip())
    room().use_camera(None if source == BY_HAND else source)
    return redirect(url_for("host.show" if source == BY_HAND else ".show"))


def _chosen() -> str:
    """The source that the form names: a camera that is plugged in, or a stream.

    It can be no file of this machine: whoever has the host's key would see its pictures.

    Raises:
        SourceError: It names something else.
    """
    source, camera = request.form.get("camera", ""), room().camera
    if source == ADDRESS:
        address = request.form.get("address", "").strip()
        if camera is not None and address == shown(camera.view.source):
            return camera.view.source  # with its password, which the page did not show
        found = stream_address(address) if len(address) <= LONGEST_ADDRESS else None
    else:
        there = source in (BY_HAND, PHONE) or source in dict(_webcams())
        found = source if there else None
    if found is None:
        raise SourceError(NO_CAMERA)
    return found


@blueprint.get("/markers.pdf")
def markers() -> Response:
    """The table's markers and calling cards, to be printed."""
    header = room().snapshot().header
    if not grant().host or header is None:
        abort(403)
    asked = json.dumps([header.to_json(), language_code(), request.args.get("paper")])
    # Drawing takes a second. In this process nobody else would be served meanwhile.
    drawn = subprocess.run(DRAW_MARKERS, input=asked.encode(), stdout=subprocess.PIPE, check=True)
    return Response(drawn.stdout, mimetype="application/pdf")


@blueprint.get("/picture.jpg")
def picture() -> ResponseReturnValue:
    """What the camera sees; 204 while people may hold cards."""
    if not grant().host:
        abort(403)
    camera = _camera()
    seen = camera.picture() if _shows_picture(camera) else b""
    if not seen or not _shows_picture(camera):  # a hand may have begun meanwhile
        return "", 204
    return Response(seen, mimetype="image/jpeg")


@blueprint.post("/show")
def show_picture() -> ResponseReturnValue:
    """Shows the host the picture for a while, as the host says that nobody holds cards."""
    may_write()
    _camera().show_picture()
    return accepted(seq=room().snapshot().number)


@blueprint.post("/turn")
def turn() -> ResponseReturnValue:
    """Moves the first player's seat by a quarter of a turn, clockwise."""
    may_write()
    _camera()
    room().turn_camera()
    return accepted(seq=room().snapshot().number)


@blueprint.post("/new-code")
def new_code() -> ResponseReturnValue:
    """Makes a new code for the phone that is the camera; a phone with the old one is refused."""
    may_write()
    phone = _camera().phone
    if phone is None:
        abort(404)
    room().access.revoke_camera()
    phone.dismiss()
    room().changed()
    return accepted(seq=room().snapshot().number)


@blueprint.post("/corners")
def corners() -> ResponseReturnValue:
    """Keeps where the table's corners are: ``{"corners": [[x, y], …]}``; see ``Camera.place``."""
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
    snapshot = room().snapshot()
    seq = 0 if snapshot.moment is None else snapshot.moment.seq
    return camera.view.shows_picture(snapshot.match, seq)


def _camera() -> Camera:
    camera = room().camera
    if camera is None:
        abort(404)
    return camera
