"""A ledger that cannot be opened or written is refused in a sentence, and is not changed."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import LedgerError
from scorekeeper.storage import database, sqlite
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import TRUT, event

HEADER = Header(game=TRUT, seats=("Ana", "Bea"))
DEAL = event("0 deal 3")


def said() -> Said:
    return Said.now(Source.OPERATOR)


def foreign_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photos (name TEXT)")
    connection.commit()
    connection.close()


def foreign_database_in_use(path: Path) -> None:
    foreign_database(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("INSERT INTO photos VALUES ('a')")
    connection.close()


def torn_ledger(path: Path) -> None:
    Ledger(str(path)).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + bytes(len(whole) - 100))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        pytest.param(lambda p: p.write_text("Ana,Bea\n"), "not a ledger, nor an SQLite", id="text"),
        pytest.param(lambda p: p.write_bytes(bytes(5000)), "not a ledger", id="zeros"),
        pytest.param(foreign_database, "SQLite file of another program", id="sqlite"),
        pytest.param(foreign_database_in_use, "SQLite file of another program", id="wal"),
        pytest.param(torn_ledger, "is damaged", id="torn"),
    ],
)
def test_a_file_that_is_no_ledger_is_named_and_not_touched(
    tmp_path: Path, make: Callable[[Path], object], sentence: str
) -> None:
    path = tmp_path / "file"
    make(path)
    before = path.read_bytes()
    with pytest.raises(LedgerError, match=sentence):
        Ledger(str(path))
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir() if "-" not in found.name] == ["file"]


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        (".", "is a folder"),
        ("nowhere/ledger", "the folder .*nowhere does not exist"),
        ("a\0b", "has a NUL character"),
        ("x" * 300, "cannot be opened: File name too long"),
        ("/dev/null", "is not a file"),
        ("sqlite://", "does not name a file"),
        ("sqlite:///:memory:", "does not name a file"),
        ("sqlite:///ledger?mode=ro", "does not name a file"),
        ("mysql://club:secret@host/trucam", "mysql is no database"),
        ("://", "is not a URL"),
        ("postgresql+psycopg://club:secret@host:port/trucam", "is not a URL"),
    ],
)
def test_a_place_where_no_ledger_can_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(database.VARIABLE, raising=False)
    with pytest.raises(LedgerError, match=sentence) as refused:
        Ledger(where)
    assert "secret" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(
        LedgerError, match=r"cannot be used: .*refused.*is the server run"
    ) as refused:
        Ledger("postgresql+psycopg://club:secret@127.0.0.1:1/trucam")
    assert "secret" not in str(refused.value)


def test_a_missing_psycopg_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(LedgerError, match=r"pip install 'psycopg"):
        Ledger("postgresql://club@127.0.0.1:1/trucam")


def test_a_postgresql_database_of_another_program_is_left_alone(postgres_url: str) -> None:
    from sqlalchemy import create_engine, inspect, text

    engine = create_engine(postgres_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE members (name TEXT)"))
    with pytest.raises(LedgerError, match="tables of another program"):
        Ledger(postgres_url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["members"]
    engine.dispose()


def test_the_default_is_a_file_in_the_data_folder_which_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data" / "trucam" / "ledger.sqlite3"
    monkeypatch.delenv(database.VARIABLE, raising=False)
    monkeypatch.setattr(database, "default_path", lambda: path)
    Ledger().close()
    assert path.exists()


@pytest.mark.parametrize("text", ["{}", "sqlite:///{}"])
def test_the_environment_names_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    path = tmp_path / "our ledger %41.db"
    monkeypatch.setenv(database.VARIABLE, text.format(path))
    Ledger().close()
    with Ledger(str(path)) as ledger:
        assert str(ledger) == str(path)


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.touch()
    with Ledger(str(path)) as ledger:
        assert ledger.matches() == []


def test_what_a_power_cut_leaves_of_a_new_ledger_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(bytes(4096))
    journal = bytes.fromhex("d9d505f920a163d7") + bytes(4) + bytes(4) + bytes(4)
    sizes = (512).to_bytes(4) + (4096).to_bytes(4)
    (tmp_path / "ledger-journal").write_bytes((journal + sizes).ljust(512, b"\0"))
    with Ledger(str(path)) as ledger:
        assert ledger.matches() == []


# --- a disk that does not take it ---


def test_a_full_disk_is_told_and_everything_before_is_kept(tmp_path: Path) -> None:
    with Ledger(str(tmp_path / "ledger")) as ledger:
        match_id = ledger.begin(HEADER, said())
        pages = ledger._connection.exec_driver_sql("PRAGMA page_count").scalar()
        ledger._connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
        ledger._connection.rollback()
        long = DEAL._replace(remarks={"note": "x" * 500})
        stored = 0

        def fill() -> None:
            nonlocal stored
            while True:
                stored = ledger.append(match_id, [long] * 3, seen=stored, said=said())

        with pytest.raises(LedgerError, match="The disk is full: nothing was kept"):
            fill()
        assert stored > 0
        assert len(ledger.read(ledger.match(match_id))) == stored
        ledger._connection.exec_driver_sql("PRAGMA max_page_count=1000000")
        ledger._connection.rollback()
        assert ledger.append(match_id, [long], seen=stored, said=said()) == stored + 1


FILL = """
import resource, sys
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.storage.test_ledger_refusals import DEAL, HEADER, said
from scorekeeper.errors import LedgerError
ledger = Ledger(sys.argv[1])
match_id = ledger.begin(HEADER, said())
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
stored = 0
try:
    while True:
        stored = ledger.append(match_id, [DEAL], seen=stored, said=said())
except LedgerError as error:
    print(stored, error)
"""


def test_a_disk_that_refuses_a_write_is_told_and_everything_before_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    limit = 256 * 1024  # the largest size of a file that the child may write; this needs no root
    told = subprocess.run(
        [sys.executable, "-c", FILL, str(path), str(limit)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    ).stdout
    stored, _, sentence = told.partition(" ")
    assert "nothing was kept" in sentence
    with Ledger(str(path)) as ledger:
        assert ledger.last(ledger.matches()[0].id) == int(stored) > 0


@pytest.mark.skipif(os.name != "posix", reason="the limit is POSIX's")
def test_a_disk_that_is_full_from_the_start_leaves_nothing_half_made(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        with pytest.raises(LedgerError, match="nothing was kept"):
            Ledger(str(path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with Ledger(str(path)) as ledger:
        assert ledger.matches() == []


@contextmanager
def nobody() -> Iterator[None]:
    """Gives up the rights of root for a while: root may write to every file."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


@pytest.mark.skipif(os.name != "posix", reason="the rights are POSIX's")
@pytest.mark.parametrize("mode", [0o444, 0o000])
def test_a_ledger_that_may_not_be_written_is_refused(mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "ledger"
        Ledger(str(path)).close()
        before = path.read_bytes()
        path.chmod(mode)
        path.parent.chmod(0o555)
        with nobody(), pytest.raises(LedgerError, match=r"read-only|Permission denied"):
            Ledger(str(path))
        path.parent.chmod(0o755)
        assert path.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="the rights are POSIX's")
def test_a_folder_that_may_not_be_written_is_named() -> None:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        with nobody(), pytest.raises(LedgerError, match="you must be allowed to write in it"):
            Ledger(str(Path(name) / "ledger"))
        Path(name).chmod(0o755)


def test_a_connection_that_was_lost_is_told_and_made_again(postgres_url: str) -> None:
    from sqlalchemy import create_engine, text

    others = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    engine = create_engine(postgres_url)
    with Ledger(postgres_url) as ledger:
        match_id = ledger.begin(HEADER, said())
        with engine.connect() as connection:
            connection.execute(others)
        with pytest.raises(LedgerError, match="is the server running"):
            ledger.append(match_id, [DEAL], seen=0, said=said())
        assert ledger.append(match_id, [DEAL], seen=0, said=said()) == 1
        assert ledger.last(match_id) == 1
    engine.dispose()


@pytest.mark.parametrize(
    ("state", "lost"),
    [
        pytest.param(None, True, id="no-server-answered"),
        pytest.param("53100", False, id="the-server-refused"),
    ],
)
def test_what_no_server_answered_is_a_lost_connection(state: str | None, lost: bool) -> None:
    class OperationalError(Exception):
        sqlstate = state

    context = SimpleNamespace(
        original_exception=OperationalError("sending query failed: terminating connection"),
        dialect=SimpleNamespace(loaded_dbapi=SimpleNamespace(OperationalError=OperationalError)),
        is_disconnect=False,
    )
    database._notice_loss(context)  # type: ignore[arg-type]
    assert context.is_disconnect is lost


def test_a_ledger_that_another_program_keeps_locked_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger"
    Ledger(str(path)).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)
    with pytest.raises(LedgerError, match="locked by another program"):
        Ledger(str(path))
    other.close()


def test_while_another_program_holds_the_ledger_this_one_is_not_held_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger"
    with Ledger(str(path)) as ledger:
        match_id = ledger.begin(HEADER, said())
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waits: list[float] = []

        def sleep(seconds: float) -> None:  # gevent's lets others go on meanwhile
            waits.append(seconds)
            if len(waits) == 3:
                other.execute("ROLLBACK")

        monkeypatch.setattr(sqlite.time, "sleep", sleep)
        assert ledger.append(match_id, [DEAL], seen=0, said=said()) == 1
        other.close()
    assert len(waits) == 3
    assert max(waits) < 0.1
