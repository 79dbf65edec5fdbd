"""The API, in the words of the record: state, events since a number, append."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from scorekeeper.errors import FormatError, StaleAppend
from scorekeeper.events import Event, is_whole, parse_event
from scorekeeper.messages import N_
from scorekeeper.said import WHO, Source
from scorekeeper.table import Table
from webui.public import state
from webui.visitor import grant, language_code, may_write, name_of, room

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
"""For pages: a cookie says who writes, so writing asks for the page's token."""

programs = Blueprint("programs", __name__, url_prefix="/api/v1/key")
"""For programs: a key says who writes, and no cookie does."""

LONGEST = 1000
"""Events in one answer."""


@blueprint.get("/state")
def show_state() -> Response:
    """The table as the asker may see it."""
    return jsonify(state(room().snapshot(), grant(), language_code()))


@blueprint.get("/events")
def show_events() -> Response:
    """The events of the match after the number ``?since=``, with their remarks."""
    since = request.args.get("since", 0, type=int)
    snapshot = room().snapshot()
    events = snapshot.events[max(since, 0) :][:LONGEST]
    return jsonify(
        {
            "match": snapshot.match_id,
            "seq": len(snapshot.events),
            "events": [event.to_json() for event in events],
        }
    )


@blueprint.post("/events")
def say() -> ResponseReturnValue:
    """Appends one event: ``{"seen": 12, "event": {"do": "play", "seat": 1, "card": "KS"}}``."""
    return _say()


@programs.post("/events")
def say_by_key() -> ResponseReturnValue:
    """The same for a program, with ``Authorization: Bearer KEY``."""
    if not request.headers.get("Authorization", "").startswith("Bearer "):
        abort(403)
    return _say()


def _say() -> ResponseReturnValue:
    table = room().table
    seen, event = read_body(table)
    found = may_write(seat=event.seat if event.do in _seat_verbs(table) else None)
    who = name_of(found)
    try:
        moment = table.say(event, seen=seen, source=Source.PHONE, who=who)
    except StaleAppend:
        if not _said_already(table, seen, event, who):
            raise
        moment = table.moment
    return jsonify({"seq": moment.seq})


def read_body(table: Table) -> tuple[int, Event]:
    """The number that the writer has seen, and what he says.

    Raises:
        FormatError: The body is none of this kind.
    """
    body: Any = request.get_json(silent=True)
    if not isinstance(body, dict) or not is_whole(body.get("seen")):
        raise FormatError(N_("an append names the number that it has seen, and an event"))
    match = table.moment.match
    data = body.get("event")
    if isinstance(data, dict):  # remarks are the program's to make
        data = {key: value for key, value in data.items() if not key.startswith("_")}
    return body["seen"], parse_event(data, verbs=match.header.verbs, seats=match.seats)


def _seat_verbs(table: Table) -> frozenset[str]:
    from scorekeeper.rules import OPERATOR_VERBS

    return table.moment.match.header.verbs - OPERATOR_VERBS


def _said_already(table: Table, seen: int, event: Event, who: str) -> bool:
    """Whether this is the second tap on one button: it was kept, and is not refused."""
    _, events = table.log()
    if not 0 <= seen < len(events):
        return False
    kept = events[seen]
    return kept.bare() == event.bare() and kept.remarks.get(WHO) == who
