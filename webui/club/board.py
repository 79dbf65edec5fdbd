"""The pages that everybody may look at: the hall, its tables, lists to print, spreadsheets."""

from __future__ import annotations

from flask import (
    Blueprint,
    Response,
    abort,
    copy_current_request_context,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue

from scorekeeper.club.state import Tournament
from scorekeeper.reports.spreadsheets import rounds_sheet, standing_sheet
from webui.club.room import ClubSnapshot
from webui.club.screens import (
    SCREENS,
    club,
    drawings,
    fragment,
    table_fragment,
    whole,
)
from webui.requests.addresses import base_of, qr_svg, served_addresses
from webui.requests.files import table_to_take
from webui.requests.streams import polled, pushed
from webui.requests.visitor import form_fields, grant, language_code, phone

blueprint = Blueprint("board", __name__)


def page(name: str, **more: object) -> str:
    """A whole page that follows the hall, as it is first loaded."""
    phone()
    snapshot, code = club().snapshot(), language_code()
    shown = whole(snapshot, code)
    return render_template(
        f"club/{name}.html",
        screen=name,
        state=shown,
        number=f"{club().channel.run}.{snapshot.number}",
        fragment=fragment(name, shown, code, form_fields),
        **more,
    )


@blueprint.get("/")
def phones() -> str:
    """The hall for phones."""
    return page("board")


@blueprint.get("/tv")
def tv() -> str:
    """The hall for a TV; with ``?bare`` a small standing to lay over a video."""
    return page("overlay" if "bare" in request.args else "tv")


@blueprint.get("/table/<int:table>")
def table_board(table: int) -> str:
    """The board of one table."""
    phone()
    snapshot, code = club().snapshot(), language_code()
    return render_template(
        "club/table.html",
        screen=f"table/{table}",
        state={"stage": "table", "table": table},
        number=f"{club().channel.run}.{snapshot.number}",
        fragment=table_fragment(table, snapshot, code),
    )


@blueprint.get("/list")
def printed() -> str:
    """The round and the standing, to print."""
    return render_template("club/list.html", state=whole(club().snapshot(), language_code()))


@blueprint.get("/codes")
def codes() -> str:
    """A card for each table, to print: its number, and a QR code that opens its board."""
    return render_template(
        "club/codes.html",
        tables=[table["table"] for table in whole(club().snapshot(), "en").get("tables", [])],
        base=base_of(served_addresses()[0]),
        qr=qr_svg,
    )


@blueprint.get("/standing.csv")
def standing_csv() -> Response:
    """The standing for a spreadsheet."""
    return table_to_take(standing_sheet(_tournament()), "standing")


@blueprint.get("/rounds.csv")
def rounds_csv() -> Response:
    """All rounds for a spreadsheet."""
    return table_to_take(rounds_sheet(_tournament()), "rounds")


def _tournament() -> Tournament:
    found = club().snapshot().tournament
    if found is None:
        abort(404)
    return found


# --- the stream ---


def _check_may_follow(name: str) -> None:
    """Ends the request where there is no such screen, or the visitor may not see it."""
    kind, _, table = name.partition("/")
    if kind == "table" and table.isdecimal() and len(table) < 4:
        return
    if name not in SCREENS:
        abort(404)
    if name == "host" and not grant().host:
        abort(403)


@blueprint.get("/live/<path:name>")
def stream(name: str) -> ResponseReturnValue:
    """A stream of a screen; see ``webui.requests.streams.pushed``."""
    _check_may_follow(name)
    hall, drawn, code = club(), drawings(), language_code()

    # To enter the request again takes longer than to send what was drawn for somebody else: it is
    # only entered to draw.
    @copy_current_request_context
    def draw(snapshot: ClubSnapshot) -> bytes:
        return drawn.message(name, snapshot, code, hall.channel.run)

    def newest() -> tuple[int, bytes]:
        snapshot = hall.snapshot()
        return snapshot.number, drawn.ready(name, snapshot, code) or draw(snapshot)

    return pushed(hall.channel, newest)


@blueprint.get("/poll/<path:name>")
def poll(name: str) -> ResponseReturnValue:
    """The whole screen if it is newer than ``?seen=``, else 204."""
    _check_may_follow(name)
    hall, code = club(), language_code()
    return polled(
        hall.channel, lambda: drawings().message(name, hall.snapshot(), code, hall.channel.run)
    )
