"""The hall that this process serves: it follows the club's ledger, and has screens drawn anew."""

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
"""How often the ledger is read, even if nothing has reported a change."""
MOST_NEWS, NEWS_SECONDS = 6, 60.0
"""How many changes at tables are news, and for how long."""


class Happened(NamedTuple):
    """A change at a table.

    Attributes:
        number: A number that grows, so that a screen announces each change only once.
        at: When it was seen, by ``time.monotonic``.
        live: The table's match after it.
    """

    number: int
    at: float
    live: Live


class ClubSnapshot(NamedTuple):
    """Everything that the hall's screens show, at one moment; a value that never changes.

    Attributes:
        number: The number of the latest change; see ``Channel``.
        hall: The tournament and its tables, or None before the first tournament.
        happened: The news, the latest last.
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
        """The game and rules of each table; the seats have no names."""
        tournament = self.tournament
        if tournament is None:
            return None
        return tournament.header.match_header([""] * tournament.header.players)

    @property
    def match_id(self) -> None:
        """None: no match is played at the hall's own computer."""
        return None


class Club:
    """The hall that this process serves. May be used by several threads.

    Everything but the keys is in the ledger, so the program may stop and start at any time. Pages
    that a hall shares with a table see it as their room: they use ``ledger``, ``access``,
    ``snapshot`` and ``last_header``.

    Args:
        ledger: Has the tournament, and the matches of the tables.
        memory: Keeps the keys.
        number: The tournament; None for the latest.

    Attributes:
        ledger: As above.
        access: Keys and phones.
        channel: Counts the changes, which screens follow.

    Raises:
        LedgerError: The ledger cannot be read, or there is no such tournament.
        TournamentError: An event in it is not possible by the rules of this program.
    """

    def __init__(self, ledger: Ledger, memory: Memory, number: int | None = None) -> None:
        self.ledger, self.access, self.channel = ledger, Access(memory), Channel()
        self._lock, self._ended = RLock(), Flag()
        self._happened: deque[Happened] = deque(maxlen=MOST_NEWS)
        self._count, self._lost = 0, False  # changes at tables so far
        ids = Tournaments(ledger).ids()
        chosen = number if number is not None else ids[-1] if ids else None
        self._hall = None if chosen is None else Hall(ledger, chosen)
        self._snapshot = self._new_snapshot(self.channel.number)

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
        """None: no table was set up at the hall's own computer."""
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
        """Appends an event of the host; for errors see ``Hall.say``."""
        with self._lock:
            before = self.hall.moment
            self.hall.say(event, seen=seen, who=HOST)
            self._notice(before, self.hall.moment)
            self._publish()

    def refresh(self) -> None:
        """Reads what is new in the ledger; where that does not answer, the screens say so."""
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
            oldest = time.monotonic() - NEWS_SECONDS
            stale = any(one.at < oldest for one in self._snapshot.happened)
            # Compared with what screens show: ``say`` may have read the ledger, and then refused.
            if self._hall.moment is not before or lost != self._lost or stale:
                self._lost = lost
                self._notice(before, self._hall.moment)
                self._publish()

    def follow(self, watch: Watch) -> None:
        """Follows the ledger until ``close``; runs in a thread of its own."""
        while not self._ended.is_set():
            watch.wait(LOOK_SECONDS)
            if not self._ended.is_set():
                self.refresh()

    def close(self) -> None:
        """Ends ``follow`` within two seconds."""
        self._ended.set()

    def _notice(self, before: HallMoment, now: HallMoment) -> None:
        """Makes news of what has changed at the tables."""
        for table, live in now.tables.items():
            if live.latest and before.tables.get(table) is not live:
                self._count += 1
                self._happened.append(Happened(self._count, time.monotonic(), live))

    def _publish(self) -> None:
        """Has all screens drawn anew: first the new snapshot, then the change that wakes them."""
        self._snapshot = self._new_snapshot(self.channel.number + 1)
        self.channel.publish()

    def _new_snapshot(self, number: int) -> ClubSnapshot:
        recent = time.monotonic() - NEWS_SECONDS
        return ClubSnapshot(
            number,
            None if self._hall is None else self._hall.moment,
            tuple(one for one in self._happened if one.at >= recent),
            self._lost,
        )
