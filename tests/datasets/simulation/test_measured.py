"""Measuring eyes on films: what is counted of eyes whose errors are known."""

from dataclasses import replace

import pytest

from datasets.films.director import direct
from datasets.films.film import main as film
from datasets.films.matches import NAMES, play_match
from datasets.simulation.measured import Measured, main
from datasets.simulation.seen import EYES, Eyes, watched
from scorekeeper.engine.header import Header


def measured(eyes: Eyes) -> dict[str, float]:
    record = play_match(Header(game="trut", seats=NAMES, best_of=5), 2, 4, misdeals=0)
    stage = direct(record.header, record.events, grade="calm", seed=2)
    counted = Measured(stage)
    for glance in watched(stage, eyes):
        counted.add(glance.at, list(glance.detections))
    told = {name: sum(values) / len(values) for name, values in counted.counts.items()}
    return told | {"false": counted.false / counted.frames}


def test_perfect_eyes_are_measured_as_perfect():
    found = measured(EYES["perfect"])
    assert found["found, free"] == found["rank right, free"] == found["suit right"] == 1
    assert found["backs right"] == 1
    assert found["corner error"] < 1e-4
    assert found["false"] == pytest.approx(0, abs=0.01)


def test_errors_are_measured_as_large_as_they_are():
    eyes = Eyes(
        rank_right=(0.9, 0.9), suit_right=0.8, miss=0.1, false=0.2, corner=0.02, back_right=0.7
    )
    found = measured(eyes)
    assert found["found, free"] == pytest.approx(0.9, abs=0.03)
    assert found["rank right, free"] == pytest.approx(0.9, abs=0.03)
    assert found["suit right"] == pytest.approx(0.8, abs=0.04)
    assert found["backs right"] == pytest.approx(0.7, abs=0.05)
    assert found["false"] == pytest.approx(0.2, abs=0.03)


def test_a_card_that_was_not_read_anew_is_found_and_neither_right_nor_wrong():
    record = play_match(Header(game="trut", seats=NAMES[:2], best_of=5), 2, 1, misdeals=0)
    stage = direct(record.header, record.events, grade="calm", seed=2)
    counted = Measured(stage)
    for glance in watched(stage, EYES["perfect"]):
        counted.add(glance.at, [replace(seen, readings=()) for seen in glance.detections])
    assert set(counted.counts["found, free"]) == {True}
    assert "rank right, free" not in counted.counts
    assert "backs right" not in counted.counts
    assert sum(counted.counts["false faces"]) == 0


def test_errors_that_stay_are_told_from_errors_that_do_not():
    fickle = replace(EYES["floors"], rank_right=(0.8, 0.8), stubborn=0.0, double=0.0)
    stubborn = replace(fickle, stubborn=0.95)
    name = "wrong again after wrong"
    assert measured(fickle)[name] < 0.4 < measured(stubborn)[name]


@pytest.mark.parametrize("has_truth", [False, True], ids=["without its truth", "no video"])
def test_what_is_no_film_ends_in_one_sentence(tmp_path, capsys, has_truth):
    path = tmp_path / "film.mp4"
    if has_truth:
        assert film(["--no-video", "--hands", "1", "--out", str(path)]) == 0
        path.write_bytes(b"no video")
    assert main(["--film", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
