"""A match that has not begun, for a camera that is being set up."""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import start
from scorekeeper.engine.said import Source
from scorekeeper.errors import StaleAppend
from scorekeeper.storage.table import Moment, Subscriber


class Waiting:
    """Stands in for a match that has not begun: it has no events, and accepts none.

    So a camera can watch the table before there is a ``scorekeeper.storage.table.Table``.

    Args:
        header: Who will play what.
    """

    match_id = None

    def __init__(self, header: Header) -> None:
        self.moment = Moment(0, start(header))

    def log(self) -> tuple[Moment, tuple[Event, ...]]:
        """The moment, and no events."""
        return self.moment, ()

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Never calls the subscriber."""
        return lambda: None

    def say(self, *events: Event, seen: int, source: Source) -> Moment:
        """Accepts no event.

        Raises:
            StaleAppend: Always.
        """
        raise StaleAppend(seen=seen, now=0)
