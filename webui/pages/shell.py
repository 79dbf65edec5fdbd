"""What a table and a club's hall share: language, licence, source, and the app on a home screen.

Browsers run a service worker only on secure pages: on this machine itself, and over https with a
certificate that the phone trusts (``--tls``). Without one, the app on the home screen still has an
icon and the full screen.
"""

from __future__ import annotations

from pathlib import Path

from flask import (
    Blueprint,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from scorekeeper.text.i18n import LANGUAGES
from webui.pages.source import source_archive
from webui.requests.visitor import page_of_form

blueprint = Blueprint("shell", __name__)

ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-mask.png", "512x512", "image/png", "maskable"),
)
"""File, size, type and purpose; a maskable icon can be cut to any shape."""

KEPT = frozenset({".css", ".js", ".svg", ".woff2"})
"""Kinds of static files that the service worker keeps: every page needs them."""


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """The web app manifest, from which a phone makes the app on its home screen."""
    icons = [
        {"src": url_for("static", filename=name), "sizes": size, "type": kind, "purpose": purpose}
        for name, size, kind, purpose in ICONS
    ]
    page = render_template("manifest.json", icons=icons)
    return Response(page, mimetype="application/manifest+json")


@blueprint.get("/worker.js")
def worker() -> Response:
    """The service worker. Its text changes with the static files and with the language."""
    folder = Path(current_app.static_folder or "")
    kept = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in KEPT
    )
    return Response(render_template("worker.js", kept=kept), mimetype="text/javascript")


@blueprint.get("/offline")
def offline() -> str:
    """Shown by the service worker where the table does not answer."""
    return render_template("offline.html")


@blueprint.post("/language")
def choose_language() -> ResponseReturnValue:
    """Keeps the visitor's language, and goes back to the page."""
    code = request.form.get("code", "")
    if code in LANGUAGES:
        session["lang"] = code
        session.permanent = True
    return redirect(page_of_form())


@blueprint.get("/about")
def about() -> str:
    """Version, licence, source, and what browsers do not allow over plain http."""
    return render_template("about.html")


@blueprint.get("/source.zip")
def source() -> Response:
    """The source of the running version, from this machine itself (AGPL, section 13)."""
    return source_archive()
