"""The camera of a table: the watchman behind it, and what it has to say to people.

It is loaded only where there is a camera: it brings OpenCV and ONNX Runtime along.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scorekeeper.errors import StaleAppend
from scorekeeper.events import Event
from scorekeeper.header import Header
from scorekeeper.match import start
from scorekeeper.pictures import Pictures
from scorekeeper.said import Source
from scorekeeper.state import Match
from scorekeeper.table import Moment, Subscriber, Table
from vision.cameras import keep_plane, open_plane
from vision.films import Pace
from vision.placing import UNSEEN
from vision.plane import PlaneError, from_clicks, scaled_by_cards, turned
from vision.post import Post
from vision.proposals import Hint, Question
from vision.watchman import COMMAND, AnswerError, Sight, Watchman

HINT_SECONDS = 12.0
"""How long a hint is shown; what is said meanwhile ends it sooner."""

OF_THE_DEAL = frozenset({"exposed", "too_many_backs", "too_few_backs"})
"""Kinds of hints that hold until the next event: a deal is put right in its own time."""


class Asked(NamedTuple):
    """A question with a name that no other one has had, whichever process asked it."""

    name: str
    question: Question


class Hinted(NamedTuple):
    """A hint, and the number of the latest event when it came."""

    seq: int
    hint: Hint


@dataclass(frozen=True)
class CameraView:
    """What there is to show of a camera, at one moment; a value that never changes.

    Attributes:
        sight: What the watching process last said of itself, but for its pace.
        asked: The questions that are open.
        hints: The latest hints.
        lost: Whether it has watched this match, or tried to, and does not now.
        keeps: Whether it keeps pictures.
    """

    sight: Sight = field(default_factory=Sight)
    asked: tuple[Asked, ...] = ()
    hints: tuple[Hinted, ...] = ()
    lost: bool = False
    keeps: bool = False

    def shows_picture(self, match: Match | None) -> bool:
        """Whether nobody holds cards: live pictures exist in set-up and between hands only.

        While the camera asks whether cards were dealt, somebody may hold some.
        """
        return not self.asked and not (match is not None and match.in_progress)


class Waiting:
    """Stands for a match that has not begun: it has no events, and takes none.

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
        """Nothing will be told."""
        return lambda: None

    def say(self, *events: Event, seen: int, source: Source) -> Moment:
        """Takes nothing.

        Raises:
            StaleAppend: Always.
        """
        raise StaleAppend(seen=seen, now=0)


class Camera:
    """Watches the matches of one table, one after the other. May be used by several threads.

    Args:
        source: A camera's number or name, a video file, a folder of pictures, a stream's address.
        turn: Quarters of a turn by which the first seat sits further, clockwise.
        deck: Name of the deck on the table, where it was learned.
        pace: Of a film; see ``vision.films.Pace``.
        command: What is started to watch.

    Attributes:
        on_change: Called when there is something else to show.
        film: The film that is shown again and again; None of a real table, whose live pictures are
            never on a board.
    """

    def __init__(
        self,
        source: str,
        *,
        turn: int = 0,
        deck: str | None = None,
        pace: Pace = "real",
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.film = Path(source) if pace == "loop" else None
        self._source, self._turn, self._deck, self._command = source, turn, deck, command
        self._pace = pace
        self._lock = threading.RLock()
        self._man: Watchman | None = None
        self._table: Table | Waiting | None = None
        self._pictures: Pictures | None = None
        self._life = self._hired = 0
        self._has_watched = False
        self._view = CameraView()

    @property
    def view(self) -> CameraView:
        """What there is to show now."""
        return self._view

    # --- which match ---

    def watch(self, table: Table | Waiting, pictures: Pictures) -> None:
        """Watches a match from here on; of one that waits, only the picture is shown."""
        with self._lock:
            self._life += 1
            self._table, self._pictures, self._has_watched = table, pictures, False
            self._view = CameraView(keeps=pictures.wanted)
            seats = table.moment.match.seats
            if self._man is not None and self._man.post.seats == seats:
                self._view = replace(
                    self._view, sight=replace(self._man.sight, pace=0.0, questions=())
                )
                self._man.begin(table)
                return
            self._let_go()
            post = Post(
                source=self._source, seats=seats, turn=self._turn, deck=self._deck, pace=self._pace
            )
            self._hired = hired = self._life
            self._man = Watchman(
                post,
                table,
                pictures,
                on_sight=lambda sight: self._see(hired, sight),
                on_hint=self._hint,
                command=self._command,
            )

    def turn(self) -> int:
        """Has the first seat sit a quarter of a turn further, clockwise; returns the turn now."""
        with self._lock:
            self._turn = (self._turn + 1) % 4
            kept = open_plane(self._source)
            if kept is not None:
                keep_plane(self._source, turned(kept, 1))
            self._start_anew()
            return self._turn

    def place(self, corners: Sequence[tuple[float, float]]) -> None:
        """Keeps where the table is, and watches on from there.

        How large it is the cards tell that lie on it.

        Args:
            corners: Clockwise from the upper left of the picture, as shares of its size, 0–1.

        Raises:
            PlaneError: No table is there, or it cannot be written.
        """
        with self._lock:
            size = self._view.sight.size
            if size is None or self._table is None:
                raise PlaneError(UNSEEN)
            seats = self._table.moment.match.seats
            plane = from_clicks(np.array(corners) * size, seats, turn=self._turn)
            if self._man is not None:
                with suppress(PlaneError):  # else it is as large as most tables are
                    plane = scaled_by_cards(plane, self._man.lying)
            keep_plane(self._source, plane)
            self._start_anew()

    def _start_anew(self) -> None:
        self._let_go()
        if self._table is not None and self._pictures is not None:
            self.watch(self._table, self._pictures)

    def get_ready(self, header: Header, pictures: Pictures) -> None:
        """Lets the host set it up for a match that is about to begin."""
        self.watch(Waiting(header), pictures)

    def rest(self) -> None:
        """Watches nothing until the next match."""
        with self._lock:
            self._life += 1
            self._table, self._view = None, CameraView()
            self._let_go()
        self.on_change()

    def close(self) -> None:
        """Stops watching, and waits for that."""
        with self._lock:
            man, self._man = self._man, None
        if man is not None:
            man.stop()

    def _let_go(self) -> None:
        """Stops the watchman; waiting for it would hold up those whom it waits for."""
        man, self._man = self._man, None
        if man is not None:
            threading.Thread(target=man.stop, name="watchman's end", daemon=True).start()

    # --- what it says ---

    def _see(self, hired: int, sight: Sight) -> None:
        with self._lock:
            if self._man is None or hired != self._hired:
                return  # another one watches now
            self._has_watched |= sight.alive
            before = {one.name: one for one in self._view.asked}
            asked = []
            for question in sight.questions if isinstance(self._table, Table) else ():
                name = f"{self._life}.{sight.starts}.{question.id}"
                one = Asked(name, question)
                # Chances change with each picture; buttons that moved with them would be missed.
                asked.append(before[name] if name in before and _alike(before[name], one) else one)
            view = replace(
                self._view,
                sight=replace(sight, pace=0.0, questions=()),
                asked=tuple(asked),
                lost=not sight.alive and (self._has_watched or sight.starts > 1),
            )
            if view == self._view:
                return
            self._view = view
        self.on_change()

    def _hint(self, hint: Hint) -> None:
        with self._lock:
            if not isinstance(self._table, Table):
                return
            others = [
                one for one in self._view.hints
                if (one.hint.kind, one.hint.seat) != (hint.kind, hint.seat)
            ]  # fmt: skip
            hinted = Hinted(self._table.moment.seq, hint)
            self._view = replace(self._view, hints=(*others, hinted)[-3:])
        self.on_change()
        if hint.kind not in OF_THE_DEAL:
            timer = threading.Timer(HINT_SECONDS, self._forget, [hinted])
            timer.daemon = True
            timer.start()

    def _forget(self, hinted: Hinted) -> None:
        with self._lock:
            left = tuple(one for one in self._view.hints if one is not hinted)
            if len(left) == len(self._view.hints):
                return
            self._view = replace(self._view, hints=left)
        self.on_change()

    # --- what others ask of it ---

    def question(self, name: str) -> Question | None:
        """A question; None where it is not open any more."""
        return next((one.question for one in self._view.asked if one.name == name), None)

    def answer(self, name: str, choice: str) -> bool:
        """Passes a person's answer on.

        Args:
            name: The question's.
            choice: The key of one of its choices.

        Returns:
            Whether the question was still open, and had such an answer.

        Raises:
            RuleError: The rules do not allow any more what the answer says.
        """
        question, man = self.question(name), self._man
        if question is None or man is None:
            return False
        try:
            man.answer(question.id, choice)
        except AnswerError:
            return False
        return True

    def film_at(self) -> float | None:
        """Seconds of the film that have been shown; None where none is being shown."""
        began = self._view.sight.lap
        return None if began is None else time.monotonic() - began

    def picture(self) -> bytes:
        """What the camera sees, drawn in, as a JPEG; empty where none came in time."""
        man = self._man
        return b"" if man is None else man.picture()


def _alike(one: Asked, other: Asked) -> bool:
    """Whether two are one question to people: the same answers, in whatever order."""
    ours, theirs = (
        (q.kind, q.seat, frozenset(choice.key for choice in q.choices))
        for q in (one.question, other.question)
    )
    return ours == theirs
