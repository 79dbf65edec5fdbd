"""To come."""

from __future__ import annotations

from flask import Blueprint

blueprint = Blueprint("afterwards", __name__)


@blueprint.get("/match/<int:match_id>")
def match(match_id: int) -> str:
    """To come."""
    return ""
