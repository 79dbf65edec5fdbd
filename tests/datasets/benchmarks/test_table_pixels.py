"""Painted films: watched from picture to event, each picture when the observer is free."""

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
from datasets.simulation.measured import Measured
from datasets.simulation.seen import EYES, Eyes, Watcher, watched
from datasets.simulation.table_eyes import eyes_from
from datasets.simulation.table_eyes import main as make_eyes
from vision.detection.detections import Detection


class Reader:
    """Sees what there is in the picture that was painted last, or nothing at all."""

    letters = ()

    def __init__(self, stage: Stage, *, blind: bool = False) -> None:
        self.watcher, self.blind = Watcher(stage, EYES["perfect"]), blind
        self.times: list[float] = []

    def read(self, frame: np.ndarray, **how: object) -> list[Detection]:
        return [] if self.blind else self.watcher._glance(self.times[-1])


def watch(
    monkeypatch: pytest.MonkeyPatch, shelf: Shelf, rate: float, *, blind: bool = False
) -> tuple[Tally, Pace, Reader]:
    """A hand that is painted and watched, read without an error."""
    stage = filmed("trut", 2, "calm", 3, 1)
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


def test_eyes_are_made_that_err_as_those_that_were_measured():
    true = Eyes(
        rank_right=(0.9, 0.9), suit_right=0.9, back_right=0.9, miss=0.1, miss_moving=0.4,
        corner=0.02, false=0.2, double=0.05, spread=0.6, stubborn=0.7,
    )  # fmt: skip
    films = []
    for seed in (2, 3):
        stage = filmed("trut", 4, "calm", seed, 3)
        measured = Measured(stage)
        for glance in watched(stage, true):
            measured.add(glance.at, list(glance.detections))
        films.append({**measured.to_json(), "rate": 15.0, "lag": 0.1})
    made = eyes_from(films)
    assert made.rank_right == pytest.approx((0.9, 0.9), abs=0.04)
    assert made.suit_right == pytest.approx(0.9, abs=0.04)
    assert made.back_right == pytest.approx(0.9, abs=0.03)
    assert made.miss == pytest.approx(0.1, abs=0.02)
    assert made.miss_moving == pytest.approx(0.4, abs=0.12)
    assert made.corner == pytest.approx(0.02, rel=0.15)
    assert made.false == pytest.approx(0.2, abs=0.04)
    assert made.double == pytest.approx(0.05, abs=0.03)
    assert made.stubborn == pytest.approx(0.7, abs=0.1)
    assert (made.rate, made.lag) == (15.0, 0.1)


def test_eyes_of_what_was_seen_without_an_error_make_none():
    stage = filmed("trut", 2, "calm", 2, 2)
    measured = Measured(stage)
    for glance in watched(stage, EYES["perfect"]):
        measured.add(glance.at, list(glance.detections))
    made = eyes_from([{**measured.to_json(), "rate": 15.0, "lag": 0.0}])
    assert made.rank_right == (1.0, 1.0)
    assert made.miss == made.false == made.double == made.haunted == 0
    assert made.corner < 1e-4


@pytest.mark.parametrize("text", [None, '{"key": {}, "result": {}}\n'])
def test_without_films_that_models_read_there_are_no_eyes(tmp_path, text, capsys):
    journal = tmp_path / "table.jsonl"
    if text is not None:
        journal.write_text(text)
    assert make_eyes(["--journal", str(journal), "--out", str(tmp_path / "eyes.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "eyes.json").exists()


def test_without_decks_the_command_ends_in_one_sentence(tmp_path, capsys):
    assert main(["--cache", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
