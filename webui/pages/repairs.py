"""Corrections: what is wrong is tapped, then what is right; consequences are shown before."""

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


class Group(NamedTuple):
    """Offers that have the same consequences.

    Attributes:
        falls_away: Later events that the rules would not allow any more, in words.
        changes: What changes in the results, in words.
        against: The sides in whose disfavour they change the score.
        offers: The offers.
    """

    falls_away: tuple[str, ...]
    changes: tuple[str, ...]
    against: frozenset[int]
    offers: list[Repair]


class Missed(NamedTuple):
    """What may have been missed before an event.

    Attributes:
        name: Whose card would be due there; empty where none is.
        cards: That card.
        others: Everything else.
    """

    name: str
    cards: list[Group]
    others: list[Repair]


def grouped(offers: Iterable[Repair]) -> list[Group]:
    """Puts offers of the same consequences together, in the order of the first of each."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...], frozenset[int]], list[Repair]] = {}
    for offer in offers:
        key = (offer.falls_away, offer.changes, offer.against)
        groups.setdefault(key, []).append(offer)
    return [Group(*key, found) for key, found in groups.items()]


@blueprint.get("/hand")
def hand() -> str:
    """Everything that stands of one hand; each event, and each gap between two, can be tapped."""
    snapshot, match = _now()
    number = request.args.get("hand", match.hand_number, type=int)
    listed = timeline(match, snapshot.events, language_code(), hand=max(number, 0))
    return render_template(
        "sheets/hand.html", entries=listed, number=number, last=match.hand_number
    )


@blueprint.get("/event/<int:seq>")
def event(seq: int) -> str:
    """What may be done about an event that stands."""
    snapshot, match = _now()
    offers = repairs.repairs(match, snapshot.events, seq, language_code())
    return _offered(snapshot, match, seq, offers, timeline_words(snapshot, match, seq))


@blueprint.get("/gap")
def gap() -> str:
    """What may have been missed before the event ``?seq=``, or at the end."""
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
    """What is drawn on a card."""
    return Voice(match.seated, language_code()).face


def _missed(snapshot: Snapshot, match: Match, seq: int | None) -> Missed:
    return missed(match, repairs.insertions(match, snapshot.events, seq, language_code()))


def missed(match: Match, offers: Iterable[Repair]) -> Missed:
    """Puts what may have been missed in order: the cards, and everything else."""
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
    """Takes the latest event back, or the latest correction."""
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
    """What was said in the name of this phone's seat last, and whose it may have been."""
    snapshot, match = _now()
    seat = grant().seat
    if seat is None:
        abort(403)
    found = repairs.not_me(match, snapshot.events, seat, language_code())
    if found is None:
        return render_template("sheets/nothing.html")
    entry, offers = found
    return _offered(snapshot, match, entry.seq, offers, entry.words, sheet="not_me")


def timeline_words(snapshot: Snapshot, match: Match, seq: int) -> str:
    """An event in a few words."""
    for entry in timeline(match, snapshot.events, language_code()):
        if entry.seq == seq:
            return entry.words
    return ""


def _offered(
    snapshot: Snapshot,
    match: Match,
    seq: int,
    offers: list[Repair],
    words: str,
    *,
    sheet: str = "event",
) -> str:
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
    """The match that is played, for whoever may correct it."""
    if not grant().scores:
        abort(403)
    snapshot = room().snapshot()
    if snapshot.match is None:
        abort(404)
    return snapshot, snapshot.match
