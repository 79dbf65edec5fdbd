"""The ledger: a database with the events of many matches.

An append is on disk when it returns. It names the last sequence number that its sender has seen.
The primary key (match, sequence number) lets only one of two appends at the same number through,
even from different processes or machines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Insert,
    Integer,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
)
from sqlalchemy.exc import IntegrityError

from scorekeeper.closing import Closes
from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.limits import check_limits, cut_to_limits
from scorekeeper.engine.said import Said, Source, marked, moment, offset_minutes, utc_text
from scorekeeper.errors import FormatError, LedgerError, StaleAppend
from scorekeeper.messages import N_
from scorekeeper.storage.database import (
    connect,
    explained,
    locate,
    pictures_of,
    readable,
    rewriting,
    shown,
)
from scorekeeper.storage.forgetting import (
    forget_in_matches,
    forget_in_tournaments,
    forget_kept_name,
)
from scorekeeper.storage.schema import events, fixtures, matches, outbox
from scorekeeper.storage.sqlite import scrub


class Entry(NamedTuple):
    """One event in the ledger.

    Attributes:
        seq: Its sequence number in its match, from 1.
        event: The event as it was appended.
        said: When it was said, where it came from, and who said it.
    """

    seq: int
    event: Event
    said: Said

    @property
    def marked(self) -> Event:
        """The event as a record shows it, with remarks that tell what ``said`` holds."""
        return marked(self.event, self.said)


class MatchEntry(NamedTuple):
    """One match in the ledger.

    Attributes:
        id: Its number.
        header: Who plays what.
        begun: When it began, by the table's clock.
    """

    id: int
    header: Header
    begun: datetime


def _append_one() -> Insert:
    """Inserts an event only if the one before it is there, so that no number is left out."""
    before = events.alias("before")
    one: ColumnElement[int] = literal_column("1", Integer)
    has_place = or_(
        bindparam("seq", type_=Integer) == one,
        exists().where(
            before.c.match_id == bindparam("match_id"), before.c.seq == bindparam("seq") - one
        ),
    )
    columns = [column.name for column in events.columns]
    values = [bindparam(column.name, type_=column.type) for column in events.columns]
    return insert(events).from_select(columns, select(*values).where(has_place))


class Ledger(Closes):
    """An open ledger. It may be used from several threads, and by several processes at once.

    Args:
        where: A path or a URL; None for the one in the environment variable ``TRUCAM_LEDGER``, or
            else the file in the user's data folder.

    Attributes:
        pictures: The pictures of its matches.

    Raises:
        LedgerError: It cannot be opened, or is not a ledger; see ``scorekeeper.storage.database``.
    """

    def __init__(self, where: str | None = None) -> None:
        self._url = locate(where)
        self.pictures = pictures_of(self._url)
        self._lock = Lock()
        self._connection = connect(self._url)
        # Compiled only once, which makes an append quicker.
        self._append_sql = str(_append_one().compile(dialect=self._connection.dialect))

    def __str__(self) -> str:
        return shown(self._url)

    @property
    def url(self) -> URL:
        """Where it is; with the password, if it has one."""
        return self._url

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[Connection]:
        """A transaction for what is kept beside matches: all of it is written, or nothing.

        Args:
            alone: Whether nobody else may write meanwhile: for what reads first and then writes.

        Raises:
            LedgerError: It cannot be read or written.
        """
        opened = rewriting if alone else Connection.begin
        with self._lock, explained(self._url), opened(self._connection):
            yield self._connection

    def close(self) -> None:
        """Closes the database; what was appended is on disk already."""
        with self._lock:
            self._connection.close()

    def begin(self, header: Header, said: Said) -> int:
        """Begins a match and returns its number.

        Raises:
            LedgerError: It could not be written; nothing was kept.
        """
        return self.add(header, (), said, begun=said.at)

    def add(self, header: Header, said_events: Iterable[Event], said: Said, begun: datetime) -> int:
        """Adds a whole match, all of it or nothing, and returns its number.

        Args:
            header: Who plays what.
            said_events: Its events, as a record has them; the referee has checked them.
            said: When and from where the match is added, and by whom.
            begun: When the match began.

        Raises:
            LedgerError: It could not be written; nothing was kept.
        """
        match = {
            "header": to_text(header.to_json()),
            "begun_at": utc_text(begun),
            "utc_offset": offset_minutes(begun),
        }
        with self._lock, explained(self._url), self._connection.begin():
            key = self._connection.execute(insert(matches), match).inserted_primary_key
            assert key is not None
            # A ledger that was deleted may have left pictures of a match with this number.
            self.pictures.remove(key[0])
            rows = _rows(key[0], 1, said_events, said)
            if rows:
                self._insert(rows)
        return int(key[0])

    def append(self, match_id: int, said_events: Sequence[Event], *, seen: int, said: Said) -> int:
        """Appends events to a match, all of them or none, and returns the last sequence number.

        When it returns, the events are on disk.

        Args:
            match_id: Number of the match.
            said_events: At least one event. Several are one correction, or an event with the words
                before it that nobody tapped (V-22).
            seen: Sequence number of the last event before them, when they were checked.
            said: When they were said, where they came from, and who said them.

        Raises:
            StaleAppend: The match has gone on; nothing was kept.
            LedgerError: They could not be written, or there is no such match; nothing was kept.
        """
        rows = _rows(match_id, seen + 1, said_events, said)
        with self._lock, explained(self._url):
            try:
                with self._connection.begin():
                    if self._insert(rows) == len(rows):
                        return seen + len(rows)
                    self._connection.rollback()
            except IntegrityError:
                pass  # that number is taken, or there is no such match: ``_last`` tells which
            now = self._last(match_id)
        raise StaleAppend(seen=seen, now=now)

    def _insert(self, rows: list[dict[str, Any]]) -> int:
        """Inserts rows of events, and returns how many were inserted."""
        return self._connection.exec_driver_sql(
            self._append_sql,
            rows if len(rows) > 1 else rows[0],
            execution_options={"preserve_rowcount": True},
        ).rowcount

    def last(self, match_id: int) -> int:
        """The sequence number of a match's last event: how many events it has.

        Raises:
            LedgerError: The ledger cannot be read, or there is no such match.
        """
        with self._lock, explained(self._url):
            return self._last(match_id)

    def _last(self, match_id: int) -> int:
        with self._connection.begin():
            found = self._connection.execute(
                select(func.coalesce(func.max(events.c.seq), 0))
                .select_from(matches.outerjoin(events))
                .where(matches.c.id == match_id)
                .group_by(matches.c.id)
            ).scalar()
        if found is None:
            raise self._no_match(match_id)
        return int(found)

    def match(self, match_id: int) -> MatchEntry:
        """One match, without its events.

        Raises:
            LedgerError: The ledger cannot be read, or there is no such match.
        """
        for entry in self._matches(match_id):
            return entry
        raise self._no_match(match_id)

    def ids(self) -> list[int]:
        """The numbers of all matches, the latest last, even of those that cannot be read.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        query = select(matches.c.id).order_by(matches.c.begun_at, matches.c.id)
        with self._lock, explained(self._url), self._connection.begin():
            return list(self._connection.execute(query).scalars())

    def check(self) -> None:
        """Checks the whole file of an SQLite ledger; a server checks its own database.

        Raises:
            LedgerError: It is damaged.
        """
        if self._url.get_backend_name() != "sqlite":
            return
        with self._lock, explained(self._url), self._connection.begin():
            found = self._connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if found != "ok":
            raise LedgerError(f"The ledger {self} is damaged: {found}; go back to a copy of it.")

    def matches(self) -> list[MatchEntry]:
        """All matches, the latest last.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        return self._matches(None)

    def _matches(self, match_id: int | None) -> list[MatchEntry]:
        query = select(matches).order_by(matches.c.begun_at, matches.c.id)
        if match_id is not None:
            query = query.where(matches.c.id == match_id)
        with self._lock, explained(self._url), self._connection.begin():
            rows = self._connection.execute(query).all()
        entries = []
        for row in rows:
            with readable(f"match {row.id}", str(self)):
                header = parse_header(cut_to_limits(json.loads(row.header)))
                entries.append(MatchEntry(row.id, header, moment(row.begun_at, row.utc_offset)))
        return entries

    def read(self, match: MatchEntry, *, after: int = 0) -> list[Entry]:
        """The events of a match, in order.

        Args:
            match: The match.
            after: Only the events after this sequence number.

        Raises:
            LedgerError: The ledger cannot be read, or an event in it is missing or damaged.
        """
        query = (
            select(events)
            .where(events.c.match_id == match.id, events.c.seq > after)
            .order_by(events.c.seq)
        )
        with self._lock, explained(self._url), self._connection.begin():
            rows = self._connection.execute(query).all()
        header = match.header
        entries = []
        for seq, row in enumerate(rows, after + 1):
            with readable(f"event {seq} of match {match.id}", str(self)):
                if row.seq != seq:
                    raise ValueError("it is missing")
                data = cut_to_limits(json.loads(row.event))
                event = parse_event(data, verbs=header.verbs, seats=len(header.seats))
                said = Said(moment(row.at, row.utc_offset), Source(row.source), row.who)
                entries.append(Entry(seq, event, said))
        return entries

    def remove(self, match_id: int) -> None:
        """Removes a match for good, with all its events and pictures.

        Nothing of it stays in SQLite's files, and its number is never used again.

        Raises:
            LedgerError: The ledger cannot be written, or there is no such match.
        """
        with self._lock, explained(self._url):
            with rewriting(self._connection):
                for part in (events, fixtures, outbox):
                    self._connection.execute(delete(part).where(part.c.match_id == match_id))
                gone = self._connection.execute(delete(matches).where(matches.c.id == match_id))
            if not gone.rowcount:
                raise self._no_match(match_id)
            self.pictures.remove(match_id)
            scrub(self._connection, str(self))

    def tidy(self, *, playing: int | None = None) -> None:
        """Removes pictures that are too old or too many, and those of matches that are gone.

        Args:
            playing: Number of the match that is being played.

        Raises:
            LedgerError: The ledger cannot be read, or pictures may not be removed.
        """
        with explained(self._url):
            self.pictures.clean(playing=playing, known=self.ids)

    def forget_name(self, name: str) -> int:
        """Takes a person's name out of matches, tournaments, kept names, and SQLite's files.

        The person becomes a number, such as ``Player 2``. Names are compared as written, without
        the blanks around them; a text of which the name is only a part, such as ``Ana's phone``, is
        not found. The pictures of those matches are removed.

        Returns:
            How many matches, tournaments and kept names had it.

        Raises:
            LedgerError: The ledger cannot be written, or a damaged match has the name; nothing was
                changed.
        """
        with self._lock, explained(self._url):
            with rewriting(self._connection):
                found = forget_in_matches(self._connection, name, str(self))
                entered = forget_in_tournaments(self._connection, name, str(self))
                kept = forget_kept_name(self._connection, name)
            for match_id in found:
                self.pictures.remove(match_id)
            scrub(self._connection, str(self))  # also traces that an earlier call had to leave
        return len(found) + len(entered) + kept

    def _no_match(self, match_id: int) -> LedgerError:
        return LedgerError(f"There is no match {match_id} in the ledger {self}.")


def _rows(
    match_id: int, first: int, said_events: Iterable[Event], said: Said
) -> list[dict[str, Any]]:
    circumstances = {
        "match_id": match_id,
        "at": utc_text(said.at),
        "utc_offset": offset_minutes(said.at),
        "source": said.source.value,
        "who": said.who,
    }
    return [
        {**circumstances, "seq": seq, "event": to_text(event.to_json())}
        for seq, event in enumerate(said_events, first)
    ]


def to_text(data: Mapping[str, Any]) -> str:
    """A header or an event as JSON in ASCII, which every database can hold.

    Raises:
        FormatError: It is beyond the limits of ``scorekeeper.engine.limits``, or is no JSON.
    """
    check_limits(data)
    try:
        return json.dumps(data, allow_nan=False)
    except (ValueError, RecursionError):
        raise FormatError(N_("its remarks cannot be written as JSON")) from None
