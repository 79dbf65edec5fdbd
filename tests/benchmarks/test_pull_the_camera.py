"""A few rounds of ``tests.benchmarks.pull_the_camera``."""

from tests.benchmarks.pull_the_camera import pull


def test_processes_die_and_the_match_goes_on(tmp_path):
    tally = pull(tmp_path, rounds=6, lives=3.0)
    assert tally.kills >= 6
    assert tally.wrong == 0
    assert 0 < tally.camera < tally.events
