"""Keeps a watching process at work: starts it, and starts it anew when it dies or hangs.

The match stays here. What the process proposes is appended only if the match has not gone on since
it was judged. So nothing is lost or written twice if the process is killed in the middle.
"""

from __future__ import annotations

import base64
import itertools
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from queue import SimpleQueue
from types import MappingProxyType
from typing import Any, Protocol

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import SOURCE, WHO, Source
from scorekeeper.errors import LedgerError, RuleError, ScorekeeperError, StaleAppend
from scorekeeper.storage.media import Pictures
from scorekeeper.storage.table import Moment, News, Subscriber
from vision.belief.proposals import Hint
from vision.detection.spread import SpreadCard, spread_from
from vision.process.config import CameraConfig
from vision.process.insight import Insight
from vision.process.protocol import events_from, from_line, hint_from, refusal_to, to_line
from vision.process.status import Report
from vision.process.trace import trace

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "vision.process.worker")
"""The command of the process; ``trucam`` is installed for the Python that runs this."""

HANGS = 15.0
"""Seconds without a message after which the process is killed. On a busy machine each of the first
frames takes it several."""

STARTS_WITHIN = 30.0
"""Seconds that it may take to load the models."""

FIRST_PAUSE, LAST_PAUSE = 0.2, 10.0
"""The first pause before the process is started again, and the longest, in seconds. Each pause is
twice as long as the one before, unless the process has lived for ``LIVED``."""

LIVED = 20.0
"""If the process has lived for longer than this, in seconds, the pauses begin anew."""

NOT_UNDERSTOOD = (ValueError, LookupError, TypeError, AttributeError, OSError)
"""Raised by reading a message that the process should not send; it is started anew then."""

GOES_WITHIN = 3.0
"""Seconds that it may take, once it is told to stop, to write the last pictures and clips and the
end of a take. Then it is killed."""

ANSWERED_WITHIN = 5.0
"""Seconds within which the process has to say what came of a person's answer."""


class MatchOwner(Protocol):
    """What a match has to offer; ``scorekeeper.storage.table.Table`` does."""

    @property
    def match_id(self) -> int | None:
        """Its number; None if nothing of it is to be kept."""

    @property
    def moment(self) -> Moment:
        """The match as it stands, and the number of its latest event."""

    def log(self) -> tuple[Moment, tuple[Event, ...]]:
        """The moment, and all events up to it."""

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """From now on, calls a subscriber after each append; returns a function that ends it."""

    def say(self, *events: Event, seen: int, source: Source) -> Moment:
        """Appends events; see ``Table.say``."""


class AnswerError(ScorekeeperError):
    """An answer came too late: its question is not open any more, or nobody watches now."""


@dataclass
class _Waiting:
    """A thread that waits for the process to answer.

    Attributes:
        done: set once the answer is there, or none will come.
        data: the answer; None if none came.
    """

    done: threading.Event = field(default_factory=threading.Event)
    data: Any = None


class Supervisor:
    """Keeps the process that watches a table running, and passes messages to it and from it.

    Args:
        config: which camera it watches, and how.
        table: the match; see ``begin`` for another one.
        pictures: where pictures of the events are kept.
        learned: what an earlier supervisor had ``learned``.
        on_report: called with each new report, from any thread.
        on_hint: called with each hint, from another thread.
        command: the command that starts the process.

    Attributes:
        config: which camera it watches, and how.
        report: what the process last told of itself.
        learned: what the process has learned of the deck, for the one that takes its place: a PNG
            in base64 by the card's name.
        pictured: number of each open question to the picture of what it is about, a JPEG.
    """

    def __init__(
        self,
        config: CameraConfig,
        table: MatchOwner,
        pictures: Pictures,
        *,
        learned: Mapping[str, str] = MappingProxyType({}),
        on_report: Callable[[Report], None] = lambda report: None,
        on_hint: Callable[[Hint], None] = lambda hint: None,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.config, self.report = config, Report()
        self._on_report, self._on_hint, self._command = on_report, on_hint, command
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._tokens = itertools.count(1)
        self._answers: dict[int, _Waiting] = {}
        self._asked_for: dict[str, list[_Waiting]] = {}
        self._heard = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._out: SimpleQueue[bytes | None] = SimpleQueue()
        self._table, self._pictures, self.learned = table, pictures, dict(learned)
        self.pictured: dict[int, bytes] = {}
        self._leave: Callable[[], None] = table.subscribe(partial(self._told, table))
        self._threads = [
            threading.Thread(target=self._keep, name="supervisor", daemon=True),
            threading.Thread(target=self._guard, name="supervisor's clock", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    # --- what others ask of it ---

    def begin(self, table: MatchOwner) -> None:
        """Goes on with another match at the same table."""
        with self._lock:
            self._leave()
            self._table = table
            self._leave = table.subscribe(partial(self._told, table))
            self._out.put(self._begin())
        self.pictured = {}
        self._say(replace(self.report, questions=()))

    def use_deck(self, name: str | None) -> None:
        """Reads with another learned deck; None for one that was not learned."""
        with self._lock:
            self.config, self.learned = replace(self.config, deck=name), {}
            self._out.put(to_line("deck", name))

    def answer(self, question: int, choice: str, who: str | None = None) -> None:
        """Passes a person's answer on; its event is that person's word, not the camera's.

        Args:
            question: number of the question.
            choice: the key of one of its choices, for their order may have changed meanwhile.
            who: who answers; None if that is not known.

        Raises:
            AnswerError: the question was withdrawn, or nobody watches now.
            RuleError: the rules do not allow any more what it says.
            LedgerError: it could not be written.
        """
        waiting, token = _Waiting(), next(self._tokens)
        with self._lock:
            self._answers[token] = waiting
            said = {SOURCE: Source.PHONE.value} | ({} if who is None else {WHO: who})
            data = {"question": question, "choice": choice, "token": token, "said": said}
            self._out.put(to_line("answer", data))
        waiting.done.wait(ANSWERED_WITHIN)
        with self._lock:
            self._answers.pop(token, None)
        answer = waiting.data or {"state": "gone"}
        if answer["state"] == "refused":
            raise RuleError(answer["rule"], answer["reason"], **answer["fields"])
        if answer["state"] == "unwritten":
            raise LedgerError("An answer could not be written down.")
        if answer["state"] != "said":
            raise AnswerError("This question is not open any more.")

    def picture(self, timeout: float = 2.0) -> bytes:
        """What the camera sees, with what was found drawn into it: a JPEG.

        Empty if none came in time, or if nobody may see it now.
        """
        return self._ask("picture", timeout) or b""

    def spread(self, timeout: float = 10.0) -> list[SpreadCard] | None:
        """Each card that is seen; None while people play, or if no answer came in time."""
        found: list[SpreadCard] | None = self._ask("spread", timeout)
        return found

    def insight(self, timeout: float = 2.0) -> Insight | None:
        """What the table believes of the latest hand.

        None if nobody may see that now, or if no answer came in time.
        """
        found: Insight | None = self._ask("insight", timeout)
        return found

    def keep_deck(self, name: str, timeout: float = 5.0) -> Mapping[str, Any] | None:
        """Keeps the deck on the table under a name, as it is known by now.

        Returns:
            How many ``cards`` are kept, and as ``trouble`` why the deck could not be written, or
            None; None alone if no answer came in time.
        """
        kept: Mapping[str, Any] | None = self._ask("keep", timeout, name)
        return kept

    def _ask(self, kind: str, timeout: float, data: str | None = None) -> Any:
        """Asks the process for something, by a kind of message; None if no answer came in time."""
        waiting = _Waiting()
        with self._lock:
            self._asked_for.setdefault(kind, []).append(waiting)
            self._out.put(to_line(kind, data))
        waiting.done.wait(timeout)
        return waiting.data

    def stop(self) -> None:
        """Ends the process, and waits for that."""
        self._stop.set()
        self._leave()
        if self._process is not None:
            self._out.put(None)  # its input ends: then it writes what is left, and ends
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GOES_WITHIN)
        self._kill()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5)

    # --- the process ---

    def _begin(self) -> bytes:
        moment, events = self._table.log()
        pictures = self._pictures
        data = {
            "config": self.config.to_json(),
            "match": self._table.match_id,
            "pictures": {
                "folder": str(pictures.folder.absolute()),
                "days": pictures.days,
                "most": pictures.most,
            },
            "learned": self.learned,
            "header": moment.match.header.to_json(),
            "events": [event.to_json() for event in events],
        }
        return to_line("begin", data)

    def _keep(self) -> None:
        """Starts the process, again and again."""
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                self._live()
            except Exception:  # as where the computer has no memory or no files left
                log.exception("the watching process is started anew")
            if self._stop.is_set():
                return
            pause = FIRST_PAUSE if time.monotonic() - began > LIVED else min(pause * 2, LAST_PAUSE)
            self._say(replace(self.report, alive=False, questions=(), pace=0.0, lap=None))
            self._stop.wait(pause)

    def _live(self) -> None:
        """One life of the process, from its start to its end."""
        self._heard = time.monotonic() + STARTS_WITHIN - HANGS
        out: SimpleQueue[bytes | None] = SimpleQueue()
        with self._lock:
            # What is appended once the log is read is sent after it: ``_told`` waits for the lock.
            self._out = out
            out.put(self._begin())
        process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal ends it through ``stop`` alone
        )  # fmt: skip
        self._process = process
        if self._stop.is_set():  # ``stop`` came while it was being started
            process.kill()
        writer = threading.Thread(target=self._write, args=(process, out), daemon=True)
        writer.start()
        self.pictured = {}
        self._say(Report(starts=self.report.starts + 1, failed=self.report.failed))
        assert process.stdout is not None
        try:
            for line in process.stdout:
                self._heard = time.monotonic()
                self._hear(*from_line(line))
        except NOT_UNDERSTOOD as error:
            log.warning("the watching process is not understood: %s", error)
        finally:
            process.kill()
            process.wait()
            out.put(None)
            writer.join(timeout=5)
            process.stdout.close()
            self._forget_waiting()

    def _write(self, process: subprocess.Popen[bytes], out: SimpleQueue[bytes | None]) -> None:
        """Sends messages to the process; if it does not read them, only this thread waits."""
        assert process.stdin is not None
        with suppress(OSError, ValueError):
            while (line := out.get()) is not None:
                process.stdin.write(line)
                process.stdin.flush()
        with suppress(OSError):
            process.stdin.close()

    def _guard(self) -> None:
        """Kills a process that gives no sign of life."""
        while not self._stop.wait(1.0):
            if self._heard and time.monotonic() - self._heard > HANGS:
                log.warning("the watching process hangs and is started anew")
                self._kill()
                self._heard = time.monotonic() + STARTS_WITHIN

    def _kill(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()

    def _forget_waiting(self) -> None:
        with self._lock:
            waiting = [*self._answers.values(), *chain.from_iterable(self._asked_for.values())]
            self._answers.clear()
            self._asked_for.clear()
        for each in waiting:
            each.done.set()

    # --- what is said ---

    def _told(self, table: MatchOwner, news: News) -> None:
        """Passes on what anybody has appended, unless it comes late from an earlier match."""
        events = [event.to_json() for event in news.events]
        with self._lock:
            if table is not self._table:
                return
            self._out.put(to_line("events", {"events": events, "first": news.before.seq}))

    def _hear(self, kind: str, data: Any) -> None:
        if kind == "say":
            self._out.put(to_line("said", self._append(data)))
        elif kind == "news":
            self._news(data)
        elif kind == "beat":
            pace, look = data["pace"], data["look"]
            before = self.report
            if not before.alive or abs(before.pace - pace) > 1 or before.look != look:
                self._say(replace(before, alive=True, failed=None, pace=pace, look=look))
        elif kind == "lap":
            self._say(replace(self.report, lap=time.monotonic() - data["shown"]))
        elif kind == "learned":
            known = {**self.learned, **data}
            self.learned = {name: png for name, png in known.items() if png is not None}
        elif kind == "asked":
            self.pictured[data["question"]] = base64.b64decode(data["picture"])
        elif kind == "answered":
            with self._lock:
                waiting = self._answers.get(data["token"])
            if waiting is not None:
                waiting.data = data
                waiting.done.set()
        elif kind == "picture":
            self._answered(kind, base64.b64decode(data))
        elif kind == "spread":
            self._answered(kind, None if data is None else spread_from(data))
        elif kind == "insight":
            self._answered(kind, None if data is None else Insight.from_json(data))
        elif kind == "keep":
            self._answered(kind, data)
        elif kind == "failed":
            self._say(replace(self.report, failed=(data[0], data[1])))

    def _answered(self, kind: str, data: Any) -> None:
        with self._lock:
            waiting_for = self._asked_for.pop(kind, [])
        for waiting in waiting_for:
            waiting.data = data
            waiting.done.set()

    def _append(self, data: dict[str, Any]) -> dict[str, Any]:
        table = self._table
        trace("heard", seq=data["seen"] + len(data["events"]))
        try:
            events = events_from(data["events"], table.moment.match.header)
            written = table.say(*events, seen=data["seen"], source=Source.CAMERA)
            trace("written", match=table.match_id, seq=written.seq)
        except StaleAppend:
            return {"state": "stale"}
        except RuleError as error:
            return refusal_to(error)
        except ScorekeeperError as error:  # the ledger cannot be written, not even by hand
            if not self.report.unwritten:  # logged once: it is tried again with each frame
                log.error("%s", error)
                self._say(replace(self.report, unwritten=True))
            return {"state": "unwritten"}
        if self.report.unwritten:
            self._say(replace(self.report, unwritten=False))
        return {"state": "said"}

    def _news(self, data: dict[str, Any]) -> None:
        header = self._table.moment.match.header
        report = self.report.after(data, header)
        asked = {question.id for question in report.questions}
        self.pictured = {n: jpeg for n, jpeg in self.pictured.items() if n in asked}
        self._say(report)
        for hint in data.get("hints", ()):
            self._on_hint(hint_from(hint, header))

    def _say(self, report: Report) -> None:
        self.report = report
        self._on_report(report)
