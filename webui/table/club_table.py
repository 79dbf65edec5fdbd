"""A table that plays for a club: it takes the match that was drawn for it, round after round."""

from __future__ import annotations

import logging
from collections.abc import Callable

from scorekeeper.errors import LedgerError, RuleError, ScorekeeperError, TournamentError
from scorekeeper.messages import N_
from scorekeeper.storage.courier import Courier
from scorekeeper.storage.joining import Join, parse_join
from scorekeeper.storage.table import Table
from scorekeeper.storage.tournaments import following, place_of
from webui.table.room import Room

log = logging.getLogger(__name__)


def join(room: Room, code: str) -> None:
    """Has a table play for a club from now on.

    It takes the match that was drawn for it, at once or as soon as there is one.

    Raises:
        FormatError: This is no table's code.
        TournamentError: The club cannot be reached.
        TableError: It could not be written.
    """
    courier = _courier(room, parse_join(code))
    try:
        match = _reached(courier.take)
    except TournamentError:
        courier.close()
        raise
    room.club.use(courier, code.strip())
    room.changed()
    if match is not None:
        _move(room, match)


def go_on(room: Room) -> None:
    """Has a table that joined a club earlier go on there, even if the club cannot be reached."""
    code = room.club.code
    if code is None:
        return
    try:
        courier = _courier(room, parse_join(code))
    except (RuleError, LedgerError) as error:
        log.warning("the club is not gone on with: %s", error)
        return
    room.club.use(courier, code)


def leave(room: Room) -> None:
    """Has a table play for no club any more; events that were not sent stay in its own ledger.

    Raises:
        TableError: It could not be written.
    """
    room.club.use(None, None)
    room.changed()


def next_round(room: Room) -> bool:
    """Takes the next match that the club has drawn for a table.

    Returns:
        Whether the match comes from a club. False: the table plays for none, or the tournament is
        over, and people may play for themselves.

    Raises:
        TournamentError: The next round is not drawn yet, nobody was drawn for this table, or the
            club cannot be reached.
        LedgerError: The table's own ledger cannot be read.
    """
    courier, played = room.club.courier, room.snapshot()
    if courier is None:
        return False
    taken = courier.view.latest
    if taken is None or taken == played.match_id or _is_over(room, taken):
        taken = _reached(courier.take)
    if taken is not None and taken != played.match_id:
        _move(room, taken)
        return True
    place = None if played.header is None else place_of(played.header)
    if place is None:
        raise TournamentError(
            N_("no match waits for table {table} in the club's tournament"),
            table=courier.join.table,
        )
    # This raises what the table waits for; it returns None where the tournament is over.
    return _reached(lambda: following(courier.club().ledger, place)) is not None


def _is_over(room: Room, match: int) -> bool:
    return Table(room.ledger, match).moment.match.over


def _courier(room: Room, joined: Join) -> Courier:
    def on_taken(match: int) -> None:
        if room.snapshot().header is None:  # the table is in set-up: people wait for the draw
            try:
                _move(room, match)
            except ScorekeeperError as error:
                log.warning("match %s is not begun: %s", match, error)

    return Courier(room.ledger, joined, on_taken, room.changed)


def _reached(ask: Callable[[], int | None]) -> int | None:
    try:
        return ask()
    except LedgerError as error:
        log.warning("%s", error)
        raise TournamentError(
            N_("the club cannot be reached: is its computer on, and is the code still right?")
        ) from None


def _move(room: Room, match: int) -> None:
    """Has the table play another match."""
    if room.snapshot().match_id != match:
        room.resume(match)
