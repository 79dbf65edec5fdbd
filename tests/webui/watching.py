"""A camera for tests. There is no watching process: the tests say what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from scorekeeper.storage.media import Pictures
from scorekeeper.storage.table import Table
from tests.scorekeeper.talk import event
from vision.belief.proposals import Choice, Hint, Question
from vision.detection.spread import SpreadCard
from vision.process.config import CameraConfig
from vision.process.insight import Insight
from vision.process.status import Report
from vision.process.supervisor import AnswerError
from webui.camera import camera
from webui.camera.camera import Camera

WHICH = Question(
    7,
    "card",
    1,
    (
        Choice("play", event("1 play KS"), 0.6),
        Choice("play", event("1 play JS"), 0.4),
        Choice("no"),
    ),
    3,
    1.0,
)
"""Which card did seat 1 play?"""

WATCHES = Report(alive=True, starts=1)
SEES = {"size": (1280, 720), "spots": ((0.5, 0.9), (0.5, 0.1))}
"""What a camera tells that sees a table for two."""

SETUP = {"game": "trut", "players": "2", "name0": "Ana", "name2": "Bea", "best_of": "1"}
"""The form that sets up a match for two."""


class FakeSupervisor:
    """Replaces ``vision.process.supervisor.Supervisor``, and records how it is used.

    Attributes:
        started: All instances that were made in this test, in order.
        tables: The matches that it was told to watch.
        shown: What ``spread`` returns.
        believes: What ``insight`` returns.
        kept: What ``keep_deck`` returns.
        decks: The learned decks that it read with, in order; None for a deck that was not learned.
        learned: What it has learned of the deck.
        keeps: The names under which decks were kept.
        answered: The answers that were passed on: question, choice and who answered.
        stopped: Set once it was stopped.
    """

    started: list[FakeSupervisor]

    def __init__(
        self, config: CameraConfig, table: Table, pictures: Pictures, *,
        learned: Mapping[str, str], on_report: Callable[[Report], None],
        on_hint: Callable[[Hint], None], command: object,
    ) -> None:  # fmt: skip
        self.config, self.tables, self.report = config, [table], Report(starts=1)
        self.on_report, self.hint, self.stopped = on_report, on_hint, Event()
        self.shown: list[SpreadCard] | None = []
        self.pictured: dict[int, bytes] = {}
        self.believes: Insight | None = None
        self.kept: dict[str, object] | None = {"cards": 5, "trouble": None}
        self.learned = dict(learned)
        self.keeps: list[str] = []
        self.decks: list[str | None] = [config.deck]
        self.answered: list[tuple[int, str, str | None]] = []
        self.started.append(self)

    def see(self, report: Report = WATCHES, **changes: Any) -> None:
        """Passes on a report with these changes."""
        self.report = replace(report, **changes)
        self.on_report(self.report)

    def begin(self, table: Table) -> None:
        self.tables.append(table)

    def use_deck(self, name: str | None) -> None:
        self.decks.append(name)
        self.learned = {}

    def answer(self, question: int, choice: str, who: str | None = None) -> None:
        if not any(one.id == question for one in self.report.questions):
            raise AnswerError("This question is not open any more.")
        self.answered.append((question, choice, who))
        self.see(self.report, questions=())

    def picture(self) -> bytes:
        return b"jpeg"

    def spread(self) -> list[SpreadCard] | None:
        return self.shown

    def insight(self) -> Insight | None:
        return self.believes

    def keep_deck(self, name: str) -> dict[str, object] | None:
        self.keeps.append(name)
        return self.kept

    def stop(self) -> None:
        self.stopped.set()


@contextmanager
def camera_of(monkeypatch: pytest.MonkeyPatch, **options: Any) -> Iterator[Camera]:
    """A camera with fake supervisors; these are in ``FakeSupervisor.started``."""
    monkeypatch.setattr(FakeSupervisor, "started", [], raising=False)
    monkeypatch.setattr(camera, "Supervisor", FakeSupervisor)
    watching = Camera("0", **options)
    yield watching
    watching.close()


def hint(kind: str, seat: int | None = 1, text: str = "in English") -> Hint:
    """A hint of rule V-1; ``text`` is its reason."""
    return Hint(kind, "V-1", seat, reason=text)


def camera_keys() -> Mapping[str, set[str]]:
    """The keys that the public state may have for the camera, by the path of their object."""
    return {
        "camera": {
            "sign", "watches", "troubles", "hints", "questions", "picture", "setup", "known",
            "printing",
        },
        "camera.printing": {"text", "choices"},
        "camera.printing.choices": {"name", "label", "counts"},
        "camera.setup": {"ready", "next", "health", "cards", "deck", "spots"},
        "camera.setup.health": {"heading", "state", "text"},
        "camera.setup.cards": {"words", "sure"},
        "camera.setup.spots": {"name", "x", "y"},
        "camera.troubles": {"kind", "text"},
        "camera.hints": {"kind", "text", "of_the_deal"},
        "camera.questions": {"name", "seat", "text", "board", "answers", "holds", "picture"},
        "camera.questions.answers": {"key", "words"},
    }  # fmt: skip
