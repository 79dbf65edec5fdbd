"""Photographed cards that are put into drawn scenes, to measure with."""

import numpy as np
import pytest

from datasets.benchmarks.heights import lay


@pytest.mark.parametrize("tall", [60.0, 250.0])
def test_white_paper_on_white_paper_has_no_edge(tall: float) -> None:
    corners = np.array([[-0.35, -0.5], [0.35, -0.5], [0.35, 0.5], [-0.35, 0.5]]) * tall
    corners = corners @ np.array([[0.96, 0.28], [-0.28, 0.96]]) + 200.3
    scene = np.full((400, 400, 3), 255, np.uint8)
    lay(scene, np.full((400, 280, 3), 255, np.uint8), corners)
    assert scene.min() > 250


def test_what_is_laid_fills_its_corners() -> None:
    corners = np.array([[20.0, 30], [60, 30], [60, 90], [20, 90]])
    scene = np.zeros((120, 100, 3), np.uint8)
    lay(scene, np.full((400, 280, 3), 255, np.uint8), corners)
    there = np.zeros((120, 100), bool)
    there[30:90, 20:60] = True
    assert scene[there].min() > 250
    assert scene[~there].max() < 5
