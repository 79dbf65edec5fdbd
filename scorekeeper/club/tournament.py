"""What each event of a tournament checks and does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scorekeeper.club.events import MOST_TEAMS, ClubEvent
from scorekeeper.club.header import System, TournamentHeader
from scorekeeper.club.state import Meeting, Result, Round, Team, Tournament
from scorekeeper.errors import TournamentError
from scorekeeper.messages import N_

Check = Callable[[Tournament, ClubEvent], None]
Move = Callable[[Tournament, ClubEvent], Tournament]


def start(header: TournamentHeader) -> Tournament:
    """The tournament before its first event."""
    return Tournament(header)


def verify(tournament: Tournament, event: ClubEvent) -> None:
    """Checks an event.

    Raises:
        TournamentError: It is not possible now.
    """
    if tournament.closed and event.do not in ("correct", "reopen", "rename"):
        raise TournamentError(N_("the tournament is closed; open it again first"))
    _VERBS[event.do][0](tournament, event)


def can(tournament: Tournament, event: ClubEvent) -> bool:
    """Whether an event is possible now."""
    try:
        verify(tournament, event)
    except TournamentError:
        return False
    return True


def apply(tournament: Tournament, event: ClubEvent) -> Tournament:
    """The tournament after one more event.

    Raises:
        TournamentError: As ``verify``.
    """
    verify(tournament, event)
    return _VERBS[event.do][1](tournament, event)


def replay(header: TournamentHeader, events: Iterable[ClubEvent]) -> Tournament:
    """Replays the events of a tournament from its start.

    Raises:
        TournamentError: As ``verify``, at the first event that is not possible.
    """
    tournament = start(header)
    for event in events:
        tournament = apply(tournament, event)
    return tournament


# --- teams ---


def _check_enter(tournament: Tournament, event: ClubEvent) -> None:
    if event.team != len(tournament.teams) + 1:
        raise TournamentError(N_("somebody else was entered at the same time; look again"))
    if len(tournament.teams) >= MOST_TEAMS:
        raise TournamentError(N_("a tournament has at most {most} teams"), most=MOST_TEAMS)
    if tournament.rounds and tournament.header.system is not System.SWISS:
        raise TournamentError(N_("nobody can join once the first round is drawn"))
    _check_names(tournament, event)


def _check_names(tournament: Tournament, event: ClubEvent) -> None:
    names = event.names or ()
    size = tournament.header.team_size
    if len(names) != size:
        raise TournamentError(N_("a team has {size} players in this tournament"), size=size)
    taken = {name.strip().casefold() for one in tournament.teams if one.number != event.team
             for name in one.names}  # fmt: skip
    for name in names:
        if name.strip().casefold() in taken:
            raise TournamentError(
                N_("{name} takes part already; add an initial to tell two people apart"), name=name
            )
        taken.add(name.strip().casefold())


def _enter(tournament: Tournament, event: ClubEvent) -> Tournament:
    assert event.team is not None
    assert event.names is not None
    return tournament._replace(teams=(*tournament.teams, Team(event.team, event.names)))


def _check_rename(tournament: Tournament, event: ClubEvent) -> None:
    tournament.team(event.team or 0)
    _check_names(tournament, event)


def _rename(tournament: Tournament, event: ClubEvent) -> Tournament:
    assert event.names is not None
    return _with_team(tournament, tournament.team(event.team or 0)._replace(names=event.names))


def _check_check_in(tournament: Tournament, event: ClubEvent) -> None:
    team = tournament.team(event.team or 0)
    if team.present and team.withdrawn is None:
        raise TournamentError(N_("{team} is checked in already"), team=team.name)
    late = bool(tournament.rounds) and team.number not in tournament.starters
    if late and tournament.header.system is not System.SWISS:
        raise TournamentError(N_("nobody can join once the first round is drawn"))


def _check_in(tournament: Tournament, event: ClubEvent) -> Tournament:
    team = tournament.team(event.team or 0)
    return _with_team(tournament, team._replace(present=True, withdrawn=None))


def _check_check_out(tournament: Tournament, event: ClubEvent) -> None:
    team = tournament.team(event.team or 0)
    if not team.present:
        raise TournamentError(N_("{team} is not checked in"), team=team.name)
    if any(team.number in (*one.byes, *(n for m in one.meetings for n in m.teams))
           for one in tournament.rounds):  # fmt: skip
        raise TournamentError(
            N_("{team} has been drawn already; withdraw the team instead"), team=team.name
        )


def _check_out(tournament: Tournament, event: ClubEvent) -> Tournament:
    return _with_team(tournament, tournament.team(event.team or 0)._replace(present=False))


def _check_withdraw(tournament: Tournament, event: ClubEvent) -> None:
    team = tournament.team(event.team or 0)
    if team.withdrawn is not None:
        raise TournamentError(N_("{team} has withdrawn already"), team=team.name)


def _withdraw(tournament: Tournament, event: ClubEvent) -> Tournament:
    team = tournament.team(event.team or 0)
    after = _with_team(tournament, team._replace(withdrawn=event.note))
    round_ = after.current
    meeting = None if round_ is None else round_.meeting_of(team.number)
    if round_ is None or meeting is None or meeting.result is not None:
        return after
    other = 1 - meeting.side_of(team.number)
    return _with_result(after, round_.number, meeting, Result(other, (0, 0), walkover=True))


def _with_team(tournament: Tournament, team: Team) -> Tournament:
    teams = (*tournament.teams[: team.number - 1], team, *tournament.teams[team.number :])
    return tournament._replace(teams=teams)


# --- rounds ---


def check_round(tournament: Tournament) -> None:
    """Checks whether a round can be drawn at all.

    Raises:
        TournamentError: It cannot.
    """
    if tournament.closed:
        raise TournamentError(N_("the tournament is closed; open it again first"))
    if not tournament.between_rounds:
        raise TournamentError(N_("a round can be drawn when every table has a result"))
    if tournament.played_out:
        raise TournamentError(N_("all rounds have been played"))
    if len(tournament.field) < 2:
        raise TournamentError(N_("two teams must be checked in before a round can be drawn"))


def _check_draw(tournament: Tournament, event: ClubEvent) -> None:
    if event.round != len(tournament.rounds) + 1:
        raise TournamentError(N_("somebody else has drawn this round already; look again"))
    check_round(tournament)
    pairs, byes = event.pairs or (), event.byes or ()
    drawn = [*byes, *(team for pair in pairs for team in pair)]
    if sorted(drawn) != sorted(tournament.field):
        raise TournamentError(N_("the teams have changed since the draw; draw again"))
    if tournament.header.system is not System.KNOCK_OUT:
        for first, second in pairs:
            if second in tournament.met(first):
                raise TournamentError(
                    N_("{first} and {second} have met already"),
                    first=tournament.team(first).name,
                    second=tournament.team(second).name,
                )


def _draw(tournament: Tournament, event: ClubEvent) -> Tournament:
    assert event.round is not None
    assert event.seed is not None
    meetings = tuple(Meeting(table, pair) for table, pair in enumerate(event.pairs or (), 1))
    round_ = Round(event.round, event.seed, meetings, event.byes or ())
    return tournament._replace(rounds=(*tournament.rounds, round_))


def _check_cancel(tournament: Tournament, event: ClubEvent) -> None:
    round_ = tournament.current
    if round_ is None or round_.number != event.round:
        raise TournamentError(N_("only the latest draw can be taken back"))
    if any(one.result is not None and not one.result.walkover for one in round_.meetings):
        raise TournamentError(N_("a table has a result already: this draw stands"))


def _cancel(tournament: Tournament, event: ClubEvent) -> Tournament:
    return tournament._replace(rounds=tournament.rounds[:-1])


# --- results ---


def _check_result(tournament: Tournament, event: ClubEvent) -> None:
    meeting = tournament.meeting(event.round or 0, event.table or 0)
    if meeting.result is not None:
        same = meeting.result.match == event.match is not None
        if not same or meeting.result.reason is not None or event.round != len(tournament.rounds):
            raise TournamentError(
                N_("table {table} of round {round} has a result already; correct it with a reason"),
                table=meeting.table,
                round=event.round,
            )
    _check_score(tournament, event)


def _check_score(tournament: Tournament, event: ClubEvent) -> None:
    if event.winner is None and tournament.header.system is System.KNOCK_OUT:
        raise TournamentError(N_("a knock-out needs a winner at each table"))


def _result(tournament: Tournament, event: ClubEvent) -> Tournament:
    assert event.round is not None
    assert event.score is not None
    meeting = tournament.meeting(event.round, event.table or 0)
    result = Result(event.winner, event.score, event.match)
    return _with_result(tournament, event.round, meeting, result)


def _check_retract(tournament: Tournament, event: ClubEvent) -> None:
    meeting = tournament.meeting(event.round or 0, event.table or 0)
    result = meeting.result
    if result is None or result.match != event.match or result.reason is not None:
        raise TournamentError(N_("this result does not come from that match"))
    if event.round != len(tournament.rounds):
        raise TournamentError(N_("the next round is drawn already: correct it with a reason"))


def _retract(tournament: Tournament, event: ClubEvent) -> Tournament:
    assert event.round is not None
    meeting = tournament.meeting(event.round, event.table or 0)
    return _with_result(tournament, event.round, meeting, None)


def _check_correct(tournament: Tournament, event: ClubEvent) -> None:
    meeting = tournament.meeting(event.round or 0, event.table or 0)
    if meeting.result is None:
        raise TournamentError(
            N_("table {table} of round {round} has no result yet"),
            table=meeting.table,
            round=event.round,
        )
    if tournament.header.system is System.KNOCK_OUT and event.round != len(tournament.rounds):
        raise TournamentError(
            N_("the next round was drawn from this result; take that draw back first")
        )
    _check_score(tournament, event)


def _correct(tournament: Tournament, event: ClubEvent) -> Tournament:
    assert event.round is not None
    assert event.score is not None
    meeting = tournament.meeting(event.round, event.table or 0)
    before = None if meeting.result is None else meeting.result.match
    result = Result(event.winner, event.score, before, event.note)
    return _with_result(tournament, event.round, meeting, result)


def _with_result(
    tournament: Tournament, number: int, meeting: Meeting, result: Result | None
) -> Tournament:
    rounds = list(tournament.rounds)
    round_ = rounds[number - 1]
    meetings = tuple(
        one._replace(result=result) if one.table == meeting.table else one
        for one in round_.meetings
    )
    rounds[number - 1] = round_._replace(meetings=meetings)
    return tournament._replace(rounds=tuple(rounds))


# --- the end ---


def _check_close(tournament: Tournament, event: ClubEvent) -> None:
    if not tournament.rounds:
        raise TournamentError(N_("no round has been played yet"))
    if not tournament.between_rounds:
        raise TournamentError(N_("a tournament can be closed when every table has a result"))


def _close(tournament: Tournament, event: ClubEvent) -> Tournament:
    return tournament._replace(closed=True)


def _check_reopen(tournament: Tournament, event: ClubEvent) -> None:
    if not tournament.closed:
        raise TournamentError(N_("the tournament is open already"))


def _reopen(tournament: Tournament, event: ClubEvent) -> Tournament:
    return tournament._replace(closed=False)


_VERBS: Mapping[str, tuple[Check, Move]] = {
    "enter": (_check_enter, _enter),
    "rename": (_check_rename, _rename),
    "check_in": (_check_check_in, _check_in),
    "check_out": (_check_check_out, _check_out),
    "withdraw": (_check_withdraw, _withdraw),
    "draw": (_check_draw, _draw),
    "cancel_draw": (_check_cancel, _cancel),
    "result": (_check_result, _result),
    "retract": (_check_retract, _retract),
    "correct": (_check_correct, _correct),
    "close": (_check_close, _close),
    "reopen": (_check_reopen, _reopen),
}
