"""Figures about readings."""

import numpy as np
import pytest

from models.scores import best_temperature, calibration_error, markdown


def test_a_calibrated_reader_has_no_calibration_error() -> None:
    sure = np.repeat([0.75], 400)
    right = np.arange(400) % 4 != 0
    assert calibration_error(sure, right) == pytest.approx(0)
    assert calibration_error(sure, np.ones(400, bool)) == pytest.approx(0.25)


def test_the_temperature_undoes_a_scaling_of_logits() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 2, (4000, 5))
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    classes = np.array([rng.choice(5, p=chance) for chance in chances])
    assert best_temperature(logits * 3, classes) == pytest.approx(3, rel=0.1)


def test_the_table_prints_shares_and_gaps() -> None:
    text = markdown({"a": {"cards": 3, "found": 0.5}, "b": {"cards": 4, "found": None}})
    assert "| a | 3 | 50.0 % |" in text
    assert "| b | 4 | – |" in text
