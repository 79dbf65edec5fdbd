"""``trucam forget`` and ``trucam export --format``, as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.media import ABOUT
from tests.scorekeeper.talk import LT_ACE, event
from vision.detection import deck_templates
from webui.table.memory import Memory
from webui.table.room import Room

SAID = Said(datetime(2026, 11, 21, 1, 30, tzinfo=UTC), Source.PHONE, "Ana")


@pytest.fixture(autouse=True)
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ledger with two matches."""
    path = str(tmp_path / "ledger")
    monkeypatch.setenv("TRUCAM_LEDGER", path)
    monkeypatch.chdir(tmp_path)
    said = [event("0 deal 3"), event("1 raise 2"), event("0 reject")]
    with Ledger(path) as ledger:
        for seats in (("Ana", "Bea"), ("Ana", "=Çelik")):
            ledger.add(Header(game=LT_ACE, seats=seats), said, SAID, begun=SAID.at)
    return path


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_match_is_forgotten_after_a_yes(where, trucam, monkeypatch) -> None:
    answer(monkeypatch, "y\n")
    status, out, _ = trucam("forget", "--match", 1)
    assert status == 0
    assert "Forget match 1 for good (2026-11-20, le_truc_ace, Ana – Bea, 0 – 1, in play)?" in out
    assert out.endswith("Match 1 is forgotten.\n")
    with Ledger(where) as ledger:
        assert ledger.ids() == [2]


@pytest.mark.parametrize(
    ("name", "typed", "status", "says"),
    [
        ("Home", "y\n", 0, "The deck 'Home' is deleted."),
        ("Home", "n\n", 130, "Delete the learned deck Home for good?"),
        ("Gone", "", 2, "No deck is kept under the name 'Gone'; the decks are: Home."),
    ],
)
def test_a_learned_deck_is_deleted_after_a_yes(
    tmp_path, trucam, monkeypatch, name, typed, status, says
) -> None:
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path / "decks")
    deck_templates.keep_deck("Home", {"KS": np.zeros((224, 160, 3), np.uint8)})
    answer(monkeypatch, typed)
    found, out, err = trucam("forget", "--deck", name)
    assert (found, says in out + err) == (status, True)
    assert deck_templates.deck_names() == ([] if status == 0 else ["Home"])


@pytest.mark.parametrize("words", [("--match", 1), ("--name", "Ana")])
@pytest.mark.parametrize("said", ["n\n", "\n", ""])
def test_nothing_is_forgotten_without_a_yes(where, trucam, monkeypatch, words, said) -> None:
    before = Path(where).read_bytes()
    answer(monkeypatch, said)
    status, out, _ = trucam("forget", *words)
    assert status == 130
    assert "is forgotten" not in out
    assert Path(where).read_bytes() == before


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ana", "Ana is forgotten in 2 places of the ledger.\n"),
        (" Bea", "Bea is forgotten in 1 place of the ledger.\n"),
    ],
)
def test_a_name_is_forgotten(where, trucam, name, told) -> None:
    assert trucam("forget", "--name", name, "--yes") == (0, told, "")
    assert name.strip() not in trucam("matches")[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Say what to forget"),
        (("--match", 1, "--name", "Ana"), "Say what to forget"),
        (("--match", 7), "There is no match 7"),
        (("--match", 0), "0 is not in the range"),
        (("--name", "An"), "is called 'An'"),
        (("--name", ""), "is called ''"),
    ],
)
def test_what_is_not_there_cannot_be_forgotten(where, trucam, words, sentence) -> None:
    status, out, err = trucam("forget", *words, "--yes")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
    with Ledger(where) as ledger:
        assert [entry.header.seats[0] for entry in ledger.matches()] == ["Ana", "Ana"]


@pytest.mark.parametrize(
    ("words", "left"), [(("--match", 1), [2]), (("--name", "Bea"), [2]), (("--name", "Ana"), [])]
)
def test_pictures_are_forgotten_at_once(where, trucam, words, left) -> None:
    with Ledger(where) as ledger:
        for match_id in (1, 2):
            ledger.pictures.open(match_id)
            ledger.pictures.write(match_id, 1, ABOUT, lambda path: path.write_text("{}"))
        assert trucam("forget", *words, "--yes")[0] == 0
        assert [match_id for match_id in (1, 2) if ledger.pictures.of(match_id)] == left


def test_a_match_is_exported_for_a_spreadsheet(where, trucam, tmp_path) -> None:
    assert trucam("export", 2, "--format", "csv", "-o", "hands.csv") == (0, "", "")
    data = (tmp_path / "hands.csv").read_bytes()
    assert data.startswith("\ufeff".encode())
    (row,) = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert (row["winner"], row["points_1"]) == ("'=Çelik", "1")
    assert row["calls"] == "'=Çelik: raise 2, refused"


def test_the_record_stays_the_default(where, trucam, tmp_path) -> None:
    trucam("export", 1, "-o", "one")
    trucam("export", 1, "--format", "record", "-o", "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (tmp_path / "one").read_text().startswith('{"format": "trucam-record/1"')


@pytest.fixture
def table(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is set up for Zoe, and that suggests her name in set-up."""
    monkeypatch.setenv("TRUCAM_TABLES", str(tmp_path / "tables"))
    with Ledger(where) as ledger, Memory() as memory:
        room = Room(ledger, memory)
        room.prepare(Header(game="trut", seats=("Zoe", "Bea")))
        room.remember_names(["Zoe", "Bea"])


@pytest.mark.usefixtures("table")
def test_a_name_is_forgotten_at_the_tables_too(trucam) -> None:
    assert trucam("forget", "--name", "Zoe", "--yes")[:2] == (0, "Zoe is forgotten at 1 table.\n")
    with Memory() as memory:
        assert "Zoe" not in json.dumps(memory.data)
        assert memory.data["names"] == ["Bea"]
        assert memory.data["draft"]["seats"][1] == "Bea"


@pytest.mark.usefixtures("table")
def test_a_name_is_not_forgotten_under_a_table_that_is_served(trucam) -> None:
    with Memory():
        status, out, err = trucam("forget", "--name", "Zoe", "--yes")
    assert (status, out) == (2, "")
    assert "served already" in err
