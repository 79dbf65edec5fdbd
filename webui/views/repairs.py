"""To come."""

from __future__ import annotations

from flask import Blueprint

blueprint = Blueprint("repairs", __name__, url_prefix="/repairs")


@blueprint.get("/undo")
def undo() -> str:
    """To come."""
    return ""


@blueprint.get("/hand")
def hand() -> str:
    """To come."""
    return ""
