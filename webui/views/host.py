"""The host: set-up, links and keys, and the whole table in one hand."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webui.access import SEATS
from webui.addresses import Address, addresses, qr_svg
from webui.screens import screen
from webui.visitor import grant, may_write, name_of, phone, room

blueprint = Blueprint("host", __name__, url_prefix="/host")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Set-up, or the match in progress; opened with the key that the computer's screen shows."""
    key = request.args.get("key")
    if key is not None:
        if not room().access.opens_host(key):
            return render_template("no_host.html"), 403
        room().access.become_host(phone())
        return redirect(url_for(".show"))
    if not grant().host:
        return render_template("no_host.html"), 403
    return screen("host", grant())
