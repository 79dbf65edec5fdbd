"""The order in which the watching process handles messages."""

from __future__ import annotations

import errno
import io
import os
import time
from unittest.mock import Mock

import numpy as np
import pytest

from vision.detection import deck_templates
from vision.process.pipes import Line
from vision.process.protocol import to_line
from vision.process.worker import kept_deck

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
        if asks:  # meanwhile it waits for the answer to an append
            assert line.wait_for("said", 5.0) == 5
            assert done == SAID[:1]
        until = time.monotonic() + 5.0
        while len(done) < len(SAID) + (not asks) and time.monotonic() < until:
            for message in line.waiting():  # events are taken in between
                done.append(message)
        assert done[: len(SAID)] == SAID


@pytest.mark.parametrize(
    ("known", "fails", "says"),
    [(None, False, None), ("gone", False, "'gone'"), (None, True, "No space left")],
    ids=["kept", "the deck known before is gone", "a full disk"],
)
def test_what_keeps_a_deck_from_being_kept_is_told_and_ends_nothing(
    tmp_path, monkeypatch, known, fails, says
) -> None:
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path)
    if fails:
        full = OSError(errno.ENOSPC, "No space left on device")
        monkeypatch.setattr(deck_templates.tempfile, "mkdtemp", Mock(side_effect=full))
    told = kept_deck("Home", {"KS": np.zeros((8, 6, 3), np.uint8)}, known=known, cards=["KS"])
    assert told["cards"] == (0 if says else 1)
    assert told["trouble"] is None if says is None else says in told["trouble"]
    assert deck_templates.deck_names() == ([] if says else ["Home"])
