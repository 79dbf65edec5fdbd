"""The host's page: set-up, links and keys; and the buttons of all seats."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.engine.header import Header
from scorekeeper.errors import RuleError
from scorekeeper.text.choices import games_on_offer, match_lengths
from scorekeeper.text.printings import PRINTINGS
from webui.presenters.club_state import club_state
from webui.presenters.screens import screen
from webui.requests.game_choices import chosen_header, last_fields
from webui.requests.visitor import (
    accepted,
    gettext,
    grant,
    language_code,
    may_write,
    name_of,
    phone,
    room,
)
from webui.table.access import SEATS
from webui.table.club_table import join, leave, next_round
from webui.table.decks import as_filled, chosen_deck, decks

blueprint = Blueprint("host", __name__, url_prefix="/host")

PHONE, CAMERA = "phone", "camera"
"""Who may keep the score besides people: a phone's browser, or a camera that is chosen next."""


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Set-up, or the match in progress; ``?key=`` is the host's, from the computer's screen."""
    key = request.args.get("key")
    if key is not None:
        if not room().access.opens_host(key):
            return render_template("no_host.html"), 403
        room().access.become_host(phone())
        return redirect(url_for(".show"))
    if not grant().host:
        return render_template("no_host.html"), 403
    if room().snapshot().header is None:
        return _setup()
    return screen("host", grant())


def _setup(refusal: str | None = None) -> ResponseReturnValue:
    """The set-up page, filled in with what was played last; after a refusal, as it was sent."""
    code = language_code()
    last = room().last_header()
    games = games_on_offer(code)
    seen = room().printed.seen
    filled = request.form if refusal else as_filled(last, seen)
    page = render_template(
        "setup.html",
        games=games,
        lengths=match_lengths(code),
        form=request.form if refusal else None,
        **last_fields(last),
        decks={game.game: decks(game, filled, code, seen) for game in games},
        refusal=refusal,
        unfinished=room().unfinished(),
        club=club_state(room().snapshot(), code),
        watched=_watched(),
        both_sides=room().needs_both_sides,
        names=room().names,
    )
    return (page, 422) if refusal else page


@blueprint.post("/setup")
def set_up() -> ResponseReturnValue:
    """Sets the table up; then its people cut for the first deal."""
    may_write()
    try:
        header = _chosen()
    except RuleError as error:
        return _setup(error.sentence(gettext))
    room().prepare(header)
    watched = request.form.get("watched")
    if watched not in (PHONE, CAMERA):
        room().use_camera(None)
    elif watched == PHONE or _watched() == PHONE:
        room().use_camera(PHONE if watched == PHONE else None)
    if "names" in request.form:
        room().remember_names(header.seats)
    room().need_both_sides("both_sides" in request.form)
    return redirect(url_for("camera.show" if watched in (PHONE, CAMERA) else ".show"))


def _watched() -> str:
    """Who keeps the score now: nobody, a phone's browser, or another camera."""
    camera = room().camera
    if camera is None:
        return ""
    return CAMERA if camera.phone is None else PHONE


def _chosen() -> Header:
    """The header that the form asks for."""
    form, code = request.form, language_code()
    names = [form.get(f"name{seat}", "") for seat in range(SEATS)]
    header = chosen_header(form, names, code)
    last, seen = room().last_header(), room().printed.seen
    deck = chosen_deck(header.game, header.rules, form, code, last, seen)
    return replace(header, remarks=MappingProxyType(deck))


@blueprint.post("/cut")
def cut() -> ResponseReturnValue:
    """Enters a cut for the first deal: the host, or the phone of the seat that cuts."""
    seat = request.form.get("seat", type=int)
    may_write(seat=seat)
    if seat is None:
        abort(400)
    room().cut(seat, request.form.get("rank", ""))
    return _back()


@blueprint.post("/cut-again")
def cut_again() -> ResponseReturnValue:
    """Forgets all cuts; people cut again."""
    may_write(anywhere=True)
    room().cut_again()
    return _back()


@blueprint.post("/begin")
def begin() -> ResponseReturnValue:
    """Begins the match; ``dealer`` deals first, or else the seat that was found by cutting."""
    visitor = may_write(anywhere=True)
    room().begin_draft(request.form.get("dealer", type=int), who=name_of(visitor))
    return _back()


@blueprint.post("/again")
def again() -> ResponseReturnValue:
    """Begins another match of the same players; at a club, the match that was drawn next."""
    visitor = may_write(anywhere=True)
    if not next_round(room()):
        room().again(who=name_of(visitor))
    return _back()


@blueprint.post("/resume")
def resume() -> ResponseReturnValue:
    """Goes on with a match of the ledger."""
    may_write()
    match_id = request.form.get("match", type=int)
    if match_id is None:
        abort(400)
    room().resume(match_id)
    return accepted(page=url_for(".show"), seq=room().snapshot().number)


@blueprint.post("/join")
def join_club() -> ResponseReturnValue:
    """Joins a club with a table's ``code``, and takes the match that was drawn for the table."""
    may_write()
    join(room(), request.form.get("code", ""))
    return accepted(page=url_for(".show"), seq=room().snapshot().number)


@blueprint.post("/leave-club")
def leave_club() -> ResponseReturnValue:
    """Leaves the club."""
    may_write()
    leave(room())
    return accepted(page=url_for(".show"), seq=room().snapshot().number)


@blueprint.post("/clear")
def clear() -> ResponseReturnValue:
    """Goes back to set-up; the match stays in the ledger, and can be continued."""
    may_write()
    room().clear()
    return _back()


@blueprint.post("/printing")
def use_printing() -> ResponseReturnValue:
    """Says what the cards of this match print, whatever the camera sees."""
    may_write()
    name = request.form.get("printing", "")
    if name not in PRINTINGS:
        abort(400)
    room().printed.choose(name)
    room().changed()
    return _back()


@blueprint.post("/revoke")
def revoke() -> ResponseReturnValue:
    """Replaces the link of a ``seat``; without one, the host's, and only this device stays host."""
    visitor = may_write()
    seat = request.form.get("seat", type=int)
    if "seat" not in request.form:
        room().access.revoke_host(visitor.phone)
    elif seat is not None and 0 <= seat < SEATS:
        room().access.revoke_seat(seat)
    else:
        abort(400)
    room().changed()
    return _back()


def _back() -> ResponseReturnValue:
    return accepted(seq=room().snapshot().number)
