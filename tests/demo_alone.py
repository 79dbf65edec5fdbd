"""The demo's film, watched in this process: how long it takes depends on no other load.

While a frame is watched the others pass, but by the processor's time that it takes and not by the
clock's. With one thread that is the pace of a machine on which one core is free.
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
"""Seconds by which times of frames may be off."""


class Alone(NamedTuple):
    """What came of the film.

    Attributes:
        wrong: What was written otherwise than it happened, each as written and as it happened.
        asked: The questions, in words.
        delays: Of each card, seconds of the film from its rest to its event.
        looks: Seconds of the processor's time that each look took.
    """

    wrong: list[tuple[object, object]]
    asked: list[str]
    delays: list[float]
    looks: list[float]


def watch_alone(pace: float | None = None) -> Alone:
    """Watches the film from end to end with the models that ship; takes two minutes of a core.

    Args:
        pace: Seconds from one frame that is watched to the next; as the processor can where None.
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
