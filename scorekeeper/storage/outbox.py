"""The events of a club's table that the club may not have yet.

A table plays on its own ledger, so that it never waits for the network. Beside its matches it keeps
which match of the club's ledger each of them is, and how many of its events the club has.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, func, insert, select, update

from scorekeeper.engine.said import moment
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.schema import events, matches, outbox

MOST = 200
"""Most events that are carried at once."""


class Stored(NamedTuple):
    """One event, as the ledger's rows have it."""

    seq: int
    event: str
    at: str
    utc_offset: int
    source: str
    who: str | None


class Drawn(NamedTuple):
    """A match that a club has drawn for a table.

    Attributes:
        id: Its number in the club's ledger.
        header: Who plays what, as the ledger's row has it.
        begun_at: When it was drawn. The table's own match has the same, by which it is known again.
        utc_offset: UTC offset of the club's clock then, in minutes.
        events: Those of its events that the club has.
    """

    id: int
    header: str
    begun_at: str
    utc_offset: int
    events: tuple[Stored, ...] = ()


class Waiting(NamedTuple):
    """Events of one match that the club may not have.

    Attributes:
        match: Number of the match in the table's ledger.
        theirs: Its number in the club's.
        begun_at: As in ``Drawn``.
        sent: How many events the club has.
    """

    match: int
    theirs: int
    begun_at: str
    sent: int


class Backlog(NamedTuple):
    """How many events wait, and when the first of them was said; None if none waits."""

    events: int
    since: datetime | None


class Outbox:
    """The matches that one table plays for its club. May be used by several threads.

    Args:
        ledger: The table's own.
        table: Its number at the club.
    """

    def __init__(self, ledger: Ledger, table: int) -> None:
        self._ledger, self._table = ledger, table

    def take(self, drawn: Drawn, *, same: bool) -> int:
        """Begins the table's own match for one that was drawn for it, unless it has one already.

        Args:
            drawn: The club's match.
            same: Whether the table's ledger is the club's, as on one machine: then the club's match
                itself is played.

        Returns:
            The number of the table's match.

        Raises:
            LedgerError: It could not be written.
        """
        known = (
            select(outbox.c.match_id)
            .join(matches)
            .where(
                outbox.c.place == self._table,
                outbox.c.theirs == drawn.id,
                matches.c.begun_at == drawn.begun_at,
            )
        )
        with self._ledger.transaction(alone=True) as connection:
            found = connection.execute(known).scalar()
            if found is not None:
                return int(found)
            if same:
                number = drawn.id
            else:
                row = {
                    "header": drawn.header,
                    "begun_at": drawn.begun_at,
                    "utc_offset": drawn.utc_offset,
                }
                key = connection.execute(insert(matches), row).inserted_primary_key
                assert key is not None
                number = int(key[0])
                rows = [{"match_id": number, **one._asdict()} for one in drawn.events]
                if rows:
                    connection.execute(insert(events), rows)
            connection.execute(
                insert(outbox),
                {
                    "match_id": number,
                    "place": self._table,
                    "theirs": drawn.id,
                    "sent": len(drawn.events),
                },
            )
        if not same:
            # A ledger that was deleted may have left pictures of a match with this number.
            self._ledger.pictures.remove(number)
        return number

    def latest(self) -> tuple[int, int] | None:
        """The match that was taken last, or None: its number here, and in the club's ledger.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        query = (
            select(outbox.c.match_id, outbox.c.theirs)
            .where(outbox.c.place == self._table)
            .order_by(outbox.c.match_id.desc())
            .limit(1)
        )
        with self._ledger.transaction() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (row.match_id, row.theirs)

    def waiting(self) -> list[Waiting]:
        """The matches of which the club may lack something, in the order in which they were taken.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        more = select(events.c.seq).where(
            events.c.match_id == outbox.c.match_id, events.c.seq == outbox.c.sent + 1
        )
        query = (
            select(outbox.c.match_id, outbox.c.theirs, matches.c.begun_at, outbox.c.sent)
            .join(matches)
            .where(outbox.c.place == self._table, more.exists())
            .order_by(outbox.c.match_id)
        )
        with self._ledger.transaction() as connection:
            return [Waiting(*row) for row in connection.execute(query)]

    def read(self, match: int, *, after: int) -> list[Stored]:
        """The events of a match after a sequence number, in order; at most ``MOST``.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        query = (
            columns()
            .where(events.c.match_id == match, events.c.seq > after)
            .order_by(events.c.seq)
            .limit(MOST)
        )
        with self._ledger.transaction() as connection:
            return [Stored(*row) for row in connection.execute(query)]

    def mark(self, match: int, sent: int) -> None:
        """Keeps how many events of a match the club has.

        Raises:
            LedgerError: It could not be written.
        """
        row = update(outbox).where(outbox.c.match_id == match)
        with self._ledger.transaction() as connection:
            connection.execute(row.values(sent=sent))

    def backlog(self) -> Backlog:
        """How much waits in all.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        first = events.c.seq == outbox.c.sent + 1
        counted = (
            select(func.count())
            .select_from(outbox.join(events, events.c.match_id == outbox.c.match_id))
            .where(outbox.c.place == self._table, events.c.seq > outbox.c.sent)
        )
        oldest = (
            select(events.c.at, events.c.utc_offset)
            .select_from(outbox.join(events, events.c.match_id == outbox.c.match_id))
            .where(outbox.c.place == self._table, first)
            .order_by(events.c.at)
            .limit(1)
        )
        with self._ledger.transaction() as connection:
            count = int(connection.execute(counted).scalar_one())
            row = connection.execute(oldest).one_or_none()
        return Backlog(count, None if row is None else moment(row.at, row.utc_offset))


def columns() -> Select[Any]:
    """A query for the columns of events that are carried."""
    return select(*(events.c[name] for name in Stored._fields))
