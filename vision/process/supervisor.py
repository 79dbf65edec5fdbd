"""Keeps a watching process at work: starts it, serves it, and starts it anew when it dies or hangs.

The match stays here. What the process proposes is appended at the number it was judged at, or not
at all, so nothing is lost or said twice when it is killed in the middle.
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
from typing import Any, Protocol

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import SOURCE, WHO, Source
from scorekeeper.errors import LedgerError, RuleError, ScorekeeperError, StaleAppend
from scorekeeper.storage.media import Pictures
from scorekeeper.storage.table import Moment, News, Subscriber
from vision.belief.proposals import Hint
from vision.detection.spread import SpreadCard, spread_from
from vision.process.config import Post
from vision.process.insight import Insight
from vision.process.protocol import events_from, from_line, hint_from, refusal_to, to_line
from vision.process.status import Sight
from vision.process.trace import trace

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "vision.process.worker")
"""What is started; ``trucam`` is installed for the same Python."""

HANGS = 15.0
"""Seconds without a sign of life after which the process is killed: the first pictures take a busy
machine several."""

STARTS_WITHIN = 30.0
"""Seconds that it may take to load the models."""

FIRST_PAUSE, LAST_PAUSE = 0.2, 10.0
"""Seconds before it is started again; each time twice as long, until it has lived for a while."""

LIVED = 20.0
"""Seconds of life after which a death is the first one again."""

NOT_UNDERSTOOD = (ValueError, LookupError, TypeError, AttributeError, OSError)
"""What reading a message raises that is none of the process's; it is started anew then."""

GOES_WITHIN = 3.0
"""Seconds that it may take to write the last pictures, clips and the end of a take, before it is
killed."""

ANSWERED_WITHIN = 5.0
"""Seconds that an answer may take to be passed on."""


class WatchedTable(Protocol):
    """What is asked of a match: ``scorekeeper.storage.table.Table`` is one."""

    @property
    def match_id(self) -> int | None:
        """Its number; None where nothing is to be kept of it."""

    @property
    def moment(self) -> Moment:
        """The match as it stands, and its sequence number."""

    def log(self) -> tuple[Moment, tuple[Event, ...]]:
        """The moment, and all events up to it."""

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Has a subscriber told of each append; returns a function that ends it."""

    def say(self, *events: Event, seen: int, source: Source) -> Moment:
        """Appends events; see ``Table.say``."""


class AnswerError(ScorekeeperError):
    """A question's answer came too late."""


@dataclass
class _Waiting:
    """Somebody who waits for the process to answer."""

    done: threading.Event = field(default_factory=threading.Event)
    data: Any = None


class Watchman:
    """Watches over the process that watches over a table.

    Args:
        post: what it watches.
        table: the match; see ``begin`` for another one.
        pictures: where pictures of the events are kept.
        on_sight: called with each new sight, from a thread.
        on_hint: called with each hint.
        command: what is started.

    Attributes:
        pictured: the pictures of what the open questions are about, by their numbers; JPEGs.
    """

    def __init__(
        self,
        post: Post,
        table: WatchedTable,
        pictures: Pictures,
        *,
        on_sight: Callable[[Sight], None] = lambda sight: None,
        on_hint: Callable[[Hint], None] = lambda hint: None,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.post, self.sight = post, Sight()
        self._on_sight, self._on_hint, self._command = on_sight, on_hint, command
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._tokens = itertools.count(1)
        self._answers: dict[int, _Waiting] = {}
        self._asked_for: dict[str, list[_Waiting]] = {}
        self._heard = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._out: SimpleQueue[bytes | None] = SimpleQueue()
        self._table, self._pictures = table, pictures
        self.pictured: dict[int, bytes] = {}
        self._leave: Callable[[], None] = table.subscribe(partial(self._told, table))
        self._threads = [
            threading.Thread(target=self._keep, name="watchman", daemon=True),
            threading.Thread(target=self._guard, name="watchman's clock", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    # --- what others ask of it ---

    def begin(self, table: WatchedTable) -> None:
        """Goes on with another match at the same table."""
        with self._lock:
            self._leave()
            self._table = table
            self._leave = table.subscribe(partial(self._told, table))
            self._out.put(self._begin())
        self.pictured = {}
        self._say(replace(self.sight, questions=()))

    def answer(self, question: int, choice: str, who: str | None = None) -> None:
        """Passes a person's answer on; what comes of it is that person's word, not the camera's.

        Args:
            question: its number.
            choice: the key of one of its choices; their order may have changed meanwhile.
            who: who answers.

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
        """What the camera sees, drawn in, as a JPEG; empty where none came in time."""
        return self._ask("picture", timeout) or b""

    def spread(self, timeout: float = 10.0) -> list[SpreadCard] | None:
        """Where nobody plays, every card that is seen, by itself; None where nobody looked."""
        found: list[SpreadCard] | None = self._ask("spread", timeout)
        return found

    def insight(self, timeout: float = 2.0) -> Insight | None:
        """What it believes of the latest hand; None where nobody may see that, or none came."""
        found: Insight | None = self._ask("insight", timeout)
        return found

    def keep_deck(self, name: str, timeout: float = 5.0) -> Mapping[str, Any] | None:
        """Keeps the deck on the table under a name, as it is known by now.

        Returns:
            How many ``cards`` it has, and the ``trouble`` where it could not be written; None where
            no answer came.
        """
        kept: Mapping[str, Any] | None = self._ask("keep", timeout, name)
        return kept

    def _ask(self, kind: str, timeout: float, data: str | None = None) -> Any:
        """What the process answers to a question of a kind; None where no answer came in time."""
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
            self._out.put(None)  # the end of what it is told: then it writes what is left
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
            "post": self.post.to_json(),
            "match": self._table.match_id,
            "pictures": {
                "folder": str(pictures.folder.absolute()),
                "days": pictures.days,
                "most": pictures.most,
            },
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
            self._say(replace(self.sight, alive=False, questions=(), pace=0.0, lap=None))
            self._stop.wait(pause)

    def _live(self) -> None:
        """One life of the process, from its start to its end."""
        self._heard = time.monotonic() + STARTS_WITHIN - HANGS
        out: SimpleQueue[bytes | None] = SimpleQueue()
        with self._lock:
            # From the log on, all that is said comes after it, in order.
            self._out = out
            out.put(self._begin())
        process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._process = process
        if self._stop.is_set():  # ``stop`` came while it was being started
            process.kill()
        writer = threading.Thread(target=self._write, args=(process, out), daemon=True)
        writer.start()
        self.pictured = {}
        self._say(Sight(starts=self.sight.starts + 1, failed=self.sight.failed))
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
        """Passes on what is to be said; a process that does not read holds up nobody else."""
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

    def _told(self, table: WatchedTable, news: News) -> None:
        """Passes on what was appended, by whomever; not what comes late from a match before."""
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
            before = self.sight
            if not before.alive or abs(before.pace - pace) > 1 or before.look != look:
                self._say(replace(before, alive=True, failed=None, pace=pace, look=look))
        elif kind == "lap":
            self._say(replace(self.sight, lap=time.monotonic() - data["shown"]))
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
            self._say(replace(self.sight, failed=(data[0], data[1])))

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
        except ScorekeeperError as error:  # the ledger cannot be written: by hand neither
            if not self.sight.unwritten:  # it is tried again with each picture
                log.error("%s", error)
                self._say(replace(self.sight, unwritten=True))
            return {"state": "unwritten"}
        if self.sight.unwritten:
            self._say(replace(self.sight, unwritten=False))
        return {"state": "said"}

    def _news(self, data: dict[str, Any]) -> None:
        header = self._table.moment.match.header
        sight = self.sight.after(data, header)
        asked = {question.id for question in sight.questions}
        self.pictured = {n: jpeg for n, jpeg in self.pictured.items() if n in asked}
        self._say(sight)
        for hint in data.get("hints", ()):
            self._on_hint(hint_from(hint, header))

    def _say(self, sight: Sight) -> None:
        self.sight = sight
        self._on_sight(sight)
