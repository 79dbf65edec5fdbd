"""After a match: its story, the results of evenings and players, and files to keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from scorekeeper.history.record import write_record
from scorekeeper.reports.explain import Happening, happenings, title
from scorekeeper.reports.spreadsheets import match_sheet, tallies_sheet
from scorekeeper.reports.tallies import (
    Played,
    Summary,
    at_seats,
    by_evening,
    by_player,
    names,
    read_match,
)
from scorekeeper.storage.ledger import Ledger
from scorekeeper.text.append_announcer import AppendAnnouncer
from scorekeeper.text.narrator import Narrator
from scorekeeper.text.phrases import Sentence
from webui.pages.dispute import can_be_disputed
from webui.pages.players import keeping
from webui.presenters.charts import score_chart
from webui.requests.files import file_to_take, table_to_take
from webui.requests.visitor import grant, language_code, may_write, room, shelf

blueprint = Blueprint("afterwards", __name__)


@blueprint.get("/evenings")
def evenings() -> str:
    """Every player's results, and the evenings of a month: ``?month=2026-11``, or the latest."""
    told = shelf()
    days: dict[date, list[Summary]] = {}
    for played in told.played:  # not sorted by evening: the clocks of tables differ
        days.setdefault(played.evening, []).append(played)
    months = Counter(_month(day) for day in days)
    chosen = request.args.get("month") or max(months, default=None)
    if chosen is not None and chosen not in months:
        abort(404)
    shown = [day for day in sorted(days, reverse=True) if _month(day) == chosen]
    players = by_player(told.played)
    return render_template(
        "evenings.html",
        evenings=[(day, by_player(days[day]), days[day]) for day in shown],
        several=len(days) > 1,
        months=[(month, _first(month), months[month]) for month in sorted(months, reverse=True)],
        chosen=chosen,
        players=players,
        unread=told.unread,
        tells_why=_at_a_table() and grant().host,  # the errors may name paths
        keeping=keeping(list(players)),
        narrators={
            played.entry.id: Narrator(played.seated, language_code())
            for day in shown
            for played in days[day]
        },
    )


def _month(day: date) -> str:
    """The month of a day, as addresses name it: ``2026-11``."""
    return day.isoformat()[:7]


def _first(month: str) -> date:
    """The first day of a month that ``_month`` has named."""
    return date.fromisoformat(f"{month}-01")


@blueprint.get("/evenings.csv")
def evenings_csv() -> Response:
    """The results of evenings as a sheet."""
    sheet = tallies_sheet(by_evening(shelf().played))
    return table_to_take(sheet, "evenings")


@blueprint.get("/match/<int:match_id>")
def match(match_id: int) -> str:
    """The story of a match: its chart, its hands in the referee's sentences, its calls."""
    played = _played(match_id)
    code = language_code()
    narrator = Narrator(played.match.seated, code)
    return render_template(
        "match.html",
        played=played,
        heading=list(title(narrator)),
        narrator=narrator,
        keeping=keeping(names([played])),
        chart=score_chart(played.match, code),
        at_seats=at_seats(played),
        hands=list(_hands(played, narrator)),
        may_dispute=_at_a_table() and can_be_disputed(played.match.seated),
        may_forget=_at_a_table() and grant().host and room().snapshot().match_id != match_id,
    )


def _at_a_table() -> bool:
    """Whether this is a table's application; a club's hall has no disputes, and forgets nothing."""
    return "dispute" in current_app.blueprints


def _hands(played: Played, narrator: Narrator) -> Iterator[tuple[int, str, list[list[Sentence]]]]:
    """Yields each hand: its number, it in short, and its sentences, event by event."""
    announcer = AppendAnnouncer(played.match.seated, narrator.code)
    told = happenings(played.match, narrator)
    for number, group in groupby(told, lambda happening: happening.hand):
        events = list(group)
        yield number, _in_short(announcer, events), [event.sentences for event in events]


def _in_short(announcer: AppendAnnouncer, told: Sequence[Happening]) -> str:
    """What a hand came to, the score that it and the table's word made, and what they ended."""
    last = told[-1]
    ended = next((one.after for one in told if one.hand and not one.after.in_progress), None)
    if ended is None or ended.hand is None:
        return " ".join(sentence.text for sentence in last.sentences[-2:])
    announcer.name_players(ended.seated)
    words = [announcer.result(ended.hand)]
    announcer.name_players(last.after.seated)
    words.append(announcer.standings(last.after).text)
    most = announcer.ended(last.after)
    if most is not None and most.what != "hand":
        words.append(most.words)
    return " ".join(words)


@blueprint.get("/match/<int:match_id>.jsonl")
def record(match_id: int) -> Response:
    """The match as a record, which ``trucam import`` can read."""
    _must_exist(match_id)
    entry = _ledger().match(match_id)
    events = [event.marked for event in _ledger().read(entry)]
    lines = (
        line.encode("utf-8", "backslashreplace") for line in write_record(entry.header, events)
    )
    return file_to_take(b"".join(lines), "application/jsonl", f"trucam-{match_id}.jsonl")


@blueprint.get("/match/<int:match_id>.csv")
def sheet(match_id: int) -> Response:
    """The match as a sheet: a line for each hand."""
    return table_to_take(match_sheet(_played(match_id).match), str(match_id))


@blueprint.get("/match/<int:match_id>.svg")
def picture(match_id: int) -> Response:
    """The match as a picture to share; the page makes a PNG of it."""
    played = _played(match_id)
    chart = score_chart(played.match, language_code(), picture=True, evening=played.evening)
    return Response(chart, mimetype="image/svg+xml")


@blueprint.post("/match/<int:match_id>/forget")
def forget(match_id: int) -> ResponseReturnValue:
    """Removes a match for good, unless it is being played."""
    may_write()
    if not _at_a_table():
        abort(404)
    if room().snapshot().match_id == match_id:
        abort(409)
    _must_exist(match_id)
    _ledger().remove(match_id)
    return redirect(url_for(".evenings"))


def _ledger() -> Ledger:
    return room().ledger


def _played(match_id: int) -> Played:
    _must_exist(match_id)
    return read_match(_ledger(), match_id)


def _must_exist(match_id: int) -> None:
    """Ends the request where there is no such match."""
    if match_id not in _ledger().ids():
        abort(404)
