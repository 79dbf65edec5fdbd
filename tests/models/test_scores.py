"""Figures about readings: calibration, shares and their errors."""

import numpy as np
import pytest

from datasets.scenes.photos import Match, PhotoCard, Reading
from models.scores import Tally, best_temperature, calibration_error, markdown


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


def test_cards_of_one_deck_tell_less_than_so_many_of_other_decks() -> None:
    apart, alike = Tally(), Tally()
    for number in range(120):
        deck = number // 12
        read = Reading("KS" if deck % 2 else "QS", 0.9, np.zeros((4, 2)))
        match = Match(PhotoCard("KS", (0, 0, 1, 1)), read)
        apart.add([match], [])
        alike.add([match], [], deck=deck)
    widths = [row["rank_high"] - row["rank_low"] for row in (apart.row(), alike.row())]
    assert widths[1] > 2.5 * widths[0]
