"""The watching process: ``python -m vision.process.worker``, told what to do on its standard input.

It owns nothing. The match belongs to the process that started it: this one proposes events, with
the number at which it judged them, and hears of all that is appended. It ends when its input ends;
``vision.process.supervisor`` starts it anew if need be.
"""

from __future__ import annotations

import base64
import logging
import math
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from scorekeeper.engine.header import parse_header
from scorekeeper.errors import LedgerError, RuleError, ScorekeeperError, StaleAppend
from scorekeeper.messages import N_
from scorekeeper.storage.media import Pictures
from vision.belief.proposals import Hint
from vision.capture.films import LoopSource
from vision.capture.sources import Frame, FrameSource
from vision.detection.deck_templates import DeckError, KnownDeck
from vision.detection.detections import Detection
from vision.detection.spread import are_dealt, spread_to
from vision.errors import VisionError
from vision.evidence.draw import draw, draw_table
from vision.evidence.recorder import Evidence, Hitch
from vision.opencv import load_opencv
from vision.pipeline import Observation, Observer
from vision.process.config import CameraConfig
from vision.process.insight import insight_to
from vision.process.learned import changes_to, kept_deck, learned_from
from vision.process.pipes import ANSWERED_WITHIN, Gone, Line, PipeLog
from vision.process.protocol import (
    events_from,
    hint_to,
    question_to,
    refusal_to,
)
from vision.process.status import cards_face_up, may_be_held, outline, spots
from vision.process.trace import trace
from vision.watched_table import WatchingTable

BEAT = 1.0
"""Seconds between two signs of life (``beat``)."""

PICTURE_WIDTH = 960
"""Width in pixels of the pictures that are asked for."""

SPREAD_FOR = 4.0
"""For so many seconds after each look at a deck that is spread out, frames are not judged: people
are still looking through it. Only a table that is not known yet is looked for."""

LATEST = 0.05
"""Weight of the latest look in the moving average of how long a look takes, 0–1."""

log = logging.getLogger(__name__)

UNABLE = N_("This computer cannot read cards; trucam doctor says how to fix it.")


class Worker:
    """Watches a table for the process that owns its match.

    Args:
        line: passes messages to the owner and from it.
    """

    def __init__(self, line: Line) -> None:
        self._line = line
        line.on_events = self._hear
        begin = line.wait_for("begin", ANSWERED_WITHIN)
        self._config = CameraConfig.from_json(begin["config"])
        self._deck_hitches: list[Hitch] = []
        self._deck = self._open_deck()
        kept = begin["pictures"]
        pictures = Pictures(Path(kept["folder"]), days=kept["days"], most=kept["most"])
        self._evidence, self._take = Evidence(pictures), self._config.keeper()
        self._learned = learned_from(begin["learned"])  # of the deck, as the owner knows it
        self._frame: Frame | None = None
        self._seen = Observation(0.0)
        self._log = self._open(begin)
        self._told: dict[str, Any] = {}
        self._pictured: set[int] = set()  # questions whose pictures were sent
        self._came = 0
        self._spread_out: Sequence[Detection] = ()
        self._spread_at = -math.inf
        self._beaten, self._frames = time.monotonic(), 0
        self._look = 0.0  # seconds that a look takes, the latest ones counting most
        self._lap = 0

    def _open(self, begin: dict[str, Any]) -> PipeLog:
        self._over = self._seen.at  # since when no hand is in progress, in seconds
        if begin["match"] is not None:
            self._evidence.begin(begin["match"])
        header, waits = parse_header(begin["header"]), begin["match"] is None
        events = events_from(begin["events"], header)
        if self._take is not None:
            self._take.begin(None if waits else header, events)
        return PipeLog(header, events, self._line, waits=waits)

    def _hear(self, data: dict[str, Any]) -> None:
        self._log.take(events_from(data["events"], self._log.header), data["first"])

    def run(self) -> None:
        """Watches until the owner has gone."""
        observer = self._config.observer(self._log, self._deck, self._evidence, self._take)
        observer.recall(self._learned)
        self._learned = observer.learned
        with ExitStack() as stack:
            frames = stack.enter_context(self._config.open())
            stack.enter_context(closing(self._evidence))
            if self._take is not None:
                stack.enter_context(closing(self._take))
            while True:
                for kind, data in self._line.waiting():
                    self._obey(kind, data, observer, frames)
                frame = None if frames.ended else frames.next(timeout=0.25)
                if frames.ended:
                    time.sleep(0.05)  # the film is over; people may still enter events
                hints: Sequence[Hint] = ()
                spread_out = time.monotonic() - self._spread_at < SPREAD_FOR
                if frame is not None and spread_out and observer.table is not None:
                    self._frame = frame  # people look through a deck: nothing is judged meanwhile
                elif frame is not None:
                    self._frames += 1
                    trace("taken", at=frame.at)
                    began = time.monotonic()
                    self._frame, self._seen = frame, observer.see(frame)
                    if self._seen.looked:
                        spent = time.monotonic() - began
                        self._look += (spent - self._look) * (LATEST if self._look else 1)
                    hints = () if self._log.waits else self._seen.happened.hints
                    changes = self._seen.happened.changes
                    came = sum(change.kind == "appeared" for change in changes)
                    self._came += came
                    trace("looked", at=frame.at, looked=self._seen.looked, came=came)
                self._tell_learned(observer)
                self._tell(observer, frames, hints)

    def _obey(self, kind: str, data: Any, observer: Observer, frames: FrameSource) -> None:
        if kind == "begin":
            self._log = self._open(data)
            observer.begin(self._log)
            self._told, self._pictured = {}, set()
        elif kind == "events":
            self._hear(data)
        elif kind == "deck":
            self._use_deck(data, observer)
        elif kind == "answer":
            self._line.send("answered", self._answer(data, observer))
        elif kind == "picture":
            self._line.send("picture", self._picture(observer))
        elif kind == "spread":
            self._line.send("spread", self._spread(observer))
        elif kind == "insight":
            self._line.send("insight", self._insight(observer, frames))
        elif kind == "keep":
            kept = kept_deck(
                data, observer.learned, known=self._config.deck, cards=observer.known_cards
            )
            self._line.send("keep", kept)

    def _use_deck(self, name: str | None, observer: Observer) -> None:
        """Reads with another deck; the table and what lies on it stay known."""
        self._config = replace(self._config, deck=name)
        self._deck = self._open_deck()
        observer.use_deck(self._deck)
        if self._take is not None:
            self._take.deck = self._deck is not None

    def _open_deck(self) -> KnownDeck | None:
        """Opens the deck on the table.

        One that is damaged, or that another table has deleted, counts as not learned: people are in
        mid-match, perhaps, and the cards are read without it, too.
        """
        self._deck_hitches = []
        try:
            return self._config.known_deck()
        except DeckError as error:
            self._deck_hitches = [Hitch(error.reason, error.fields)]
            self._config = replace(self._config, deck=None)
            return None

    def _answer(self, data: dict[str, Any], observer: Observer) -> dict[str, Any]:
        """Passes a person's answer on."""
        at = self._seen.at
        try:
            if observer.table is None:
                raise LookupError
            choice = self._choice(observer.table, data["question"], data["choice"])
            observer.table.answer(data["question"], choice, at, said=data["said"])
        except LookupError:
            return {"token": data["token"], "state": "withdrawn"}
        except StaleAppend:
            return {"token": data["token"], "state": "stale"}
        except LedgerError:
            return {"token": data["token"], "state": "unwritten"}
        except RuleError as error:
            return {"token": data["token"], **refusal_to(error)}
        return {"token": data["token"], "state": "said"}

    @staticmethod
    def _choice(table: WatchingTable, question: int, key: str) -> int:
        """The place of an answer among the choices, whose order may have changed.

        Raises:
            LookupError: it is not among them any more.
        """
        for asked in table.questions:
            for number, choice in enumerate(asked.choices):
                if asked.id == question and choice.key == key:
                    return number
        raise LookupError("this question was withdrawn, or has no such answer")

    def _picture(self, observer: Observer) -> str:
        """What the camera sees, with what was found drawn into it: a JPEG in base64.

        Empty while people may hold cards, and before the first frame. Cards are named only before
        the first hand: later some may lie there that were not played.
        """
        match = self._log.match
        if self._frame is None or match.in_progress or self._may_be_held(observer):
            return ""
        cv2: Any = load_opencv()
        if time.monotonic() - self._spread_at < SPREAD_FOR:
            picture = draw(self._frame.picture, [(each.card, each) for each in self._spread_out])
        else:
            table = observer.table if match.hand is None else None
            cards = () if table is None else table.cards
            picture = draw_table(self._frame.picture, cards, observer.plane)
        height = round(picture.shape[0] * PICTURE_WIDTH / picture.shape[1])
        small = cv2.resize(picture, (PICTURE_WIDTH, height), interpolation=cv2.INTER_AREA)
        return base64.b64encode(cv2.imencode(".jpg", small)[1].tobytes()).decode()

    def _spread(self, observer: Observer) -> list[dict[str, Any]] | None:
        """Each card that is seen, with a picture of it; None if people play, or begin to."""
        if self._frame is None or self._log.match.in_progress:
            return None
        picture = self._frame.picture
        seen = observer.spread(picture)
        if not self._log.waits and are_dealt(seen):
            self._spread_at = -math.inf  # people play: frames are judged again at once
            return None
        self._spread_out, self._spread_at = seen, time.monotonic()
        return spread_to(picture, self._spread_out)

    def _insight(self, observer: Observer, frames: FrameSource) -> dict[str, Any] | None:
        """What the table believes.

        None while people may hold cards, before the match, and while it is not known where the
        table is.
        """
        table = observer.table
        if table is None or self._log.waits:
            return None
        held = self._log.match.in_progress or self._may_be_held(observer)
        if held and not isinstance(frames, LoopSource):  # in the demo's film nobody holds cards
            return None
        return insight_to(table)

    def _picture_questions(self, observer: Observer) -> None:
        """Sends the pictures of new questions, before the questions themselves."""
        asked = () if observer.table is None else observer.table.questions
        for question in asked:
            if question.id not in self._pictured:
                self._pictured.add(question.id)
                jpeg = base64.b64encode(observer.views.of(question)).decode()
                self._line.send("asked", {"question": question.id, "picture": jpeg})
        self._pictured &= {question.id for question in asked}

    def _tell_learned(self, observer: Observer) -> None:
        """Tells the owner what was learned of the deck, if that has changed."""
        if observer.learned is not self._learned:
            self._line.send("learned", changes_to(observer.learned, self._learned))
            self._learned = observer.learned

    def _may_be_held(self, observer: Observer) -> bool:
        """Whether players may hold cards of a hand whose deal is not written."""
        table = observer.table
        if table is None:
            return False
        if self._log.waits:  # who only tests a camera lays no backs before several seats
            return sum(count > 0 for count in table.tracker.backs(table.plane).values()) > 1
        if self._log.match.in_progress:
            self._over = self._seen.at
            return False
        return may_be_held(table.cards, self._over)

    def _set_up(self, observer: Observer) -> dict[str, Any]:
        """The part of the news that helps to set the table up."""
        table, plane = observer.table, observer.plane
        size = None if self._frame is None else self._frame.picture.shape[1::-1]
        laid = []
        if self._log.waits and table is not None and plane is not None:
            laid = cards_face_up(table.cards, plane)
        return {
            "size": None if size is None else list(size),
            "marked": plane is not None and bool(plane.markers),
            "spots": [] if plane is None or size is None else spots(plane, size),
            "outline": [] if plane is None or size is None else outline(plane, size),
            "laid": laid,
            "came": self._came,
            "held": self._may_be_held(observer),
        }

    def _hitches(self) -> list[list[Any]]:
        """Why pictures, or a take, are not kept, or the deck is not known."""
        of_the_take = [] if self._take is None else self._take.hitches
        hitches = [*self._deck_hitches, *self._evidence.hitches, *of_the_take]
        # A file's path is told as a text, for JSON has no paths.
        return [
            [hitch.reason, {name: str(value) for name, value in hitch.fields.items()}]
            for hitch in hitches
        ]

    def _tell(self, observer: Observer, frames: FrameSource, hints: Sequence[Hint]) -> None:
        """Tells the owner what has changed, and that this process is alive."""
        if isinstance(frames, LoopSource) and frames.lap != self._lap:
            self._lap = frames.lap
            self._line.send("lap", {"shown": frames.shown})
            trace("lap", at=self._seen.at, shown=frames.shown)
        table, trouble, lack = observer.table, frames.trouble, observer.lack
        self._picture_questions(observer)
        state = {
            "questions": [question_to(each) for each in (() if table is None else table.questions)],
            "complaints": [complaint.problem for complaint in self._seen.complaints],
            "trouble": None if trouble is None else [trouble.reason, trouble.fields],
            "lack": None if lack is None else [lack.reason, lack.fields],
            "hitches": self._hitches(),
            "ended": frames.ended,
            "known": len(set(observer.known_cards)),
            "printing": observer.letters.printing,
            **self._set_up(observer),
        }
        news = {key: value for key, value in state.items() if self._told.get(key, ...) != value}
        self._told = state
        if hints:
            news["hints"] = [hint_to(hint) for hint in hints]
        if news:
            self._line.send("news", news)
        now = time.monotonic()
        if now - self._beaten >= BEAT:
            pace = round(self._frames / (now - self._beaten), 1)
            self._line.send("beat", {"pace": pace, "look": round(self._look, 2)})
            self._beaten, self._frames = now, 0


def main() -> int:
    """Watch a table for the process that owns the match; talk to it on the standard streams."""
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between the messages
    # Not ``sys.stdin``: Python closes that at its end, and crashes while a thread still reads it.
    line = Line(os.fdopen(os.dup(0), "rb"), outgoing)
    try:
        Worker(line).run()
    except Gone:
        return 0
    except ScorekeeperError as error:
        told = error if isinstance(error, VisionError) else VisionError(UNABLE)
        if told is not error:
            log.error("%s", error)
        fields = {name: str(value) for name, value in told.fields.items()}
        line.send("failed", [told.reason, fields])
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
