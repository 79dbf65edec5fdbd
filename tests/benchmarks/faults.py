"""Watches a filmed match through a faulty camera: ``python -m tests.benchmarks.faults --rounds 5``.

The demo's film, or another one with markers and its record, is served as a network camera. At
random times the stream is cut, frozen or black, or the watching process is killed. A scripted phone
enters the calls, answers questions after two seconds, and taps what the camera has not seen after
six. At the end the match is compared with the film's record.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from datasets.films.stage import AT
from scorekeeper.engine.events import Event
from scorekeeper.engine.said import SOURCE, WHO, Source
from scorekeeper.errors import RuleError, StaleAppend
from scorekeeper.history.corrections import standing
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.vision.live_camera import Image, LiveCamera
from vision.belief.proposals import Question
from vision.geometry.calibration import FOLDER
from vision.process.config import CameraConfig
from vision.process.supervisor import AnswerError, Supervisor
from webui.cli.demo import FILM, record_of

ANSWERED_AFTER, TAPPED_AFTER = 2.0, 6.0
"""Seconds after which a question is answered, and after which an unseen card is tapped."""
EVERY = (4.0, 9.0)
"""Seconds from the end of a fault to the next one."""
LASTS = (1.0, 4.0)
"""Seconds that a fault lasts."""
FAULTS = ("kill", "cut", "freeze", "black")
STARTED = 120.0
PHONE = "phone"


class Film:
    """A film that runs in real time, or slower.

    Args:
        path: The file.
        slow: How many seconds a second of the film takes.
    """

    def __init__(self, path: Path, slow: float) -> None:
        self._capture = cv2.VideoCapture(str(path))
        self._rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._slow, self._begun, self._number = slow, 0.0, 0
        self._frame: Image = np.asarray(self._capture.read()[1], np.uint8)

    @property
    def ends(self) -> float:
        """The length of the film, in seconds."""
        return float(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)) / self._rate

    def begin(self) -> None:
        """Starts the film."""
        self._begun = time.monotonic()

    @property
    def at(self) -> float:
        """The time in the film now, in seconds."""
        return (time.monotonic() - self._begun) / self._slow if self._begun else 0.0

    def scene(self) -> Image:
        """The frame to show now."""
        while self._number < self.at * self._rate and self._capture.grab():
            self._number += 1
            if self._number >= self.at * self._rate - 1:
                done, frame = self._capture.retrieve()
                self._frame = np.asarray(frame, np.uint8) if done else self._frame
        return self._frame


class Evening:
    """A filmed match with faults, and a phone that helps.

    Args:
        film: The film.
        truth: What is said and played in it: the time of each event, and the event.
        table: The match.
        camera: The network camera that serves the film.
        seed: Decides which faults happen when.
    """

    def __init__(
        self, film: Film, truth: Sequence[Event], table: Table, camera: LiveCamera, seed: int
    ) -> None:
        self._film, self._table, self._camera = film, table, camera
        self._chance = Random(seed)
        self._truth = [(float(event.remarks[AT]), event.bare()) for event in truth]
        self._fault, self._until = "", self._chance.uniform(*EVERY)
        self._asked: dict[tuple[int, int], float] = {}
        self.counts: Counter[str] = Counter()

    def run(self, man: Supervisor) -> None:
        """Shows the film to its end."""
        self._film.begin()
        while self._film.at < self._film.ends + 2 * TAPPED_AFTER:
            self._harm(man)
            self._call_or_tap()
            for question in man.report.questions:
                self._answer(man, question)
            time.sleep(0.1)

    def _harm(self, man: Supervisor) -> None:
        now = self._film.at
        if now < self._until:
            return
        switches = {"cut": self._camera.cut, "freeze": self._camera.frozen,
                    "black": self._camera.black}  # fmt: skip
        if self._fault:
            switches[self._fault].clear()
            self._fault, self._until = "", now + self._chance.uniform(*EVERY)
            return
        fault = self._chance.choice(FAULTS)
        self.counts[fault] += 1
        if fault == "kill":
            process: Any = man._process
            process.kill()
            self._until = now + self._chance.uniform(*EVERY)
        else:
            switches[fault].set()
            self._fault, self._until = fault, now + self._chance.uniform(*LASTS)

    def _stand(self) -> tuple[int, list[Event]]:
        moment, events = self._table.log()
        return moment.seq, [one.event for one in standing(events)]

    def _due(self) -> tuple[float, Event] | None:
        """The next event by the truth, and its time. First undoes written events that are wrong."""
        seq, stand = self._stand()
        for place, event in enumerate(stand):
            if place >= len(self._truth) or not _same(event, self._truth[place][1]):
                self.counts["put right"] += 1
                self._say(Event("undo"), seq)
                return None
        return self._truth[len(stand)] if len(stand) < len(self._truth) else None

    def _call_or_tap(self) -> None:
        due = self._due()
        if due is None:
            return
        at, event = due
        seen = event.do in ("play", "deal")
        if self._film.at >= at + (TAPPED_AFTER if seen else 0.0):
            self._say(event, self._table.moment.seq)

    def _say(self, event: Event, seq: int) -> None:
        with suppress(StaleAppend, RuleError):
            self._table.say(event, seen=seq, source=Source.PHONE, who=PHONE)

    def _answer(self, man: Supervisor, question: Question) -> None:
        key = (man.report.starts, question.id)
        if self._film.at - self._asked.setdefault(key, self._film.at) < ANSWERED_AFTER:
            return
        del self._asked[key]
        due = self._due()
        happened = due is not None and due[0] <= self._film.at
        keys = [one.key for one in question.choices]
        for choice in question.choices:
            if happened and due is not None and choice.event and _same(choice.event, due[1]):
                keys.insert(0, choice.key)
        keys += [word for word in ("no", "drop", "hold") if word in keys]
        with suppress(AnswerError, RuleError):
            man.answer(question.id, keys[0] if happened else keys[-1], "answer")

    def report(self) -> str:
        """A line with the figures of this match."""
        _, stand = self._stand()
        said = Counter(
            "answered" if event.remarks.get(WHO) == "answer" else str(event.remarks.get(SOURCE))
            for event in stand
        )
        wrong = sum(not _same(one, two) for one, (_, two) in zip(stand, self._truth, strict=False))
        self.counts["wrong"] = wrong + abs(len(stand) - len(self._truth))
        faults = ", ".join(f"{name} {self.counts[name]}" for name in FAULTS)
        return (
            f"{faults}; {len(stand)} events: {said['camera']} by the camera, {said['answered']} "
            f"answered, {said[PHONE]} said or tapped, {self.counts['put right']} put right; "
            f"{self.counts['wrong']} lost, doubled or wrong"
        )


def _same(one: Event, other: Event) -> bool:
    """Whether two events are the same; suits do not matter (V-12)."""
    if one.card is not None and other.card is not None:
        return (one.seat, one.card.rank) == (other.seat, other.card.rank)
    return one.bare() == other.bare()


def play(film: Film, path: Path, seed: int) -> Counter[str]:
    """Watches a film once, and prints the figures."""
    record = record_of(path)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[FOLDER] = folder
        camera = LiveCamera(film.scene)
        with Ledger(f"sqlite:///{folder}/ledger.sqlite3") as ledger:
            table = Table.begin(ledger, record.match.header, source=Source.OPERATOR)
            config = CameraConfig(source=camera.url, seats=len(record.match.header.seats))
            man = Supervisor(config, table, ledger.pictures)
            try:
                began = time.monotonic()
                while man.report.size is None and time.monotonic() - began < STARTED:
                    time.sleep(0.1)
                evening = Evening(film, record.events, table, camera, seed)
                evening.run(man)
                print(evening.report(), flush=True)
                for event in table.log()[1] if evening.counts["wrong"] else ():
                    print(f"  {event.to_json()}")
            finally:
                man.stop()
                camera.close()
    return evening.counts


def main() -> int:
    """Watch a film through a camera with faults."""
    parser = argparse.ArgumentParser(prog="tests.benchmarks.faults", description=main.__doc__)
    parser.add_argument("film", type=Path, nargs="?", default=FILM)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    parser.add_argument("--slow", type=float, default=1.0, help="seconds for one of the film")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    counts = Counter[str]()
    for seed in range(options.seed, options.seed + options.rounds):
        counts += play(Film(options.film, options.slow), options.film, seed)
    faults = sum(counts[fault] for fault in FAULTS)
    print(f"{faults} faults: {counts['wrong']} lost, doubled or wrong")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
