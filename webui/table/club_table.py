"""A table that plays for a club: it takes the match that was drawn for it, round after round."""

from __future__ import annotations

import logging

from scorekeeper.errors import LedgerError, RuleError, TournamentError
from scorekeeper.messages import N_
from scorekeeper.storage.ledger import MatchEntry
from scorekeeper.storage.tournaments import following, open_tables, place_of
from webui.table.room import Room

log = logging.getLogger(__name__)


def tables_on_offer(room: Room) -> list[tuple[int, MatchEntry]]:
    """The club's tables that wait for a result; none where no tournament can be read."""
    try:
        return open_tables(room.ledger)
    except (LedgerError, RuleError) as error:
        log.warning("the club's tournament is not offered: %s", error)
        return []


def sit_at(room: Room, table: int) -> None:
    """Has a table play what was drawn for it.

    Raises:
        TournamentError: Nobody was drawn for a table of this number, or it has its result.
        LedgerError: The ledger cannot be read.
    """
    for number, entry in open_tables(room.ledger):
        if number == table:
            _move(room, entry)
            return
    raise TournamentError(
        N_("no match waits for table {table} in the club's tournament"), table=table
    )


def next_round(room: Room) -> bool:
    """Has a table that plays for a club go on with what was drawn for it in the next round.

    Returns:
        Whether it plays for a club.

    Raises:
        FormatError: No match is played here.
        TournamentError: The next round is not drawn yet, or nobody was drawn for this table.
        LedgerError: The ledger cannot be read.
    """
    place = place_of(room.table.moment.match.header)
    found = None if place is None else following(room.ledger, place)
    if found is not None:
        _move(room, room.ledger.match(found))
    return found is not None


def _move(room: Room, entry: MatchEntry) -> None:
    """Goes over to a match; phones keep the seats of those who play on, the others are free."""
    snapshot = room.snapshot()
    before = () if snapshot.header is None else snapshot.header.seats
    if snapshot.match_id != entry.id:
        seats = entry.header.seats
        moves = {seat: before.index(name) for seat, name in enumerate(seats) if name in before}
        room.access.move_seats(moves)
        room.resume(entry.id)
