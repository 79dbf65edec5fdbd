"""The camera of a table: the watchman behind it, and what it has to say to people.

It is loaded only where there is a camera: it brings OpenCV and ONNX Runtime along.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Callable, Sequence
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
from vision.process.config import Post
from vision.process.insight import Insight
from vision.process.status import Sight
from vision.process.supervisor import COMMAND, AnswerError, Watchman
from webui.camera.counting import Counting
from webui.camera.phone import PhoneCamera
from webui.camera.view import OF_THE_DEAL, Asked, CameraView, Hinted, Opened
from webui.camera.waiting import Waiting

PICTURE_SECONDS = 60.0
"""How long the host sees the picture between hands: a deal may be missed."""

SETUP_SECONDS = 180.0
"""How long in set-up, from what the host did last."""

HINT_SECONDS = 12.0
"""How long a hint is shown; what is said meanwhile ends it sooner."""


class Camera:
    """Watches the matches of one table, one after the other. May be used by several threads.

    Args:
        source: A camera's number or name, a video file, a folder of pictures, a stream's address,
            or ``phone`` for a phone's browser.
        turn: Quarters of a turn by which the first seat sits further, clockwise.
        deck: Name of the deck on the table, where it was learned.
        pace: Of a film; see ``vision.capture.films.Pace``.
        take: The file in which what the table is given is kept; None: nowhere.
        command: What is started to watch.

    Attributes:
        on_change: Called when there is something else to show.
        counting: The count of the deck on the table; see ``may_count``.
        phone: What takes in the pictures of a phone's browser; None where something else watches.
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
        take: Path | None = None,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.film = Path(source) if pace == "loop" else None
        self.phone = PhoneCamera() if source == PHONE else None
        self._source, self._turn, self._deck, self._command = source, turn, deck, command
        self._pace, self._take = pace, None if take is None else str(take.absolute())
        self._lock = threading.RLock()
        self._man: Watchman | None = None
        self._table: Table | Waiting | None = None
        self._pictures: Pictures | None = None
        self._life = self._hired = 0
        self._own = secrets.token_hex(3)  # names its questions: browsers keep their pictures
        self._touched = -math.inf
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
        # Who watches notices first that no pictures come; when it says so, pages are drawn anew.
        sends = self.phone.sends and self._view.sight.trouble is None
        return replace(self._view, phone_sends=sends)

    # --- which match ---

    def watch(self, table: Table | Waiting, pictures: Pictures) -> None:
        """Watches a match from here on; of one that waits, only the picture is shown."""
        with self._lock:
            self._life += 1
            self._table, self._pictures, self._has_watched = table, pictures, False
            sets_up = isinstance(table, Waiting)
            shut = sets_up and self._view.sets_up and self._view.shut
            self._view = self._new_view(keeps=pictures.wanted, sets_up=sets_up, shut=shut)
            seats = table.moment.match.seats
            if sets_up:
                self._touch()
            pack = pack_of(table.moment.match)
            if self.counting is None or self.counting.pack != pack or not sets_up:
                self.counting = Counting(pack)
            if self._man is not None and self._man.post.seats == seats:
                self._view = replace(self._view, sight=_still(self._man.sight))
                self._man.begin(table)
                return
            self._let_go()
            post = Post(
                source=self._source,
                seats=seats,
                turn=self._turn,
                deck=self._deck,
                pace=self._pace,
                feed=None if self.phone is None else self.phone.address,
                take=self._take,
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

        How large it is the first card tells that lies on it.

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
            keep_plane(self._source, replace(plane, size=size))
            self._start_anew()

    def use_deck(self, name: str | None) -> None:
        """Watches on with a deck that was learned; None for one that was not."""
        with self._lock:
            self._deck = name
            self._start_anew()

    def show_picture(self) -> None:
        """Shows the host the picture, in a match for a while: nobody holds cards, somebody says.

        Raises:
            FormatError: Somebody may hold some.
        """
        with self._lock:
            if self._table is None or self._man is None:
                raise FormatError(N_("no match is being played at this table"))
            seq, match = self._table.moment
            sight = self._man.sight
            if match.in_progress or self._view.asked:
                raise FormatError(N_("the picture is off during a hand"))
            if sight.held:
                raise FormatError(N_("cards lie on the table: gather them first"))
            opened = Opened(seq, sight.came, sight.starts)
            self._view = replace(self._view, shut=False, opened=opened)
            self._touch()
            if self.counting is not None and not self._view.sets_up:
                self.counting.start_over()
        self.on_change()

    def _touch(self) -> None:
        """Shows the picture for a while from now on, where it is shown."""
        self._touched = touched = time.monotonic()
        later(SETUP_SECONDS if self._view.sets_up else PICTURE_SECONDS, self._shut, touched)

    def _shut(self, touched: float) -> None:
        with self._lock:
            if self._touched != touched:
                return
            self._view = replace(self._view, opened=None, shut=self._view.sets_up)
        self.on_change()

    def may_count(self) -> bool:
        """Whether a deck may be shown now: in set-up, and between hands while the picture is."""
        with self._lock:
            if self._table is None or self.counting is None:
                return False
            seq, match = self._table.moment
            return self._view.sets_up or self._view.shows_picture(match, seq)

    def count(self) -> Counting | None:
        """Counts the deck's cards that are seen now; None where none may be shown."""
        man, counting = self._man, self.counting
        if not self.may_count():
            return None
        if man is None or counting is None or self._view.shut:
            return counting
        before, seen = len(counting.cards), man.spread()
        with self._lock:
            if seen is not None and self.may_count():  # a hand may have begun meanwhile
                counting.add(seen)
                if len(counting.cards) > before:  # a deck takes long to lay out
                    self._touch()
        return counting

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
            self._table, self._view, self.counting = None, self._new_view(), None
            self._let_go()
            if self.phone is not None:
                self.phone.rest()
        self.on_change()

    def close(self) -> None:
        """Stops watching, and waits for that."""
        with self._lock:
            man, self._man = self._man, None
        if man is not None:
            man.stop()
        if self.phone is not None:
            self.phone.rest()

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
            if self.phone is not None:
                self.phone.look = sight.look
            before = {one.name: one for one in self._view.asked}
            asked = []
            for question in sight.questions if isinstance(self._table, Table) else ():
                name = f"{self._own}.{self._life}.{sight.starts}.{question.id}"
                one = Asked(name, question, self._man.pictured.get(question.id, b""))
                # Chances change with each picture; buttons that moved with them would be missed.
                asked.append(before[name] if name in before and _alike(before[name], one) else one)
            opened = self._view.opened
            if asked or sight.held or opened is None or not _is_open(opened, sight):
                opened = None
            view = replace(
                self._view,
                sight=_still(sight),
                asked=tuple(asked),
                opened=opened,
                shut=self._view.sets_up and (self._view.shut or sight.held),
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
            later(HINT_SECONDS, self._forget, hinted)

    def _forget(self, hinted: Hinted) -> None:
        with self._lock:
            left = tuple(one for one in self._view.hints if one is not hinted)
            if len(left) == len(self._view.hints):
                return
            self._view = replace(self._view, hints=left)
        self.on_change()

    # --- what others ask of it ---

    def asked(self, name: str) -> Asked | None:
        """A question; None where it is not open any more."""
        return next((one for one in self._view.asked if one.name == name), None)

    def answer(self, name: str, choice: str, *, who: str) -> bool:
        """Passes a person's answer on.

        Args:
            name: The question's.
            choice: The key of one of its choices.
            who: Who answers.

        Returns:
            Whether the question was still open, and had such an answer.

        Raises:
            RuleError: The rules do not allow any more what the answer says.
            LedgerError: It could not be written.
        """
        asked, man = self.asked(name), self._man
        if asked is None or man is None:
            return False
        try:
            man.answer(asked.question.id, choice, who)
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

    def keep_deck(self, name: str) -> int:
        """Keeps the deck on the table under a name, as the table has learned it.

        Returns:
            How many cards it has.

        Raises:
            FormatError: Nothing was learned yet, it could not be written, or nobody watches.
        """
        man = self._man
        kept = None if man is None else man.keep_deck(name)
        if kept is None:
            raise FormatError(N_("the camera does not answer; try again"))
        if kept["trouble"] is not None:
            raise FormatError(N_("the deck could not be written: {why}"), why=kept["trouble"])
        if not kept["cards"]:
            raise FormatError(N_("no card was learned yet: play a hand first"))
        return int(kept["cards"])

    def insight(self) -> Insight | None:
        """What the table believes of the latest hand; None while nobody may see that."""
        man = self._man
        return None if man is None else man.insight()


def _still(sight: Sight) -> Sight:
    """A sight without what changes all the time, and without its questions."""
    return replace(sight, pace=0.0, look=0.0, questions=(), came=0)


def _is_open(opened: Opened, sight: Sight) -> bool:
    """Whether the same process watches, and no card has come to rest since."""
    return sight.alive and (opened.came, opened.starts) == (sight.came, sight.starts)


def later(seconds: float, act: Callable[..., None], about: object) -> None:
    """Does something after a while."""
    timer = threading.Timer(seconds, act, [about])
    timer.daemon = True
    timer.start()


def _alike(one: Asked, other: Asked) -> bool:
    """Whether two are one question to people: the same answers, in whatever order."""
    ours, theirs = (
        (q.kind, q.seat, frozenset(choice.key for choice in q.choices))
        for q in (one.question, other.question)
    )
    return ours == theirs
