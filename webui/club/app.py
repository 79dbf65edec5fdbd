"""The Flask application of a club's hall."""

from __future__ import annotations

from typing import Any

from flask import Flask

from scorekeeper.messages import N_
from webui.app import SENTENCES, bare_app
from webui.club import board, host, joining
from webui.club.room import Club
from webui.pages import afterwards, players, rules


def create_club_app(club: Club, *, name: str = "club", tls: bool = False, **config: Any) -> Flask:
    """Makes the application; arguments as for ``webui.app.create_app``."""
    app = bare_app(
        club,
        name=name,
        tls=tls,
        LINKS="club/links.html",
        SENTENCES={**SENTENCES, 403: N_("Only the host can do this; everybody may look.")},
        **config,
    )
    for blueprint in (board, host, joining, rules, afterwards, players):
        app.register_blueprint(blueprint.blueprint)
    return app
