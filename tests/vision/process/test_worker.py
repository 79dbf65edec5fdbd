"""The order in which the watching process takes what its owner says."""

from __future__ import annotations

import io
import os
import time

import pytest

from vision.process.pipes import Line
from vision.process.protocol import to_line

SAID = [("events", 1), ("begin", 2), ("events", 3), ("answer", 4)]


@pytest.mark.parametrize("asks", [False, True])
def test_events_after_the_beginning_of_another_match_are_taken_after_it(asks: bool) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as incoming, os.fdopen(writing, "wb", buffering=0) as owner:
        line = Line(incoming, io.BytesIO())
        done: list[tuple[str, int]] = []
        line.on_events = lambda data: done.append(("events", data))
        for kind, data in [*SAID, ("said", 5)]:
            owner.write(to_line(kind, data))
        if asks:  # an answer is waited for meanwhile
            assert line.wait_for("said", 5.0) == 5
            assert done == SAID[:1]
        until = time.monotonic() + 5.0
        while len(done) < len(SAID) + (not asks) and time.monotonic() < until:
            for message in line.waiting():  # events are noted in between
                done.append(message)
        assert done[: len(SAID)] == SAID
