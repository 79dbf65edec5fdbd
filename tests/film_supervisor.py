"""Replaces ``vision.process.supervisor``: the film is watched in this process, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import SOURCE, WHO, Source
from scorekeeper.engine.state import Match
from scorekeeper.errors import StaleAppend
from scorekeeper.storage.table import Table
from vision.belief.proposals import Hint
from vision.process.protocol import hint_from, hint_to, question_to
from vision.process.status import Report
from vision.process.supervisor import AnswerError
from vision.watched_table import Happened, WatchingTable


class TableLog:
    """Lets a watching table write to a match of the ledger; see ``vision.watched_table.Log``.

    Args:
        table: The match.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    def read(self) -> tuple[int, Match, Sequence[Event]]:
        """The number of the latest event, the match, and all events."""
        moment, events = self.table.log()
        return moment.seq, moment.match, events

    def say(self, events: Sequence[Event], seen: int) -> None:
        """Appends events; see ``Log``."""
        self.table.say(*events, seen=seen, source=Source.CAMERA)


class FilmSupervisor:
    """Replaces ``Supervisor``. A benchmark watches the film, and tells this each result (``took``).

    Attributes:
        latest: The instance that was made last.
        table: The match that is watched.
        watching: The watching table; None before the first frame.
    """

    latest: FilmSupervisor

    def __init__(
        self, config: Any, table: Table, pictures: object, *, on_report: Callable[[Report], None],
        on_hint: Callable[[Hint], None], command: object,
    ) -> None:  # fmt: skip
        self.config, self.table = config, table
        self.report = Report(alive=True, starts=1)
        self.watching: WatchingTable | None = None
        self.at = 0.0
        self._on_report, self._on_hint = on_report, on_hint
        FilmSupervisor.latest = self

    def begin(self, table: Table) -> None:
        """Goes on with another match."""
        self.table, self.watching = table, None
        self._show()

    def log(self) -> TableLog:
        """The log to which the watching table writes."""
        return TableLog(self.table)

    def took(self, at: float, watching: WatchingTable | None, happened: Happened) -> None:
        """Takes in what came of a frame, and reports it as a watching process would.

        Args:
            at: The time of the frame, in seconds.
            watching: The watching table.
            happened: What came of the frame.
        """
        self.at, self.watching = at, watching
        self._show()
        header = self.table.moment.match.header
        for hint in happened.hints:
            self._on_hint(hint_from(hint_to(hint), header))

    def _show(self) -> None:
        questions = () if self.watching is None else self.watching.questions
        news = {"questions": [question_to(each) for each in questions]}
        report = self.report.after(news, self.table.moment.match.header)
        if report != self.report:
            self.report = report
            self._on_report(report)

    def answer(self, question: int, choice: str, who: str | None = None) -> None:
        """Passes a person's answer on; see ``Supervisor.answer``."""
        asked = [each for each in self.report.questions if each.id == question]
        keys = [each.key for each in asked[0].choices] if asked else []
        if self.watching is None or choice not in keys:
            raise AnswerError("This question is not open any more.")
        said = {SOURCE: Source.PHONE.value, WHO: who}
        try:
            self.watching.answer(question, keys.index(choice), self.at, said=said)
        except (LookupError, StaleAppend):
            raise AnswerError("This question is not open any more.") from None
        self._show()

    def picture(self) -> bytes:
        """Returns no picture: no test needs one."""
        return b""

    def spread(self) -> None:
        """Finds no cards: no test needs them."""

    def stop(self) -> None:
        """Does nothing: there is no process to stop."""
