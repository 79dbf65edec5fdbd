"""All matches of a ledger, told once, and again where something in them has changed."""

from __future__ import annotations

import logging
import time
from threading import Event as Flag
from threading import Lock, Thread

from scorekeeper.closing import Closes
from scorekeeper.errors import LedgerError, RuleError
from scorekeeper.reports.tallies import Shelf, Summary, read_match, summary
from scorekeeper.storage.fingerprints import PAUSE, fingerprints
from scorekeeper.storage.ledger import Ledger

log = logging.getLogger(__name__)

AHEAD_PAUSE = 0.02
"""Seconds between two matches that nobody waits for: so long as one of 250 events takes."""
CLOSE_SECONDS = 2.0


class Archive(Closes):
    """Reads the matches of a ledger for pages that tell of all of them. For several threads.

    A match is read again only where a row of it has changed, whoever changed it: a correction, a
    name that was forgotten, another process. What is kept of it is in memory alone, so that a name
    that is forgotten is nowhere.

    Args:
        ledger: The ledger.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._lock = ledger, Lock()
        self._told: dict[int, tuple[int, Summary]] = {}
        self._ended, self._reader = Flag(), Thread(target=self._read_ahead, daemon=True)

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
                        known = fingerprint, summary(read_match(self._ledger, match_id))
                    except (LedgerError, RuleError) as error:
                        unread[match_id] = str(error)
                        continue
                told[match_id] = known
            self._told = told
        return Shelf(tuple(played for _, played in told.values()), unread)

    def read_ahead(self) -> None:
        """Has all matches read beside what else is done, so that nobody waits for it later."""
        self._reader.start()

    def _read_ahead(self) -> None:
        try:
            found = fingerprints(self._ledger)
        except LedgerError as error:
            log.info("%s", error)  # whoever opens a page is told
            return
        for match_id in reversed(found):
            if self._ended.wait(AHEAD_PAUSE):
                return
            with self._lock:  # a page waits for this match alone, and reads the others by itself
                if match_id not in self._told:
                    try:
                        told = summary(read_match(self._ledger, match_id))
                    except (LedgerError, RuleError) as error:
                        log.info("%s", error)
                    else:
                        self._told[match_id] = found[match_id], told

    def close(self) -> None:
        """Ends reading."""
        self._ended.set()
        if self._reader.is_alive():
            self._reader.join(CLOSE_SECONDS)
