"""The rules of a table in words, with the order of the cards; they can be searched."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, abort, render_template, request

from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS, SPANISH
from scorekeeper.games.rules import GAMES, game_of
from scorekeeper.text.printings import usual_suits
from scorekeeper.text.rulebook import Rulebook
from webui.requests.visitor import language_code, room

blueprint = Blueprint("rules", __name__, url_prefix="/rules")


@blueprint.get("")
def table() -> str:
    """The rules of the match at this table, or of the game that ``?game=`` names."""
    game = request.args.get("game")
    header = room().snapshot().header or room().last_header()
    if game is not None or header is None:
        if game is not None and game not in GAMES:
            abort(404)
        header = Header(game=game or next(iter(GAMES)), seats=("", ""))
    return _page(header)


@blueprint.get("/<int:match_id>")
def match(match_id: int) -> str:
    """The rules of a match of the ledger, with its house rules."""
    if match_id not in room().ledger.ids():
        abort(404)
    return _page(room().ledger.match(match_id).header)


def _page(header: Header) -> str:
    if PACK_SUITS not in header.remarks:
        remarks = {**header.remarks, PACK_SUITS: usual_suits(header.rules)}
        header = replace(header, remarks=remarks)
    code = language_code()
    book = Rulebook(header, code)
    title, *house = book.game_and_house_rules()
    spanish = header.remarks[PACK_SUITS] == SPANISH
    return render_template(
        "rules.html",
        heading=title,
        house=house,
        order=[(rank, book.drawn(rank)) for rank in header.rules.order],
        suits="OUEB" if spanish else "SHCD",
        sections=list(book.sections()),
        words=[(term.say(book.catalogue), term.meaning) for term in book.words()],
        games=[(game, book.catalogue.gettext(game_of(game).title)) for game in GAMES],
        game=header.game,
    )
