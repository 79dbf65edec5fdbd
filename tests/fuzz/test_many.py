"""A few mutations of ``tests.fuzz.many``, and records by which it once found errors."""

from __future__ import annotations

import io
from contextlib import nullcontext
from pathlib import Path

import pytest

from scorekeeper.history.record import read_record
from scorekeeper.text.i18n import LANGUAGES
from tests.fuzz.many import KINDS, look, quiet_decoders
from tests.fuzz.records import read_by_all

FEW = {"records": 150, "requests": 1_000, "pictures": 300}


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that are printed."""
    monkeypatch.chdir(tmp_path)
    return []


@pytest.mark.parametrize("kind", KINDS)
def test_no_mutation_causes_an_error(kind: str, lines: list[str], tmp_path: Path) -> None:
    with quiet_decoders():
        finds = look(kind, FEW[kind], 3, tmp_path, lines.append)
    assert not finds, lines
    assert "taken, 0 finds" in lines[-1]


TWO = b'{"format": "trucam-record/1", "game": "trut", "seats": ["Ana", "Bea"]}\n'
DEALT = b'{"do": "deal", "seat": 0, "cards": 3}\n'
FOUND = {
    "a seat that nobody has, at points by agreement":
        TWO + b'{"do": "adjust", "side": 1, "points": 1, "seat": 9007199254740992}\n',
    "a seat that nobody has, at the end":
        TWO + DEALT + b'{"do": "end_match", "side": 1, "seat": 2}\n',
    "a negative seat": TWO + DEALT + b'{"do": "void_hand", "seat": -3}\n',
}  # fmt: skip
"""Records that were accepted, although some reader of a match failed on them."""


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("record", FOUND.values(), ids=FOUND)
def test_what_was_found_is_taken_by_every_reader(record: bytes, code: str) -> None:
    read_by_all(read_record(io.BytesIO(record)), code)


class Broken:
    """A kind of mutations whose check fails at the third."""

    taken = number = 0

    def next(self) -> bytes:
        self.number += 1
        return b"%d" % self.number

    def check(self, sent: bytes) -> None:
        assert sent != b"3", "three"


def test_a_find_is_told_and_kept(
    lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, "broken", lambda seed, folder: nullcontext(Broken()))
    (fault,) = look("broken", 5, 7, tmp_path, lines.append)
    assert "AssertionError: three" in fault
    assert (tmp_path / "build/finds/broken-7-3").read_bytes() == b"3"
    assert "1 finds of 1 kinds" in lines[-1]
