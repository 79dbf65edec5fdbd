"""Events from outside must keep limits; ledgers from before these limits can still be read."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.events import parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.limits import (
    DEEPEST,
    MOST_LETTERS,
    MOST_VALUES,
    check_limits,
    cut_to_limits,
)
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import FormatError
from scorekeeper.history.disputes import may_be_shown, pictured
from scorekeeper.history.record import RecordError, read_record, write_record
from scorekeeper.storage.ledger import Ledger

SAID = Said(datetime(2026, 11, 20, 20, tzinfo=UTC), Source.IMPORT)
TRUT = Header(game="trut", seats=("Ana", "Bea"))


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("data", "is_within"),
    [
        pytest.param({"do": "deal", "seat": 0, "cards": 3}, True, id="an event"),
        pytest.param({"note": "Peña 👩🏽 \n\t\x1b"}, True, id="any letters"),
        pytest.param({"note": "\ud800"}, False, id="half a letter"),
        pytest.param({"\ud800": 1}, False, id="half a letter in a key"),
        pytest.param({"note": "\0"}, False, id="a zero byte"),
        pytest.param({"note": "x" * (MOST_LETTERS - 4)}, True, id="a long text"),
        pytest.param({"note": "x" * MOST_LETTERS}, False, id="too long a text"),
        pytest.param({"note": ["x" * 100] * 100}, False, id="many texts"),
        pytest.param({"note": nested(DEEPEST - 1)}, True, id="deep"),
        pytest.param({"note": nested(DEEPEST)}, False, id="too deep"),
        pytest.param({"note": nested(900)}, False, id="far too deep"),
        pytest.param([0] * (MOST_VALUES - 1), True, id="many values"),
        pytest.param([0] * MOST_VALUES, False, id="too many values"),
        pytest.param({"to": 2**53}, True, id="a large number"),
        pytest.param({"to": 2**53 + 1}, False, id="too large a number"),
        pytest.param({"to": -(10**400)}, False, id="far too small a number"),
        pytest.param({"to": float("inf")}, False, id="no end of a number"),
        pytest.param({"to": float("nan")}, False, id="no number"),
    ],
)
def test_the_limits(data: object, is_within: bool) -> None:
    if is_within:
        check_limits(data)
        assert cut_to_limits(data) == data
    else:
        with pytest.raises(FormatError):
            check_limits(data)
        check_limits(cut_to_limits(data) if isinstance(data, dict) else 0)


TEXTS = st.text(st.characters(codec=None), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=30,
)
REMARKS = st.dictionaries(
    TEXTS | st.sampled_from(["_group", "_again", "_agreed", "_at", "_who", "_readings", "_suit"]),
    VALUES,
    max_size=6,
)


@given(remarks=REMARKS, name=TEXTS)
def test_what_is_within_the_limits_a_record_holds_and_gives_back(
    remarks: dict[str, Any], name: str
) -> None:
    data = {**remarks, "do": "deal", "seat": 0, "cards": 3}
    try:
        check_limits(data)
        check_limits(name)
    except FormatError:
        return
    header = parse_header({**TRUT.to_json(), "seats": [name, "Bea"]})
    event = parse_event(data, verbs=header.verbs, seats=2)
    lines = "".join(write_record(header, [event])).encode()
    assert max(map(len, lines.splitlines())) < 64 * 1024
    reading = read_record(io.BytesIO(lines))
    assert (reading.match.header, reading.events) == (header, [event])
    assert may_be_shown(header, [event]) == pictured([event]).keys() - {1}


@pytest.mark.parametrize("bad", ['"\\ud800"', "[" * 900 + "]" * 900, '"' + "x" * 60_000 + '"'])
def test_neither_a_record_nor_the_ledger_takes_what_is_beyond_the_limits(
    tmp_path: Path, bad: str
) -> None:
    line = f'{{"do": "deal", "seat": 0, "cards": 3, "note": {bad}}}'
    header = json.dumps(TRUT.to_json())
    with pytest.raises(RecordError, match="line 2"):
        read_record(io.BytesIO(f"{header}\n{line}\n".encode()))
    event = parse_event(json.loads(line), verbs=TRUT.verbs, seats=2)
    with Ledger(str(tmp_path / "ledger")) as ledger:
        match_id = ledger.begin(TRUT, SAID)
        with pytest.raises(FormatError):
            ledger.append(match_id, [event], seen=0, said=SAID)
        assert ledger.last(match_id) == 0


@pytest.fixture
def old_ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger from before the limits: a name with half a character, a remark nested too deep."""
    where = tmp_path / "old"
    with Ledger(str(where)) as ledger:
        event = parse_event({"do": "deal", "seat": 0, "cards": 3}, verbs=TRUT.verbs, seats=2)
        ledger.add(TRUT, [event], SAID, SAID.at)
    with sqlite3.connect(where) as database:
        header = json.dumps({**TRUT.to_json(), "seats": ["A\ud800", "Bea"]})
        deep = "[" * 900 + '"Bea"' + "]" * 900
        event_text = f'{{"do": "deal", "seat": 0, "cards": 3, "note": {deep}}}'
        database.execute("UPDATE matches SET header = ?", [header])
        database.execute("UPDATE events SET event = ?", [event_text])
    database.close()
    with Ledger(str(where)) as ledger:
        yield ledger


def test_an_old_ledger_is_read_within_the_limits(old_ledger: Ledger) -> None:
    (entry,) = old_ledger.matches()
    assert entry.header.seats == ("A\ufffd", "Bea")
    (said,) = old_ledger.read(entry)
    assert (said.event.do, said.event.cards) == ("deal", 3)
    "".join(write_record(entry.header, [said.marked])).encode()


def test_a_name_is_forgotten_in_an_old_ledger(old_ledger: Ledger) -> None:
    assert old_ledger.forget_name("Bea") == 1
    (entry,) = old_ledger.matches()
    assert "Bea" not in json.dumps([entry.header.to_json(), *(
        one.marked.to_json() for one in old_ledger.read(entry)
    )])  # fmt: skip
