"""Reliability: stated probabilities are compared with how often plays were right."""

import math

import pytest

from datasets.benchmarks import reliability
from datasets.benchmarks.reliability import Play, bins_of, calibration_error, drawn, log_loss
from datasets.benchmarks.seen_hands import Committed, SeenHand
from vision.belief.likelihoods import USUAL, Side, stated


def plays(chance, right, wrong, film="bar 4 floors trut 1"):
    return [Play(film, chance, True)] * right + [Play(film, chance, False)] * wrong


def test_stated_and_true_agree_where_as_many_are_false_as_was_stated():
    some = plays(0.9, 90, 10) + plays(0.99, 99, 1)
    assert log_loss(plays(0.5, 1, 1)) == pytest.approx(math.log(2))
    assert log_loss(some) < log_loss([each._replace(chance=0.999) for each in some])
    assert sum(each.count for each in bins_of(some)) == 200
    assert calibration_error(bins_of(plays(0.9, 100, 0))) == pytest.approx(0.1)


def test_a_play_that_was_held_to_be_certain_and_is_false_costs_much_and_not_everything():
    assert log_loss(plays(1.0, 0, 1)) == pytest.approx(-math.log(reliability.SURE))


def test_the_command_prints_and_draws_each_kind_of_eyes(monkeypatch, tmp_path, capsys):
    def hand(film, right):
        wrote = Committed(0, "K", 0.999, 0.999, Side.OWN, right)
        return SeenHand(film, 0, None, (), (), (), (), (wrote,) * 10)

    hands = [hand("bar 4 floors trut 1", True), hand("bar 4 deceived trut 1", False)]
    monkeypatch.setattr(reliability, "hands_in", lambda paths: iter(hands))
    picture = tmp_path / "picture.svg"
    assert reliability.main(["hands", "--to", str(picture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = stated(0.999, Side.OWN, USUAL)
    assert lines[2].startswith(f"| deceived | 10 | {said:.2%} | 0.00% |")
    assert lines[-1].startswith(f"| all | 20 | {said:.2%} | 50.00% |")
    assert "deceived: 10 plays" in picture.read_text("utf-8")
    assert reliability.main(["hands", "--as-gathered"]) == 0
    assert "| floors | 10 | 99.90% | 100.00% |" in capsys.readouterr().out


def test_the_diagram_shows_the_last_per_mille():
    svg = drawn({"floors": bins_of(plays(0.998, 499, 1))})
    assert "99.9%" in svg
    assert svg.startswith("<svg")
    assert svg.rstrip().endswith("</svg>")
