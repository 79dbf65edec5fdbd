"""``trucam repair``, as a user runs it."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import TRUT, event

SAID = Said(datetime(2026, 11, 21, 20, 30, tzinfo=UTC), Source.PHONE, "Ana")


@pytest.fixture(autouse=True)
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with two matches; event 2 of the second one has a damaged byte."""
    path = tmp_path / "ledger"
    monkeypatch.setenv("TRUCAM_LEDGER", str(path))
    monkeypatch.chdir(tmp_path)
    said = [event(text) for text in ("0 deal 3", "1 play KS", "0 play QS")]
    with Ledger(str(path)) as ledger:
        for seats in (("Ana", "Bea"), ("Carles", "Dani")):
            ledger.add(Header(game=TRUT, seats=seats), said, SAID, begun=SAID.at)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "UPDATE events SET event = CAST(X'7BFF' AS TEXT) WHERE match_id = 2 AND seq = 2"
        )
    return path


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_what_cannot_be_read_goes_after_a_yes_and_all_of_it_is_in_the_copy(
    trucam, monkeypatch
) -> None:
    answer(monkeypatch, "y\n")
    status, out, _ = trucam("repair", 2)
    assert status == 0
    assert out.startswith("Event 2: ")
    assert "Event 3: C-10: seat 0 cannot play QS now" in out
    assert out.endswith("Match 2 is repaired. What was there is in match-2.jsonl.\n")
    assert len(Path("match-2.jsonl").read_text().splitlines()) == 4
    assert "damaged" not in trucam("matches")[1]
    assert trucam("export", 2)[1].count("\n") == 2


def test_the_other_matches_are_there_all_the_same(trucam) -> None:
    status, out, _ = trucam("matches")
    assert status == 0
    assert "Ana – Bea      0 L 0 S – 0 L 0 S, in play" in out
    assert "Event 2 of match 2 cannot be read" in out


@pytest.mark.parametrize("said", ["n\n", "\n", ""])
def test_nothing_is_taken_out_without_a_yes(where, trucam, monkeypatch, said) -> None:
    before = where.read_bytes()
    answer(monkeypatch, said)
    status, out, _ = trucam("repair", 2)
    assert (status, "is repaired" in out) == (130, False)
    assert where.read_bytes() == before
    assert not Path("match-2.jsonl").exists()


def test_a_copy_takes_no_other_file_s_place(trucam) -> None:
    Path("match-2.jsonl").touch()
    assert trucam("repair", 2, "--yes")[1].endswith("What was there is in match-2-2.jsonl.\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((7,), "There is no match 7"),
        ((0,), "0 is not in the range"),
        ((2, "--copy", "ledger"), "ledger is there already: name a new file"),
        ((2, "--copy", "no/copy"), "The copy no/copy cannot be written"),
        ((2, "--copy", "a\0b"), "cannot be a file's name"),
    ],
)
def test_what_cannot_be_done_ends_in_one_sentence(where, trucam, words, sentence) -> None:
    before = where.read_bytes()
    status, _, err = trucam("repair", *words, "--yes")
    assert (status, err.count("\n")) == (2, 1)
    assert sentence in err
    assert where.read_bytes() == before


def test_a_match_that_can_be_read_is_left_alone(trucam) -> None:
    said = "All of match 1 can be read: nothing is to be repaired.\n"
    assert trucam("repair", 1) == (0, said, "")
