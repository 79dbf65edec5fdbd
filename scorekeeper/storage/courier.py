"""The courier between a table and its club: brings the table's events, fetches drawn matches.

The table never waits for it. If the club cannot be reached, it tries again after ever longer
pauses. Either side may be stopped at any time: which events the club has is known by the match and
their sequence numbers.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from threading import Event as Flag
from threading import RLock, Thread, current_thread
from typing import NamedTuple

from scorekeeper.closing import Closes
from scorekeeper.errors import LedgerError, RuleError
from scorekeeper.storage.club_ledger import Behind, ClubLedger, Refused
from scorekeeper.storage.joining import Join, same_place
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.outbox import MOST, Backlog, Outbox, Waiting

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
"""Seconds between two looks for a new draw."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds before the next try if the club could not be reached; it doubles from try to try."""
CLOSE_SECONDS = 2.0
"""Seconds that ``close`` waits for the thread."""
SILENT_SECONDS = 5.0
"""Seconds without an answer after which the club counts as not reached."""


class ClubView(NamedTuple):
    """How a table stands with its club.

    Attributes:
        table: Its number there.
        reached: Whether the last exchange succeeded, and the club does not keep the next waiting.
        backlog: The events that wait.
        refused: Why the club refuses the events of the match that was drawn last; in English, or
            None.
        latest: Number of the match that was drawn last, in the table's ledger; or None.
    """

    table: int
    reached: bool
    backlog: Backlog
    refused: str | None
    latest: int | None


class Courier(Closes):
    """Copies events between a table's ledger and its club's, in a thread once it is started.

    Args:
        ledger: The table's own ledger.
        join: The code with which the table has joined the club.
        on_taken: Called with the number of a drawn match once it can be played.
        on_change: Called when ``view`` has changed.
    """

    def __init__(
        self,
        ledger: Ledger,
        join: Join,
        on_taken: Callable[[int], None] = lambda match: None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.join = join
        self._same = same_place(ledger.url, join.url)
        self._outbox = Outbox(ledger, join.table)
        self._on_taken, self._on_change = on_taken, on_change
        self._lock = RLock()
        self._club: ClubLedger | None = None
        self._looked_at: int | None = None
        self._reached, self._refused = False, dict[int, str]()
        self._asked: float | None = None  # since when it waits for the club's answer
        self._woken, self._ended = Flag(), Flag()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Starts its thread."""
        self._thread = Thread(target=self._run, name="courier", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Tells it that an event was appended at the table."""
        self._woken.set()

    def close(self) -> None:
        """Ends it; events that cannot be brought within two seconds are brought the next time."""
        self._ended.set()
        self._woken.set()
        if self._thread is None:
            self._hang_up()
        elif self._thread is not current_thread():
            self._thread.join(CLOSE_SECONDS)  # it may wait for a network that is gone

    @property
    def view(self) -> ClubView:
        """How the table stands with its club now.

        Raises:
            LedgerError: The table's own ledger cannot be read.
        """
        latest = self._outbox.latest()
        match = None if latest is None else latest[0]
        refused = None if match is None else self._refused.get(match)
        asked = self._asked
        silent = asked is not None and time.monotonic() - asked > SILENT_SECONDS
        reached = self._reached and not silent
        nothing = reached and refused is None
        backlog = Backlog(0, None) if nothing else self._outbox.backlog()
        return ClubView(self.join.table, reached, backlog, refused, match)

    def exchange(self, *, look: bool = True) -> int | None:
        """Brings the events that wait, and takes a match that was drawn.

        Args:
            look: Whether to look for a new draw.

        Returns:
            The number of the match that was taken now, or None.

        Raises:
            LedgerError: The club cannot be reached.
            RuleError: Its tournament cannot be read by this program.
        """
        with self._lock:
            club = self.club()
            for one in self._outbox.waiting():
                self._bring(club, one)
            newest = club.newest() if look else None
            if newest is None or newest == self._looked_at:
                return None
            before = self._outbox.latest()
            match = self._take(club)
            self._looked_at = newest
            return match if before is None or match != before[0] else None

    def take(self) -> int | None:
        """Takes the match that was drawn for the table, if it has no result yet.

        Returns:
            Its number in the table's ledger, or None.

        Raises:
            LedgerError: The club cannot be reached.
            RuleError: Its tournament cannot be read by this program.
        """
        with self._lock:
            return self._take(self.club())

    def club(self) -> ClubLedger:
        """The club's ledger, opened if it was not yet.

        Raises:
            LedgerError: The club cannot be reached.
        """
        with self._lock:
            if self._club is None:
                self._club = ClubLedger(self.join)
            return self._club

    def _hang_up(self) -> None:
        with self._lock:
            if self._club is not None:
                self._club.close()
                self._club = None

    def _take(self, club: ClubLedger) -> int | None:
        drawn = club.drawn()
        if drawn is None:
            return None
        return self._outbox.take(drawn, same=self._same)

    def _bring(self, club: ClubLedger, one: Waiting) -> None:
        """Brings the waiting events of one match, or notes why the club refuses them."""
        sent = one.sent
        try:
            while rows := self._outbox.read(one.match, after=sent):
                try:
                    club.put(one.theirs, one.begun_at, rows)
                    sent = rows[-1].seq
                except Behind as error:
                    sent = error.has
                self._outbox.mark(one.match, sent)
                if sent == rows[-1].seq and len(rows) < MOST:
                    break  # that was all; later events wake the courier again
        except Refused as error:
            if self._refused.get(one.match) != error.reason:
                log.warning("match %s is not brought to the club: %s", one.match, error)
            self._refused[one.match] = error.reason
        else:
            self._refused.pop(one.match, None)

    def exchange_and_report(self, *, look: bool = True) -> bool:
        """Exchanges once, and calls ``on_taken`` and ``on_change`` if something has changed.

        Args:
            look: As for ``exchange``.

        Returns:
            Whether the club was reached.
        """
        before, taken = (self._reached, dict(self._refused)), None
        self._asked = time.monotonic()
        try:
            taken = self.exchange(look=look)
        except Exception as error:  # whatever it is, the courier must go on trying
            known = isinstance(error, LedgerError | RuleError)
            log.log(logging.INFO if known else logging.ERROR, "%s", error, exc_info=not known)
            self._reached = False
            self._hang_up()
        else:
            self._reached = True
        self._asked = None
        if taken is not None:
            self._on_taken(taken)
        if taken is not None or (self._reached, self._refused) != before:
            self._on_change()
        return self._reached

    def _run(self) -> None:
        pause, looked = SHORTEST_PAUSE, -LOOK_SECONDS
        while not self._ended.is_set():
            self._woken.clear()
            now = time.monotonic()
            look = now - looked >= LOOK_SECONDS
            if self.exchange_and_report(look=look):
                pause, looked = SHORTEST_PAUSE, now if look else looked
                self._woken.wait(LOOK_SECONDS)
            else:
                # A random pause, so that not all tables come at once when the network is back.
                self._ended.wait(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, LONGEST_PAUSE)
        if self._reached:
            self._bring_the_last()
        self._hang_up()

    def _bring_the_last(self) -> None:
        """Brings the events since the last exchange, for a table may end right after its match."""
        try:
            self.exchange(look=False)
        except Exception as error:  # it is brought the next time
            log.info("%s", error)
