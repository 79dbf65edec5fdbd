"""A table: one match that is being played. Events are checked, stored, and only then announced."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from threading import Lock
from typing import NamedTuple

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, start
from scorekeeper.engine.said import AGAIN, Said, Source, marked
from scorekeeper.engine.state import Match
from scorekeeper.errors import StaleAppend
from scorekeeper.storage.ledger import Entry, Ledger

log = logging.getLogger(__name__)


class Moment(NamedTuple):
    """The state of a match, and its sequence number; a value that never changes.

    Attributes:
        seq: How many events the match has.
        match: Its state after them.
    """

    seq: int
    match: Match


class News(NamedTuple):
    """What subscribers are told.

    Attributes:
        before: The moment before.
        now: The moment after.
        events: The events in between, with their remarks: one, or several that were appended
            together, or all that another process wrote to the ledger.
    """

    before: Moment
    now: Moment
    events: tuple[Event, ...]


Subscriber = Callable[[News], None]


class Table:
    """One match of a ledger, with its current state. May be used by several threads.

    Args:
        ledger: Where the match is stored.
        match_id: Its number.

    Attributes:
        match_id: The number of the match.

    Raises:
        LedgerError: The ledger cannot be read, or there is no such match.
        RuleError: An event in it is not legal by the rules of this program.
    """

    def __init__(self, ledger: Ledger, match_id: int) -> None:
        self.match_id = match_id
        self._ledger = ledger
        self._entry = ledger.match(match_id)
        self._saying = Lock()
        self._events: list[Event] = []
        self._moment = Moment(0, start(self._entry.header))
        self._telling = Lock()
        self._told_by_somebody = False
        self._untold: deque[News] = deque()
        self._subscribers: tuple[Subscriber, ...] = ()
        self._replay(ledger.read(self._entry))
        self._untold.clear()  # nobody could subscribe before these events

    @classmethod
    def begin(
        cls, ledger: Ledger, header: Header, *, source: Source, who: str | None = None
    ) -> Table:
        """Begins a new match in the ledger.

        Raises:
            LedgerError: It could not be written.
        """
        return cls(ledger, ledger.begin(header, Said.now(source, who)))

    @property
    def moment(self) -> Moment:
        """The current state of the match, and its sequence number; never waits for an append."""
        return self._moment

    def log(self) -> tuple[Moment, tuple[Event, ...]]:
        """The moment, and all events up to it, ``undo`` ones too, as corrections need them."""
        with self._saying:
            return self._moment, tuple(self._events)

    def say(
        self,
        *events: Event,
        seen: int,
        source: Source,
        who: str | None = None,
        kept: bool = False,
    ) -> Moment:
        """Appends events, such as those of one correction: all of them or none.

        The referee checks them, the ledger stores them, and then subscribers are told. When it
        returns, they are on disk; if another thread is telling subscribers just now, that one tells
        of these, too.

        Args:
            *events: The events.
            seen: Sequence number of the moment that their sender has seen.
            source: Where they come from.
            who: Who said them.
            kept: Whether they are from a record, as for ``verify``. Events that a correction
                repeats count as kept in any case.

        Returns:
            The moment after them.

        Raises:
            StaleAppend: The match has gone on since ``seen``; nothing was kept.
            RuleError: One of them is not legal; nothing was kept.
            LedgerError: They could not be stored. Nothing was kept, unless the connection to the
                database broke at that very instant; the next ``say`` then finds out.
        """
        if not events:
            raise ValueError("nothing was said")
        said = Said.now(source, who)
        try:
            with self._saying:
                moment = self._moment
                if seen != moment.seq:
                    raise StaleAppend(seen=seen, now=moment.seq)
                match = moment.match
                spoken = [marked(self._well_formed(event), said) for event in events]
                for event in spoken:
                    match = apply(match, event, kept=kept or AGAIN in event.remarks)
                try:
                    seq = self._ledger.append(self.match_id, events, seen=seen, said=said)
                except StaleAppend:
                    self._read_on()
                    raise
                now = Moment(seq, match)
                self._publish(now, spoken)
                return now
        finally:
            self._tell()

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Has a subscriber told of each append, in order, once it is on disk.

        It is called in a thread that appends. An error that it raises is logged, and has no other
        effect.

        Returns:
            A function that ends the subscription.
        """
        with self._telling:
            self._subscribers = (*self._subscribers, subscriber)

        def leave() -> None:
            with self._telling:
                left = list(self._subscribers)
                if subscriber in left:
                    left.remove(subscriber)
                self._subscribers = tuple(left)

        return leave

    def _well_formed(self, event: Event) -> Event:
        """Checks an event as the reader of records does, so that it can be read again."""
        match = self._moment.match
        parse_event(event.to_json(), verbs=match.header.verbs, seats=match.seats)
        return event

    def _read_on(self) -> None:
        new = self._ledger.read(self._entry, after=self._moment.seq)
        if new:
            self._replay(new)

    def _replay(self, entries: Iterable[Entry]) -> None:
        seq, match = self._moment
        events = [entry.marked for entry in entries]
        for event in events:
            match = apply(match, event, kept=True)
        self._publish(Moment(seq + len(events), match), events)

    def _publish(self, now: Moment, events: list[Event]) -> None:
        self._untold.append(News(self._moment, now, tuple(events)))
        self._events += events
        self._moment = now

    def _tell(self) -> None:
        """Tells subscribers what they were not told yet, in order; one thread at a time does so.

        A thread that comes meanwhile leaves its news to that one. So nobody waits for a slow
        subscriber, and a subscriber may append an event itself.
        """
        while True:
            with self._telling:
                if self._told_by_somebody or not self._untold:
                    return
                self._told_by_somebody = True
                news, subscribers = self._untold.popleft(), self._subscribers
            try:
                for subscriber in subscribers:
                    try:
                        subscriber(news)
                    except Exception:
                        log.exception("a subscriber of match %s failed", self.match_id)
            finally:
                with self._telling:
                    self._told_by_somebody = False
