"""The camera of a table: starts the process that watches, and keeps what screens show of it.

This module is imported only where there is a camera: it loads OpenCV and ONNX Runtime.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from scorekeeper.engine.header import Header
from scorekeeper.errors import FormatError
from scorekeeper.messages import N_
from scorekeeper.storage.media import Pictures
from scorekeeper.storage.table import Table
from vision.belief.context import pack_of
from vision.belief.proposals import Hint
from vision.capture.films import Pace
from vision.capture.phone_feed import PHONE
from vision.geometry.calibration import keep_plane, open_plane
from vision.geometry.placing import UNSEEN
from vision.geometry.table_plane import PlaneError, from_clicks, turned
from vision.process.config import CameraConfig
from vision.process.insight import Insight
from vision.process.status import Report
from vision.process.supervisor import COMMAND, AnswerError, Supervisor
from webui.camera.counting import Counting
from webui.camera.phone import PhoneCamera
from webui.camera.view import OF_THE_DEAL, Asked, CameraView, Hinted, Opened
from webui.camera.waiting import Waiting

PICTURE_SECONDS = 60.0
"""How long the host sees the picture between hands. No longer, as the camera may miss a deal."""

SETUP_SECONDS = 180.0
"""How long the host sees the picture in set-up, counted from what the host did last."""

HINT_SECONDS = 12.0
"""How long a hint is shown; the next event ends it sooner."""


class Camera:
    """Watches the matches of one table, one after the other. May be used by several threads.

    Args:
        source: A camera's number or name, a video file, a folder of pictures, a stream's address,
            or ``phone`` for a phone's browser.
        turn: By how many quarters of a turn, clockwise, the first seat is away from its usual side.
        deck: Name of the learned deck that lies on the table; None where it was not learned.
        pace: How fast a film runs; see ``vision.capture.films.Pace``.
        take: The file of the take (see ``vision.evidence.takes``); None to keep none.
        command: The command that starts the watching process.

    Attributes:
        on_change: Called when ``view`` has changed.
        counting: The count of the deck on the table; see ``may_count``.
        phone: Receives the pictures of a phone's browser; None where another camera watches.
        film: The demo's film, which boards may show. None at a real table: its live pictures are
            never on a board.
    """

    def __init__(
        self,
        source: str,
        *,
        turn: int = 0,
        deck: str | None = None,
        pace: Pace = "real",
        take: Path | None = None,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.film = Path(source) if pace == "loop" else None
        self.phone = PhoneCamera() if source == PHONE else None
        self._source, self._turn, self._deck, self._command = source, turn, deck, command
        self._pace, self._take = pace, None if take is None else str(take.absolute())
        self._lock = threading.RLock()
        self._supervisor: Supervisor | None = None
        self._learned: Mapping[str, str] = {}  # of the deck, by the latest supervisor that ended
        self._supervisors = 0  # how many were started: only the latest one is listened to
        self._table: Table | Waiting | None = None
        self._pictures: Pictures | None = None
        # Browsers keep the pictures of questions by their names. So no two questions may have one
        # name, whichever run of the program, period (between two matches) and process they are of.
        self._run, self._period = secrets.token_hex(3), 0
        self._asked_for_picture = -math.inf  # when the host did so last
        self._has_watched = False
        self._view = self._new_view()
        self.counting: Counting | None = None

    def _new_view(self, **more: Any) -> CameraView:
        return CameraView(source=self._source, deck=self._deck, **more)

    @property
    def view(self) -> CameraView:
        """What there is to show now."""
        if self.phone is None:
            return self._view
        # ``trouble`` too: the watching process notices first that no pictures come, and its news
        # is what draws the screens anew.
        sends = self.phone.sends and self._view.report.trouble is None
        return replace(self._view, phone_sends=sends)

    # --- which match ---

    def watch(self, table: Table | Waiting, pictures: Pictures) -> None:
        """Watches this match from now on; before it begins (``Waiting``), only shows the picture.

        Args:
            table: The match.
            pictures: Where the pictures of its events are kept.
        """
        with self._lock:
            self._period += 1
            self._table, self._pictures, self._has_watched = table, pictures, False
            sets_up = isinstance(table, Waiting)
            closed = sets_up and self._view.sets_up and self._view.closed
            self._view = self._new_view(keeps=pictures.wanted, sets_up=sets_up, closed=closed)
            seats = table.moment.match.seats
            if sets_up:
                self._close_picture_later()
            pack = pack_of(table.moment.match)
            if self.counting is None or self.counting.pack != pack or not sets_up:
                self.counting = Counting(pack)
            if self._supervisor is not None and self._supervisor.config.seats == seats:
                self._view = replace(self._view, report=_comparable(self._supervisor.report))
                self._supervisor.begin(table)
                return
            self._stop_supervisor()
            config = CameraConfig(
                source=self._source,
                seats=seats,
                turn=self._turn,
                deck=self._deck,
                pace=self._pace,
                feed=None if self.phone is None else self.phone.address,
                take=self._take,
            )
            self._supervisors = number = self._supervisors + 1
            self._supervisor = Supervisor(
                config,
                table,
                pictures,
                learned=self._learned,
                on_report=lambda report: self._take_report(number, report),
                on_hint=lambda hint: self._take_hint(number, hint),
                command=self._command,
            )

    def turn(self) -> int:
        """Moves the first seat by a quarter of a turn, clockwise; returns the new ``turn``."""
        with self._lock:
            self._turn = (self._turn + 1) % 4
            kept = open_plane(self._source)
            if kept is not None:
                keep_plane(self._source, turned(kept, 1))
            self._restart()
            return self._turn

    def place(self, corners: Sequence[tuple[float, float]]) -> None:
        """Keeps where the table is in the picture, and goes on watching with that.

        The first card that lies on the table then tells how large the table is.

        Args:
            corners: Clockwise from the upper left of the picture, as shares of its size, 0–1.

        Raises:
            PlaneError: No table is there, or it cannot be written.
        """
        with self._lock:
            size = self._view.report.size
            if size is None or self._table is None:
                raise PlaneError(UNSEEN)
            seats = self._table.moment.match.seats
            plane = from_clicks(np.array(corners) * size, seats, turn=self._turn)
            keep_plane(self._source, replace(plane, size=size))
            self._restart()

    def use_deck(self, name: str | None) -> None:
        """Goes on watching with a learned deck; None for a deck that was not learned."""
        with self._lock:
            self._deck, self._learned = name, {}
            self._view = replace(self._view, deck=name)
            if self._view.sets_up:
                self._close_picture_later()
            if self._supervisor is not None:
                self._supervisor.use_deck(name)
        self.on_change()

    def show_picture(self) -> None:
        """Shows the host the picture for a while, as the host says that nobody holds cards.

        Raises:
            FormatError: Somebody may hold cards.
        """
        with self._lock:
            if self._table is None or self._supervisor is None:
                raise FormatError(N_("no match is being played at this table"))
            seq, match = self._table.moment
            report = self._supervisor.report
            if match.in_progress or self._view.asked:
                raise FormatError(N_("the picture is off during a hand"))
            if report.held:
                raise FormatError(N_("cards lie on the table: gather them first"))
            opened = Opened(seq, report.came, report.starts)
            self._view = replace(self._view, closed=False, opened=opened)
            self._close_picture_later()
            if self.counting is not None and not self._view.sets_up:
                self.counting.start_over()
        self.on_change()

    def _close_picture_later(self) -> None:
        """Closes the picture after a while, unless this is called again before."""
        self._asked_for_picture = asked = time.monotonic()
        seconds = SETUP_SECONDS if self._view.sets_up else PICTURE_SECONDS
        later(seconds, self._close_picture, asked)

    def _close_picture(self, asked: float) -> None:
        with self._lock:
            if self._asked_for_picture != asked:
                return
            self._view = replace(self._view, opened=None, closed=self._view.sets_up)
        self.on_change()

    def may_count(self) -> bool:
        """Whether the deck may be counted now: in set-up, or while the picture is shown."""
        with self._lock:
            if self._table is None or self.counting is None:
                return False
            seq, match = self._table.moment
            return self._view.sets_up or self._view.shows_picture(match, seq)

    def count(self) -> Counting | None:
        """Counts the deck's cards that are seen now; None where no deck may be counted."""
        supervisor, counting = self._supervisor, self.counting
        if not self.may_count():
            return None
        if supervisor is None or counting is None or self._view.closed:
            return counting
        before, seen = len(counting.cards), supervisor.spread()
        with self._lock:
            if seen is not None and self.may_count():  # a hand may have begun meanwhile
                counting.add(seen)
                if len(counting.cards) > before:  # laying out a deck takes long
                    self._close_picture_later()
        return counting

    def _restart(self) -> None:
        """Has another process watch the same match: where the table is, it reads when it starts."""
        self._stop_supervisor()
        if self._table is not None and self._pictures is not None:
            self.watch(self._table, self._pictures)

    def get_ready(self, header: Header, pictures: Pictures) -> None:
        """Lets the host set the camera up for a match that is about to begin."""
        self.watch(Waiting(header), pictures)

    def rest(self) -> None:
        """Watches nothing until the next match."""
        with self._lock:
            self._period += 1
            self._table, self._view, self.counting = None, self._new_view(), None
            self._stop_supervisor()
            if self.phone is not None:
                self.phone.rest()
        self.on_change()

    def close(self) -> None:
        """Stops watching, and waits for that."""
        with self._lock:
            supervisor, self._supervisor = self._supervisor, None
        if supervisor is not None:
            supervisor.stop()
        if self.phone is not None:
            self.phone.rest()

    def _stop_supervisor(self) -> None:
        """Stops the supervisor in another thread.

        The caller holds the lock, for which the supervisor's own threads may wait.
        """
        supervisor, self._supervisor = self._supervisor, None
        if supervisor is not None:
            self._learned = supervisor.learned
            threading.Thread(target=supervisor.stop, name="supervisor's end", daemon=True).start()

    # --- what it says ---

    def _is_listened_to(self, number: int) -> bool:
        """Whether a supervisor still watches; one that is being stopped may go on for seconds."""
        return self._supervisor is not None and number == self._supervisors

    def _take_report(self, number: int, report: Report) -> None:
        with self._lock:
            if self._supervisor is None or not self._is_listened_to(number):
                return
            self._has_watched |= report.alive
            if self.phone is not None:
                self.phone.look = report.look
            before = {one.name: one for one in self._view.asked}
            asked = []
            for question in report.questions if isinstance(self._table, Table) else ():
                name = f"{self._run}.{self._period}.{report.starts}.{question.id}"
                one = Asked(name, question, self._supervisor.pictured.get(question.id, b""))
                # The order of the answers follows their chances, which change with each picture.
                # It is kept as it was first shown: people would miss buttons that move.
                asked.append(before[name] if name in before and _alike(before[name], one) else one)
            opened = self._view.opened
            if asked or report.held or opened is None or not _stays_open(opened, report):
                opened = None
            view = replace(
                self._view,
                report=_comparable(report),
                asked=tuple(asked),
                opened=opened,
                closed=self._view.sets_up and (self._view.closed or report.held),
                lost=not report.alive and (self._has_watched or report.starts > 1),
            )
            if view == self._view:
                return
            self._view = view
        self.on_change()

    def _take_hint(self, number: int, hint: Hint) -> None:
        with self._lock:
            if not self._is_listened_to(number) or not isinstance(self._table, Table):
                return
            others = [
                one for one in self._view.hints
                if (one.hint.kind, one.hint.seat) != (hint.kind, hint.seat)
            ]  # fmt: skip
            hinted = Hinted(self._table.moment.seq, hint)
            self._view = replace(self._view, hints=(*others, hinted)[-3:])
        self.on_change()
        if hint.kind not in OF_THE_DEAL:
            later(HINT_SECONDS, self._forget_hint, hinted)

    def _forget_hint(self, hinted: Hinted) -> None:
        with self._lock:
            left = tuple(one for one in self._view.hints if one is not hinted)
            if len(left) == len(self._view.hints):
                return
            self._view = replace(self._view, hints=left)
        self.on_change()

    # --- what others ask of it ---

    def asked(self, name: str) -> Asked | None:
        """The question of this name; None where it is not open any more."""
        return next((one for one in self._view.asked if one.name == name), None)

    def answer(self, name: str, choice: str, *, who: str) -> bool:
        """Passes a person's answer on.

        Args:
            name: The question's name.
            choice: The key of one of its choices.
            who: Who answers.

        Returns:
            Whether the question was still open, and had such an answer.

        Raises:
            RuleError: The rules do not allow any more what the answer says.
            LedgerError: It could not be written.
        """
        asked, supervisor = self.asked(name), self._supervisor
        if asked is None or supervisor is None:
            return False
        try:
            supervisor.answer(asked.question.id, choice, who)
        except AnswerError:
            return False
        return True

    def film_at(self) -> float | None:
        """How far the film is now, in seconds; None while no film is shown."""
        began = self._view.report.lap
        return None if began is None else time.monotonic() - began

    def picture(self) -> bytes:
        """What the camera sees, drawn in, as a JPEG; empty where none came in time."""
        supervisor = self._supervisor
        return b"" if supervisor is None else supervisor.picture()

    def keep_deck(self, name: str) -> int:
        """Keeps the deck on the table under a name, as it was learned while people played.

        Returns:
            How many cards it has.

        Raises:
            FormatError: Nothing was learned yet, it could not be written, or nobody watches.
        """
        supervisor = self._supervisor
        kept = None if supervisor is None else supervisor.keep_deck(name)
        if kept is None:
            raise FormatError(N_("the camera does not answer; try again"))
        if kept["trouble"] is not None:
            raise FormatError(N_("the deck could not be written: {why}"), why=kept["trouble"])
        if not kept["cards"]:
            raise FormatError(N_("no card was learned yet: play a hand first"))
        return int(kept["cards"])

    def insight(self) -> Insight | None:
        """What the table believes of the latest hand; None while nobody may see that."""
        supervisor = self._supervisor
        return None if supervisor is None else supervisor.insight()


def _comparable(report: Report) -> Report:
    """A report without what no screen shows, and without questions, which the view has itself.

    So a view whose screens need not be drawn anew is equal to the one before.
    """
    return replace(report, pace=0.0, look=0.0, questions=(), came=0)


def _stays_open(opened: Opened, report: Report) -> bool:
    """Whether the same process still watches, and no card has come to rest since."""
    return report.alive and (opened.came, opened.starts) == (report.came, report.starts)


def later(seconds: float, act: Callable[..., None], about: object) -> None:
    """Calls ``act(about)`` after so many seconds."""
    timer = threading.Timer(seconds, act, [about])
    timer.daemon = True
    timer.start()


def _alike(one: Asked, other: Asked) -> bool:
    """Whether people see the same question in both: the same answers, in whatever order."""
    ours, theirs = (
        (q.kind, q.seat, frozenset(choice.key for choice in q.choices))
        for q in (one.question, other.question)
    )
    return ours == theirs
