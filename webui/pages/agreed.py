"""Agreements of the table: the forms under "Something else happened" on host and phones."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue

from scorekeeper.engine.events import NO_REMARKS, Event, parse_event
from scorekeeper.engine.match import verify
from scorekeeper.engine.said import AGREED_BY, Source
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, StaleAppend
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.tricks import side_of
from scorekeeper.history.fixes import Fix
from scorekeeper.messages import N_
from scorekeeper.text.names import tidy_names
from webui.requests.visitor import accepted, language_code, may_write, name_of, room
from webui.table.access import Grant
from webui.table.room import Room

blueprint = Blueprint("agreed", __name__)

MOST = 99
"""How many times one entry may give or take what its button says."""
LITTLE = re.compile(r"[0-9]{1,3}")
"""A number with few digits, which is safe to read."""


@blueprint.post("/agreed")
def say() -> ResponseReturnValue:
    """Enters one agreement: the event of a button, with what was filled in beside it."""
    visitor = may_write(anywhere=True)
    form, table = request.form, room().table
    match_id, seen = form.get("match", type=int), form.get("seen", type=int)
    moment = table.moment
    if not visitor.host and (visitor.seat is None or visitor.seat >= moment.match.seats):
        abort(403)
    if match_id != table.match_id or seen != moment.seq:
        raise StaleAppend(seen=seen or 0, now=moment.seq)
    said: Any = None
    with suppress(ValueError):
        said = current_app.json.loads(form.get("event", ""))
    if not isinstance(said, dict) or str(said.get("do")) not in AGREED:
        abort(400)
    said = {key: value for key, value in said.items() if not key.startswith("_")}
    said = filled_in(said, form)
    if said["do"] == "player" and "name" not in said:
        raise FormatError(N_("say who plays from here on"))
    event = parse_event(said, verbs=moment.match.header.verbs, seats=moment.match.seats)
    if event.name is not None and event.seat is not None:
        event = event._replace(name=_unlike_the_others(event, moment.match))
    sides = None
    if visitor.host and "asked" in form:
        sides = {side for side in (0, 1) if str(side) in form.getlist("agreed")}
    outcome = agree(room(), visitor, event, seen=seen, sides=sides)
    if outcome.proposed is None and event.do == "player" and "new_link" in form and visitor.host:
        assert event.seat is not None
        room().access.revoke_seat(event.seat)
        room().changed()
    return accepted(seq=outcome.seq, proposed=outcome.proposed)


def _unlike_the_others(event: Event, match: Match) -> str:
    """The tidy name of a new player; with a number where another seat has the same name."""
    assert event.seat is not None
    assert event.name is not None
    names, code = list(match.seated.seats), language_code()
    names[event.seat] = event.name
    own = tidy_names(names, code)[event.seat]
    del names[event.seat]
    return tidy_names([*names, own], code)[-1]


def filled_in(said: Mapping[str, Any], form: Mapping[str, str]) -> dict[str, Any]:
    """The event of a button, with what was filled in beside it.

    Raises:
        FormatError: How often it counts is no number that an entry may have.
    """
    row = AGREED.get(str(said.get("do")))
    found = dict(said)
    if row is None:
        return found
    times = form.get("points", "1").strip()
    if "points" in found:
        if not LITTLE.fullmatch(times) or not 0 < int(times) <= MOST:
            raise FormatError(N_("write a number from 1 to {most}"), most=MOST)
        found |= {key: found[key] * int(times) for key in ("points", "smalls")
                  if isinstance(found.get(key), int)}  # fmt: skip
    for key in ("name", "note"):
        text = " ".join(form.get(key, "").split())
        if key in (*row.needs, *row.may) and text:
            found[key] = text
    return found


class Outcome(NamedTuple):
    """What became of an entry.

    Attributes:
        seq: The number of the latest event.
        proposed: The number of the proposal that waits for the other side; None where none does.
    """

    seq: int
    proposed: int | None = None


def agree(
    room: Room, visitor: Grant, event: Event, *, seen: int, sides: Collection[int] | None = None
) -> Outcome:
    """Appends an event that the table agrees on; or proposes it, where the other side must agree.

    Args:
        room: The table.
        visitor: Who enters it: a seat, or the host.
        event: The event.
        seen: The match's sequence number that the visitor has seen.
        sides: The sides that agree, as the host says; None where the host was not asked.

    Raises:
        RuleError: The event is not possible now.
        StaleAppend: Another event came first.
    """
    table = room.table
    moment, events = table.log()
    match, event = moment.match, event._replace(remarks=NO_REMARKS)
    seat = None if visitor.host else visitor.seat
    agreed: list[int] | None = None
    if seat is not None:
        agreed = [seat]
        others = AGREED[event.do].sides(event) - {side_of(seat)}
        if others and room.asks_both_sides():
            verify(match, event)
            token = Fix("insert", None, (event,)).to_json()
            made = room.proposals.make(
                table.match_id, seat=seat, repair=token, match=match, events=events
            )
            return Outcome(moment.seq, made.number)
    elif sides is not None:
        agreed = [one for one in range(match.seats) if side_of(one) in sides]
    if agreed is not None:
        event = event._replace(remarks={AGREED_BY: agreed})
    moment = table.say(event, seen=seen, source=Source.PHONE, who=name_of(visitor))
    return Outcome(moment.seq)
