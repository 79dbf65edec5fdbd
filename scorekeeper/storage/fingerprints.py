"""Tells whether anything in a match has changed, such as a forgotten name, without parsing it."""

from __future__ import annotations

import time

from sqlalchemy import select

from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.schema import events, matches

AT_ONCE = 20
"""Matches that are read at once; an append waits no longer than for these."""
PAUSE = 0.001
"""Seconds of pause in which the server's other threads run; a pause of 0 gives them no turn."""


def fingerprints(ledger: Ledger) -> dict[int, int]:
    """A hash of the rows of each match, by its number; the latest match last.

    Hashes can be compared only within one process.

    Raises:
        LedgerError: The ledger cannot be read.
    """
    found = dict.fromkeys(ledger.ids(), 0)
    ids = list(found)
    for start in range(0, len(ids), AT_ONCE):
        time.sleep(PAUSE)
        some = ids[start : start + AT_ONCE]
        headers = select(matches).where(matches.c.id.in_(some))
        said = select(events).where(events.c.match_id.in_(some))
        with ledger.transaction() as connection:
            for query in (headers, said.order_by(events.c.match_id, events.c.seq)):
                for row in connection.execute(query):
                    found[row[0]] = hash((found[row[0]], row))
    return found
