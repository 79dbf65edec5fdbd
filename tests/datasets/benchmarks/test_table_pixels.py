"""Painted films are watched from picture to event; the observer takes a picture when it is free."""

from pathlib import Path

import numpy as np
import pytest

from datasets.benchmarks import table_pixels
from datasets.benchmarks.table_pixels import CAMERA_RATE, Pace, Studio, main, stillest, watch_stage
from datasets.benchmarks.table_score import filmed
from datasets.benchmarks.tally import Tally
from datasets.cards.decks import Shelf
from datasets.films.paint import Painter
from datasets.films.stage import Stage
from datasets.simulation.seen import EYES, Watcher
from vision.detection.detections import Detection


class Reader:
    """A reader that sees all cards of the latest painted picture, or nothing."""

    letters = ()

    def __init__(self, stage: Stage, *, blind: bool = False) -> None:
        self.watcher, self.blind = Watcher(stage, EYES["perfect"]), blind
        self.times: list[float] = []

    def read(self, frame: np.ndarray, **how: object) -> list[Detection]:
        return [] if self.blind else self.watcher._glance(self.times[-1])


def watch(
    monkeypatch: pytest.MonkeyPatch, shelf: Shelf, rate: float, *, blind: bool = False
) -> tuple[Tally, Pace, Reader]:
    """Paints a hand in small pictures, and watches it with a reader that makes no error."""
    stage = filmed("trut", 2, "calm", 3, 1, resolution=360)
    reader = Reader(stage, blind=blind)
    frame = Painter.frame

    class Noting(Painter):
        def frame(self, at: float) -> np.ndarray:
            reader.times.append(at)
            return frame(self, at)

    monkeypatch.setattr(table_pixels, "Painter", Noting)
    monkeypatch.setattr(table_pixels, "opened", lambda studio: (shelf, reader))
    tally, pace = Tally(), Pace()
    watch_stage(stage, Studio(Path(), Path(), rate), tally, pace)
    return tally, pace, reader


def test_a_painted_hand_that_is_read_without_an_error_is_written_as_it_was_played(
    monkeypatch, shelf
):
    tally, pace, reader = watch(monkeypatch, shelf, 6.0)
    assert (tally.hands, tally.right, tally.untouched) == (1, 1, 1)
    assert tally.cards_right == tally.cards == 4
    assert 0 < min(tally.delays) <= max(tally.delays) < 1
    assert set(np.diff([round(at * CAMERA_RATE) for at in reader.times])) == {5}
    assert len(pace.watching) == tally.frames == len(reader.times) > pace.looks > 0
    assert pace.moving[0] + pace.still[0] == pytest.approx(tally.seconds, abs=0.2)
    assert "frames a second" in pace.told()


def test_of_a_painted_hand_that_nobody_sees_no_card_is_written(monkeypatch, shelf):
    tally, _, reader = watch(monkeypatch, shelf, 2.0, blind=True)
    assert (tally.hands, tally.right, tally.cards_right) == (1, 0, 0)
    assert set(np.diff([round(at * CAMERA_RATE) for at in reader.times])) == {15}


def test_at_its_stillest_nothing_moves_and_the_most_cards_lie():
    stage = filmed("trut", 2, "calm", 3, 1)
    at = stillest(stage)
    assert not stage.passing(at)
    assert not any(card.moving for card in stage.at(at))
    assert len(stage.at(at)) >= 4


def test_without_decks_the_command_ends_in_one_sentence(tmp_path, capsys):
    assert main(["--cache", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
