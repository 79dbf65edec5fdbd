"""Painted films: the reader gets the newest picture when it is free, and no other."""

import numpy as np
import pytest

from datasets import table_pixels
from datasets.measured import Measured
from datasets.seen import EYES, Eyes, watched
from datasets.table_eyes import eyes_from
from datasets.table_eyes import main as make_eyes
from datasets.table_pixels import CAMERA_RATE, Pace, looked_at, main
from datasets.table_score import filmed


class Painter:
    """Notes the frames that are painted."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def frame(self, at: float) -> np.ndarray:
        self.times.append(at)
        return np.zeros((9, 16, 3), np.uint8)


class Reader:
    """Sees nothing."""

    def read(self, frame: np.ndarray, *, pack: object) -> list[object]:
        return []


@pytest.mark.parametrize(
    ("rate", "every"), [(30.0, 1), (15.0, 2), (10.0, 3), (1.0, 30)], ids=lambda v: f"{v:g}"
)
def test_frames_that_come_while_one_is_read_pass(rate, every):
    stage, painter = filmed("trut", 2, "calm", 3, 1), Painter()
    glances = list(looked_at(stage, painter, Reader(), Pace([], []), rate=rate))
    assert [g.at for g in glances] == painter.times
    steps = np.diff([round(at * CAMERA_RATE) for at in painter.times])
    assert set(steps) == {every}
    assert [glance.known - glance.at for glance in glances] == pytest.approx(
        [1 / rate] * len(glances)
    )


def test_no_frame_is_painted_that_nobody_reads(monkeypatch):
    clock = iter(np.arange(0, 10_000, 0.05))  # each look at it takes a twentieth of a second
    monkeypatch.setattr(table_pixels.time, "process_time", lambda: float(next(clock)))
    stage, painter, pace = filmed("trut", 2, "calm", 3, 1), Painter(), Pace([], [])
    glances = list(looked_at(stage, painter, Reader(), pace))
    assert len(glances) == len(painter.times) == len(pace.reading)
    assert np.mean(pace.reading) == pytest.approx(0.05)
    assert len(glances) / stage.ends == pytest.approx(20, rel=0.02)


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
            measured.add(glance.at, list(glance.sightings))
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
        measured.add(glance.at, list(glance.sightings))
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
