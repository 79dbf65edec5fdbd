"""The Flask application: pages and API of one real table."""

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
VERSION = version("trucam")  # read once: it comes from a file, and every page shows it


def create_app(room: Room, *, name: str = "table", tls: bool = False, **config: Any) -> Flask:
    """Makes the application.

    Args:
        room: The table that it serves.
        name: The table's name. Its cookies are named after it, as two tables on one machine must
            not share them.
        tls: Whether browsers reach it by https.
        **config: More settings for Flask; see ``bare_app`` for those of this program.
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
    security.csrf.exempt(api.blueprint)  # it checks the token itself, unless there is a key
    security.csrf.exempt(phone.blueprint)  # each of its requests needs the camera's key
    return app


class Served(Protocol):
    """What an application serves: a table, or a club's hall."""

    ledger: Ledger

    @property
    def access(self) -> Access:
        """Keys and phones."""


def bare_app(served: Served, *, name: str, tls: bool, **config: Any) -> Flask:
    """Makes an application with what a table and a club's hall share, and without their pages.

    Args:
        served: What it serves; ``webui.requests.visitor.room`` returns it in a request.
        name: See ``create_app``.
        tls: See ``create_app``.
        **config: Settings for Flask in place of the ones below. ``HOST_NAMES`` are further names of
            this machine; ``LOCAL`` says whether only this machine can open pages; ``OWN_TABLE``
            ends a demo; ``SECURE_PORT`` and ``FINGERPRINT`` belong to the https server for the
            phone that is the camera.
    """
    app = Flask(__name__)
    app.config.from_mapping(
        SECRET_KEY=served.access.cookie_secret,
        # A cookie's name must be ASCII, whatever the table's name.
        SESSION_COOKIE_NAME=f"trucam_{name if name.isascii() else name.encode().hex()}",
        PERMANENT_SESSION_LIFETIME=timedelta(seconds=YEAR),
        # Only answers that change the session send its cookie. Otherwise a late answer to an older
        # request (a stream, an icon) would take back the language that was chosen meanwhile.
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
        "undefined": StrictUndefined,  # a misspelt name is an error, not an empty text
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
    """What all templates may use."""
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
    """A version of the static files, for their addresses: browsers load a new one anew."""
    digest = sha256()
    for path in sorted((Path(__file__).parent / "static").iterdir()):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _http_error(error: HTTPException) -> Response | tuple[str, int] | HTTPException:
    """Answers an HTTP error with one sentence, in place of Flask's page."""
    if error.response is not None:
        return error
    if error.code == MISDIRECTED:  # the links of a whole page would lead to the wrong name again
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
    """Answers where the referee or the ledger has refused: with a sentence and a status."""
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
        # The error may name paths and quote the database: only the host may read that.
        log.error("%s", error)
        sentence = (
            gettext(UNWRITTEN)
            if request.method == "POST"
            else gettext("This table's computer cannot read that. Its terminal says why.")
        )
        return _answer(f"{sentence} {error}" if grant().host else sentence, 503)
    in_words = getattr(error, "sentence", None)  # errors of the camera's modules can be translated
    return _answer(str(error) if in_words is None else in_words(gettext), 400)


def _answer(sentence: str, status: int, error: str | None = None) -> Response | tuple[str, int]:
    # JSON for scripts. They also ask for the pieces of a page under /repairs/.
    if (
        request.path.startswith(("/api/", "/repairs/", "/phone/"))
        or request.accept_mimetypes.best == "application/json"
    ):
        response = jsonify({"error": error or str(status), "sentence": sentence})
        response.status_code = status
        return response
    back = page_of_form() if request.method == "POST" else None
    return render_template("error.html", sentence=sentence, back=back), status
