"""The application: one real table, its board, its seats and its host."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask_wtf.csrf import CSRFError
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from scorekeeper.errors import (
    LedgerError,
    RuleError,
    ScorekeeperError,
    StaleAppend,
    TournamentError,
)
from scorekeeper.messages import N_
from scorekeeper.reports.archive import Archive
from scorekeeper.storage.ledger import Ledger
from scorekeeper.text.i18n import LANGUAGES, language
from scorekeeper.text.phrases import Voice
from webui.pages import (
    afterwards,
    agreed,
    api,
    board,
    camera,
    deck,
    dispute,
    host,
    insight,
    live,
    phone,
    players,
    repairs,
    rules,
    seat,
    shell,
)
from webui.requests import security
from webui.requests.addresses import addresses
from webui.requests.reading import TableJSON, TableRequest
from webui.requests.sessions import TimelessSessions
from webui.requests.visitor import (
    form_fields,
    gettext,
    grant,
    language_code,
    page_of_form,
    room,
    way_back,
)
from webui.requests.wording import UNWRITTEN, use_catalogues
from webui.table.access import Access
from webui.table.memory import TableError
from webui.table.room import Room

log = logging.getLogger(__name__)

YEAR = 365 * 24 * 3600
MISDIRECTED = 421
SENTENCES = {
    400: N_("That could not be understood; load the page again."),
    403: N_("This phone can only watch; scan a seat's code to play."),
    404: N_("There is no such page here."),
    413: N_("That is more than this table can handle."),
    405: N_("There is no such page here."),
    429: N_("That was too quick; wait a moment and tap again."),
    500: N_("Something went wrong here; load the page again."),
}
"""What is said of an HTTP status."""
VERSION = version("trucam")  # is read from a file, and pages name it often


def create_app(room: Room, *, name: str = "table", tls: bool = False, **config: Any) -> Flask:
    """Makes the application.

    Args:
        room: The table that it serves.
        name: The table's name; two tables on one machine must not share cookies.
        tls: Whether browsers reach it by https.
        **config: More settings for Flask; ``HOST_NAMES`` are further names of this machine.
    """
    app = bare_app(room, name=name, tls=tls, **config)
    for blueprint in (
        board,
        seat,
        host,
        camera,
        insight,
        phone,
        deck,
        repairs,
        afterwards,
        players,
        agreed,
        dispute,
        rules,
        live,
        api,
    ):
        app.register_blueprint(blueprint.blueprint)
    if room.camera is not None and room.camera.film is not None:
        from webui.pages import film  # late: it loads OpenCV and ONNX Runtime

        app.register_blueprint(film.blueprint)
    security.csrf.exempt(api.blueprint)  # it checks by itself whether there is a key instead
    security.csrf.exempt(phone.blueprint)  # it asks for the camera's key each time
    return app


class Served(Protocol):
    """What an application serves: a table, or a club's hall."""

    ledger: Ledger

    @property
    def access(self) -> Access:
        """Keys and phones."""


def bare_app(served: Served, *, name: str, tls: bool, **config: Any) -> Flask:
    """An application without pages of its own: what holds for each request to any of them.

    Args:
        served: What it serves; ``room`` of ``webui.requests.visitor`` finds it again.
        name: As of ``create_app``.
        tls: As of ``create_app``.
        **config: As of ``create_app``.
    """
    app = Flask(__name__)
    app.config.from_mapping(
        SECRET_KEY=served.access.cookie_secret,
        # Cookies have plain names, whatever the table's alphabet.
        SESSION_COOKIE_NAME=f"trucam_{name if name.isascii() else name.encode().hex()}",
        PERMANENT_SESSION_LIFETIME=timedelta(seconds=YEAR),
        # Only what changes the session sends its cookie. A late answer to an earlier request, of a
        # stream or an icon, would else take back the language that was chosen meanwhile.
        SESSION_REFRESH_EACH_REQUEST=False,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
        HOST_NAMES=(),
        TLS=tls,
        SCHEME="https" if tls else "http",
        PORT=80,
        SECURE_PORT=None,
        FINGERPRINT="",
        LOCAL=True,
        OWN_TABLE=None,
        LINKS="links.html",
        SENTENCES=SENTENCES,
        ADDRESSES=addresses,
    )
    app.config.from_mapping(config)
    app.jinja_options = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "undefined": StrictUndefined,  # a name that is misspelt is no empty text
    }
    app.request_class, app.json = TableRequest, TableJSON(app)
    app.session_interface = TimelessSessions()
    app.extensions["room"] = served
    app.extensions["archive"] = Archive(served.ledger)
    app.extensions["writes"] = security.Writes()
    security.protect(app)
    use_catalogues(app)
    app.register_blueprint(shell.blueprint)
    app.context_processor(_for_all_pages)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(ScorekeeperError, _refused)
    return app


def _for_all_pages() -> dict[str, Any]:
    code = language_code()
    return {
        "version": VERSION,
        "assets": _assets(),
        "filmed": "film" in current_app.blueprints,
        "links": current_app.config["LINKS"],
        "languages": LANGUAGES,
        "language": code,
        "catalogue": language(code),
        "way_back": way_back,
        "form_fields": form_fields,
    }


@cache
def _assets() -> str:
    """Changes with what browsers keep: style, scripts, pictures."""
    digest = sha256()
    for path in sorted((Path(__file__).parent / "static").iterdir()):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _http_error(error: HTTPException) -> Response | tuple[str, int] | HTTPException:
    """One sentence instead of a page of the server's own."""
    if error.response is not None:
        return error
    if error.code == MISDIRECTED:  # a page would link to the name that was called
        sentence = gettext("This table does not answer to that name.")
        return Response(sentence, MISDIRECTED, mimetype="text/plain")
    known = current_app.config["SENTENCES"].get(error.code or 500)
    sentence = gettext(known) if known is not None else error.description or error.name
    if isinstance(error, CSRFError):
        sentence = gettext("This page is too old; load it again.")
    if isinstance(error, security.CrossSite):
        sentence = gettext("This came from another site; open the table's own page.")
    return _answer(sentence, error.code or 500)


def _refused(error: ScorekeeperError) -> Response | tuple[str, int]:
    """What the referee or the ledger refuses, as a sentence and a status."""
    if isinstance(error, StaleAppend):
        return _answer(gettext("Somebody was quicker; look again."), 409, error="stale")
    if isinstance(error, RuleError):
        header = None if isinstance(error, TournamentError) else room().snapshot().header
        sentence = (
            error.sentence(gettext)
            if header is None
            else Voice(header, language_code()).refusal(error)
        )
        return _answer(sentence, 422, error=error.rule)
    if isinstance(error, LedgerError | TableError):
        # Paths, and what a database says, are for whoever runs the computer.
        log.error("%s", error)
        sentence = (
            gettext(UNWRITTEN)
            if request.method == "POST"
            else gettext("This table's computer cannot read that. Its terminal says why.")
        )
        return _answer(f"{sentence} {error}" if grant().host else sentence, 503)
    in_words = getattr(error, "sentence", None)  # errors that the camera's modules make have one
    return _answer(str(error) if in_words is None else in_words(gettext), 400)


def _answer(sentence: str, status: int, error: str | None = None) -> Response | tuple[str, int]:
    # What only scripts ask for, they also read: a sheet is put into a page that stands.
    if (
        request.path.startswith(("/api/", "/repairs/", "/phone/"))
        or request.accept_mimetypes.best == "application/json"
    ):
        response = jsonify({"error": error or str(status), "sentence": sentence})
        response.status_code = status
        return response
    back = page_of_form() if request.method == "POST" else None
    return render_template("error.html", sentence=sentence, back=back), status
