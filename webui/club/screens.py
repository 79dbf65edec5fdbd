"""Draws the hall's screens: once after each change for each screen and language."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock
from typing import Any

from flask import current_app, render_template

from scorekeeper.storage.hall import HallMoment, Live
from scorekeeper.storage.table import Moment
from scorekeeper.text.i18n import language
from webui.club.room import Club, ClubSnapshot
from webui.presenters.hall_state import hall_state, news_of
from webui.presenters.match_state import State
from webui.presenters.table_state import state
from webui.requests.addresses import base_of, qr_svg, served_addresses
from webui.table.access import VIEWER
from webui.table.snapshot import Snapshot

SCREENS = ("board", "tv", "overlay", "host")
LARGE_ROWS = 12
"""Rows of the standing that a TV has room for."""


def club() -> Club:
    """The hall that this application serves."""
    found: Club = current_app.extensions["room"]
    return found


def one_table(live: Live, code: str) -> State:
    """The state of a table's match, as the table's own board shows it to everybody."""
    names = len(live.match.seated.seats)
    snapshot = Snapshot(
        live.at, None, None, live.entry.id, Moment(live.seq, live.match), live.events,
        (False,) * names, (),
    )  # fmt: skip
    return state(snapshot, VIEWER, code)


def large(hall: HallMoment, shown: State) -> Live | None:
    """The match that the hall's screens show large: of those that may end now, the longest one."""
    at_stake = [table["table"] for table in shown["tables"] if table["at_stake"]]
    return max((hall.tables[table] for table in at_stake), key=lambda one: one.seq, default=None)


def whole(snapshot: ClubSnapshot, code: str) -> State:
    """The state that the hall's screens are drawn from."""
    hall = snapshot.hall
    if hall is None:
        return {"stage": "none", "lost": snapshot.lost, "seq": 0}
    shown = hall_state(hall, code)
    big = large(hall, shown)
    news = [news_of(one.live, code) for one in reversed(snapshot.happened)]
    return shown | {
        "role": {"seat": None, "host": False},  # nobody can tap a table's cards in the hall
        "lost": snapshot.lost,
        "large": None if big is None else one_table(big, code) | {"table": big.table},
        "news": [one for one in news if one is not None],
    }


def fragment(name: str, shown: State, code: str, form_fields: Callable[[], str] = str) -> str:
    """The part of a screen that changes with the hall.

    Args:
        name: One of ``SCREENS``, or ``table``.
        shown: What it shows.
        code: The language.
        form_fields: Makes the hidden fields of forms; see ``presenters.screens.fragment``.
    """
    return render_template(
        f"club/live/{name}.html",
        screen_name="tv" if name == "overlay" else name,
        state=shown,
        language=code,
        catalogue=language(code),
        form_fields=form_fields,
        addresses=served_addresses(),
        local=current_app.config["LOCAL"],
        base_of=base_of,
        qr=qr_svg,
        rows=LARGE_ROWS,
    )


class Drawings:
    """The messages drawn for the latest change: the same bytes for all who see the same."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._number = -1
        self._messages: dict[tuple[str, str], bytes] = {}
        self._states: dict[str, State] = {}

    def ready(self, name: str, snapshot: ClubSnapshot, code: str) -> bytes | None:
        """The message, if it was drawn already; can be called outside a request."""
        with self._lock:
            if self._number != snapshot.number:
                return None
            return self._messages.get((name, code))

    def message(self, name: str, snapshot: ClubSnapshot, code: str, run: str) -> bytes:
        """One message of a stream: the screen and the calls, as JSON.

        Args:
            name: One of ``SCREENS``, or a table's screen such as ``table/3``.
            snapshot: The hall.
            code: The language.
            run: The name of this run of the program; see ``Channel``.
        """
        with self._lock:
            if self._number != snapshot.number:
                self._number = snapshot.number
                self._messages, self._states = {}, {}
            if (name, code) not in self._messages:
                message = {
                    "number": f"{run}.{snapshot.number}",
                    "match": None,
                    "html": self._html(name, snapshot, code),
                    "calls": calls(snapshot, code),
                    "tables": {table: live.seq for table, live in snapshot.tables.items()},
                }
                self._messages[name, code] = json.dumps(message).encode()
            return self._messages[name, code]

    def _html(self, name: str, snapshot: ClubSnapshot, code: str) -> str:
        if name.startswith("table/"):
            return table_fragment(int(name.removeprefix("table/")), snapshot, code)
        if code not in self._states:
            self._states[code] = whole(snapshot, code)
        return fragment(name, self._states[code], code)


def table_fragment(table: int, snapshot: ClubSnapshot, code: str) -> str:
    """The board of one table; where none plays there, it says so."""
    live = snapshot.tables.get(table)
    shown = {"stage": "none"} if live is None else one_table(live, code)
    return fragment("table", shown | {"table": table}, code)


def calls(snapshot: ClubSnapshot, code: str) -> list[dict[str, Any]]:
    """What is called out in the hall: the ends of matches, the latest last."""
    found = []
    for number, _, live in snapshot.happened:
        call = news_of(live, code)
        if call is not None and call["ended"]:
            text = language(code).gettext("Table {table}: {words}")
            found.append(
                {
                    "number": number,
                    "text": text.format(table=call["table"], words=call["text"]),
                    "sound": "trick",
                }
            )
    return found


def drawings() -> Drawings:
    """The drawings of this application."""
    found: Drawings = current_app.extensions.setdefault("drawings", Drawings())
    return found
