"""The time of decisions is the time of whole looks without that of the tracking."""

from datasets.benchmarks import decision_time
from datasets.benchmarks.decision_time import decisions
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.simulation.seen import EYES, watched
from scorekeeper.games.rules import GAMES


def test_each_look_and_its_tracking_are_timed():
    stage = filmed("trut", 2, "calm", 5, hands=1)
    tally = Tally()
    run = Run(stage, tally, answer=True)
    looks, tracking = decisions(run)
    run.watch(watched(stage, EYES["perfect"]))
    assert len(looks.took) == len(tracking.took) == tally.frames > 100
    assert all(look >= part > 0 for look, part in zip(looks.took, tracking.took, strict=True))
    assert tally.right == 1


def test_the_command_says_how_long_a_decision_takes(capsys, monkeypatch):
    monkeypatch.setattr(decision_time, "GAMES", {"trut": GAMES["trut"]})
    assert decision_time.main(["--hands", "1"]) == 0
    assert "a decision takes p50 " in capsys.readouterr().out
