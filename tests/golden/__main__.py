"""Writes the explanations anew: ``python -m tests.golden``; look at the diff before committing."""

from pathlib import Path

from scorekeeper.history.record import read_record
from scorekeeper.reports.explain import explain

for record in sorted(Path(__file__).parent.glob("*.jsonl")):
    with record.open("rb") as stream:
        told = explain(read_record(stream).match, "en")
    record.with_suffix(".txt").write_text("\n".join(told) + "\n")
