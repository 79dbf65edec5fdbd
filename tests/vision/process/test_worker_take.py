"""The watching process keeps a take, from which the same match follows again."""

from __future__ import annotations

import gzip
import json
import os
import threading

import pytest

from datasets.benchmarks.replays import watched
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from tests.scorekeeper.talk import event
from tests.vision.tabletop import plane
from tests.vision.test_pipeline import PICTURE, Covers, Eyes
from vision.capture.sources import Frame
from vision.geometry import markers
from vision.geometry.placing import Placing
from vision.pipeline import Observer
from vision.process.config import CameraConfig
from vision.process.pipes import Gone, Line
from vision.process.protocol import events_from, to_line
from vision.process.worker import Worker
from vision.watched_table import ListLog

HEADER = Header(game="trut", seats=("Ana", "Bea"))


class Owner:
    """Owns a match as the supervisor does, and talks to the worker over two pipes."""

    def __init__(self, take) -> None:
        self.log = ListLog(HEADER)
        self._lock = threading.RLock()
        incoming, write = os.pipe()
        read, outgoing = os.pipe()
        self._to, self._from = os.fdopen(write, "wb", buffering=0), os.fdopen(read, "rb")
        self.incoming, self.outgoing = os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")
        self.hitches: list[list[object]] = []
        config = CameraConfig(source="0", seats=2, take=str(take))
        pictures = {"folder": str(take.parent / "pictures"), "days": 0, "most": 0}
        self._send("begin", {
            "config": config.to_json(), "match": 7, "pictures": pictures,
            "header": HEADER.to_json(), "events": [], "learned": {},
        })  # fmt: skip
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _send(self, kind: str, data: object) -> None:
        self._to.write(to_line(kind, data))

    def say(self, *texts: str) -> None:
        """Enters events, as from a phone."""
        self._append([event(text) for text in texts], "phone")

    def _append(self, events: list[Event], source: str) -> None:
        with self._lock:
            first = len(self.log.events)
            marked = [
                each._replace(remarks={**each.remarks, "_source": source, "_who": "Ana"})
                for each in events
            ]
            self.log.say(marked, first)
            told = [each.to_json() for each in marked]
            self._send("events", {"events": told, "first": first})

    def _listen(self) -> None:
        for line in self._from:
            kind, data = json.loads(line)
            if kind == "say":
                with self._lock:
                    quicker = data["seen"] != len(self.log.events)
                    if not quicker:
                        self._append(events_from(data["events"], HEADER), "camera")
                    self._send("said", {"state": "stale" if quicker else "said"})
            elif kind == "news":
                self.hitches = data.get("hitches", self.hitches)

    def end(self) -> None:
        """Ends the input of the worker."""
        self._to.close()

    def close(self) -> None:
        self.outgoing.close()
        self._thread.join()
        self._from.close()
        self.incoming.close()


class Frames:
    """A source of equal frames; ``does`` maps the number of a frame to what is done before it."""

    ended, trouble = False, None

    def __init__(self, does) -> None:
        self._does, self._number = does, 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def next(self, timeout):
        self._number += 1
        if self._number in self._does:
            self._does[self._number]()
        return Frame(PICTURE, 1000 + self._number / 15 + 1e-5, self._number)


@pytest.fixture
def played(tmp_path, monkeypatch):
    """A hand that a worker has watched, and the events that the owner wrote."""
    take = tmp_path / "take.gz"
    owner, eyes = Owner(take), Eyes()
    eyes.cards["7D"] = (70, 30)  # held beside the table so that the camera sees it

    def lay(name: str, y: float):
        return lambda: eyes.cards.update({name: (0, y)})

    does = {
        10: lambda: owner.say("0 deal 3"),
        30: lay("KS", -25),
        60: lambda: owner.say("0 play 7S"),
        61: lay("7S", 25),
        100: lambda: owner.say("undo", "0 play 8S"),
        140: owner.end,
    }

    def observer(config, log, deck, evidence, kept):
        placing = Placing(2, plane=plane(2))
        return Observer(eyes, log, placing, cover=Covers(), evidence=evidence, take=kept)

    monkeypatch.setattr(CameraConfig, "observer", observer)
    monkeypatch.setattr(CameraConfig, "open", lambda config: Frames(does))
    monkeypatch.setattr(markers, "find_markers", lambda frame, region=None: [])
    worker = Worker(Line(owner.incoming, owner.outgoing))
    with pytest.raises(Gone):
        worker.run()
    owner.close()
    return take, owner


def test_a_match_that_a_process_watched_comes_again_to_the_letter(played):
    take, owner = played
    words = [each.in_words() for each in owner.log.events]
    assert words == ["deal 3", "play KS", "play 7S", "undo", "play 8S"]
    told = list(watched(take))
    replay, hand = told[-1]
    assert [each.bare() for each in replay.log.events] == [each.bare() for each in owner.log.events]
    assert hand.alike
    assert owner.hitches == []


def test_neither_a_name_nor_a_card_that_was_not_played_is_in_the_file(played):
    text = gzip.decompress(played[0].read_bytes()).decode()
    assert "KS" in text
    assert not any(word in text for word in ("7D", "Ana", "Bea", "phone"))


def test_a_take_that_cannot_be_written_is_told_to_the_owner(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    owner, eyes = Owner(tmp_path / "folder" / "none" / "take.gz"), Eyes()

    def observer(config, log, deck, evidence, kept):
        return Observer(eyes, log, Placing(2, plane=plane(2)), evidence=evidence, take=kept)

    monkeypatch.setattr(CameraConfig, "observer", observer)
    monkeypatch.setattr(CameraConfig, "open", lambda config: Frames({1000: owner.end}))
    monkeypatch.setattr(markers, "find_markers", lambda frame, region=None: [])
    worker = Worker(Line(owner.incoming, owner.outgoing))
    with pytest.raises(Gone):
        worker.run()
    owner.close()
    ((reason, fields),) = owner.hitches
    assert reason.startswith("The take cannot be written")
    assert fields["reason"] == "No such file or directory"
