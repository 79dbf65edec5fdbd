"""What protects every request: checks of host name, size, origin and token; headers; limits."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections import deque
from collections.abc import Callable
from threading import Lock
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import BadRequest

LARGEST_REQUEST = 64 * 1024
MOST_WRITES, WRITES_SECONDS = 40, 10.0
"""How often one seat or key may write in so many seconds: nobody taps that fast."""

READING = frozenset({"GET", "HEAD", "OPTIONS"})

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "media-src 'self' data:",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # a seat's link holds its key
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every answer."""

csrf = CSRFProtect()


class CrossSite(BadRequest):
    """The request was sent by another site's page."""


class Writes:
    """Limits how often one seat or key may write; the limit of one leaves the others alone.

    Args:
        clock: Tells seconds; not the time of day, as that may be set back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._written: dict[str, deque[float]] = {}

    def allow(self, actor: str) -> bool:
        """Counts a write, and says whether it is still within the limit."""
        with self._lock:
            now = self._clock()
            written = self._written.setdefault(actor, deque(maxlen=MOST_WRITES))
            if len(written) == MOST_WRITES and now - written[0] < WRITES_SECONDS:
                return False
            written.append(now)
        return True


def own_names() -> frozenset[str]:
    """The names by which a browser may call this machine, besides its addresses."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", name.split(".")[0]})


def protect(app: Flask) -> None:
    """Adds the checks, the headers and the limit of size to an application."""
    names = own_names() | {name.lower() for name in app.config["HOST_NAMES"]}
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_REQUEST,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=app.config["TLS"],
        WTF_CSRF_TIME_LIMIT=None,  # an evening lasts longer than the usual hour
        WTF_CSRF_SSL_STRICT=False,  # the Host header is checked here, and links have no Referer
    )
    csrf.init_app(app)

    @app.before_request
    def check_host() -> None:
        """Refuses other machines' names: a stranger may have pointed a name of his own here."""
        if not _is_ours(request.host, names):
            abort(421)

    @app.before_request
    def check_origin() -> None:
        """Refuses what another site's page sends, even with a token."""
        if request.method not in READING and _from_elsewhere():
            raise CrossSite

    @app.after_request
    def set_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _from_elsewhere() -> bool:
    """Whether the browser says that another site's page sent this request.

    ``Origin: null`` says nothing: our own pages send it, as they name no referrer.
    """
    origin = request.headers.get("Origin", "null")
    referrer = request.headers.get("Referer", "")
    try:
        named = [urlsplit(link).netloc for link in (origin, referrer) if link not in ("", "null")]
    except ValueError:
        return True
    elsewhere = any(place != request.host for place in named)
    return elsewhere or request.headers.get("Sec-Fetch-Site") == "cross-site"


def _is_ours(host: str, names: frozenset[str]) -> bool:
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() in names
    return True
