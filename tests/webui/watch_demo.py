"""The demo's film, watched from end to end with the models that ship: ``make bench-demo``.

It takes two minutes of a core, too long for ``make test``.
"""

from __future__ import annotations

from collections import deque
from itertools import count

from datasets.stage import AT
from datasets.tally import said
from vision.captures import VideoCapture
from vision.cover import Cover
from vision.observer import Observer
from vision.opencv import load_opencv
from vision.placing import Placing
from vision.post import WEIGHTS
from vision.read import CardReader
from vision.sources import Frame
from vision.watching import ListLog
from webui.commands.demo import FILM, calls_of, record_of

EVERY = 2
"""So many frames of the film to one that is watched: as many as slow machines can."""

SOON = 1.5
"""Seconds of the film within which a card that has come to rest is known."""


def test_the_film_is_scored_without_an_error_and_asks_nothing() -> None:
    load_opencv().setNumThreads(1)
    reading = record_of(FILM)
    header, calls = reading.match.header, deque(calls_of(reading.events))
    log = ListLog(header)
    reader = CardReader(WEIGHTS, threads=1)
    observer = Observer(reader, log, Placing(len(header.seats)), cover=Cover())
    film, known, asked = VideoCapture(FILM), list[float](), list[str]()
    for number in count():
        at = film.skip()
        if at is None:
            break
        if number % EVERY:
            continue
        while calls and calls[0].at <= at and len(log.events) >= calls[0].after:
            log.say([calls.popleft().event], len(log.events))
        picture = film.take()
        assert picture is not None
        happened = observer.see(Frame(picture, at, number)).happened
        asked += [f"{at:.1f} {question.why}" for question in happened.asked]
        known += [at] * (len(log.events) - len(known))
    film.close()
    assert list(map(said, log.events)) == list(map(said, reading.events))
    assert asked == []
    late = [at - float(event.remarks[AT]) for event, at in zip(reading.events, known, strict=True)]
    assert max(late) < SOON
