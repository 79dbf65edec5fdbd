"""Watches the demo's film in this process, as a machine with one free core would.

A real camera goes on while a frame is read, so frames are missed. Here it is the same, but the
film's time goes on by the processor time that a frame takes, not by the clock. So the result does
not depend on what else the machine does.
"""

from __future__ import annotations

import time
from collections import deque
from itertools import zip_longest
from typing import NamedTuple

from datasets.benchmarks.tally import said
from datasets.films.stage import AT
from vision.capture.captures import VideoCapture
from vision.capture.sources import Frame
from vision.detection.reader import CardReader
from vision.geometry.placing import Placing
from vision.occlusion.cover import Cover
from vision.opencv import load_opencv
from vision.pipeline import Observer
from vision.process.config import WEIGHTS
from vision.watched_table import ListLog
from webui.cli.demo import FILM, calls_of, record_of

SOONER = 1e-6
"""Tolerance for the times of frames, in seconds."""


class Alone(NamedTuple):
    """How well the film was watched.

    Attributes:
        wrong: The events that differ from the film's record: as written, and as in the record.
        asked: The questions that were asked, as text.
        delays: For each card, the seconds of the film from its coming to rest to its event.
        looks: The processor seconds that each look at a frame took.
    """

    wrong: list[tuple[object, object]]
    asked: list[str]
    delays: list[float]
    looks: list[float]


def watch_alone(pace: float | None = None) -> Alone:
    """Watches the whole film with the models that ship. This takes about two minutes.

    Args:
        pace: Seconds of the film from one frame that is read to the next; None: as many as the
            processor needs.
    """
    load_opencv().setNumThreads(1)
    reading = record_of(FILM)
    header, calls = reading.match.header, deque(calls_of(reading.events))
    log = ListLog(header)
    reader = CardReader(WEIGHTS, threads=1)
    observer = Observer(reader, log, Placing(len(header.seats)), cover=Cover())
    film, known, asked, looks = VideoCapture(FILM), list[float](), list[str](), list[float]()
    number, free = -1, 0.0
    while (at := film.skip()) is not None:
        number += 1
        if at < free:
            continue
        while calls and calls[0].at <= at and len(log.events) >= calls[0].after:
            log.say([calls.popleft().event], len(log.events))
        picture = film.take()
        assert picture is not None
        began = time.process_time()
        seen = observer.see(Frame(picture, at, number))
        spent = time.process_time() - began
        free = at + (spent if pace is None else pace) - SOONER
        if seen.looked:
            looks.append(spent)
        asked += [f"{at:.1f} {question.kind} {question.seat}" for question in seen.happened.asked]
        known += [free] * (len(log.events) - len(known))
    film.close()
    told, wanted = list(map(said, log.events)), list(map(said, reading.events))
    delays = [
        now - float(event.remarks[AT])
        for event, now in zip(reading.events, known, strict=False)
        if event.do == "play"
    ]
    return Alone(
        [pair for pair in zip_longest(told, wanted) if pair[0] != pair[1]], asked, delays, looks
    )
