"""A few faults of each kind that is quick and needs no root; and that a lost event is found."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import pytest

from tests.faults.__main__ import break_again_and_again
from tests.faults.disks import DiskRefuses
from tests.faults.fault import Fault
from tests.faults.game import FaultySite, playing
from tests.faults.kinds import ClockSetBack, Killed, TwoPrograms


@pytest.mark.parametrize("kind", [DiskRefuses, ClockSetBack, TwoPrograms, Killed])
def test_the_match_goes_on_and_nothing_is_lost(kind: type[Fault], tmp_path: Path) -> None:
    lack = kind.lacks()
    if lack is not None:
        pytest.skip(lack)
    counts, wrong = break_again_and_again(kind, 2, 1, tmp_path)
    assert wrong == []
    assert counts["faults"] == 2
    assert counts["acknowledged"] >= 4


def test_a_lost_event_and_one_that_nobody_tapped_are_told(tmp_path: Path) -> None:
    with playing(FaultySite(tmp_path), Random(1)) as game:
        for _ in range(4):
            game.goes_on()
        game.stop()
        other = sqlite3.connect(game.site.where)
        other.execute("DELETE FROM events WHERE seq = 4")
        other.commit()
        other.close()
        game._acknowledged.pop(2)
    assert game.counts["lost"] == game.counts["doubled"] == 1
    assert "event 4 was acknowledged" in game.wrong[0]
    assert "events [2] were never tapped" in game.wrong[1]
