"""The match of ``trucam watch``: kept in memory, and written to a record event by event."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import IO, Any

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source, marked
from scorekeeper.history.record import to_line
from vision.watched_table import ListLog


class RecordLog(ListLog):
    """A match in memory. Each event is marked with its time and written to a record.

    Args:
        header: who plays what.
        stream: where the record is written; None to write none.
    """

    def __init__(self, header: Header, stream: IO[str] | None = None) -> None:
        super().__init__(header)
        self.header = header
        self._began, self._at = datetime.now(UTC), 0.0
        self._stream = stream
        self._write(header.to_json())

    def now(self, at: float) -> None:
        """Sets the second at which the next events happen."""
        self._at = at

    def say(self, events: Sequence[Event], seen: int) -> None:
        """Appends events; see ``vision.watched_table.Log``."""
        said = Said((self._began + timedelta(seconds=self._at)).astimezone(), Source.CAMERA)
        super().say([marked(event, said) for event in events], seen)
        for event in self.events[seen:]:
            self._write(event.to_json())

    def _write(self, data: dict[str, Any]) -> None:
        if self._stream is not None:
            self._stream.write(to_line(data))
            self._stream.flush()
