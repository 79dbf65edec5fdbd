"""Tournaments in the ledger: their events, and the matches of their rounds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from scorekeeper.club.events import ClubEvent, parse_club_event
from scorekeeper.club.header import TournamentHeader, parse_tournament_header
from scorekeeper.club.state import Tournament
from scorekeeper.club.tournament import apply, start
from scorekeeper.engine.events import is_whole
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source, moment, offset_minutes, utc_text
from scorekeeper.errors import LedgerError, StaleAppend, TournamentError
from scorekeeper.messages import N_
from scorekeeper.storage.database import readable
from scorekeeper.storage.ledger import Ledger, to_text
from scorekeeper.storage.schema import (
    events,
    fixtures,
    matches,
    outbox,
    tournament_events,
    tournaments,
)

PLACE = "_tournament"
"""Remark of a match's header: its tournament, round and table."""


class TournamentEntry(NamedTuple):
    """One tournament in the ledger.

    Attributes:
        id: Its number.
        header: What was settled before.
        begun: When it began, by the host's clock.
    """

    id: int
    header: TournamentHeader
    begun: datetime


class ClubEntry(NamedTuple):
    """One event of a tournament in the ledger.

    Attributes:
        seq: Its sequence number, from 1.
        event: The event.
        said: When it was said, where it came from, and who said it.
    """

    seq: int
    event: ClubEvent
    said: Said


class Fixture(NamedTuple):
    """The match of one table in one round.

    Attributes:
        round: Number of the round.
        table: Number of the table.
        match: Number of the match in the ledger.
        seq: How many events the match has.
    """

    round: int
    table: int
    match: int
    seq: int


class Tournaments:
    """The tournaments of a ledger. May be used by several threads, and by several processes.

    Args:
        ledger: Where they are kept, beside its matches.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def begin(self, header: TournamentHeader, said: Said) -> int:
        """Begins a tournament and returns its number.

        Raises:
            LedgerError: It could not be written; nothing was kept.
        """
        row = {
            "header": to_text(header.to_json()),
            "begun_at": utc_text(said.at),
            "utc_offset": offset_minutes(said.at),
        }
        with self._ledger.transaction() as connection:
            key = connection.execute(insert(tournaments), row).inserted_primary_key
        assert key is not None
        return int(key[0])

    def ids(self) -> list[int]:
        """The numbers of all tournaments, in the order in which they were begun.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        query = select(tournaments.c.id).order_by(tournaments.c.id)
        with self._ledger.transaction() as connection:
            return list(connection.execute(query).scalars())

    def entry(self, number: int) -> TournamentEntry:
        """One tournament, without its events.

        Raises:
            LedgerError: The ledger cannot be read, or there is no such tournament.
        """
        query = select(tournaments).where(tournaments.c.id == number)
        with self._ledger.transaction() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise LedgerError(f"There is no tournament {number} in the ledger {self._ledger}.")
        with readable(f"tournament {number}", str(self._ledger)):
            header = parse_tournament_header(json.loads(row.header))
            return TournamentEntry(number, header, moment(row.begun_at, row.utc_offset))

    def read(self, number: int, *, after: int = 0) -> list[ClubEntry]:
        """The events of a tournament, in order.

        Args:
            number: The tournament.
            after: Only the events after this sequence number.

        Raises:
            LedgerError: The ledger cannot be read, or an event in it is missing or damaged.
        """
        said = tournament_events.c
        query = select(tournament_events).where(said.tournament_id == number, said.seq > after)
        with self._ledger.transaction() as connection:
            rows = connection.execute(query.order_by(said.seq)).all()
        found = []
        for seq, row in enumerate(rows, after + 1):
            with readable(f"event {seq} of tournament {number}", str(self._ledger)):
                if row.seq != seq:
                    raise ValueError("it is missing")
                event = parse_club_event(json.loads(row.event))
                who = Said(moment(row.at, row.utc_offset), Source(row.source), row.who)
                found.append(ClubEntry(seq, event, who))
        return found

    def replayed(self, number: int) -> tuple[Tournament, int]:
        """The state of a tournament, and how many events it has.

        Raises:
            LedgerError: As ``read``.
            TournamentError: An event is not possible by the rules of this program.
        """
        tournament, entries = start(self.entry(number).header), self.read(number)
        for one in entries:
            tournament = apply(tournament, one.event)
        return tournament, len(entries)

    def append(self, number: int, tournament: Tournament, event: ClubEvent, *, seen: int,
               said: Said) -> Tournament:  # fmt: skip
        """Appends an event; a draw also begins the matches of its round: all of it or nothing.

        Args:
            number: The tournament.
            tournament: Its state after event ``seen``.
            event: The event.
            seen: Sequence number of the last event before it.
            said: When it was said, where it came from, and who said it.

        Returns:
            The tournament after it.

        Raises:
            TournamentError: It is not possible.
            StaleAppend: The tournament has gone on; nothing was kept.
            LedgerError: It could not be written; nothing was kept.
        """
        after = apply(tournament, parse_club_event(event.to_json()))
        row = {
            "tournament_id": number,
            "seq": seen + 1,
            "event": to_text(event.to_json()),
            "at": utc_text(said.at),
            "utc_offset": offset_minutes(said.at),
            "source": said.source.value,
            "who": said.who,
        }
        now = None
        with self._ledger.transaction() as connection:
            try:
                with connection.begin_nested():
                    connection.execute(insert(tournament_events), row)
            except IntegrityError:
                now = _last(connection, number)
            else:
                if event.do == "draw":
                    _open_matches(connection, number, after, said)
                elif event.do == "cancel_draw":
                    _leave_matches(connection, number, event.round or 0)
        if now is not None:
            raise StaleAppend(seen=seen, now=now)
        return after

    def last(self, number: int) -> int:
        """How many events a tournament has.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        with self._ledger.transaction() as connection:
            return _last(connection, number)

    def fixtures(self, number: int, round_: int) -> list[Fixture]:
        """The matches of a round, in the order of tables.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        query = (
            select(fixtures.c.place, fixtures.c.match_id, func.coalesce(func.max(events.c.seq), 0))
            .select_from(fixtures.outerjoin(events, events.c.match_id == fixtures.c.match_id))
            .where(fixtures.c.tournament_id == number, fixtures.c.round == round_)
            .group_by(fixtures.c.place, fixtures.c.match_id)
            .order_by(fixtures.c.place)
        )
        with self._ledger.transaction() as connection:
            rows = connection.execute(query).all()
        return [Fixture(round_, *row) for row in rows]

    def remove(self, number: int) -> None:
        """Removes a tournament for good; its matches stay in the ledger.

        Raises:
            LedgerError: The ledger cannot be written, or there is no such tournament.
        """
        self.entry(number)
        with self._ledger.transaction() as connection:
            for part in (fixtures, tournament_events):
                connection.execute(delete(part).where(part.c.tournament_id == number))
            connection.execute(delete(tournaments).where(tournaments.c.id == number))


class Place(NamedTuple):
    """Where a match is played in a tournament.

    Attributes:
        tournament: Number of the tournament.
        round: Number of the round.
        table: Number of the table.
    """

    tournament: int
    round: int
    table: int


def place_of(header: Header) -> Place | None:
    """Where a match is played in a tournament, by its header; None if it is of no tournament."""
    found = header.remarks.get(PLACE)
    if not isinstance(found, dict):
        return None
    numbers = [found.get(key) for key in ("id", "round", "table")]
    return Place(*numbers) if all(map(is_whole, numbers)) else None  # type: ignore[arg-type]


def following(ledger: Ledger, place: Place) -> int | None:
    """The number of the match that a table plays next; None if its tournament is closed or gone.

    Args:
        ledger: Where the tournament is.
        place: Where the table plays now.

    Raises:
        TournamentError: The next round is not drawn yet, or nobody was drawn for this table.
        LedgerError: The ledger cannot be read.
    """
    tournaments_ = Tournaments(ledger)
    if place.tournament not in tournaments_.ids():
        return None
    tournament, _ = tournaments_.replayed(place.tournament)
    latest = len(tournament.rounds)
    if tournament.closed:
        return None
    if latest <= place.round:
        raise TournamentError(N_("the next round is not drawn yet"))
    found = tournaments_.fixtures(place.tournament, latest)
    for fixture in found:
        if fixture.table == place.table:
            return fixture.match
    raise TournamentError(
        N_("nobody was drawn for table {table} of round {round}"),
        table=place.table,
        round=latest,
    )


def open_tables(ledger: Ledger) -> dict[int, int]:
    """The tables of the latest tournament that have no result yet, each with its match's number.

    Raises:
        LedgerError: The ledger cannot be read.
        TournamentError: An event of it is not possible by the rules of this program.
    """
    tournaments_ = Tournaments(ledger)
    ids = tournaments_.ids()
    if not ids:
        return {}
    tournament, _ = tournaments_.replayed(ids[-1])
    if tournament.current is None or tournament.closed:
        return {}
    waiting = {one.table for one in tournament.current.open}
    found = tournaments_.fixtures(ids[-1], len(tournament.rounds))
    return {one.table: one.match for one in found if one.table in waiting}


def _last(connection: Connection, number: int) -> int:
    said = tournament_events.c
    query = select(func.coalesce(func.max(said.seq), 0)).where(said.tournament_id == number)
    return int(connection.execute(query).scalar_one())


def _open_matches(connection: Connection, number: int, tournament: Tournament, said: Said) -> None:
    """Begins a match for each meeting of the latest round; its first dealer is random."""
    for table, header in _headers(number, tournament):
        match = {
            "header": to_text(header),
            "begun_at": utc_text(said.at),
            "utc_offset": offset_minutes(said.at),
        }
        key = connection.execute(insert(matches), match).inserted_primary_key
        assert key is not None
        row = {"tournament_id": number, "place": table, "match_id": key[0]}
        connection.execute(insert(fixtures), {**row, "round": len(tournament.rounds)})


def _headers(number: int, tournament: Tournament) -> Iterator[tuple[int, dict[str, Any]]]:
    round_ = tournament.rounds[-1]
    chance = Random(round_.seed)
    for one in round_.meetings:
        sides = [tournament.team(team).names for team in one.teams]
        seats = seated(sides)
        place = {"id": number, "round": round_.number, "table": one.table}
        header = tournament.header.match_header(
            seats, chance.randrange(len(seats)), **{PLACE: place}
        )
        yield one.table, header.to_json()


def seated(sides: Sequence[Sequence[str]]) -> list[str]:
    """The players of both teams in the order of seats: partners face each other."""
    return [name for pair in zip(*sides, strict=True) for name in pair]


def _leave_matches(connection: Connection, number: int, round_: int) -> None:
    """Takes the matches of a draw out of the tournament, because the draw was taken back.

    A match without events is removed, unless a table of this ledger has taken it. The others stay
    in the ledger, as matches of no tournament.
    """
    here = (fixtures.c.tournament_id == number) & (fixtures.c.round == round_)
    keys = list(connection.execute(select(fixtures.c.match_id).where(here)).scalars())
    connection.execute(delete(fixtures).where(here))
    begun = select(events.c.match_id).where(events.c.match_id.in_(keys))
    taken = select(outbox.c.match_id).where(outbox.c.match_id.in_(keys))
    gone = matches.c.id.in_(keys), matches.c.id.not_in(begun), matches.c.id.not_in(taken)
    connection.execute(delete(matches).where(*gone))
