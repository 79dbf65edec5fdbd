"""The host's page: opens a tournament, enters and checks in teams, draws rounds, enters results."""

from __future__ import annotations

import secrets

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.club.events import LONGEST_NAME, LONGEST_REASON, ClubEvent, parse_club_event
from scorekeeper.club.header import LONGEST_TITLE, MOST_ROUNDS, System, TournamentHeader
from scorekeeper.club.pairing import SEEDS, draw
from scorekeeper.club.state import Tournament
from scorekeeper.errors import FormatError, RuleError
from scorekeeper.messages import N_
from scorekeeper.text.choices import games_on_offer, match_lengths
from scorekeeper.text.names import tidy_name
from webui.club.board import page
from webui.club.screens import club
from webui.presenters.hall_state import SYSTEMS
from webui.requests.game_choices import chosen_header, last_fields
from webui.requests.visitor import (
    accepted,
    gettext,
    grant,
    language_code,
    may_write,
    page_of_form,
    phone,
)
from webui.table.access import SEATS
from webui.table.decks import as_filled, chosen_deck, decks

blueprint = Blueprint("host", __name__, url_prefix="/host")

MOST_POINTS = 999


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The host's page; the link with its key is on the computer's screen."""
    key = request.args.get("key")
    if key is not None:
        if not club().access.opens_host(key):
            return render_template("no_host.html"), 403
        club().access.become_host(phone())
        return redirect(url_for(".show"))
    if not grant().host:
        return render_template("no_host.html"), 403
    if club().snapshot().tournament is None or "new" in request.args:
        return _opening()
    return page("host", longest_name=LONGEST_NAME, longest_reason=LONGEST_REASON)


def _opening(refusal: str | None = None) -> ResponseReturnValue:
    """The form that opens a tournament; after a refusal with its sentence, as it was filled in."""
    code, before = language_code(), club().snapshot()
    games = games_on_offer(code)
    filled = request.form if refusal else as_filled(before.header)
    found = render_template(
        "club/opening.html",
        games=games,
        decks={game.game: decks(game, filled, code) for game in games},
        **last_fields(before.header),
        lengths=match_lengths(code),
        systems=[(system.value, gettext(words)) for system, words in SYSTEMS.items()],
        longest=LONGEST_TITLE,
        most_rounds=MOST_ROUNDS,
        form=request.form if refusal else None,
        refusal=refusal,
        before=None if before.tournament is None else before.tournament.header,
    )
    return (found, 422) if refusal else found


@blueprint.post("/open")
def open_() -> ResponseReturnValue:
    """Opens a tournament; the one before stays in the ledger."""
    may_write()
    try:
        header = _chosen()
    except RuleError as error:
        return _opening(error.sentence(gettext))
    club().begin(header)
    return redirect(url_for(".show"))


def _chosen() -> TournamentHeader:
    """The tournament that the form asks for."""
    form, code = request.form, language_code()
    if form.get("system") not in list(System):
        raise FormatError(N_("choose who meets whom"))
    played = chosen_header(form, [""] * SEATS, code)
    return TournamentHeader(
        title=form.get("title", "").strip(),
        game=played.game,
        players=len(played.seats),
        variants=played.variants,
        options=played.options,
        best_of=played.best_of,
        system=System(form["system"]),
        rounds=form.get("rounds", 5, type=int),
        deck=chosen_deck(played.game, played.rules, form, code, club().snapshot().header),
    )


@blueprint.post("/enter")
def enter() -> ResponseReturnValue:
    """Enters a team, and checks it in if the form says that it is present."""
    may_write()
    tournament, seen = _at()
    number = len(tournament.teams) + 1
    names = [tidy_name(name, len(name)) for name in request.form.getlist("name")]
    _say(ClubEvent("enter", number, tuple(names)), seen)
    if "present" in request.form:
        _say(ClubEvent("check_in", number), club().hall.moment.seq)
    return _back()


@blueprint.post("/team/<int:team>/<do>")
def change(team: int, do: str) -> ResponseReturnValue:
    """Checks a team in or out, renames or withdraws it."""
    may_write()
    _, seen = _at()
    if do in ("check_in", "check_out"):
        _say(ClubEvent(do, team), seen)
    elif do == "rename":
        names = tuple(tidy_name(name, len(name)) for name in request.form.getlist("name"))
        _say(ClubEvent(do, team, names), seen)
    elif do == "withdraw":
        _say(ClubEvent(do, team, note=request.form.get("note", "").strip()), seen)
    else:
        abort(404)
    return _back()


@blueprint.post("/draw")
def draw_round() -> ResponseReturnValue:
    """Draws the next round; its matches then wait for the tables."""
    may_write()
    tournament, seen = _at()
    _say(draw(tournament, secrets.randbelow(SEEDS)), seen)
    return _back()


@blueprint.post("/cancel")
def cancel() -> ResponseReturnValue:
    """Takes the latest draw back."""
    may_write()
    tournament, seen = _at()
    note = request.form.get("note", "").strip()
    _say(ClubEvent("cancel_draw", round=len(tournament.rounds), note=note), seen)
    return _back()


@blueprint.post("/result/<int:round_>/<int:table>")
def result(round_: int, table: int) -> ResponseReturnValue:
    """Enters a result, or corrects one; a correction has a reason."""
    may_write()
    tournament, seen = _at()
    meeting = tournament.meeting(round_, table)
    score = (_points("first"), _points("second"))
    most = _most(tournament)
    if min(score) >= most:
        raise FormatError(N_("only one side can reach {most}"), most=most)
    winner = None if score[0] == score[1] else int(score[1] > score[0])
    event = ClubEvent("result", round=round_, table=table, score=score, winner=winner)
    if meeting.result is not None:
        event = event._replace(do="correct", note=request.form.get("note", "").strip())
    _say(event, seen)
    return _back()


def _most(tournament: Tournament) -> int:
    """What wins a match: points, or games where more than one is played."""
    match = tournament.header.match_header([""] * tournament.header.players)
    return match.rules.target if match.best_of == 1 else match.games_to_win


def _points(field: str) -> int:
    found = request.form.get(field, type=int)
    if found is None or not 0 <= found <= MOST_POINTS:
        raise FormatError(N_("write both scores as numbers, such as 12 and 7"))
    return found


@blueprint.post("/close")
def close() -> ResponseReturnValue:
    """Makes the standing final."""
    may_write()
    _say(ClubEvent("close"), _at()[1])
    return _back()


@blueprint.post("/reopen")
def reopen() -> ResponseReturnValue:
    """Opens a closed tournament again."""
    may_write()
    _say(ClubEvent("reopen", note=request.form.get("note", "").strip()), _at()[1])
    return _back()


def _at() -> tuple[Tournament, int]:
    """The tournament, and its sequence number."""
    moment = club().hall.moment
    return moment.tournament, moment.seq


def _say(event: ClubEvent, seen: int) -> None:
    """Appends an event; it is parsed first, which checks it as one from outside."""
    club().say(parse_club_event(event.to_json()), seen=seen)


def _back() -> ResponseReturnValue:
    return accepted(page=page_of_form(), seq=club().snapshot().number)
