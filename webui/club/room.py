"""The hall that this process serves: it follows the ledger, and tells all screens."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Mapping
from threading import Event as Flag
from threading import RLock
from typing import NamedTuple

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.header import TournamentHeader
from scorekeeper.club.state import Tournament
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import HOST, Said, Source
from scorekeeper.errors import LedgerError, TournamentError
from scorekeeper.messages import N_
from scorekeeper.storage.hall import Hall, HallMoment, Live
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.tournaments import Tournaments
from scorekeeper.storage.watch import Watch
from webui.table.access import Access
from webui.table.channel import Channel
from webui.table.memory import Memory

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
"""After which the ledger is read even where nothing has told of a change."""
MOST_TOLD = 6
TOLD_SECONDS = 60.0
"""How long what has happened at a table is told."""


class Happened(NamedTuple):
    """What has changed at a table, with a number that grows."""

    number: int
    at: float
    live: Live


class ClubSnapshot(NamedTuple):
    """Everything that the hall's screens show, at one moment; a value that never changes.

    Attributes:
        number: Of the channel's changes.
        hall: The tournament and its tables, or None before the first one.
        happened: The latest changes at tables, the latest last.
        lost: Whether the ledger does not answer.
    """

    number: int
    hall: HallMoment | None
    happened: tuple[Happened, ...]
    lost: bool

    @property
    def tournament(self) -> Tournament | None:
        """The tournament, or None."""
        return None if self.hall is None else self.hall.tournament

    @property
    def tables(self) -> Mapping[int, Live]:
        """The matches of the round by table."""
        return {} if self.hall is None else self.hall.tables

    @property
    def header(self) -> Header | None:
        """What is played at each table; the seats are nobody's."""
        tournament = self.tournament
        if tournament is None:
            return None
        return tournament.header.match_header([""] * tournament.header.players)

    @property
    def match_id(self) -> None:
        """No match is this process's own."""
        return None


class Club:
    """The hall that this process serves. May be used by several threads.

    Everything but the keys is in the ledger: it may stop and start at any time.

    Args:
        ledger: Where the tournament is, and the matches of the tables.
        memory: Keeps the keys.
        number: Which tournament; None for the latest.

    Attributes:
        ledger: Where the tournament is.
        access: Keys and phones.
        channel: Counts what changes.

    Raises:
        LedgerError: The ledger cannot be read, or there is no such tournament.
        TournamentError: An event of it is not possible by the rules of this program.
    """

    def __init__(self, ledger: Ledger, memory: Memory, number: int | None = None) -> None:
        self.ledger, self.access, self.channel = ledger, Access(memory), Channel()
        self._lock, self._ended = RLock(), Flag()
        self._happened: deque[Happened] = deque(maxlen=MOST_TOLD)
        self._told, self._lost = 0, False
        ids = Tournaments(ledger).ids()
        chosen = number if number is not None else ids[-1] if ids else None
        self._hall = None if chosen is None else Hall(ledger, chosen)
        self._snapshot = self._take()

    @property
    def hall(self) -> Hall:
        """The tournament that is served.

        Raises:
            TournamentError: There is none yet.
        """
        if self._hall is None:
            raise TournamentError(N_("no tournament has been opened yet"))
        return self._hall

    def last_header(self) -> None:
        """No table was set up here."""
        return None

    def snapshot(self) -> ClubSnapshot:
        """What there is to show now."""
        return self._snapshot

    def begin(self, header: TournamentHeader) -> None:
        """Opens a tournament, and serves it from now on.

        Raises:
            LedgerError: It could not be written.
        """
        with self._lock:
            number = Tournaments(self.ledger).begin(header, Said.now(Source.OPERATOR, HOST))
            self._hall = Hall(self.ledger, number)
            self._happened.clear()
            self._publish()

    def say(self, event: ClubEvent, *, seen: int) -> None:
        """Appends what the host says; ``Hall.say`` says what it raises."""
        with self._lock:
            before = self.hall.moment
            self.hall.say(event, seen=seen, who=HOST)
            self._notice(before, self.hall.moment)
            self._publish()

    def refresh(self) -> None:
        """Reads what is new; where the ledger does not answer, the screens say so.

        New is what no screen shows yet: what was refused to the host may have had it read before.
        """
        with self._lock:
            before = self._snapshot.hall
            if self._hall is None or before is None:
                return
            lost = False
            try:
                self._hall.refresh()
            except LedgerError as error:
                lost = True
                log.warning("%s", error)
            oldest = time.monotonic() - TOLD_SECONDS
            stale = any(one.at < oldest for one in self._snapshot.happened)
            if self._hall.moment is not before or lost != self._lost or stale:
                self._lost = lost
                self._notice(before, self._hall.moment)
                self._publish()

    def follow(self, watch: Watch) -> None:
        """Follows the ledger until ``close``; a thread's work."""
        while not self._ended.is_set():
            watch.wait(LOOK_SECONDS)
            if not self._ended.is_set():
                self.refresh()

    def close(self) -> None:
        """Ends ``follow`` within two seconds."""
        self._ended.set()

    def _notice(self, before: HallMoment, now: HallMoment) -> None:
        for table, live in now.tables.items():
            if live.latest and before.tables.get(table) is not live:
                self._told += 1
                self._happened.append(Happened(self._told, time.monotonic(), live))

    def _publish(self) -> None:
        # Taken before anybody is woken: what wakes up finds the new one.
        self._snapshot = self._take(1)
        self.channel.publish()

    def _take(self, later: int = 0) -> ClubSnapshot:
        recent = time.monotonic() - TOLD_SECONDS
        return ClubSnapshot(
            self.channel.number + later,
            None if self._hall is None else self._hall.moment,
            tuple(one for one in self._happened if one.at >= recent),
            self._lost,
        )
