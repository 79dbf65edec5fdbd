"""The order in which the watching process handles messages."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import time
from unittest.mock import Mock

import numpy as np
import pytest

from scorekeeper.engine.header import Header
from tests.vision.detection.test_deck_templates import drawn
from vision.capture.sources import Frame
from vision.detection import deck_templates
from vision.pipeline import Observation
from vision.process.config import CameraConfig
from vision.process.learned import changes_to, kept_deck
from vision.process.pipes import Line
from vision.process.protocol import to_line
from vision.process.worker import Worker

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
    [(None, False, None), ("Bad", False, "'Bad' is damaged"), (None, True, "No space left")],
    ids=["kept", "the deck known before is damaged", "a full disk"],
)
def test_what_keeps_a_deck_from_being_kept_is_told_and_ends_nothing(
    tmp_path, monkeypatch, known, fails, says
) -> None:
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path)
    if known:
        (deck_templates.keep_deck(known, {"KS": np.zeros((8, 6, 3), np.uint8)}) / "QS.png").touch()
    if fails:
        full = OSError(errno.ENOSPC, "No space left on device")
        monkeypatch.setattr(deck_templates.tempfile, "mkdtemp", Mock(side_effect=full))
    told = kept_deck("Home", {"KS": np.zeros((8, 6, 3), np.uint8)}, known=known, cards=["KS"])
    assert told["cards"] == (0 if says else 1)
    assert told["trouble"] is None if says is None else says in told["trouble"]
    assert ("Home" in deck_templates.deck_names()) == (says is None)


class Owner:
    """The other end of a worker's line: it asks for a spread before the second frame."""

    def __init__(self, folder: str) -> None:
        config = CameraConfig(source="0", seats=2)
        header = Header(game="trut", seats=("Ana", "Bea"))
        self.begin = {
            "config": config.to_json(), "match": None, "header": header.to_json(), "events": [],
            "pictures": {"folder": folder, "days": 1, "most": 1}, "learned": {},
        }  # fmt: skip
        self.asks = [[], [("spread", None)]]
        self.sent = []

    def wait_for(self, kind, timeout):
        return self.begin

    def waiting(self):
        return self.asks.pop(0) if self.asks else []

    def send(self, kind, data):
        self.sent.append((kind, data))


@pytest.mark.parametrize("name", ["Home", None])
def test_another_deck_is_read_with_from_the_next_frame_on(tmp_path, monkeypatch, name) -> None:
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path)
    deck_templates.keep_deck("Home", {"KS": np.zeros((224, 160, 3), np.uint8)})
    decks: list[tuple[str, ...] | None] = []
    observer = Mock(table=None, use_deck=lambda deck: decks.append(deck and deck.cards))
    observer.see = lambda frame: Observation(frame.at)
    monkeypatch.setattr(CameraConfig, "observer", lambda *others: observer)
    monkeypatch.setattr(CameraConfig, "open", lambda config: Frames())
    monkeypatch.setattr(Worker, "_tell", lambda *others: None)
    owner = Owner(str(tmp_path))
    owner.begin["config"]["take"] = str(tmp_path / "take.gz")
    owner.asks = [[], [("deck", name)]]
    worker = Worker(owner)
    with pytest.raises(EOFError):
        worker.run()
    assert decks == [None if name is None else ("KS",)]
    assert worker._config.deck == name  # what is learned is kept with its pictures
    assert worker._take.deck == (name is not None)


def test_it_goes_on_with_what_was_learned_before_and_tells_what_it_learns(
    tmp_path, monkeypatch
) -> None:
    king, queen = drawn(1), drawn(2)
    observer = Mock(table=None, learned={})
    observer.recall = lambda learned: setattr(observer, "learned", learned)

    def see(frame):
        if frame.at == 1:
            observer.learned = {**observer.learned, "QS": queen}
        return Observation(frame.at)

    observer.see = see
    monkeypatch.setattr(CameraConfig, "observer", lambda *others: observer)
    monkeypatch.setattr(CameraConfig, "open", lambda config: Frames())
    monkeypatch.setattr(Worker, "_tell", lambda *others: None)
    owner = Owner(str(tmp_path))
    owner.begin["learned"] = changes_to({"KS": king}, {})
    owner.asks = []
    with pytest.raises(EOFError):
        Worker(owner).run()
    assert np.array_equal(observer.learned["KS"], king)
    assert owner.sent == [("learned", changes_to({"QS": queen}, {}))]


@pytest.mark.parametrize("at_its_start", [True, False])
@pytest.mark.parametrize(
    ("left", "why"),
    [(None, "No deck is kept yet"), (b"", "is damaged"), (b"no picture", "is damaged")],
    ids=["deleted", "empty", "damaged"],
)
def test_a_table_whose_deck_cannot_be_opened_goes_on_without_it_and_says_why(
    tmp_path, monkeypatch, at_its_start, left, why
) -> None:
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path)
    if left is not None:
        place = deck_templates.keep_deck("Home", {"KS": np.zeros((224, 160, 3), np.uint8)})
        (place / "KS.png").write_bytes(left)
    decks: list[object] = []
    observer = Mock(table=None, use_deck=decks.append)
    observer.see = lambda frame: Observation(frame.at)
    monkeypatch.setattr(
        CameraConfig, "observer", lambda config, log, deck, *more: decks.append(deck) or observer
    )
    monkeypatch.setattr(CameraConfig, "open", lambda config: Frames())
    monkeypatch.setattr(Worker, "_tell", lambda *others: None)
    owner = Owner(str(tmp_path))
    owner.begin["config"]["take"] = str(tmp_path / "take.gz")
    owner.begin["config"]["deck"] = "Home" if at_its_start else None
    owner.asks = [[], [] if at_its_start else [("deck", "Home")]]
    worker = Worker(owner)
    with pytest.raises(EOFError):  # all frames were seen
        worker.run()
    assert (set(decks), worker._config.deck) == ({None}, None)
    ((reason, fields),) = worker._hitches()
    assert why in reason.format(**fields)


class Frames:
    """Four frames."""

    ended = False

    def __init__(self) -> None:
        self.left = [Frame(np.zeros((9, 16, 3), np.uint8), float(n), n) for n in range(4)]

    def __enter__(self):
        return self

    def __exit__(self, *ended):
        pass

    def next(self, timeout):
        if not self.left:
            raise EOFError
        return self.left.pop(0)


@pytest.mark.parametrize(
    ("found", "judged"), [(True, [0.0]), (False, [0.0, 1.0, 2.0, 3.0])], ids=["known", "unknown"]
)
def test_while_a_deck_is_spread_out_frames_only_serve_to_find_the_table(
    tmp_path, monkeypatch, found, judged
) -> None:
    seen: list[float] = []
    observer = Mock(table=object() if found else None, spread=lambda picture: [])
    observer.see = lambda frame: seen.append(frame.at) or Observation(frame.at)
    monkeypatch.setattr(CameraConfig, "observer", lambda *others: observer)
    monkeypatch.setattr(CameraConfig, "open", lambda config: Frames())
    monkeypatch.setattr(Worker, "_tell", lambda *others: None)
    with pytest.raises(EOFError):
        Worker(Owner(str(tmp_path))).run()
    assert seen == judged


def test_a_process_that_cannot_begin_ends_while_its_owner_says_nothing(tmp_path) -> None:
    """Python crashed at its end, for a thread was still reading the standard input."""
    with subprocess.Popen(
        [sys.executable, "-m", "vision.process.worker"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        begin = {
            "config": CameraConfig(source=str(tmp_path / "nothing.mp4"), seats=2).to_json(),
            "match": None, "learned": {}, "events": [],
            "pictures": {"folder": str(tmp_path), "days": 0, "most": 0},
            "header": Header(game="trut", seats=("Ana", "Bea")).to_json(),
        }  # fmt: skip
        assert process.stdin
        process.stdin.write(to_line("begin", begin))
        process.stdin.flush()
        assert process.wait(timeout=60) == 2
        assert process.stderr
        assert b"Fatal" not in process.stderr.read()
