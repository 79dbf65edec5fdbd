"""Finds the events of a match that cannot be read, and removes them after a copy was saved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, select, update

from scorekeeper.engine.agreeing import OPENERS
from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.limits import cut_to_limits
from scorekeeper.engine.match import apply, start
from scorekeeper.engine.said import AGAIN, Source, moment
from scorekeeper.errors import LedgerError, RuleError
from scorekeeper.files import written_whole
from scorekeeper.messages import one_line
from scorekeeper.storage.ledger import Ledger, to_text
from scorekeeper.storage.schema import events, matches, outbox

REPAIRED = "_repaired"
"""Remark, true, of an event that a repair put in."""
PUT_IN = 0
"""Stands for the old sequence number of such an event, which has none."""
NOTHING: Mapping[int, str] = MappingProxyType({})
UNREADABLE = (ValueError, OverflowError, RecursionError)


class Damage(NamedTuple):
    """What of a match cannot be read.

    Attributes:
        header: Why its header, and so the whole match, cannot be read; None if it can.
        lost: Sequence number of each event that cannot be read, or that is not legal without those,
            to the reason.
        void: Numbers of the hands that become void because they have lost an event and do not end;
            in order.
    """

    header: str | None = None
    lost: Mapping[int, str] = NOTHING
    void: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.header is not None or bool(self.lost)

    def sentence(self, match_id: int) -> str:
        """The first thing that cannot be read, as a sentence."""
        if self.header is not None:
            return f"The header of match {match_id} cannot be read: {self.header}."
        seq, reason = next(iter(self.lost.items()))
        more = f", nor can {len(self.lost) - 1} more" if len(self.lost) > 1 else ""
        return f"Event {seq} of match {match_id} cannot be read: {reason}{more}."


def find_damage(ledger: Ledger, match_id: int) -> Damage:
    """What of a match cannot be read.

    Raises:
        LedgerError: The ledger cannot be read, or there is no such match.
    """
    with ledger.transaction() as connection:
        match, said = _read(connection, match_id, str(ledger))
    return _Reading(match, said).damage


def repair_match(ledger: Ledger, match_id: int, copy: Path) -> Damage:
    """Removes what cannot be read from a match; the whole match if its header cannot be read.

    Later events get new sequence numbers. Their remarks about each other, their pictures, and how
    many of them a club has, are changed accordingly.

    Args:
        ledger: The ledger. No table may play the match meanwhile.
        match_id: Number of the match.
        copy: A new file for all rows as they were: one line for the match, one for each event.

    Returns:
        What was removed. If that is nothing, nothing was written.

    Raises:
        LedgerError: The ledger cannot be read, or it or the copy cannot be written, or there is no
            such match; nothing was changed.
    """
    with ledger.transaction(alone=True) as connection:
        match, said = _read(connection, match_id, str(ledger))
        reading = _Reading(match, said)
        if not reading.damage:
            return reading.damage
        _write(copy, (match, *said))
        if reading.damage.header is None:
            _rewrite(connection, match_id, reading)
    if reading.damage.header is None:
        ledger.pictures.renumber(match_id, reading.numbers)
    else:
        ledger.remove(match_id)
    return reading.damage


def _read(connection: Connection, match_id: int, place: str) -> tuple[Row[Any], Sequence[Row[Any]]]:
    match = connection.execute(select(matches).where(matches.c.id == match_id)).one_or_none()
    if match is None:
        raise LedgerError(f"There is no match {match_id} in the ledger {place}.")
    said = select(events).where(events.c.match_id == match_id).order_by(events.c.seq)
    return match, connection.execute(said).all()


def _write(copy: Path, rows: Iterable[Row[Any]]) -> None:
    try:
        with written_whole(copy) as file:
            file.writelines(json.dumps(row._asdict()).encode() + b"\n" for row in rows)
    except OSError as error:
        raise LedgerError(
            f"The copy {copy} cannot be written: {error.strerror}; nothing was changed."
        ) from error


def _rewrite(connection: Connection, match_id: int, reading: _Reading) -> None:
    sent = select(outbox.c.sent).where(outbox.c.match_id == match_id)
    has = connection.execute(sent).scalar()
    if has is not None:  # how many of the events that are left the club has
        has = sum(old <= has for old in reading.numbers)
        connection.execute(update(outbox).where(outbox.c.match_id == match_id).values(sent=has))
    connection.execute(delete(events).where(events.c.match_id == match_id))
    if reading.rows:
        connection.execute(insert(events), reading.rows)


class _Reading:
    """Reads a match, and leaves out what cannot be read.

    Attributes:
        damage: What cannot be read.
        rows: The rows of the events that stay.
        numbers: Sequence number of each event that stays, to its new one.
    """

    def __init__(self, match: Row[Any], said: Sequence[Row[Any]]) -> None:
        self.rows: list[dict[str, Any]] = []
        self.numbers: dict[int, int] = {}
        self._lost: dict[int, str] = {}
        self._void: list[int] = []
        self._standing: list[int] = []
        """Old numbers of the events that were not undone, lost or not; ``PUT_IN`` for new ones."""
        self._since_lost = False
        """Whether an event was lost since the last cut, tap, deal or award."""
        try:
            header = parse_header(cut_to_limits(json.loads(match.header)))
            moment(match.begun_at, match.utc_offset)
        except UNREADABLE as error:
            self.damage = Damage(header=one_line(str(error)))
            return
        self._match = start(header)
        for row in said:
            try:
                event = _parsed(row, header)
            except UNREADABLE as error:
                self._lose(row, error)
                self._standing.append(row.seq)
                continue
            try:
                self._undo(row, event) if event.do == "undo" else self._say(row, event)
            except RuleError as error:
                self._lose(row, error)
        self.damage = Damage(lost=self._lost, void=tuple(self._void))

    def _lose(self, row: Row[Any], reason: Exception) -> None:
        self._lost[row.seq] = one_line(str(reason))
        self._since_lost = True

    def _undo(self, row: Row[Any], event: Event) -> None:
        while self._standing and self._standing[-1] == PUT_IN:
            self._standing.pop()
            self._keep(row, event)
        if self._standing and (back := self._standing.pop()) in self._lost:
            self._lost[row.seq] = f"it takes back event {back}"
            return
        self._keep(row, event, row.seq)

    def _say(self, row: Row[Any], event: Event) -> None:
        self._standing.append(row.seq)
        bridge = self._bridge(event) if self._since_lost and event.do in OPENERS else ()
        for one in bridge:
            if one.do == "void_hand":
                self._void.append(self._match.hand_number)
            self._keep(row, one)
        self._standing[-1:-1] = [PUT_IN] * len(bridge)
        self._keep(row, event, row.seq)
        self._since_lost = self._since_lost and event.do not in OPENERS

    def _bridge(self, opener: Event) -> tuple[Event, ...]:
        """The events that make the next hand legal, if an event before it was lost.

        These are voiding the hand in progress, and naming the dealer; empty if nothing helps, or
        nothing is needed.
        """
        void = (Event("void_hand"),) if self._match.in_progress else ()
        dealers = [(Event("dealer", seat),) for seat in range(self._match.seats)]
        for bridge in ((), *(void + dealer for dealer in ((), *dealers))):
            try:
                reduce(apply, (*bridge, opener), self._match)
            except RuleError:
                continue
            return bridge
        return ()

    def _keep(self, row: Row[Any], event: Event, seq: int | None = None) -> None:
        """Keeps an event under the next number; without an old number, it is put in."""
        self._match = apply(self._match, event, kept=True)
        text, number = row.event, len(self.rows) + 1
        if seq is None:
            text = to_text(event._replace(remarks={REPAIRED: True}).to_json())
        else:
            self.numbers[seq] = number
            first = event.remarks.get(AGAIN)
            if isinstance(first, int) and self.numbers.get(first) != first:
                remarks = {**event.remarks, AGAIN: self.numbers.get(first, number)}
                text = to_text(event._replace(remarks=remarks).to_json())
        self.rows.append({**row._asdict(), "seq": number, "event": text})


def _parsed(row: Row[Any], header: Header) -> Event:
    """Reads the event of a row, and checks that its other columns can be read, too."""
    moment(row.at, row.utc_offset)
    Source(row.source)
    data = cut_to_limits(json.loads(row.event))
    return parse_event(data, verbs=header.verbs, seats=len(header.seats))
