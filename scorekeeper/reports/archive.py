"""Summaries of all matches of a ledger, kept in memory until a match changes."""

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
"""Seconds between two matches that are read ahead: as long as one of 250 events takes."""
CLOSE_SECONDS = 2.0
"""Seconds that ``close`` waits for the reading thread."""


class Archive(Closes):
    """Reads the matches of a ledger for pages that show all of them; several threads may use it.

    A match is read again only if one of its rows has changed: by a correction, by forgetting a
    name, or by another process. Summaries are kept in memory alone, so that no name that was
    forgotten stays on disk.

    Args:
        ledger: The ledger.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._lock = ledger, Lock()
        self._told: dict[int, tuple[int, Summary]] = {}
        self._ended, self._reader = Flag(), Thread(target=self._read_ahead, daemon=True)

    def shelf(self) -> Shelf:
        """All matches, those that cannot be read apart.

        Raises:
            LedgerError: The ledger itself cannot be read.
        """
        told, unread = {}, {}
        with self._lock:  # other threads wait, instead of reading the same matches
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
        """Starts to read all matches in a thread, so that pages need not wait for it later."""
        self._reader.start()

    def _read_ahead(self) -> None:
        try:
            found = fingerprints(self._ledger)
        except LedgerError as error:
            log.info("%s", error)  # the page that needs it will say so
            return
        for match_id in reversed(found):
            if self._ended.wait(AHEAD_PAUSE):
                return
            with self._lock:  # for one match, so that a page does not wait for all of them
                if match_id not in self._told:
                    try:
                        told = summary(read_match(self._ledger, match_id))
                    except (LedgerError, RuleError) as error:
                        log.info("%s", error)
                    else:
                        self._told[match_id] = found[match_id], told

    def close(self) -> None:
        """Stops reading ahead."""
        self._ended.set()
        if self._reader.is_alive():
            self._reader.join(CLOSE_SECONDS)
