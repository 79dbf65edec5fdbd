"""``python -m datasets.takes watch FILE``: what it prints, and how it refuses other files."""

from __future__ import annotations

import gzip

import pytest

from datasets.takes import main
from tests.vision.evidence.test_take_keeper import Kept


@pytest.fixture
def take(tmp_path):
    """A take of a hand in which one card might be another one."""
    top = Kept(tmp_path / "take.gz", "trut", 2)
    top.run(0.5)
    top.by_hand("0 deal 3")
    top.run(0.5)
    top.put("KS", 1, KS=0.98, JS=0.015)
    top.run(2.0)
    top.put("7S", 0)
    top.run(3.0)
    top.keeper.close()
    return top


def test_each_hand_is_told_with_its_stories(take, capsys):
    assert main(["watch", str(take.path), "--near", "1000"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("match 1: Trut, 2 players\nhand 1, over at ")
    assert "now as then\n    0 deal 3\n    1 play KS\n" in out
    divided = [line for line in out.splitlines() if line.startswith("  divided at ")]
    assert any("seat 1 laid K" in each and "% seat 1 laid J" in each for each in divided), out
    assert out.endswith("1 hands, 1 of them written now as they were then\n")


def test_all_that_happened_is_told_where_that_is_asked_for(take, capsys):
    assert main(["watch", str(take.path), "--trace"]) == 0
    out = capsys.readouterr().out
    assert " people: 0 deal 3" in out
    assert " 1 play KS" in out


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"no gzip", "is no take"),
        (gzip.compress(b'{"take": 1, "game": "trut"}\n', mtime=0), "datasets.benchmarks.corpus"),
        (None, "No such file"),
    ],
)
def test_another_file_is_told_in_a_sentence(tmp_path, capsys, data, reason):
    path = tmp_path / "take.gz"
    if data is not None:
        path.write_bytes(data)
    assert main(["watch", str(path)]) == 2
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    assert reason in told.err
