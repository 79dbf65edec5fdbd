"""Whole records with expected answers, which another implementation of the rules computed.

``tests/cases.jsonl`` is the project's own set. If the set with which the rules were agreed is there
(in ``../shared/rules/cases`` beside the checkout, or in ``TRUCAM_CASES``), it is tested, too.
"""

import io
import json
import os
from pathlib import Path

import pytest

from scorekeeper.history.record import RecordError, read_record
from scorekeeper.reports.answer import answer

TESTS = Path(__file__).parents[2]
SHARED = Path(os.environ.get("TRUCAM_CASES", TESTS.parents[1] / "shared" / "rules" / "cases"))


def outcome(record: bytes) -> dict:
    try:
        return answer(read_record(io.BytesIO(record)).match)
    except RecordError as error:
        return {"error": {"line": error.line, "rule": error.error.rule}}


OWN = [json.loads(line) for line in (TESTS / "cases.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", OWN, ids=lambda case: case["name"])
def test_own_case(case):
    assert outcome(case["record"].encode()) == case["expected"]


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no cases in {SHARED}")
def test_shared_cases():
    records = sorted(SHARED.glob("*.jsonl"))
    wrong = [
        record.name
        for record in records
        if outcome(record.read_bytes())
        != json.loads(record.with_suffix(".expected.json").read_text())
    ]
    assert records
    assert wrong == []
