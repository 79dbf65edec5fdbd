"""Something else happened: what the table agrees on, from the host's page and from the phones'."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue

from scorekeeper.engine.events import NO_REMARKS, Event, parse_event
from scorekeeper.engine.match import verify
from scorekeeper.engine.said import AGREED as AGREED_BY
from scorekeeper.engine.said import Source
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, StaleAppend
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.tricks import side_of
from scorekeeper.history.fixes import Fix
from scorekeeper.messages import N_
from scorekeeper.text.names import tidy_names
from webui.requests.visitor import language_code, may_write, name_of, room, taken
from webui.table.access import Grant
from webui.table.room import Room

blueprint = Blueprint("agreed", __name__)

MOST = 99
"""Times that one entry may give or take."""
LITTLE = re.compile(r"[0-9]{1,3}")
"""A number that is not too long to be read."""


@blueprint.post("/agreed")
def say() -> ResponseReturnValue:
    """Says one entry: the event of its button, with what was filled in beside it."""
    found = may_write(anywhere=True)
    form, table = request.form, room().table
    match_id, seen = form.get("match", type=int), form.get("seen", type=int)
    moment = table.moment
    if not found.host and (found.seat is None or found.seat >= moment.match.seats):
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
    if found.host and "asked" in form:
        sides = {side for side in (0, 1) if str(side) in form.getlist("agreed")}
    outcome = agree(room(), found, event, seen=seen, sides=sides)
    if outcome.proposed is None and event.do == "player" and "new_link" in form and found.host:
        assert event.seat is not None
        room().access.revoke_seat(event.seat)
        room().changed()
    return taken(seq=outcome.seq, proposed=outcome.proposed)


def _unlike_the_others(event: Event, match: Match) -> str:
    """The tidy name of who takes over a seat; where another seat has it, with a number."""
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
        proposed: The number of the proposal that waits for the other side; None where it was said.
    """

    seq: int
    proposed: int | None = None


def agree(
    room: Room, found: Grant, event: Event, *, seen: int, sides: Collection[int] | None = None
) -> Outcome:
    """Says an event that the table agrees on, or asks the other side where that takes its word.

    Args:
        room: The table.
        found: Who enters it; a seat, or the host.
        event: What.
        seen: The number of events that was seen.
        sides: The host's word on which sides agree; None where it was not asked.

    Raises:
        RuleError: It is not possible now.
        StaleAppend: Something else was said meanwhile.
    """
    table = room.table
    moment, events = table.log()
    match, event = moment.match, event._replace(remarks=NO_REMARKS)
    seat = None if found.host else found.seat
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
    moment = table.say(event, seen=seen, source=Source.PHONE, who=name_of(found))
    return Outcome(moment.seq)
