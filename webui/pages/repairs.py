"""Corrections: people tap what is wrong, then what is right; they see the consequences first.

These pages are *sheets*: pieces of a page that a script opens over the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.engine.state import Match
from scorekeeper.games.cards import Card
from scorekeeper.history import repairs
from scorekeeper.history.repairs import Kind, Repair
from scorekeeper.history.timeline import timeline
from scorekeeper.text.phrases import Voice
from webui.requests.visitor import grant, language_code, room
from webui.table.snapshot import Snapshot

blueprint = Blueprint("repairs", __name__, url_prefix="/repairs")

CARDS = (Kind.RANK, Kind.CARD)
"""Corrections that name another card; they are shown as cards, the others as buttons."""


class Group(NamedTuple):
    """Corrections on offer that have the same consequences.

    Attributes:
        falls_away: Later events that would no longer be legal, in words.
        changes: What changes in the results, in words.
        must_agree: The sides that must agree to these corrections.
        offers: The corrections.
    """

    falls_away: tuple[str, ...]
    changes: tuple[str, ...]
    must_agree: frozenset[int]
    offers: list[Repair]


class Missed(NamedTuple):
    """What may be missing in the record before an event.

    Attributes:
        name: The player whose turn it was; empty where no card was due.
        cards: The cards that this player may have played.
        others: All other events.
    """

    name: str
    cards: list[Group]
    others: list[Repair]


def grouped(offers: Iterable[Repair]) -> list[Group]:
    """Groups corrections by their consequences, in the order of each group's first one."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...], frozenset[int]], list[Repair]] = {}
    for offer in offers:
        key = (offer.falls_away, offer.changes, offer.must_agree)
        groups.setdefault(key, []).append(offer)
    return [Group(*key, found) for key, found in groups.items()]


@blueprint.get("/hand")
def hand() -> str:
    """The sheet of one hand's events; each event, and each gap between two, can be tapped."""
    snapshot, match = _now()
    number = request.args.get("hand", match.hand_number, type=int)
    listed = timeline(match, snapshot.events, language_code(), hand=max(number, 0))
    return render_template(
        "sheets/hand.html", entries=listed, number=number, last=match.hand_number
    )


@blueprint.get("/event/<int:seq>")
def event(seq: int) -> str:
    """The sheet of one event: what it may have been instead."""
    snapshot, match = _now()
    offers = repairs.repairs(match, snapshot.events, seq, language_code())
    return _event_sheet(snapshot, match, seq, offers, _event_words(snapshot, match, seq))


@blueprint.get("/gap")
def gap() -> str:
    """The sheet of a gap: what may be missing before the event ``?seq=``, or at the end."""
    snapshot, match = _now()
    seq = request.args.get("seq", type=int)
    return render_template(
        "sheets/gap.html",
        match_id=snapshot.match_id,
        seen=len(snapshot.events),
        missed=_missed(snapshot, match, seq),
        drawn=_drawn(match),
        other_side=room().side_to_ask(grant()),
    )


def _drawn(match: Match) -> Callable[[Card], str]:
    """Says what the deck prints on a card."""
    return Voice(match.seated, language_code()).face


def _missed(snapshot: Snapshot, match: Match, seq: int | None) -> Missed:
    return missed(match, repairs.insertions(match, snapshot.events, seq, language_code()))


def missed(match: Match, offers: Iterable[Repair]) -> Missed:
    """Sorts insertions: the cards, and everything else."""
    offers = list(offers)
    cards = [offer for offer in offers if offer.fix.events[0].do == "play"]
    seat = cards[0].fix.events[0].seat if cards else None
    return Missed(
        name="" if seat is None else match.seated.seats[seat],
        cards=grouped(cards),
        others=[offer for offer in offers if offer not in cards],
    )


@blueprint.get("/undo")
def undo() -> str:
    """The sheet that offers to take back the latest event, or the latest correction."""
    snapshot, match = _now()
    code = language_code()
    found = (
        repairs.undo_last(match, snapshot.events, code),
        repairs.take_back_latest(match, snapshot.events, code),
    )
    undos = [offer for offer in found if offer is not None]
    return render_template(
        "sheets/undo.html",
        match_id=snapshot.match_id,
        seen=len(snapshot.events),
        undos=undos,
        drawn=_drawn(match),
        other_side=room().side_to_ask(grant()),
    )


@blueprint.get("/not-me")
def not_me() -> ResponseReturnValue:
    """The sheet for "that was not me": the seat's latest event, and who may have said it."""
    snapshot, match = _now()
    seat = grant().seat
    if seat is None:
        abort(403)
    found = repairs.latest_of_seat(match, snapshot.events, seat, language_code())
    if found is None:
        return render_template("sheets/nothing.html")
    entry, offers = found
    return _event_sheet(snapshot, match, entry.seq, offers, entry.words, sheet="not_me")


def _event_words(snapshot: Snapshot, match: Match, seq: int) -> str:
    """An event in a few words."""
    for entry in timeline(match, snapshot.events, language_code()):
        if entry.seq == seq:
            return entry.words
    return ""


def _event_sheet(
    snapshot: Snapshot,
    match: Match,
    seq: int,
    offers: list[Repair],
    words: str,
    *,
    sheet: str = "event",
) -> str:
    """A sheet with the corrections of an event, and what may be missing before it."""
    return render_template(
        f"sheets/{sheet}.html",
        match_id=snapshot.match_id,
        seen=len(snapshot.events),
        seq=seq,
        words=words,
        missed=_missed(snapshot, match, seq),
        likely=[offer for offer in offers if offer.chance > 0],
        ranks=grouped(offer for offer in offers if offer.kind is Kind.RANK),
        exact=grouped(offer for offer in offers if offer.kind is Kind.CARD),
        others=[offer for offer in offers if offer.kind not in CARDS],
        drawn=_drawn(match),
        other_side=room().side_to_ask(grant()),
    )


def _now() -> tuple[Snapshot, Match]:
    """The table and its match; ends the request of a visitor who may not correct it."""
    if not grant().scores:
        abort(403)
    snapshot = room().snapshot()
    if snapshot.match is None:
        abort(404)
    return snapshot, snapshot.match
