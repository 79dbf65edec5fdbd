"""The watching process's ends of its two pipes: ``Line`` passes messages, ``PipeLog`` the match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, replay
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, LedgerError, RuleError, StaleAppend
from scorekeeper.messages import N_
from vision.process.protocol import from_line, to_line
from vision.process.trace import trace

ANSWERED_WITHIN = 10.0
"""Seconds that the owner of the match may take for an append."""

ENDED = None
"""Stands for the end of the input in the queue of messages."""


class Gone(Exception):
    """The process that owns the match has ended, or does not answer."""


class PipeLog:
    """A match that another process owns, with a copy of its events.

    Args:
        header: who plays what.
        events: what was said before.
        line: passes messages to the owner.
        waits: whether the match has not begun, and takes no events.

    Attributes:
        header: who plays what.
        events: all events of the match, as far as the owner has told them.
        match: the match after them.
        waits: whether the match has not begun, and takes no events.
    """

    def __init__(self, header: Header, events: Sequence[Event], line: Line, *, waits: bool) -> None:
        self.header, self.events, self._line = header, list(events), line
        self.waits = waits
        self.match = replay(header, self.events)

    def read(self) -> tuple[int, Match, Sequence[Event]]:
        """The number of the latest event, the match, and all events."""
        return len(self.events), self.match, self.events

    def take(self, events: Sequence[Event], first: int) -> None:
        """Takes over what was appended; events that are known already are skipped.

        Args:
            events: the events.
            first: how many events of the match come before them.

        Raises:
            ValueError: events are missing before them.
        """
        if first > len(self.events):
            raise ValueError(f"events from {first} on, after {len(self.events)}")
        for event in events[len(self.events) - first :]:
            self.match = apply(self.match, event, kept=True)
            self.events.append(event)

    def say(self, events: Sequence[Event], seen: int) -> None:
        """Lets the owner append events; see ``vision.watched_table.Log``.

        Raises:
            FormatError: the match has not begun.
            Gone: the owner does not answer.
        """
        if self.waits:
            raise FormatError(N_("no match is being played at this table"))
        trace("proposed", seq=seen + len(events))
        self._line.send("say", {"events": [event.to_json() for event in events], "seen": seen})
        answer = self._line.wait_for("said", ANSWERED_WITHIN)
        if answer["state"] == "stale":
            raise StaleAppend(seen=seen, now=len(self.events))
        if answer["state"] == "unwritten":
            raise LedgerError("The owner of the match cannot write it down.")
        if answer["state"] == "refused":
            raise RuleError(answer["rule"], answer["reason"], **answer["fields"])


class Line:
    """The two pipes; a thread reads the incoming one.

    Args:
        incoming: brings the owner's messages.
        outgoing: takes messages to the owner.

    Attributes:
        on_events: called with the data of each ``events`` message; set it before messages are read.
    """

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._queue: SimpleQueue[tuple[str, Any] | None] = SimpleQueue()
        self._later: list[tuple[str, Any]] = []
        self.on_events: Callable[[Any], None] = print
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._incoming:
                self._queue.put(from_line(line))
        except (OSError, ValueError):
            pass
        self._queue.put(ENDED)

    def send(self, kind: str, data: Any) -> None:
        """Tells the owner something.

        Raises:
            Gone: the owner has ended.
        """
        try:
            self._outgoing.write(to_line(kind, data))
            self._outgoing.flush()
        except OSError:
            raise Gone from None

    def _next(self, timeout: float | None) -> tuple[str, Any]:
        """The next message that does not tell of events; those that do are passed on at once."""
        while True:
            message = self._queue.get(timeout=timeout) if timeout else self._queue.get_nowait()
            if message is ENDED:
                raise Gone
            # What follows the beginning of another match belongs to that one.
            another = any(kind == "begin" for kind, _ in self._later)
            if message[0] != "events" or another:
                return message
            self.on_events(message[1])

    def wait_for(self, kind: str, timeout: float) -> Any:
        """The next message of a kind; others are kept for later.

        Args:
            kind: the kind.
            timeout: seconds that each next message may take.

        Raises:
            Gone: none came in time, or the owner has ended.
        """
        while True:
            try:
                message = self._next(timeout)
            except Empty:
                raise Gone from None
            if message[0] == kind:
                return message[1]
            self._later.append(message)

    def waiting(self) -> Iterator[tuple[str, Any]]:
        """Yields the messages that have come. Each is read only after the one before was obeyed."""
        try:
            while True:
                yield self._later.pop(0) if self._later else self._next(None)
        except Empty:
            return
