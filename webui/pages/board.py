"""The board: what everybody may look at, on a phone, on a TV, and over a film."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, session
from flask.typing import ResponseReturnValue

from scorekeeper.text.i18n import LANGUAGES
from webui.pages.source import source_archive
from webui.presenters.screens import screen
from webui.requests.visitor import grant, page_of_form, phone

blueprint = Blueprint("board", __name__)


@blueprint.get("/")
def phones() -> str:
    """The board for phones."""
    phone()
    return screen("board", grant())


@blueprint.get("/tv")
def tv() -> str:
    """The board for a TV; ``?far``: the digits for a hall; ``?bare``: for a corner of a film."""
    phone()
    name = "far" if "far" in request.args else "overlay" if "bare" in request.args else "tv"
    return screen(name, grant())


@blueprint.post("/language")
def choose_language() -> ResponseReturnValue:
    """Keeps the visitor's language, and goes back to where he was."""
    code = request.form.get("code", "")
    if code in LANGUAGES:
        session["lang"] = code
        session.permanent = True
    return redirect(page_of_form())


@blueprint.get("/about")
def about() -> str:
    """Version, licence, source, and what a browser withholds over plain http."""
    return render_template("about.html")


@blueprint.get("/source.zip")
def source() -> Response:
    """The source of the running version, from this machine itself (AGPL, section 13)."""
    return source_archive()
