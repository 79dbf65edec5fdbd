"""What every application has: language, licence, source, and what a phone keeps to install it.

Browsers run a service worker on secure pages only: on this machine itself, and over https with a
certificate that the phone trusts (``--tls``). Elsewhere a home screen gets icon and full screen.
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
"""File, size, kind, and purpose: a maskable one may be cut to any shape."""

KEPT = frozenset({".css", ".js", ".svg", ".woff2"})
"""What every page is made of."""


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a home screen asks for."""
    icons = [
        {"src": url_for("static", filename=name), "sizes": size, "type": kind, "purpose": purpose}
        for name, size, kind, purpose in ICONS
    ]
    page = render_template("manifest.json", icons=icons)
    return Response(page, mimetype="application/manifest+json")


@blueprint.get("/worker.js")
def worker() -> Response:
    """The service worker; another one with each version of what it keeps, and each language."""
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
