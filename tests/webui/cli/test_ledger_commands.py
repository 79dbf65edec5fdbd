"""``trucam matches``, ``trucam export`` and ``trucam import``, as a user runs them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.history.record import read_record, write_record
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.playouts import HEADERS, bare, playout
from tests.scorekeeper.talk import LT_ACE, TRUT, event
from webui.cli import main

SAID = Said(datetime(2026, 11, 21, 1, 30, tzinfo=UTC), Source.PHONE, "Ana")


class Ran:
    """The result of a run of ``trucam``: exit status, standard output and standard error."""

    def __init__(self, status: object, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


Trucam = Callable[..., Ran]


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = str(tmp_path / "ledger")
    monkeypatch.setenv("TRUCAM_LEDGER", path)
    monkeypatch.chdir(tmp_path)
    return path


@pytest.fixture
def trucam(
    where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Trucam:
    def run(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["trucam", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return Ran(left.value.code or 0, captured.out, captured.err)

    return run


def store(where: str, header: Header, *texts: str, said: Said = SAID) -> int:
    with Ledger(where) as ledger:
        match_id = ledger.begin(header, said)
        for seen, text in enumerate(texts):
            ledger.append(match_id, [event(text)], seen=seen, said=said)
    return match_id


def refused(ran: Ran) -> str:
    """Checks that a run ended as after a user's mistake; returns its one line of error."""
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    return ran.err


def test_matches_lists_evening_game_players_and_score(where: str, trucam: Trucam) -> None:
    seats = ("Ana", "Bea", "Carles", "Dani")
    store(where, Header(game=LT_ACE, seats=seats, best_of=3), "award 0 5", "award 1 12")
    store(where, Header(game=TRUT, seats=seats[:2]), "award 1 4")
    store(where, Header(game=LT_ACE, seats=seats[:2]), "award 1 12")
    store(where, Header(game=LT_ACE, seats=("A\nB\x1b", "Bea")))
    ran = trucam("matches")
    assert ran.status == 0
    assert [line.split() for line in ran.out.splitlines()] == [
        line.split()
        for line in (
            "1 2026-11-20 le_truc_ace Ana & Carles – Bea & Dani 5 – 12 (games 0 – 1), in play",
            "2 2026-11-20 trut Ana – Bea 0 L 0 S – 1 L 1 S, in play",
            "3 2026-11-20 le_truc_ace Ana – Bea 0 – 12, Bea won",
            r"4 2026-11-20 le_truc_ace A\nB\x1b – Bea not begun",
        )
    ]
    assert trucam("matches", "--last", 1).out.startswith("4 ")


def test_who_took_over_a_seat_is_listed_as_who_won(where: str, trucam: Trucam) -> None:
    store(where, Header(game=LT_ACE, seats=("Ana", "Bea")), "1 player Dan", "award 1 12")
    assert trucam("matches").out.rstrip().endswith("Ana – Dan  0 – 12, Dan won")


def test_matches_of_a_new_ledger_says_that_there_are_none(trucam: Trucam) -> None:
    ran = trucam("matches")
    assert (ran.status, ran.out) == (0, "")
    assert "no matches" in ran.err


def test_a_match_that_the_rules_no_longer_allow_does_not_hide_the_others(
    where: str, trucam: Trucam
) -> None:
    store(where, Header(game=LT_ACE, seats=("Ana", "Bea")), "1 play KS")
    store(where, Header(game=LT_ACE, seats=("Ana", "Bea")), "award 1 2")
    first, second = trucam("matches").out.splitlines()
    assert "V-3" in first
    assert second.endswith("0 – 2, in play")


def test_export_shows_who_said_it_when_and_from_where(where: str, trucam: Trucam) -> None:
    match_id = store(where, Header(game=LT_ACE, seats=("Ana", "Bea")), "0 deal 3")
    header, deal = map(json.loads, trucam("export", match_id).out.splitlines())
    assert header["format"] == "trucam-record/1"
    assert deal == {
        "do": "deal",
        "seat": 0,
        "cards": 3,
        "_at": "2026-11-21T01:30:00.000Z",
        "_utc_offset": 0,
        "_source": "phone",
        "_who": "Ana",
    }


@pytest.mark.parametrize("number", range(len(HEADERS)))
def test_import_then_export_gives_the_same_record(
    tmp_path: Path, trucam: Trucam, number: int
) -> None:
    header = HEADERS[number]
    events = playout(header, Random(number), 80)
    remarks = {"_at": "2026-05-01T23:10:00.000Z", "_utc_offset": 120, "note": "\x1b é"}
    events[0] = events[0]._replace(remarks=remarks)
    record = "".join(write_record(header, events)).encode()
    (tmp_path / "record").write_bytes(record)
    assert trucam("import", "record").out == "match 1\n"
    assert trucam("export", 1, "-o", "copy").status == 0
    assert (tmp_path / "copy").read_bytes() == record
    assert trucam("export", 1).out.encode() == record
    assert "2026-05-01" in trucam("matches").out


def test_export_then_import_then_export_gives_the_same_record(where: str, trucam: Trucam) -> None:
    match_id = store(where, Header(game=LT_ACE, seats=("Ana", "Bea")), "0 deal 3", "1 play KS")
    trucam("export", match_id, "-o", "one")
    copy = int(trucam("import", "one").out.split()[1])
    trucam("export", copy, "-o", "two")
    assert Path("one").read_bytes() == Path("two").read_bytes()
    lines = trucam("matches").out.splitlines()
    assert lines[0].split()[1:] == lines[1].split()[1:]


def test_an_imported_match_is_played_on(where: str, trucam: Trucam, tmp_path: Path) -> None:
    header = Header(game=LT_ACE, seats=("Ana", "Bea"))
    (tmp_path / "record").write_text("".join(write_record(header, [event("0 deal 3")])))
    trucam("import", "record")
    with Ledger(where) as ledger:
        ledger.append(1, [event("1 play KS")], seen=1, said=SAID)
    trucam("export", 1, "-o", "copy")
    with open("copy", "rb") as stream:
        events = read_record(stream).events
    assert bare(events) == [event("0 deal 3"), event("1 play KS")]
    assert [e.remarks.get("_source") for e in events] == [None, "phone"]


HEADER_LINE = json.dumps(Header(game=LT_ACE, seats=("Ana", "Bea")).to_json())


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (f'{HEADER_LINE}\n{{"do": "play", "seat": 0, "card": "KS"}}\n', "line 2: V-3: "),
        (f"{HEADER_LINE}\nnonsense\n", "line 2: format: "),
        ("", "line 1: format: "),
        ("\0" * 100_000, "line 1: format: "),
        ('{"format": "trucam-record/2"}\n', "line 1: format: "),
        (f'{HEADER_LINE}\n{{"do": "undo", "x": {"[" * 30000}\n', "line 2: format: "),
    ],
)
def test_a_broken_record_is_refused_with_its_line_and_nothing_is_kept(
    trucam: Trucam, tmp_path: Path, record: str, sentence: str
) -> None:
    (tmp_path / "record").write_text(record)
    assert refused(trucam("import", "record")).startswith(f"record, {sentence}")
    assert trucam("matches").out == ""


def test_a_torn_last_line_is_told_and_left_out(trucam: Trucam, tmp_path: Path) -> None:
    (tmp_path / "record").write_text(
        f'{HEADER_LINE}\n{{"do": "deal", "seat": 0, "cards": 3}}\n{{"d'
    )
    ran = trucam("import", "record")
    assert (ran.status, ran.out) == (0, "match 1\n")
    assert "torn" in ran.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("export", 5), "There is no match 5"),
        (("export", 0), "0 is not in the range"),
        (("export", 10**30), "is not in the range"),
        (("export", "x"), "not a valid integer"),
        (("export", 1, "-o", "."), "is not a file"),
        (("export", 1, "-o", "nowhere/record"), "does not exist"),
        (("export", 1, "-o", "a\0b"), "cannot be a file's name"),
        (("export", 1, "-o", "x" * 300), "File name too long"),
        (("export", 1, "-o", "/dev/null"), "is not a file"),
        (("import", "nowhere"), "No such file"),
        (("import", "."), "directory"),
    ],
)
def test_what_cannot_be_done_ends_in_one_line(
    where: str, trucam: Trucam, words: tuple[object, ...], sentence: str
) -> None:
    store(where, Header(game=LT_ACE, seats=("Ana", "Bea")))
    assert sentence in refused(trucam(*words))
    assert os.listdir() == ["ledger"]


@pytest.mark.parametrize("command", [("matches",), ("export", 1), ("import", "ledger")])
def test_a_ledger_that_is_none_ends_in_one_line(
    where: str, trucam: Trucam, command: tuple[object, ...]
) -> None:
    Path(where).write_text(HEADER_LINE + "\n")
    assert "is not a ledger" in refused(trucam(*command))
    assert Path(where).read_text() == HEADER_LINE + "\n"


def test_a_record_that_cannot_be_written_whole_leaves_the_old_one(
    where: str, trucam: Trucam, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = store(where, Header(game=LT_ACE, seats=("Ana", "Bea")))
    Path("record").write_text("precious")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in refused(trucam("export", match_id, "-o", "record"))
    assert Path("record").read_text() == "precious"
    assert sorted(os.listdir()) == ["ledger", "record"]


def test_a_record_takes_the_place_of_the_old_one_behind_a_link(where: str, trucam: Trucam) -> None:
    match_id = store(where, Header(game=LT_ACE, seats=("Ana", "Bea")))
    Path("old").write_text("old")
    Path("old").chmod(0o640)
    Path("link").symlink_to("old")
    assert trucam("export", match_id, "-o", "link").status == 0
    assert Path("link").is_symlink()
    assert Path("old").read_text().startswith('{"format"')
    assert Path("old").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("modules", ["webui.cli, webui.cli.record", "vision.process.worker"])
def test_what_needs_no_ledger_does_not_load_a_database(modules: str) -> None:
    """The watching process starts in half the time without it, also when it has died."""
    code = f"import sys, {modules}; print('sqlalchemy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_export_never_overwrites_a_ledger(where: str, trucam: Trucam) -> None:
    match_id = store(where, HEADERS[0], "0 deal 3")
    before = Path(where).read_bytes()
    assert "left as it is" in refused(trucam("export", match_id, "-o", where))
    assert Path(where).read_bytes() == before


def test_export_to_a_link_that_leads_nowhere(where: str, trucam: Trucam, tmp_path: Path) -> None:
    match_id = store(where, HEADERS[0])
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused(trucam("export", match_id, "-o", tmp_path / "loop"))


def test_one_damaged_match_hides_none_of_the_others(where: str, trucam: Trucam) -> None:
    first, second = store(where, HEADERS[0]), store(where, HEADERS[1])
    with contextlib.closing(sqlite3.connect(where)) as database, database:
        database.execute("update matches set header = '{' where id = ?", (first,))
    listed = trucam("matches")
    assert listed.status == 0
    assert f"Match {first} cannot be read" in listed.out
    assert any(line.startswith(f"{second} ") for line in listed.out.splitlines())


def test_import_from_standard_input(
    where: str, trucam: Trucam, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = "".join(write_record(HEADERS[0], []))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(record.encode())))
    assert trucam("import", "-").out == "match 1\n"


@pytest.mark.parametrize("place", [":memory:", "~nobody-of-this-name/ledger"])
def test_a_ledger_that_cannot_be(
    where: str, trucam: Trucam, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("TRUCAM_LEDGER", place)
    refused(trucam("matches"))


def test_doctor_names_a_damaged_ledger(where: str, trucam: Trucam) -> None:
    with Ledger(where) as ledger:
        match_id = ledger.begin(HEADERS[0], SAID)
        for seen in range(400):
            ledger.append(match_id, [event("award 0 1"), event("undo")], seen=2 * seen, said=SAID)
    with Path(where).open("r+b") as file:
        file.seek(8192)
        file.write(bytes(8192))
    ran = trucam("doctor")
    assert ran.status == 1
    assert "damaged" in ran.out or "malformed" in ran.out
