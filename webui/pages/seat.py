"""The page of a seat: the buttons of one player."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webui.presenters.screens import screen
from webui.requests.visitor import grant, may_write, phone, room, within_limits
from webui.table.access import SEATS

blueprint = Blueprint("seat", __name__, url_prefix="/seat")


@blueprint.get("/<int:seat>")
def show(seat: int) -> ResponseReturnValue:
    """The buttons of a seat; a link with its key gives the phone the seat first."""
    if seat >= SEATS:
        abort(404)
    key, held = request.args.get("key"), grant().seat
    if key is not None:
        return _arrive(seat, key)
    if held is not None and held != seat:
        return redirect(url_for(".show", seat=held))
    if held is None:
        return render_template("no_seat.html", seat=seat, name=_name(seat), old=False), 403
    return screen("seat", grant())


@blueprint.post("/<int:seat>")
def take(seat: int) -> ResponseReturnValue:
    """Takes a seat over from another phone."""
    if not room().access.opens_seat(request.form.get("key", ""), seat):
        abort(403)
    return _sit(seat)


@blueprint.post("/leave")
def leave() -> ResponseReturnValue:
    """Gives the seat back."""
    visitor = may_write(anywhere=True)
    room().access.stand_up(visitor.phone)
    room().changed()
    return redirect(url_for("board.phones"))


def _arrive(seat: int, key: str) -> ResponseReturnValue:
    """Answers the link of a seat: the phone sits down, or is asked whether it takes the seat."""
    access, held = room().access, grant().seat
    if not access.opens_seat(key, seat):
        if held is not None:  # an old link of this player, who has changed seats since
            return redirect(url_for(".show", seat=held))
        return render_template("no_seat.html", seat=seat, name=_name(seat), old=True), 403
    holder = access.holder(seat)
    if holder == phone():
        return redirect(url_for(".show", seat=seat))
    if holder is not None:
        return render_template("take_seat.html", seat=seat, name=_name(seat), key=key)
    return _sit(seat)


def _sit(seat: int) -> ResponseReturnValue:
    within_limits(f"chair {seat}")  # two phones may take it from each other again and again
    room().access.sit_down(phone(), seat)
    room().changed()
    return redirect(url_for(".show", seat=seat))


def _name(seat: int) -> str | None:
    header = room().snapshot().header
    return header.seats[seat] if header is not None and seat < len(header.seats) else None
