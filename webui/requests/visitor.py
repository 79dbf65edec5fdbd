"""The visitor who sends a request: the phone, what it may do, and the language that it reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import abort, current_app, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from scorekeeper.engine.said import HOST
from scorekeeper.reports.archive import Archive
from scorekeeper.reports.tallies import Shelf
from scorekeeper.text.i18n import LANGUAGES, language
from webui.requests.security import Writes
from webui.table.access import Grant, new_phone
from webui.table.room import Room

OWN_PATH = re.compile(r"/(?![/\\])[!-~]*")
"""A path on this machine. Browsers take //, /\\ and / before a tab for another machine's name."""


def room() -> Room:
    """The table that this application serves."""
    found: Room = current_app.extensions["room"]
    return found


def shelf() -> Shelf:
    """All matches of the ledger, read again only where they have changed."""
    found: Archive = current_app.extensions["archive"]
    return found.shelf()


def gettext(message: str) -> str:
    """A message in the visitor's language."""
    return language(language_code()).gettext(message)


def language_code() -> str:
    """The language that the visitor chose, else the best one of those that the browser asks for."""
    chosen = request.args.get("lang") or session.get("lang")
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def phone() -> str:
    """The phone's name; a phone without one gets one."""
    if "phone" not in session:
        session["phone"] = new_phone()
        session.permanent = True
    return str(session["phone"])


def bearer_key() -> str | None:
    """The key that a program sends: ``Authorization: Bearer KEY``."""
    word, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if word == "Bearer" else None


def json_body() -> dict[str, Any]:
    """The JSON object that was sent; an empty one where something else was sent."""
    body: Any = request.get_json(silent=True)
    return body if isinstance(body, dict) else {}


def grant() -> Grant:
    """What the visitor may do now."""
    return grant_source()()


def way_back() -> tuple[str, str] | None:
    """The link to a player's or the host's own page: its words and its address."""
    visitor = room().access.grant(str(session.get("phone", "")))
    if visitor.seat is not None:
        return gettext("My seat"), url_for("seat.show", seat=visitor.seat)
    return (gettext("Host"), url_for("host.show")) if visitor.host else None


def form_fields() -> Markup:
    """The hidden fields of every form: the page's token, and the address of the page."""
    back = _this_page() if request.method == "GET" else page_of_form()
    return Markup(
        '<input type="hidden" name="csrf_token" value="{}">'
        '<input type="hidden" name="back" value="{}">'
    ).format(generate_csrf(), back)


def _this_page() -> str:
    """The page's own address, without ``key`` and ``lang``."""
    asked = [each for each in request.args.items(multi=True) if each[0] not in ("key", "lang")]
    return f"{request.path}?{urlencode(asked)}" if asked else request.path


def page_of_form() -> str:
    """The page whose form was sent; where the form names none, the visitor's own page."""
    try:
        back = request.form.get("back", "")
    except HTTPException:  # it cannot be read; that is being answered already
        back = ""
    if OWN_PATH.fullmatch(back):
        return back
    own = way_back()
    return url_for("board.phones") if own is None else own[1]


def accepted(*, page: str | None = None, **outcome: object) -> ResponseReturnValue:
    """Answers a form after it was carried out: a script with JSON, a browser with a page.

    Args:
        page: The page to which a browser goes; None for the page of the form.
        **outcome: The JSON.
    """
    if request.accept_mimetypes.best == "application/json":
        return outcome
    return redirect(page_of_form() if page is None else page)


def grant_source() -> Callable[[], Grant]:
    """A function that returns what the visitor may do when it is called.

    It goes by the key of the request, or else by the phone's cookie. It can be called after the
    request, as a stream lasts longer.
    """
    key = bearer_key()
    if key is not None:
        return partial(room().access.grant_of_key, key)
    return partial(room().access.grant, str(session.get("phone", "")))


def may_write(*, seat: int | None = None, anywhere: bool = False) -> Grant:
    """Ends the request unless the visitor may write, and has not written too often.

    Args:
        seat: The seat that is written for; None for what only the host may write.
        anywhere: Whether the phone of any seat may write this.

    Returns:
        What the visitor may do.
    """
    visitor = grant()
    if not (_plays(visitor) if anywhere else visitor.speaks_for(seat)):
        abort(403)
    within_limits(visitor.actor)
    return visitor


def _plays(visitor: Grant) -> bool:
    """Whether this is the host, or a seat that the match has."""
    if visitor.host or visitor.seat is None:
        return visitor.host
    header = room().snapshot().header
    return header is None or visitor.seat < len(header.seats)


def within_limits(actor: str) -> None:
    """Counts a write, and ends the request where there were too many.

    Args:
        actor: Whose writes are counted together; see ``Grant.actor``.
    """
    writes: Writes = current_app.extensions["writes"]
    if not writes.allow(actor):
        abort(429)


def name_of(visitor: Grant) -> str:
    """The name under which the ledger keeps who wrote: the seat's player, or ``host``."""
    header = room().snapshot().header
    if visitor.seat is not None and header is not None and visitor.seat < len(header.seats):
        return header.seats[visitor.seat]
    return HOST
