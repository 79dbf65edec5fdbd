"""What a phone keeps of the pages to install them: names and icons, a service worker, a page.

Browsers run a service worker on secure pages only: on this machine itself, and over https with a
certificate that the phone trusts (``--tls``). Elsewhere a home screen gets icon and full screen.
"""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, render_template, url_for

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
