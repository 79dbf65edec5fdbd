"""Players whose names are kept: their list, and a page for each, over all evenings."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.engine.said import Said, Source
from scorekeeper.games.rules import GAMES
from scorekeeper.reports.spreadsheets import careers_sheet
from scorekeeper.reports.tallies import Tally, career, in_order, names
from scorekeeper.storage.players import KeptPlayer, KeptPlayers
from webui.presenters.player_state import by_evening, by_game, sections
from webui.requests.files import table_to_take
from webui.requests.visitor import accepted, grant, language_code, may_write, room, shelf

blueprint = Blueprint("players", __name__)


@blueprint.get("/players")
def listing() -> str:
    """All kept names with the players' results; the host can keep more names here."""
    told = shelf().played
    return render_template(
        "players.html",
        players=[(one, sum(career(told, one.name).values(), Tally())) for one in _kept()],
        keeping=keeping(names(told)),
    )


@blueprint.get("/players.csv")
def listing_csv() -> Response:
    """All kept players as a sheet."""
    return _sheet(_kept(), "players")


@blueprint.post("/players/keep")
def keep() -> ResponseReturnValue:
    """Keeps the name of somebody who has played."""
    may_write()
    name = request.form.get("name", "").strip()
    if name not in names(shelf().played):
        abort(404)
    _players().keep(name, Said.now(Source.OPERATOR).at)
    return accepted()


@blueprint.get("/player/<int:number>")
def show(number: int) -> str:
    """The page of a player, over all evenings."""
    player = _player(number)
    found = career(shelf().played, player.name)
    return render_template(
        "player.html",
        player=player,
        sections=sections(found, language_code()),
        evenings=by_evening(found),
        games={GAMES[game].title: tally for game, tally in by_game(found).items()},
        may_drop=grant().host,
    )


@blueprint.get("/player/<int:number>.csv")
def sheet(number: int) -> Response:
    """A player as a sheet: a line for each evening and game."""
    return _sheet([_player(number)], f"player-{number}")


@blueprint.post("/player/<int:number>/drop")
def drop(number: int) -> ResponseReturnValue:
    """Keeps a name no longer; the player's matches stay."""
    may_write()
    _players().drop(_player(number).id)
    return accepted(page=url_for(".listing"))


def keeping(found: list[str]) -> dict[str, object]:
    """What ``_players.html`` shows: links to kept names, and buttons that keep the others.

    Args:
        found: The names of those who have played.
    """
    kept = {one.name: one.id for one in _kept()}
    others = [name for name in found if name not in kept] if grant().host else []
    return {"kept": {name: kept[name] for name in found if name in kept}, "others": others}


def _players() -> KeptPlayers:
    return KeptPlayers(room().ledger)


def _kept() -> list[KeptPlayer]:
    """The kept names in alphabetical order."""
    kept = {one.name: one for one in _players().all()}
    return [kept[name] for name in in_order(kept)]


def _player(number: int) -> KeptPlayer:
    player = _players().find(number)
    if player is None:
        abort(404)
    return player


def _sheet(players: list[KeptPlayer], name: str) -> Response:
    told = shelf().played
    lines = careers_sheet({one.name: career(told, one.name) for one in players})
    return table_to_take(lines, name)
