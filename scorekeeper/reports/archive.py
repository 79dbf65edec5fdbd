"""All matches of a ledger, told once, and again where something in them has changed."""

from __future__ import annotations

import time
from threading import Lock

from scorekeeper.errors import LedgerError, RuleError
from scorekeeper.reports.tallies import Played, Shelf, read_match
from scorekeeper.storage.fingerprints import PAUSE, fingerprints
from scorekeeper.storage.ledger import Ledger


class Archive:
    """Reads the matches of a ledger for pages that tell of all of them. For several threads.

    A match is read again only where a row of it has changed, whoever changed it: a correction, a
    name that was forgotten, another process.

    Args:
        ledger: The ledger.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._lock = ledger, Lock()
        self._told: dict[int, tuple[int, Played]] = {}

    def shelf(self) -> Shelf:
        """Every match; one that cannot be read hides none of the others.

        Raises:
            LedgerError: The ledger itself cannot be read.
        """
        told, unread = {}, {}
        with self._lock:  # who comes meanwhile waits for what is being read already
            for match_id, fingerprint in fingerprints(self._ledger).items():
                known = self._told.get(match_id)
                if known is None or known[0] != fingerprint:
                    time.sleep(PAUSE)
                    try:
                        known = fingerprint, read_match(self._ledger, match_id)
                    except (LedgerError, RuleError) as error:
                        unread[match_id] = str(error)
                        continue
                told[match_id] = known
            self._told = told
        return Shelf(tuple(played for _, played in told.values()), unread)
