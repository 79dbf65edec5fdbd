"""The state of a club's hall, as one JSON object that its screens are drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scorekeeper.club.header import System
from scorekeeper.club.standing import Row, standing
from scorekeeper.club.state import Meeting, Round, Tournament
from scorekeeper.engine.match import start
from scorekeeper.games.raises import LONG, SMALL, TWO_LONGS, Value
from scorekeeper.messages import N_
from scorekeeper.storage.hall import HallMoment, Live, score_of
from scorekeeper.text.append_announcer import AppendAnnouncer
from scorekeeper.text.i18n import language
from scorekeeper.text.names import together
from scorekeeper.text.phrases import Voice
from webui.presenters.match_state import State, awaited_seats
from webui.presenters.table_words import HEADLINES

SYSTEMS: Mapping[System, str] = {
    System.SWISS: N_("Swiss system"),
    System.ROUND_ROBIN: N_("Everybody meets everybody"),
    System.KNOCK_OUT: N_("Knock-out with a second chance"),
}

TIES: Mapping[System, Sequence[str]] = {
    System.SWISS: (
        N_("A match won is one point, a draw half a point. Who sits out a round has a point."),
        N_("Nobody meets twice, and nobody sits out twice before all have."),
        N_("Level on points: whose opponents have more points together (Buchholz); then the matches between them; then the difference of the scores; then the lot of the first draw."),  # noqa: E501
    ),
    System.ROUND_ROBIN: (
        N_("A match won is one point, a draw half a point. Who sits out a round has a point."),
        N_("Level on points: the matches between them; then the difference of the scores; then the lot of the first draw."),  # noqa: E501
    ),
    System.KNOCK_OUT: (
        N_("Whoever has lost two matches is out. Those who have lost as many meet each other."),
        N_("Who stays in longer is ahead; then who has more points; then whose opponents have more together (Buchholz); then the matches between them; then the difference of the scores; then the lot of the first draw."),  # noqa: E501
    ),
}  # fmt: skip
"""The rules that decide a place, as ``scorekeeper.club.standing`` applies them."""

MOST_LONGS: Mapping[Value, int] = {SMALL: 1, LONG: 1, TWO_LONGS: 2}
"""The most Longs that a hand can bring, by its value where that is no number of points.

For the remainder (LT-17), which is not in it, a hand brings all that is missing.
"""

WALKOVER = N_("the other side has withdrawn")


def hall_state(hall: HallMoment, code: str) -> State:
    """The hall as everybody may see it.

    Args:
        hall: The hall at one moment.
        code: Language of the sentences in it.
    """
    tournament, gettext = hall.tournament, language(code).gettext
    header, current = tournament.header, tournament.current
    voice = Voice(start(header.match_header(["A", "B", "C", "D"][: header.players])).header, code)
    game, *house = voice.game_and_house_rules()
    rows = standing(tournament)
    tables = [] if current is None else [
        table_state(tournament, one, hall.tables.get(one.table), code) for one in current.meetings
    ]  # fmt: skip
    return {
        "title": header.title,
        "stage": stage(tournament),
        "seq": hall.seq,
        "game": game,
        "house": house,
        "best_of": header.best_of,
        "partners": header.team_size == 2,
        "system": gettext(SYSTEMS[header.system]),
        "rules": [gettext(rule) for rule in TIES[header.system]],
        "draws": any(row.drawn for row in rows),
        "round": len(tournament.rounds),
        "rounds": tournament.rounds_to_play,
        "seed": None if current is None else current.seed,
        "tables": tables,
        "playing": sum(table["result"] is None for table in tables),
        "byes": [] if current is None else [name_of(tournament, one, code) for one in current.byes],
        "standing": [row_state(tournament, row, code) for row in rows],
        "placed": any(row.won or row.drawn or row.lost for row in rows),
        "rivals_count": header.system is not System.ROUND_ROBIN,
        "earlier": [
            round_state(tournament, one, code)
            for one in reversed(tournament.rounds)
            if one.over or one is not current
        ],
        "teams": [
            {
                "number": team.number,
                "name": name_of(tournament, team.number, code),
                "names": list(team.names),
                "present": team.present and team.withdrawn is None,
                "withdrawn": team.withdrawn,
                "drawn": any(team.number in (*one.byes, *(n for m in one.meetings for n in m.teams))
                             for one in tournament.rounds),
            }
            for team in tournament.teams
        ],
    }  # fmt: skip


def stage(tournament: Tournament) -> str:
    """Where a tournament is: ``entering``, ``playing``, ``between``, ``played`` or ``closed``."""
    if tournament.closed:
        return "closed"
    if tournament.current is None:
        return "entering"
    if not tournament.between_rounds:
        return "playing"
    return "played" if tournament.played_out else "between"


def name_of(tournament: Tournament, team: int, code: str) -> str:
    """The name of a team, from those of its players: ``Ana & Bea``, in French ``Ana et Bea``."""
    return together(tournament.team(team).names, code)


def table_state(tournament: Tournament, one: Meeting, live: Live | None, code: str) -> State:
    """A table of the round: who plays, and the score."""
    found: State = {
        "table": one.table,
        "names": [name_of(tournament, team, code) for team in one.teams],
        "result": None,
        "score": [0, 0],
        "games": None,
        "winner": None,
        "awaited": None,
        "at_stake": False,
        "begun": live is not None and live.seq > 0,
        "match": None if live is None else live.entry.id,
    }
    if live is not None:
        found |= live_state(live, code)
    if one.result is not None:
        found |= {"result": result_state(one, code), "winner": one.result.winner}
        found |= {"score": list(one.result.score), "at_stake": False, "games": None}
    return found


def live_state(live: Live, code: str) -> State:
    """The score of a match, whom it waits for, and whether this hand may end it (``at_stake``).

    Between two hands, the next hand is meant.
    """
    match, begun = live.match, live.seq > 0
    rules, header = match.rules, match.header
    value = rules.raising.worth(match.hand if match.in_progress else None)
    most = value if isinstance(value, int) else MOST_LONGS.get(value, rules.target)
    may_end = any(
        won == header.games_to_win - 1 and rules.target - score.points <= most
        for won, score in zip(match.games_won, match.opening_scores, strict=True)
    )
    awaited = None
    if begun:
        names = " / ".join(match.seated.seats[seat] for seat in awaited_seats(match))
        awaited = AppendAnnouncer(match.seated, code).say(HEADLINES[match.phase], who=names).text
    return {
        "score": list(score_of(match)) if match.over else [score.points for score in match.scores],
        "games": list(match.games_won) if header.best_of > 1 else None,
        "winner": match.winner,
        "awaited": awaited,
        "at_stake": begun and not match.over and may_end,
    }


def result_state(one: Meeting, code: str) -> str | None:
    """A remark on a result: a side has withdrawn, or the score was corrected; or an empty one.

    None where there is no result yet.
    """
    result, gettext = one.result, language(code).gettext
    if result is None:
        return None
    if result.walkover:
        return gettext(WALKOVER)
    if result.reason is not None:
        return gettext("corrected: {reason}").format(reason=result.reason)
    return ""


def round_state(tournament: Tournament, one: Round, code: str) -> State:
    """A round with its results."""
    return {
        "number": one.number,
        "seed": one.seed,
        "tables": [table_state(tournament, each, None, code) for each in one.meetings],
        "byes": [name_of(tournament, team, code) for team in one.byes],
    }


def row_state(tournament: Tournament, row: Row, code: str) -> State:
    """A row of the standing."""
    return {
        "place": row.place,
        "team": row.team,
        "name": name_of(tournament, row.team, code),
        "withdrawn": tournament.team(row.team).withdrawn is not None,
        "points": halved(Fraction(row.points)),
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "byes": row.byes,
        "rivals": halved(row.rivals),
        "difference": f"{row.difference:+d}".replace("-", "−") if row.difference else "0",
    }


def halved(points: Fraction) -> str:
    """Points as people write them: ``3``, ``2½``, ``1¼``.

    Args:
        points: Their double, as the standing counts them.
    """
    whole, part = divmod(points / 2, 1)
    signs = {Fraction(0): "", Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
    return f"{'' if whole == 0 and part else whole}{signs[part]}"


def news_of(live: Live, code: str) -> dict[str, Any] | None:
    """The latest change at a table as it is called out; None where nothing is called."""
    if not live.latest:
        return None
    announcer = AppendAnnouncer(live.match.seated, code)
    calls = announcer.news(live.before, live.events[-live.latest :], live.match)
    text = " ".join(call.text for call in calls if call.text)
    if not text:
        return None
    return {"table": live.table, "text": text, "ended": live.match.over and not live.before.over}
