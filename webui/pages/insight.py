"""The page of what the table believes of the latest hand: for the host, between two hands."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.text.phrases import Voice
from webui.requests.visitor import grant, language_code, room

blueprint = Blueprint("insight", __name__, url_prefix="/host/insight")

PRIVATE = {"Cache-Control": "no-store"}
"""No browser keeps the page: it may show cards that nobody has played."""


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The page; with ``?part`` only the part that changes. Empty while people may hold cards."""
    if not grant().host:
        return render_template("no_host.html"), 403
    snapshot, camera = room().snapshot(), room().camera
    if camera is None or snapshot.match is None or snapshot.moment is None:
        abort(404)
    from webui.presenters.insight import insight_state  # late: it loads OpenCV and ONNX Runtime

    match, seq = snapshot.match, snapshot.moment.seq
    found = None
    if camera.film is not None or camera.view.shows_picture(match, seq):
        found = camera.insight()
    voice = Voice(match.seated, language_code())
    page = "_insight.html" if "part" in request.args else "insight.html"
    shown = None if found is None else insight_state(found, match, voice)
    return render_template(page, insight=shown), 200, PRIVATE
