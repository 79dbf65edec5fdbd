"""A hall: follows a tournament and the matches of its round, while the tables play them.

It keeps nothing on disk: it may stop and start at any time, and several halls may follow the same
tournament. When a match ends, the hall that sees it first appends the result; the sequence numbers
of the tournament's events let only one of them through.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from threading import RLock
from typing import NamedTuple

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.state import Meeting, Tournament
from scorekeeper.club.tournament import apply, start
from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply as played
from scorekeeper.engine.match import start as begun
from scorekeeper.engine.said import Said, Source
from scorekeeper.engine.state import Match
from scorekeeper.errors import LedgerError, RuleError, StaleAppend
from scorekeeper.storage.ledger import Ledger, MatchEntry
from scorekeeper.storage.tournaments import Fixture, Tournaments

log = logging.getLogger(__name__)


class Live(NamedTuple):
    """A match of the round, as far as it was played.

    Attributes:
        table: Number of the table.
        entry: The match in the ledger.
        events: All its events, ``undo`` ones too.
        match: Its state.
        before: Its state before the latest change; screens tell what happened in between.
        latest: How many events are in between.
        at: ``HallMoment.number`` when it changed.
    """

    table: int
    entry: MatchEntry
    events: tuple[Event, ...]
    match: Match
    before: Match
    latest: int = 0
    at: int = 0

    @property
    def seq(self) -> int:
        """How many events it has."""
        return len(self.events)


class HallMoment(NamedTuple):
    """The state of a hall at one moment; a value that never changes.

    Attributes:
        number: How often something has changed since this hall was opened.
        seq: How many events the tournament has.
        tournament: Its state.
        tables: Number of each table to its match of the latest round; only those that can be read.
    """

    number: int
    seq: int
    tournament: Tournament
    tables: Mapping[int, Live]


class Hall:
    """Follows one tournament. May be used by several threads.

    Args:
        ledger: Where the tournament is.
        number: The tournament.

    Attributes:
        number: The tournament.

    Raises:
        LedgerError: The ledger cannot be read, or there is no such tournament.
        TournamentError: An event of it is not possible by the rules of this program.
    """

    def __init__(self, ledger: Ledger, number: int) -> None:
        self.number = number
        self._ledger, self._tournaments, self._lock = ledger, Tournaments(ledger), RLock()
        header = self._tournaments.entry(number).header
        self._moment = HallMoment(0, 0, start(header), {})
        self.refresh()

    @property
    def moment(self) -> HallMoment:
        """The state of the hall when it was read last."""
        return self._moment

    def refresh(self) -> bool:
        """Reads what is new, and appends the results of matches that have ended.

        Returns:
            Whether anything is new.

        Raises:
            LedgerError: The ledger cannot be read or written.
        """
        with self._lock:
            before = self._moment
            self._read()
            for event in self._results():
                try:
                    self._append(event, Said.now(Source.OPERATOR))
                except StaleAppend:
                    break  # another hall was first; its append wakes this one
            return self._moment is not before

    def say(self, event: ClubEvent, *, seen: int, who: str | None = None) -> HallMoment:
        """Appends what the host says.

        Args:
            event: The event.
            seen: Sequence number of the tournament's last event that the host has seen.
            who: Who says it.

        Raises:
            StaleAppend: The tournament has gone on since.
            TournamentError: It is not possible.
            LedgerError: It could not be written.
        """
        with self._lock:
            self._read()
            if seen != self._moment.seq:
                raise StaleAppend(seen=seen, now=self._moment.seq)
            self._append(event, Said.now(Source.OPERATOR, who))
            self._read()
            return self._moment

    def _append(self, event: ClubEvent, said: Said) -> None:
        number, seq, tournament, tables = self._moment
        after = self._tournaments.append(self.number, tournament, event, seen=seq, said=said)
        self._moment = HallMoment(number + 1, seq + 1, after, tables)

    def _read(self) -> None:
        number, seq, tournament, tables = self._moment
        entries = self._tournaments.read(self.number, after=seq)
        for one in entries:
            tournament = apply(tournament, one.event)
        fixtures = self._tournaments.fixtures(self.number, len(tournament.rounds))
        followed = {one.table: self._follow(one, tables.get(one.table)) for one in fixtures}
        changed = {table: live for table, live in followed.items() if live is not None}
        same = changed.keys() == tables.keys() and all(
            changed[table] is tables[table] for table in tables
        )
        if entries or not same:
            self._moment = HallMoment(number + 1, seq + len(entries), tournament, changed)

    def _follow(self, fixture: Fixture, known: Live | None) -> Live | None:
        """The match of a table as it is now; None if it cannot be read.

        If its newest events cannot be read, it stays at those before them. The events that it has
        when it is seen first are not counted as ``latest``.
        """
        at = self._moment.number + 1
        met = known is not None and known.entry.id == fixture.match
        if known is None or not met:
            try:
                entry = self._ledger.match(fixture.match)
            except LedgerError as error:  # the other tables are followed all the same
                log.warning("table %s is not followed: %s", fixture.table, error)
                return None
            match = begun(entry.header)
            known = Live(fixture.table, entry, (), match, match, at=at)
        if fixture.seq <= known.seq:
            return known
        match, events = known.match, list(known.events)
        try:
            for one in self._ledger.read(known.entry, after=known.seq):
                match = played(match, one.marked, kept=True)
                events.append(one.marked)
        except (LedgerError, RuleError) as error:
            log.warning("table %s is not followed: %s", fixture.table, error)
        if len(events) == known.seq and met:
            return known
        latest, before = (len(events) - known.seq, known.match) if met else (0, match)
        return known._replace(
            events=tuple(events), match=match, before=before, latest=latest, at=at
        )

    def _results(self) -> list[ClubEvent]:
        """The results of the round's matches that the tournament does not have yet."""
        _, _, tournament, tables = self._moment
        round_ = tournament.current
        if round_ is None or tournament.closed:
            return []
        found = (
            result_of(one, tables[one.table], round_.number)
            for one in round_.meetings
            if one.table in tables
        )
        return [event for event in found if event is not None]


def result_of(meeting: Meeting, live: Live, round_: int) -> ClubEvent | None:
    """The event that makes a meeting's result the one of its match; None if it is already."""
    match, kept = live.match, meeting.result
    won = match.over and match.winner is not None
    event = ClubEvent("retract", round=round_, table=meeting.table, match=live.entry.id)
    if kept is not None and (kept.match != live.entry.id or kept.reason is not None):
        return None
    if not won:
        return None if kept is None else event
    score = score_of(match)
    if kept is not None and (kept.winner, kept.score) == (match.winner, score):
        return None
    return event._replace(do="result", winner=match.winner, score=score)


def score_of(match: Match) -> tuple[int, int]:
    """The result of a match: the games of both sides if it may have several, else the points."""
    if match.header.best_of > 1:
        return match.games_won
    counting = match.rules.counting
    first, second = (next(iter(counting.to_json(score).values())) for score in match.scores)
    return int(first), int(second)
