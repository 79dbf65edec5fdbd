"""The codes with which tables join: the address of the club's ledger, and the table's key."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import FormatError
from scorekeeper.messages import N_
from scorekeeper.storage.joining import Join
from scorekeeper.storage.table_keys import TableKeys
from webui.club.screens import club
from webui.requests.addresses import TRUSTED, qr_svg, served_addresses
from webui.requests.visitor import accepted, grant, may_write

blueprint = Blueprint("joining", __name__, url_prefix="/host/tables")

MOST_TABLES = 200
"""For how many tables the host can make keys."""


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The host's page with each table's code, to copy, scan or print."""
    if not grant().host:
        return render_template("no_host.html"), 403
    keys = _keys()
    codes = {table: keys.join(table) for table in _numbers(keys)}
    return render_template(
        "club/joining.html",
        codes={
            table: None if join is None else str(_for_others(join)) for table, join in codes.items()
        },
        has_roles=keys.has_roles,
        most=MOST_TABLES,
        qr=qr_svg,
    )


@blueprint.post("/make")
def make_all() -> ResponseReturnValue:
    """Makes a key for each table from 1 to ``count`` that has none."""
    may_write()
    count = request.form.get("count", type=int)
    if count is None or not 1 <= count <= MOST_TABLES:
        raise FormatError(N_("write how many tables there are, from 1 to {most}"), most=MOST_TABLES)
    keys = _keys()
    for table in sorted(set(range(1, count + 1)) - set(keys.tables())):
        keys.make(table)
    return _back()


@blueprint.post("/<int(min=1, max=200):table>/make")
def make(table: int) -> ResponseReturnValue:
    """Makes a new key for a table; the old one opens nothing."""
    may_write()
    _keys().make(table)
    return _back()


@blueprint.post("/<int(min=1, max=200):table>/take-back")
def take_back(table: int) -> ResponseReturnValue:
    """Takes a table's key back."""
    may_write()
    _keys().take_back(table)
    return _back()


def _keys() -> TableKeys:
    return TableKeys(club().ledger)


def _numbers(keys: TableKeys) -> list[int]:
    """The tables to show: those that have a key, that play, or that the tournament needs."""
    tournament = club().snapshot().tournament
    needed: Iterator[int] = iter(())
    if tournament is not None:
        here = [team for team in tournament.teams if team.withdrawn is None]
        needed = iter(range(1, max(1, len(here) // 2) + 1))
    return sorted({*keys.tables(), *needed, *club().snapshot().tables})


def _for_others(join: Join) -> Join:
    """A code that other machines can use: with this machine's address, not with ``localhost``."""
    if join.url.get_backend_name() == "sqlite" or current_app.config["LOCAL"]:
        return join
    if join.url.host is None or join.url.host in TRUSTED:
        return join._replace(url=join.url.set(host=served_addresses()[0].host))
    return join


def _back() -> ResponseReturnValue:
    return accepted(page=url_for(".show"), seq=club().snapshot().number)
