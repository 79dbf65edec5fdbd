"""The API: reads the table's state and events, and appends events; see ``docs/api.md``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from scorekeeper.engine.events import Event, is_whole, parse_event
from scorekeeper.engine.said import WHO, Source
from scorekeeper.errors import FormatError, StaleAppend
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.rules import OPERATOR_VERBS
from scorekeeper.history.fixes import carry_out, parse_fix
from scorekeeper.history.repairs import must_agree
from scorekeeper.history.suits import enter_card
from scorekeeper.messages import N_
from scorekeeper.storage.table import Table
from webui.pages.agreed import agree
from webui.pages.live import follow
from webui.presenters.screens import STATE
from webui.presenters.table_state import state
from webui.requests.security import csrf
from webui.requests.visitor import (
    bearer_key,
    grant,
    json_body,
    language_code,
    may_write,
    name_of,
    room,
)

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")

MOST_EVENTS = 1000
"""How many events one answer has at most."""


@blueprint.get("/state")
def show_state() -> Response:
    """The table, as the visitor may see it."""
    return jsonify(state(room().snapshot(), grant(), language_code()))


@blueprint.get("/events")
def show_events() -> Response:
    """The events of the match after the number ``?since=``, with their remarks."""
    since = request.args.get("since", 0, type=int)
    snapshot = room().snapshot()
    events = snapshot.events[max(since, 0) :][:MOST_EVENTS]
    return jsonify(
        {
            "match": snapshot.match_id,
            "seq": len(snapshot.events),
            "events": [event.to_json() for event in events],
        }
    )


@blueprint.get("/stream")
def stream() -> Response:
    """A stream of the state: whole after each change, with its number and what is called out."""
    return follow(STATE)


@blueprint.before_request
def check_token() -> None:
    """Asks for the page's token, unless there is a key: other sites' pages can send cookies."""
    if bearer_key() is None:
        csrf.protect()


@blueprint.post("/events")
def say() -> ResponseReturnValue:
    """Appends one event: ``{"match": 7, "seen": 12, "event": {"do": "play", …}}``.

    ``match`` may be left out by a program that knows that no other match has begun meanwhile.

    A ``play`` may have a ``rank`` in place of its card, with or without a ``suit`` (V-12). A second
    tap on the same button changes nothing.
    """
    request.get_data()  # waits for a slow sender first: the table may change until then
    table = room().table
    moment, events = table.log()
    match, body = moment.match, _body(table)
    said = body.get("event")
    if not isinstance(said, dict):
        raise FormatError(N_("an append names the number that it has seen, and an event"))
    # Only the program makes remarks, whose names begin with _.
    said = {key: value for key, value in said.items() if not key.startswith("_")}
    by_rank = said.get("do") == "play" and "card" not in said
    if by_rank:
        event = parse_event({**said, "do": "deal", "cards": 0}, verbs={"deal"}, seats=match.seats)
        event = event._replace(do="play", cards=None)
    else:
        event = parse_event(said, verbs=match.header.verbs, seats=match.seats)
    visitor = may_write(
        seat=None if event.do in OPERATOR_VERBS else event.seat,
        # Anybody may report a card that was shown in dealing (V-7). Agreements ask the other side.
        anywhere=event.do == "misdeal" or event.do in AGREED,
    )
    if not visitor.host and (visitor.seat is None or visitor.seat >= match.seats):
        abort(403)
    who, seen = name_of(visitor), body["seen"]
    if seen != moment.seq:
        if _said_already(events, seen, said, who):
            return jsonify({"seq": moment.seq})
        raise StaleAppend(seen=seen, now=moment.seq)
    if event.do in AGREED:
        return jsonify(agree(room(), visitor, event, seen=seen)._asdict())
    spoken: tuple[Event, ...] = (event,)
    if by_rank and event.seat is not None:
        spoken = enter_card(match, events, event.seat, str(said.get("rank")), said.get("suit"))
    elif event.card is not None and event.seat is not None:
        spoken = enter_card(match, events, event.seat, event.card.rank, event.card.suit)
    try:
        moment = table.say(*spoken, seen=seen, source=Source.PHONE, who=who)
    except StaleAppend:  # somebody was quicker just now; perhaps the same tap
        moment, events = table.log()
        if not _said_already(events, seen, said, who):
            raise
    return jsonify({"seq": moment.seq})


@blueprint.post("/repairs")
def repair() -> ResponseReturnValue:
    """Corrects the match: ``{"match": 7, "seen": 12, "repair": …}`` with a token of ``/repairs``.

    A correction against the other side, or in its name, is only proposed to it, where both sides
    hold phones.
    """
    request.get_data()
    visitor = may_write(anywhere=True)
    table = room().table
    body = _body(table)
    moment, events = table.log()
    if moment.seq != body["seen"]:
        raise StaleAppend(seen=body["seen"], now=moment.seq)
    token = body.get("repair")
    correction = carry_out(moment.match, events, token)
    seat, other = visitor.seat, room().side_to_ask(visitor)
    if (
        seat is not None
        and other is not None
        and isinstance(token, dict)
        and must_agree(other, parse_fix(moment.match, token), moment.match, correction.match)
    ):
        made = room().proposals.make(
            table.match_id, seat=seat, repair=token, match=moment.match, events=events
        )
        return jsonify({"seq": moment.seq, "proposed": made.number})
    if correction.events:
        who = name_of(visitor)
        moment = table.say(*correction.events, seen=moment.seq, source=Source.PHONE, who=who)
    return jsonify({"seq": moment.seq})


@blueprint.post("/answers")
def answer() -> ResponseReturnValue:
    """Answers what the camera asks: ``{"question": "1.1.7", "answer": "play K"}``."""
    body = json_body()
    name, key = body.get("question"), body.get("answer")
    if not isinstance(name, str) or not isinstance(key, str):
        raise FormatError(N_("an answer names its question"))
    camera = room().camera
    if camera is None:
        abort(404)
    asked = camera.asked(name)
    seat = None if asked is None else asked.question.seat
    visitor = may_write(seat=seat, anywhere=seat is None)
    seq = room().table.moment.seq
    if not camera.answer(name, key, who=name_of(visitor)):
        raise StaleAppend(seen=seq, now=room().table.moment.seq)
    return jsonify({"seq": room().table.moment.seq})


@blueprint.get("/questions/<name>.jpg")
def question_picture(name: str) -> ResponseReturnValue:
    """The picture of a question, for those who may see it."""
    camera = room().camera
    asked = None if camera is None else camera.asked(name)
    if asked is None or not asked.picture:
        abort(404)
    from webui.presenters.camera_state import may_see  # late, as the camera itself

    if not may_see(asked.question, grant()):
        abort(403)
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(asked.picture, mimetype="image/jpeg", headers=headers)


def _body(table: Table) -> dict[str, Any]:
    """The JSON that was sent to append something to a table's match.

    Raises:
        FormatError: It has no ``seen``.
        StaleAppend: It names another match.
    """
    body = json_body()
    if not is_whole(body.get("seen")):
        raise FormatError(N_("an append names the number that it has seen, and an event"))
    named = body.get("match", table.match_id)
    if not is_whole(named) or named != table.match_id:
        raise StaleAppend(seen=body["seen"], now=table.moment.seq)
    return body


def _said_already(events: Sequence[Event], seen: int, said: dict[str, Any], who: str) -> bool:
    """Whether the event was appended already, by the first of two taps on one button."""
    if not 0 <= seen < len(events):
        return False
    kept = events[seen]
    same = kept.remarks.get(WHO) == who and kept.do == said.get("do")
    if kept.card is not None and "rank" in said:
        return same and kept.seat == said.get("seat") and kept.card.rank == said["rank"]
    return same and kept.bare().to_json() == said
