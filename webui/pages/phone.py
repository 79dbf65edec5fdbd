"""A phone whose browser is the camera: its page, the pictures that it sends, and their state."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

from flask import (
    Blueprint,
    abort,
    current_app,
    make_response,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice
from webui.requests.addresses import TRUSTED
from webui.requests.visitor import bearer_key, gettext, language_code, room
from webui.table.access import Grant

if TYPE_CHECKING:
    from webui.camera.phone import PhoneCamera  # it loads NumPy

blueprint = Blueprint("phone", __name__, url_prefix="/phone")

LARGEST = 2_000_000
"""Bytes of one picture at most."""
LONGEST_NAME = 40

OLD_CODE = N_("This code is no longer valid; the host's page shows the new one.")
NOT_WANTED = N_("This table does not use a phone's browser as its camera now.")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The camera's page; by http, a page that leads to https and explains the warning there."""
    key = request.args.get("key", "")
    if not room().access.opens_camera(key):
        return render_template("no_phone.html"), 403
    name = request.host.rpartition(":")[0] or request.host
    if request.is_secure or name in TRUSTED:
        return render_template("phone.html", key=key)
    port = current_app.config["SECURE_PORT"]
    link = f"https://{name}:{port}{url_for('.show', key=key)}" if port else None
    return render_template(
        "phone_first.html", link=link, fingerprint=current_app.config["FINGERPRINT"]
    )


@blueprint.post("/picture")
def picture() -> ResponseReturnValue:
    """Receives a picture.

    Its headers are ``X-Phone``: any name of the phone; ``X-Taken``: when it was taken, in seconds
    of the phone's clock; and ``X-Coded``: ``key`` or ``delta`` for a picture of an H.264 film,
    anything else for a JPEG. In the answer, ``key`` says whether the film must begin again with a
    key picture, and ``rate`` how many pictures a second are wanted.
    """
    camera = _camera()
    from vision.capture.phone_feed import Coded  # late: it loads NumPy

    request.max_content_length = LARGEST
    name = request.headers.get("X-Phone", "")
    try:
        taken = float(request.headers.get("X-Taken", ""))
    except ValueError:
        taken = math.nan
    if not (0 < len(name) <= LONGEST_NAME and math.isfinite(taken)):
        abort(400)
    before = camera.sends
    coded = {"key": Coded.KEY, "delta": Coded.DELTA}.get(request.headers.get("X-Coded", ""))
    goes_on = camera.take(name, taken, request.get_data(), coded or Coded.JPEG)
    if not before:
        room().changed()
    return {"key": not goes_on, "rate": camera.rate}


@blueprint.get("/state")
def state() -> ResponseReturnValue:
    """The state of the phone's page: whether all is ``ready``, a ``text``, the ``outline``."""
    camera = _camera()
    from webui.presenters.camera_state import camera_state  # late: it loads NumPy

    snapshot = room().snapshot()
    view, header = snapshot.camera, snapshot.header
    if view is None or header is None:
        return _told(gettext("The table is being set up on the host's page."))
    seq = 0 if snapshot.moment is None else snapshot.moment.seq
    voice = Voice(header, language_code())
    said = camera_state(view, Grant(host=True), snapshot.match, seq, voice)
    outline = list(view.report.outline)
    if said["setup"] is not None:
        return _told(said["setup"]["next"], ready=said["setup"]["ready"], outline=outline)
    if said["troubles"] and camera.sends:
        return _told(said["troubles"][0]["text"], outline=outline)
    return _told(gettext("The camera watches the game."), ready=True, outline=outline)


def _told(text: str, *, ready: bool = False, outline: list[Any] | None = None) -> dict[str, Any]:
    return {"text": text, "ready": ready, "outline": outline or []}


def _camera() -> PhoneCamera:
    """What receives the pictures; ends the request of a phone without the camera's key."""
    if not room().access.opens_camera(bearer_key() or ""):
        _refuse(403, OLD_CODE)
    camera = room().camera
    if camera is None or camera.phone is None:
        _refuse(409, NOT_WANTED)
    return camera.phone


def _refuse(status: int, reason: str) -> NoReturn:
    abort(make_response({"sentence": gettext(reason)}, status))
