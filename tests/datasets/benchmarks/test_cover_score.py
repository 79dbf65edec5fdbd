"""The score of ``Cover``: what is counted if it tells the truth, and if it does not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.benchmarks import steady_score
from datasets.benchmarks.cover_score import CoverScore, main
from datasets.films.director import direct
from datasets.films.film import main as film
from datasets.films.matches import NAMES, play_match
from scorekeeper.engine.header import Header
from vision.occlusion.cover import FrameState
from vision.tracking.covered import covered_by


def scored(says: str) -> dict[str, float]:
    record = play_match(Header(game="trut", seats=NAMES, best_of=5), 4, 2, misdeals=0)
    stage = direct(record.header, record.events, grade="bar", seed=4)
    score = CoverScore(stage)
    for at in np.arange(4.0, stage.ends, 0.5):
        mask = score.hands.mask(at) > 0
        mask = {"truth": mask, "nothing": mask & False, "all": mask | True}[says]
        look = FrameState(
            True, covered_by(mask, 0.25), 0.0, (),
            lies=lambda card: False, bare=lambda quad: None, reaching=frozenset,
        )  # fmt: skip
        score.add(float(at), look, score.cards(float(at)))
    assert score.rests["looks"] == score.rests["all"] > 50
    return {name: float(np.mean(values)) for name, values in score.counts.items()}


@pytest.mark.parametrize(("says", "under", "free"), [
    ("truth", 1.0, 0.0), ("nothing", 0.0, 0.0), ("all", 1.0, 1.0),
])  # fmt: skip
def test_the_shares_of_points_that_are_said_to_be_covered_are_counted(says, under, free):
    counts = scored(says)
    assert counts["points under hands, said to be covered"] == under
    for state in ("there", "gone", "new"):
        assert counts[f"free points, said to be covered, card {state}"] == free


def test_a_film_is_scored_from_the_command_line(cache, tmp_path, capsys):
    path = tmp_path / "film.mp4"
    how = ["--hands", "1", "--size", "640x360", "--seconds", "7", "--cache", str(cache)]
    cv2.setNumThreads(1)
    assert film([*how, "--out", str(path)]) == 0
    assert main(["--film", str(path), "--every", "6"]) == 0
    told = capsys.readouterr().out
    assert "35 frames of film.mp4 (home)" in told
    assert "card new" in told


@pytest.mark.parametrize("score", [main, steady_score.main], ids=["cover", "steadiness"])
@pytest.mark.parametrize("has_truth", [False, True], ids=["without its truth", "no video"])
def test_what_is_no_film_ends_in_one_sentence(tmp_path, capsys, score, has_truth):
    path = tmp_path / "film.mp4"
    if has_truth:
        assert film(["--no-video", "--hands", "1", "--out", str(path)]) == 0
        path.write_bytes(b"no video")
    assert score(["--film", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
