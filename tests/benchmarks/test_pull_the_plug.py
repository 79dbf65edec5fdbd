"""A few rounds of ``tests.benchmarks.pull_the_plug``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.benchmarks.pull_the_plug import pull


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forked")
def test_nothing_that_was_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    tally = pull(tmp_path, rounds=12, seed=2)
    assert tally.clean, str(tally)
    assert tally.acknowledged > 0
