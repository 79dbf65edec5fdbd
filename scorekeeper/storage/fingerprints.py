"""Whether anything in a match has changed, without reading it: also what was forgotten in it."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.schema import events, matches


def fingerprints(ledger: Ledger) -> dict[int, int]:
    """A number for each match, the latest begun last, that is another one once its rows are.

    It is compared within one process only.

    Raises:
        LedgerError: The ledger cannot be read.
    """
    rows = select(events).order_by(events.c.match_id, events.c.seq)
    with ledger.transaction() as connection:
        headers = connection.execute(select(matches).order_by(matches.c.begun_at, matches.c.id))
        found = {row[0]: hash(row) for row in headers}
        for row in connection.execute(rows):
            if row[0] in found:
                found[row[0]] = hash((found[row[0]], row))
    return found
