"""Who asks: the phone, what it may do, and the language that it reads."""

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
"""A path on this machine; browsers read //, /\\ and / with a tab behind it as another machine."""


def room() -> Room:
    """The table that is served."""
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
    """The language that the visitor chose, else the first one of his browser that we speak."""
    chosen = request.args.get("lang") or session.get("lang")
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def phone() -> str:
    """The phone's name; one that has none yet gets one."""
    if "phone" not in session:
        session["phone"] = new_phone()
        session.permanent = True
    return str(session["phone"])


def by_key() -> str | None:
    """The key that a program shows: ``Authorization: Bearer KEY``."""
    word, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if word == "Bearer" else None


def json_body() -> dict[str, Any]:
    """The object that was sent; empty where it is none."""
    body: Any = request.get_json(silent=True)
    return body if isinstance(body, dict) else {}


def grant() -> Grant:
    """What the visitor may do: by a key, or else by the cookie of his phone."""
    return asker()()


def way_back() -> tuple[str, str] | None:
    """Where a player or the host came from before he looked around: the words and the address."""
    found = room().access.grant(str(session.get("phone", "")))
    if found.seat is not None:
        return gettext("My seat"), url_for("seat.show", seat=found.seat)
    return (gettext("Host"), url_for("host.show")) if found.host else None


def form_fields() -> Markup:
    """What every form of a page sends along: the page's token, and where it belongs."""
    back = _this_page() if request.method == "GET" else page_of_form()
    return Markup(
        '<input type="hidden" name="csrf_token" value="{}">'
        '<input type="hidden" name="back" value="{}">'
    ).format(generate_csrf(), back)


def _this_page() -> str:
    """The page's own address, without the key that opened it and a language that was asked for."""
    asked = [each for each in request.args.items(multi=True) if each[0] not in ("key", "lang")]
    return f"{request.path}?{urlencode(asked)}" if asked else request.path


def page_of_form() -> str:
    """The page whose form was sent; where it names none, the page that is the visitor's own."""
    try:
        back = request.form.get("back", "")
    except HTTPException:  # it is too large, or its sender has gone: that is said elsewhere
        back = ""
    if OWN_PATH.fullmatch(back):
        return back
    own = way_back()
    return url_for("board.phones") if own is None else own[1]


def taken(*, page: str | None = None, **found: object) -> ResponseReturnValue:
    """Answers a form that was taken.

    Args:
        page: Where a browser goes on that has sent it by itself; None: back to its page.
        **found: What a script is told.
    """
    if request.accept_mimetypes.best == "application/json":
        return found
    return redirect(page_of_form() if page is None else page)


def asker() -> Callable[[], Grant]:
    """Tells what the visitor may do, now or later: a stream outlives its request."""
    key = by_key()
    if key is not None:
        return partial(room().access.grant_of_key, key)
    return partial(room().access.grant, str(session.get("phone", "")))


def may_write(*, seat: int | None = None, anywhere: bool = False) -> Grant:
    """Lets a writer through, within the limits, or ends the request.

    Args:
        seat: For which seat; None for what belongs to the host.
        anywhere: Whether any phone at the table may, whatever seat it holds.
    """
    found = grant()
    if not (_plays(found) if anywhere else found.speaks_for(seat)):
        abort(403)
    within_limits(found.actor)
    return found


def _plays(found: Grant) -> bool:
    """Whether somebody is the host, or sits at a seat that this table has."""
    if found.host or found.seat is None:
        return found.host
    header = room().snapshot().header
    return header is None or found.seat < len(header.seats)


def within_limits(actor: str) -> None:
    """Counts a write, or ends the request where there were too many."""
    writes: Writes = current_app.extensions["writes"]
    if not writes.allow(actor):
        abort(429)


def name_of(found: Grant) -> str:
    """How a writer is named in the ledger: the player of his seat, or ``host``."""
    header = room().snapshot().header
    if found.seat is not None and header is not None and found.seat < len(header.seats):
        return header.seats[found.seat]
    return HOST
