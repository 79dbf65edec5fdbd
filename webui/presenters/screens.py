"""Draws screens, the pages that follow the table: once a change for each role and language."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock

from flask import current_app, render_template

from scorekeeper.text.append_announcer import AppendAnnouncer
from scorekeeper.text.i18n import language
from vision.process.trace import trace
from webui.presenters.match_state import State
from webui.presenters.table_state import state
from webui.requests.addresses import TRUSTED, Address, base_of, qr_svg, served_addresses
from webui.requests.visitor import form_fields, language_code, room
from webui.table.access import VIEWER, Grant
from webui.table.snapshot import Snapshot

SCREENS = ("board", "tv", "far", "overlay", "seat", "host", "camera", "dispute")
FOR_ALL = ("tv", "far", "overlay")
"""Screens that a whole room looks at: they show only what everybody may see, whoever opens them."""

STATE = "state"
"""In place of a screen's name: the state itself, for programs that draw their own screens."""


def _role(name: str, grant: Grant) -> Grant:
    """The role that a screen is drawn for. All phones of one role see the same."""
    return VIEWER if name in FOR_ALL else grant._replace(phone="")


def screen(name: str, grant: Grant, *, at: Snapshot | None = None, **more: object) -> str:
    """A whole page, as it is first loaded.

    Args:
        name: One of ``SCREENS``.
        grant: Who looks.
        at: The table as the rest of the page shows it; as it is now where none is named.
        **more: What else the page's template needs.
    """
    snapshot = room().snapshot() if at is None else at
    code, role = language_code(), _role(name, grant)
    shown = state(snapshot, role, code)
    return render_template(
        f"{name}.html",
        screen=name,
        state=shown,
        number=f"{room().channel.run}.{snapshot.number}",
        fragment=fragment(name, shown, role, code, form_fields=form_fields),
        **more,
    )


def fragment(
    name: str,
    shown: State,
    grant: Grant,
    code: str,
    *,
    form_fields: Callable[[], str] = str,
) -> str:
    """The part of a page that changes with the table.

    Args:
        name: One of ``SCREENS``.
        shown: The table as the page shows it.
        grant: Who looks.
        code: The language.
        form_fields: Makes the hidden fields of forms. A streamed screen has none: it is the same
            for many phones, and so has no page's token. The script adds the token of its page.
    """
    return render_template(
        f"live/{name}.html",
        screen_name=name,
        state=shown,
        form_fields=form_fields,
        language=code,
        catalogue=language(code),
        **(_links() if name in ("tv", "far", "host", "camera") else {}),
        **({"access": room().access} if name in ("host", "camera") and grant.host else {}),
    )


def _links() -> dict[str, object]:
    """What a page needs to show links: addresses, QR codes."""
    config = current_app.config

    def camera_base_of(address: Address) -> str:
        """The address for the phone that is the camera; https, as its browser wants that."""
        port = config["SECURE_PORT"]
        plain = port is None or address.host in TRUSTED
        return base_of(address) if plain else f"https://{address.host}:{port}"

    return {
        "addresses": served_addresses(),
        "local": config["LOCAL"],
        "base_of": base_of,
        "camera_base_of": camera_base_of,
        "qr": qr_svg,
        "fingerprint": config["FINGERPRINT"],
    }


class Drawings:
    """The messages drawn for the latest change: the same bytes for all who see the same."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._number = 0
        self._messages: dict[tuple[str, Grant, str], bytes] = {}
        self._states: dict[tuple[Grant, str], State] = {}
        self._calls: dict[str, list[dict[str, object]]] = {}

    def ready(self, name: str, snapshot: Snapshot, grant: Grant, code: str) -> bytes | None:
        """The message, if it was drawn already; can be called outside a request."""
        with self._lock:
            if self._number != snapshot.number:
                return None
            return self._messages.get((name, _role(name, grant), code))

    def message(self, name: str, snapshot: Snapshot, grant: Grant, code: str) -> bytes:
        """One message of a stream: the screen and the calls, as JSON."""
        role = _role(name, grant)
        key = (name, role, code)
        with self._lock:
            if self._number != snapshot.number:
                self._number = snapshot.number
                self._messages, self._states, self._calls = {}, {}, {}
            if (role, code) not in self._states:
                self._states[role, code] = state(snapshot, role, code)
            if code not in self._calls:
                self._calls[code] = calls(snapshot, code)
            if key not in self._messages:
                shown = self._states[role, code]
                number = f"{room().channel.run}.{snapshot.number}"
                drawn = (
                    {"state": shown}
                    if name == STATE
                    else {"html": fragment(name, shown, role, code)}
                )
                message = {
                    "number": number,
                    "match": snapshot.match_id,
                    **drawn,
                    "calls": self._calls[code],
                }
                self._messages[key] = json.dumps(message).encode()
                trace("drawn", screen=name, number=snapshot.number)
            return self._messages[key]


def calls(snapshot: Snapshot, code: str) -> list[dict[str, object]]:
    """What is called out, the latest last, each with a number that grows.

    A correction may consist of many events; it is called once, with what it has changed.
    """
    if snapshot.match is None:
        return []
    announcer = AppendAnnouncer(snapshot.match.seated, code)
    found = []
    for number, _, news in snapshot.heard:
        called = announcer.news(news.before.match, news.events, news.now.match)
        if called:
            text = " ".join(call.text for call in called if call.text)
            found.append({"number": number, "text": text, "sound": called[-1].sound.value})
    return found


def drawings() -> Drawings:
    """The drawings of this application."""
    found: Drawings = current_app.extensions.setdefault("drawings", Drawings())
    return found
