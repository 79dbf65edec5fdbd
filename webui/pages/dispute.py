"""Disputes: the people of the table look again at a trick or a call, and agree on a correction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.engine.events import Event, is_whole
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import Source
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, StaleAppend
from scorekeeper.games.tricks import side_of
from scorekeeper.history import repairs
from scorekeeper.history.disputes import may_be_shown
from scorekeeper.history.fixes import carry_out
from scorekeeper.history.provenance import Provenance
from scorekeeper.history.repairs import Kind, Repair
from scorekeeper.messages import N_
from scorekeeper.reports.cases import Case, Exhibit, agreed, agreements, cases, concerning
from scorekeeper.reports.explain import title
from scorekeeper.storage.media import Kept
from scorekeeper.text.narrator import Narrator
from webui.pages.repairs import CARDS, grouped, missed
from webui.presenters.poster import poster, where
from webui.presenters.screens import screen
from webui.requests.visitor import (
    accepted,
    grant,
    json_body,
    language_code,
    may_write,
    name_of,
    room,
)
from webui.table.access import Grant
from webui.table.proposals import Proposal
from webui.table.snapshot import Snapshot

blueprint = Blueprint("dispute", __name__, url_prefix="/dispute")

KINDS = {".jpg": "image/jpeg", ".mp4": "video/mp4"}
PRIVATE = {"Cache-Control": "private, no-cache"}
"""A browser asks again each time: a picture may be forgotten, or be hidden after an undo."""


class Seen(NamedTuple):
    """A match that one of its people looks at again.

    Attributes:
        snapshot: The table.
        match_id: The match's number.
        match: The match.
        events: All its events, ``undo`` ones too.
        here: Whether the table plays it now; no other match can be corrected.
    """

    snapshot: Snapshot
    match_id: int
    match: Match
    events: Sequence[Event]
    here: bool

    def seat(self, visitor: Grant) -> int | None:
        """The visitor's seat, if this match has it."""
        return (
            visitor.seat if visitor.seat is not None and visitor.seat < self.match.seats else None
        )

    def case(self, number: int) -> tuple[Case, Exhibit] | None:
        """The trick or call that an event belongs to, and the event in it; None if to none."""
        found = [
            (case, exhibit)
            for case in cases(self.match, self.events, language_code())
            if (exhibit := case.exhibit(number)) is not None
        ]
        # A card may also have accepted a call (TS-13). Then its trick is shown, not the call.
        return max(found, key=lambda one: one[0].trick is not None, default=None)

    def offers(self, seq: int) -> list[Repair]:
        """The corrections of an event: another card, another seat, none, or one more before it."""
        about = repairs.repairs(self.match, self.events, seq, language_code())
        return [
            *(offer for offer in about if offer.kind is not Kind.UNDO),
            *repairs.insertions(self.match, self.events, seq, language_code()),
        ]

    def offer(self, exhibit: Exhibit, token: object) -> Repair | None:
        """The correction with this token; None where the event no longer has it."""
        found = self.offers(exhibit.seq)
        return next((offer for offer in found if offer.fix.to_json() == token), None)


def may_look(visitor: Grant, header: Header) -> bool:
    """Whether a visitor is the host, or sat at this match.

    A seat's phone counts as that of the player who sits there now. It may look at a match in which
    a player of the same name had this seat.
    """
    if visitor.host or visitor.seat is None:
        return visitor.host
    now = room().snapshot().header or room().last_header()
    own = header.seats[visitor.seat : visitor.seat + 1]
    return now is not None and bool(own) and own == now.seats[visitor.seat : visitor.seat + 1]


def _seen(match_id: int) -> Seen:
    """A match; ends the request of a visitor who may not look at it."""
    visitor, snapshot = grant(), room().snapshot()
    if not visitor.scores:
        abort(403)
    if snapshot.match_id == match_id and snapshot.match is not None:
        seen = Seen(snapshot, match_id, snapshot.match, snapshot.events, True)
    else:
        ledger = room().ledger
        if match_id not in ledger.ids():
            abort(404)
        entry = ledger.match(match_id)
        events = tuple(event.marked for event in ledger.read(entry))
        seen = Seen(snapshot, match_id, replay(entry.header, events), events, False)
    if not may_look(visitor, seen.match.seated):
        abort(403)
    return seen


def _case(seen: Seen, number: int) -> tuple[Case, Exhibit]:
    return seen.case(number) or abort(404)


@blueprint.get("")
def now() -> ResponseReturnValue:
    """Leads to the match that is played at this table."""
    if not grant().scores:
        abort(403)
    match_id = room().snapshot().match_id
    if match_id is None:
        abort(404)
    return redirect(url_for(".listing", match_id=match_id))


@blueprint.get("/<int:match_id>")
def listing(match_id: int) -> str:
    """The list of all complete tricks and all calls of a match, the latest hand first."""
    seen, code = _seen(match_id), language_code()
    narrator = Narrator(seen.match.seated, code)
    hands = groupby(cases(seen.match, seen.events, code), key=lambda case: case.hand)
    return render_template(
        "disputes.html",
        match_id=match_id,
        heading=next(title(narrator)),
        hands=[(number, list(found)) for number, found in hands][::-1],
        pictures=frozenset(room().ledger.pictures.of(match_id)),
        agreements=agreements(seen.match, seen.events, code),
        player=narrator.name,
        drawn=narrator.face,
    )


@blueprint.get("/<int:match_id>/<int:number>")
def show(match_id: int, number: int) -> ResponseReturnValue:
    """The page of a trick or call: what was seen, the verdict, corrections and consequences."""
    seen, code, visitor = _seen(match_id), language_code(), grant()
    about = seen.case(number)
    if about is None:
        if number not in may_be_shown(seen.match.header, seen.events):
            abort(404)
        return redirect(url_for(".listing", match_id=match_id))  # it was taken out meanwhile
    case, exhibit = about
    narrator = Narrator(seen.match.seated, code)
    offers = seen.offers(exhibit.seq)
    kept = room().ledger.pictures.find(match_id, exhibit.picture)
    found_agreements = agreements(seen.match, seen.events, code)
    return screen(
        "dispute",
        visitor,
        at=seen.snapshot,
        match_id=match_id,
        case=case,
        exhibit=exhibit,
        kept=kept,
        told=_told(seen, exhibit, kept),
        player=narrator.name,
        drawn=narrator.face,
        where=where(narrator, case),
        agreements=concerning(case, seen.events, found_agreements),
        writes="" if not seen.here else "propose" if seen.seat(visitor) is not None else "correct",
        seen=len(seen.events),
        other_side=None,  # no button warns that it only proposes: on this page all do
        likely=[offer for offer in offers if offer.chance > 0],
        ranks=grouped(offer for offer in offers if offer.kind is Kind.RANK),
        exact=grouped(offer for offer in offers if offer.kind is Kind.CARD),
        others=[offer for offer in offers if offer.kind not in (*CARDS, Kind.INSERT)],
        missed=missed(seen.match, (offer for offer in offers if offer.kind is Kind.INSERT)),
    )


def _told(seen: Seen, exhibit: Exhibit, kept: Kept | None) -> list[str]:
    """What the camera saw of an event, or who entered it."""
    provenance = Provenance(seen.match.seated, language_code())
    first = seen.events[exhibit.picture - 1]
    told = [] if kept is None else list(provenance.sentences(exhibit.event, kept.about))
    return [sentence for sentence in (*told, provenance.entered(first)) if sentence]


def _answers(seen: Seen, visitor: Grant, waiting: Proposal) -> bool:
    """Whether a visitor may answer a proposal: one who sits on the side that is asked."""
    seat = seen.seat(visitor)
    return seat is not None and side_of(seat) != waiting.side


# --- pictures ---


@blueprint.get("/<int:match_id>/<int:number>.jpg")
def still(match_id: int, number: int) -> Response:
    """The picture of the moment of an event."""
    return _file(match_id, number, ".jpg")


@blueprint.get("/<int:match_id>/<int:number>.mp4")
def clip(match_id: int, number: int) -> Response:
    """The clip of the seconds around an event; phones ask for it in parts."""
    return _file(match_id, number, ".mp4")


def _file(match_id: int, number: int, kind: str) -> Response:
    seen = _seen(match_id)
    if number not in may_be_shown(seen.match.header, seen.events):
        abort(404)
    kept = room().ledger.pictures.find(match_id, number)
    path: Path | None = None if kept is None else kept.still if kind == ".jpg" else kept.clip
    try:
        data = b"" if path is None else path.read_bytes()
    except OSError:  # somebody has just had it forgotten
        data = b""
    if not data:
        abort(404)
    response = Response(data, mimetype=KINDS[kind], headers=PRIVATE)
    response.add_etag()
    response.make_conditional(request, accept_ranges=True, complete_length=len(data))
    return response


@blueprint.get("/<int:match_id>/<int:number>.svg")
def picture(match_id: int, number: int) -> Response:
    """The trick or call as one picture to share; the page makes a PNG of it."""
    seen = _seen(match_id)
    case, exhibit = _case(seen, number)
    kept = room().ledger.pictures.find(match_id, exhibit.picture)
    code = language_code()
    agreed = concerning(case, seen.events, agreements(seen.match, seen.events, code))
    told = [each.text for each in agreed] + _told(seen, exhibit, kept)
    drawn = poster(seen.match.seated, code, case, told, None if not kept else kept.still)
    return Response(drawn, mimetype="image/svg+xml", headers=PRIVATE)


# --- both sides agree ---


@blueprint.post("/<int:match_id>/<int:number>/propose")
def propose(match_id: int, number: int) -> ResponseReturnValue:
    """Proposes a correction: ``{"seen": 12, "repair": …}``, with a token of the page."""
    request.get_data()
    visitor, seen = may_write(anywhere=True), _at_table(match_id)
    body = json_body()
    if not is_whole(body.get("seen")):
        raise FormatError(N_("an append names the number that it has seen, and an event"))
    if body["seen"] != len(seen.events):
        raise StaleAppend(seen=body["seen"], now=len(seen.events))
    seat = seen.seat(visitor)
    if seat is None:
        abort(403)  # the host corrects at once
    case, exhibit = _case(seen, number)
    offer = seen.offer(exhibit, body.get("repair"))
    if offer is None:
        abort(400)
    made = room().proposals.make(
        match_id,
        seat=seat,
        picture=exhibit.picture,
        case=case.seqs,
        repair=offer.fix.to_json(),
        match=seen.match,
        events=seen.events,
    )
    return {"number": made.number}


@blueprint.post("/<int:match_id>/answer")
def answer(match_id: int) -> ResponseReturnValue:
    """Answers a proposal. ``word=agree`` accepts it, for the other side.

    ``word=withdraw`` refuses it, or takes it back where its own side sends this.
    """
    visitor, seen = may_write(anywhere=True), _at_table(match_id)
    number = request.form.get("number", type=int)
    seen_number = request.form.get("seen", type=int)
    table, word = room().table, request.form.get("word")
    waiting = room().proposals.waiting(match_id, seen.match, seen.events)
    if waiting is None or waiting.number != number:
        raise StaleAppend(seen=seen_number or 0, now=len(seen.events))
    if word == "agree":
        seat = seen.seat(visitor)
        if seat is None or not _answers(seen, visitor, waiting):
            abort(403)
        moment, events = table.log()
        if moment.seq != seen_number:  # the consequences may be others by now
            raise StaleAppend(seen=seen_number or 0, now=moment.seq)
        made = carry_out(moment.match, events, waiting.repair)
        said = agreed(made, sorted((waiting.seat, seat), key=side_of))
        if said:
            table.say(*said, seen=moment.seq, source=Source.PHONE, who=name_of(visitor))
    elif word != "withdraw":
        abort(400)
    refused = word == "withdraw" and _answers(seen, visitor, waiting)
    room().proposals.withdraw(waiting.number, refused=refused)
    return accepted(seq=table.moment.seq)


def _at_table(match_id: int) -> Seen:
    """The match that is played at the table; ends the request where it is another one."""
    seen = _seen(match_id)
    if not seen.here:
        raise StaleAppend(seen=0, now=len(seen.events))
    return seen


def can_be_disputed(seated: Header) -> bool:
    """Whether a page links to the disputes of a match for this visitor.

    Args:
        seated: The match's header with the players at its end (V-21).
    """
    visitor = grant()
    return visitor.scores and may_look(visitor, seated)
