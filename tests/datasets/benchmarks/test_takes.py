"""Takes: what the watching table was given is kept, and watched again."""

import gzip

import numpy as np
import pytest

from datasets.benchmarks.table_pixels import PAINTED_HANDS
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.takes import Recorder, main, moment_from_json, save, told
from datasets.benchmarks.tally import Tally
from datasets.simulation.seen import EYES, watched

FILM = {"game": "trut", "seats": 4, "grade": "home", "seed": 3}


@pytest.fixture(scope="module")
def recorded():
    """A film that was watched and recorded, and what came of it."""
    stage = filmed(**FILM, hands=PAINTED_HANDS)
    tally, recorder = Tally(), Recorder(stage.camera.size)
    run = Run(stage, tally, answer=True)
    recorder.attach(run.table)
    for glance in watched(stage, EYES["floors"]):
        run.go_on(glance.at)
        run.table.plane = run._plane(glance.at)
        reaching = frozenset(hand.seat for _, hand, _ in stage.passing(glance.at))
        happened = run.table.see(
            glance.at,
            glance.detections,
            lambda points: points[:, 0] < 64,
            lambda reaching=reaching: reaching,
        )
        run.take(glance.at, glance.at + 1 / 15, happened)
    run.finish()
    return recorder.moments, tally


def test_a_take_is_watched_as_the_film_was(recorded, tmp_path, capsys):
    moments, tally = recorded
    save(tmp_path / "take.gz", {**FILM, "rate": 15.0}, moments)
    assert main(["watch", str(tmp_path / "take.gz")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == told(tally)
    assert tally.hands == PAINTED_HANDS


def test_a_moment_is_read_as_it_was_written(recorded):
    moments, _ = recorded
    one = max(moments, key=lambda moment: len(moment.detections) + len(moment.reaching))
    again = moment_from_json(one.to_json())
    assert (again.at, again.reaching) == (one.at, one.reaching)
    assert again.covered[:, :8].all()
    assert not again.covered[:, 8:].any()
    assert [each.readings for each in again.detections] == [
        each.readings for each in one.detections
    ]
    for mine, others in zip(again.detections, one.detections, strict=True):
        assert np.abs(mine.corners - others.corners).max() <= 0.006


@pytest.mark.parametrize("text", ["", "[]\n", '{"game": "trut"}\n', "no take at all\n"])
def test_what_is_no_take_is_told_in_a_sentence(tmp_path, capsys, text):
    path = tmp_path / "take.gz"
    with gzip.open(path, "wt") as file:
        file.write(text)
    assert main(["watch", str(path)]) == 2
    assert capsys.readouterr().err.startswith("datasets.benchmarks.takes: ")
