"""The board, which everybody may look at: on a phone, on a TV, and over a video."""

from __future__ import annotations

from flask import Blueprint, request

from webui.presenters.screens import screen
from webui.requests.visitor import grant, phone

blueprint = Blueprint("board", __name__)


@blueprint.get("/")
def phones() -> str:
    """The board for phones."""
    phone()
    return screen("board", grant())


@blueprint.get("/tv")
def tv() -> str:
    """The board for a TV; ``?far``: digits for a hall; ``?bare``: a small score over a video."""
    phone()
    name = "far" if "far" in request.args else "overlay" if "bare" in request.args else "tv"
    return screen(name, grant())
