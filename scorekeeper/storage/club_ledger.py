"""A club's ledger as one of its tables uses it: it reads the draw, and brings its events."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import func, insert, select

from scorekeeper.closing import Closes
from scorekeeper.errors import LedgerError, ScorekeeperError
from scorekeeper.messages import N_
from scorekeeper.storage.joining import Join
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.outbox import Drawn, Stored, columns
from scorekeeper.storage.schema import events, fixtures, matches
from scorekeeper.storage.tournaments import open_tables


class Refused(ScorekeeperError):
    """The club does not take what a table brings, and will not take it later.

    Attributes:
        reason: Why, in English; also the key of its translations.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Behind(ScorekeeperError):
    """The club has fewer events of a match than before, as after a return to an old copy.

    Attributes:
        has: How many events it has.
    """

    def __init__(self, has: int) -> None:
        super().__init__(f"The club has {has} events.")
        self.has = has


class ClubLedger(Closes):
    """A club's ledger, opened with a table's code.

    Args:
        join: The code.

    Attributes:
        ledger: The ledger.

    Raises:
        LedgerError: It cannot be reached, or there is none.
    """

    def __init__(self, join: Join) -> None:
        url = join.url
        # Only a file is locked while it is written: a server refuses the second of two equal
        # numbers by itself, and has other tables to serve.
        self._is_file = url.get_backend_name() == "sqlite"
        if self._is_file and not Path(url.database or "").is_file():
            raise LedgerError(f"There is no club's ledger {url.database} on this machine.")
        self._table = join.table
        self.ledger = Ledger(url.render_as_string(hide_password=False))

    def close(self) -> None:
        """Closes it."""
        self.ledger.close()

    def newest(self) -> int | None:
        """The number of the match that was drawn for the table last, or None.

        Raises:
            LedgerError: The club cannot be reached.
        """
        order = (fixtures.c.tournament_id.desc(), fixtures.c.round.desc())
        query = select(fixtures.c.match_id).where(fixtures.c.place == self._table)
        with self.ledger.transaction() as connection:
            found: int | None = connection.execute(query.order_by(*order).limit(1)).scalar()
        return found

    def drawn(self) -> Drawn | None:
        """The match that waits for the table's result, with what the club has of it; or None.

        Raises:
            LedgerError: The club cannot be reached.
            RuleError: Its tournament cannot be read by this program.
        """
        number = open_tables(self.ledger).get(self._table)
        if number is None:
            return None
        query = select(matches).where(matches.c.id == number)
        with self.ledger.transaction() as connection:
            row = connection.execute(query).one()
            of_it = columns().where(events.c.match_id == number).order_by(events.c.seq)
            said = tuple(Stored(*one) for one in connection.execute(of_it))
        return Drawn(row.id, row.header, row.begun_at, row.utc_offset, said)

    def put(self, match: int, begun_at: str, rows: list[Stored]) -> None:
        """Brings events of a match, in order; those that the club has already stay.

        Args:
            match: Its number in the club's ledger.
            begun_at: When it was drawn.
            rows: At least one event.

        Raises:
            Refused: It is not the table's match, or the club has other events at these numbers.
            Behind: Events before these are missing.
            LedgerError: The club cannot be reached.
        """
        own = (
            select(matches.c.begun_at, func.coalesce(func.max(events.c.seq), 0).label("last"))
            .select_from(
                matches.join(fixtures).outerjoin(events, events.c.match_id == matches.c.id)
            )
            .where(matches.c.id == match, fixtures.c.place == self._table)
            .group_by(matches.c.id, matches.c.begun_at)
        )
        first = rows[0].seq
        with self.ledger.transaction(alone=self._is_file) as connection:
            row = connection.execute(own).one_or_none()
            if row is None or row.begun_at != begun_at:
                raise Refused(N_("the club has taken this draw back"))
            if row.last < first - 1:
                raise Behind(row.last)
            if row.last >= first:
                between = events.c.seq.between(first, rows[-1].seq)
                here = columns().where(events.c.match_id == match, between).order_by(events.c.seq)
                there = [Stored(*one) for one in connection.execute(here)]
                if there != rows[: len(there)]:
                    raise Refused(N_("another table plays this match as well"))
            new = [{"match_id": match, **one._asdict()} for one in rows if one.seq > row.last]
            if new:
                connection.execute(insert(events), new)
