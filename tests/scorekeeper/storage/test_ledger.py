"""The ledger: what it keeps, which appends it refuses, and how older ledgers are updated."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import FormatError, LedgerError, StaleAppend
from scorekeeper.storage import database, migrations, sqlite
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import TRUT, event

HEADER = Header(game=TRUT, seats=("Ana", "Bea"), best_of=3)
SUMMER = timezone(timedelta(hours=2))
SAID = Said(datetime(2026, 6, 20, 22, 15, 3, 120_000, SUMMER), Source.PHONE, "Ana")
DEAL = event("0 deal 3")


def begin(ledger: Ledger, events: int = 0) -> int:
    match_id = ledger.begin(HEADER, SAID)
    for seen in range(events):
        ledger.append(match_id, [DEAL], seen=seen, said=SAID)
    return match_id


def kept(ledger: Ledger, match_id: int) -> list[Event]:
    return [entry.event for entry in ledger.read(ledger.match(match_id))]


# --- what it keeps ---


def test_events_come_back_with_who_said_them_when_and_from_where(ledger: Ledger) -> None:
    match_id = begin(ledger)
    other = SAID._replace(source=Source.CAMERA, who=None)
    assert ledger.append(match_id, [DEAL], seen=0, said=SAID) == 1
    assert ledger.append(match_id, [event("1 play 7S")], seen=1, said=other) == 2
    entries = ledger.read(ledger.match(match_id))
    assert [(entry.seq, entry.said) for entry in entries] == [(1, SAID), (2, other)]
    assert entries[0].said.at.utcoffset() == timedelta(hours=2)
    assert ledger.read(ledger.match(match_id), after=1) == entries[1:]
    assert entries[0].marked.to_json() == {
        "do": "deal",
        "seat": 0,
        "cards": 3,
        "_at": "2026-06-20T20:15:03.120Z",
        "_utc_offset": 120,
        "_source": "phone",
        "_who": "Ana",
    }
    assert "_who" not in entries[1].marked.remarks


@pytest.mark.parametrize(
    "extra",
    [
        {"_group": "7", "_again": 3},
        {"note": "é\u001b ' \" \\ %s {x}", "deep": {"a": [1, None, 2.5]}},
        {"seat": "nobody"},
    ],
)
def test_unknown_keys_are_kept(ledger: Ledger, extra: dict[str, object]) -> None:
    match_id = begin(ledger)
    data = {"do": "undo", **extra}
    undo = parse_event(data, verbs=HEADER.verbs, seats=2)
    ledger.append(match_id, [undo], seen=0, said=SAID)
    assert kept(ledger, match_id) == [undo]


def test_a_match_is_kept_with_its_header_and_the_clock_of_its_table(ledger: Ledger) -> None:
    header = parse_header({**HEADER.to_json(), "club": "La Peña", "options": {"target": 5}})
    first = ledger.begin(header, SAID)
    second = begin(ledger)
    found = ledger.matches()
    assert [entry.id for entry in found] == [first, second]
    assert found[0].header == header
    assert found[0].begun == SAID.at
    assert found[0].begun.utcoffset() == timedelta(hours=2)


def test_everything_is_there_when_the_ledger_is_opened_again(ledger_url: str) -> None:
    with Ledger(ledger_url) as ledger:
        match_id = begin(ledger, events=3)
    with Ledger(ledger_url) as ledger:
        assert kept(ledger, match_id) == [DEAL] * 3
        assert ledger.last(match_id) == 3


def test_an_append_of_several_events_is_kept_whole_or_not_at_all(ledger: Ledger) -> None:
    match_id = begin(ledger, events=2)
    ledger.append(match_id, [DEAL, DEAL], seen=2, said=SAID)
    unreadable = Event("undo", remarks={"x": float("nan")})
    with pytest.raises(FormatError):
        ledger.append(match_id, [DEAL, unreadable], seen=4, said=SAID)
    with pytest.raises(StaleAppend):
        ledger.append(match_id, [DEAL, DEAL, DEAL], seen=3, said=SAID)
    assert ledger.last(match_id) == 4


def test_a_record_is_added_whole_or_not_at_all(ledger: Ledger) -> None:
    unreadable = Event("undo", remarks={"x": float("nan")})
    with pytest.raises(FormatError):
        ledger.add(HEADER, [DEAL, unreadable], SAID, begun=SAID.at)
    assert ledger.matches() == []


# --- whom it refuses ---


@pytest.mark.parametrize("seen", [0, 2, 4, 99])
def test_the_database_refuses_an_append_at_another_number(ledger: Ledger, seen: int) -> None:
    match_id = begin(ledger, events=3)
    with pytest.raises(StaleAppend) as refused:
        ledger.append(match_id, [DEAL], seen=seen, said=SAID)
    assert (refused.value.seen, refused.value.now) == (seen, 3)
    assert ledger.last(match_id) == 3


@pytest.mark.parametrize("seen", [0, 1])
def test_a_match_that_does_not_exist_is_named(ledger: Ledger, seen: int) -> None:
    for ask in (
        lambda: ledger.append(7, [DEAL], seen=seen, said=SAID),
        lambda: ledger.match(7),
        lambda: ledger.last(7),
    ):
        with pytest.raises(LedgerError, match="There is no match 7"):
            ask()


def test_of_two_who_answer_at_the_same_moment_one_is_first(ledger_url: str) -> None:
    phones, rounds = 4, 20
    with Ledger(ledger_url) as ledger:
        match_id = begin(ledger)
    starts = [threading.Barrier(phones) for _ in range(rounds)]
    won: list[tuple[int, int]] = []

    def answer(phone: int) -> None:
        with Ledger(ledger_url) as own:
            for seen, barrier in enumerate(starts):
                barrier.wait()
                try:
                    own.append(match_id, [DEAL], seen=seen, said=SAID)
                except StaleAppend:
                    continue
                won.append((seen, phone))

    threads = [threading.Thread(target=answer, args=(phone,)) for phone in range(phones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen for seen, _ in won) == list(range(rounds))
    with Ledger(ledger_url) as ledger:
        assert ledger.last(match_id) == rounds


def test_one_ledger_serves_several_threads(ledger: Ledger) -> None:
    ids = [begin(ledger) for _ in range(4)]

    def fill(match_id: int) -> None:
        for seen in range(25):
            ledger.append(match_id, [DEAL], seen=seen, said=SAID)

    threads = [threading.Thread(target=fill, args=(match_id,)) for match_id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [ledger.last(match_id) for match_id in ids] == [25] * 4


def test_a_commit_waits_for_who_reads_before_the_write_ahead_log_is_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ledger.sqlite3"
    connection = database.connect(make_url(f"sqlite:///{file}"))
    sqlite._driver(connection).execute("PRAGMA journal_mode=DELETE")
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    tries: list[float] = []

    def wait(seconds: float) -> None:
        tries.append(seconds)
        reader.close()

    monkeypatch.setattr(sqlite.time, "sleep", wait)
    with connection.begin():
        connection.exec_driver_sql("CREATE TABLE kept (it)")
    connection.close()
    assert tries == [sqlite.BETWEEN_TRIES]


def test_several_may_create_the_same_ledger_at_once(ledger_url: str) -> None:
    barrier = threading.Barrier(6)
    errors: list[BaseException] = []

    def create() -> None:
        barrier.wait()
        try:
            with Ledger(ledger_url) as ledger:
                begin(ledger, events=1)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=create) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with Ledger(ledger_url) as ledger:
        assert [ledger.last(entry.id) for entry in ledger.matches()] == [1] * 6


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with Ledger(str(path)) as ledger:
        match_id = begin(ledger, events=1)
        writer = sqlite3.connect(path, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        assert kept(ledger, match_id) == [DEAL]
        writer.close()


# --- form and durability ---


def test_the_tables_are_those_that_the_migrations_make(ledger: Ledger) -> None:
    inspector = inspect(ledger._connection)
    for table in database.metadata.sorted_tables:
        made = {column["name"]: column for column in inspector.get_columns(table.name)}
        assert set(made) == set(table.columns.keys())
        for column in table.columns:
            assert made[column.name]["nullable"] == column.nullable
        key = inspector.get_pk_constraint(table.name)["constrained_columns"]
        assert key == [column.name for column in table.primary_key]


def test_the_newest_migration_is_the_one_that_the_program_asks_for() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations.FOLDER))
    assert ScriptDirectory.from_config(config).get_heads() == [database.HEAD]


def test_an_sqlite_ledger_writes_ahead_and_syncs_every_commit(tmp_path: Path) -> None:
    with Ledger(str(tmp_path / "ledger")) as ledger:
        pragmas = {
            name: ledger._connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "application_id")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "application_id": database.APPLICATION_ID,
    }


def test_a_commit_in_postgresql_is_on_disk(postgres_url: str) -> None:
    with Ledger(postgres_url) as ledger:
        assert ledger._connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


NEXT_STEP = """
from alembic import op
import sqlalchemy as sa
revision, down_revision = "next", "{head}"
def upgrade():
    op.add_column("matches", sa.Column("place", sa.Text))
    {more}
"""


def next_version(folder: Path, monkeypatch: pytest.MonkeyPatch, more: str = "") -> None:
    """Adds a migration, as if the program were newer than the existing ledgers."""
    (folder / "versions").mkdir(parents=True)
    for path in (migrations.FOLDER / "env.py", *migrations.FOLDER.glob("versions/r*.py")):
        (folder / path.relative_to(migrations.FOLDER)).write_text(path.read_text())
    step = NEXT_STEP.format(head=database.HEAD, more=more)
    (folder / "versions" / "next_place.py").write_text(step)
    monkeypatch.setattr(migrations, "FOLDER", folder)
    monkeypatch.setattr(database, "HEAD", "next")


def test_an_older_ledger_is_brought_up_to_date_and_keeps_everything(
    ledger_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(ledger_url) as ledger:
        match_id = begin(ledger, events=2)
    next_version(tmp_path / "100% new", monkeypatch)
    with Ledger(ledger_url) as ledger:
        assert kept(ledger, match_id) == [DEAL] * 2
        columns = inspect(ledger._connection).get_columns("matches")
        assert columns[-1]["name"] == "place"


def test_a_migration_that_fails_changes_nothing(
    ledger_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(ledger_url) as ledger:
        match_id = begin(ledger, events=2)
    with monkeypatch.context() as patch:
        next_version(tmp_path / "new", patch, more='op.execute("INSERT INTO nowhere VALUES (1)")')
        with pytest.raises(LedgerError, match="nowhere"):
            Ledger(ledger_url)
    with Ledger(ledger_url) as ledger:
        assert kept(ledger, match_id) == [DEAL] * 2
        assert len(inspect(ledger._connection).get_columns("matches")) == 4


def test_a_ledger_of_a_newer_version_is_refused_and_left_alone(
    ledger_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        next_version(tmp_path / "new", patch)
        Ledger(ledger_url).close()
    with pytest.raises(LedgerError, match=r"newer version of trucam .*: update trucam"):
        Ledger(ledger_url)
    with monkeypatch.context() as patch:
        patch.setattr(database, "HEAD", "next")
        Ledger(ledger_url).close()


def test_alembic_is_loaded_only_where_a_migration_is_needed(tmp_path: Path) -> None:
    code = (
        "import sys; from scorekeeper.storage.ledger import Ledger; Ledger(sys.argv[1]).close();"
        "print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "ledger")]
    assert [subprocess.check_output(command, text=True).strip() for _ in range(2)] == [
        "True",
        "False",
    ]
