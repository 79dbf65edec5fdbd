"""How the ledger uses an SQLite file: its settings, and how it waits for other programs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event

from scorekeeper.errors import LedgerError

MAGIC = b"SQLite format 3\0"
LOG_PAGES = 50
"""After so many pages, the write-ahead log is moved into the ledger's file and begun again."""
BUSY_SECONDS = 10
"""Seconds to wait while another process has locked the file."""
BETWEEN_TRIES = 0.005
"""Seconds between two tries meanwhile."""
Result = TypeVar("Result")


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database, or one of the files beside it."""
    if path.name.endswith(("-wal", "-shm", "-journal")):
        return True
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def engine(url: URL) -> Engine:
    """An engine that waits for other programs in all that it does; see ``patiently``."""
    made = create_engine(
        url,
        poolclass=NullPool,
        paramstyle="named",
        connect_args={"timeout": 0, "check_same_thread": False},
    )
    event.listen(made, "do_execute", _execute)
    event.listen(made, "do_executemany", _execute_many)
    event.listen(made, "connect", _prepare)
    event.listen(made, "begin", _begin)
    event.listen(made, "commit", _commit)
    return made


def _prepare(connection: sqlite3.Connection, record: object) -> None:
    # If a damaged disk leaves bytes that are no text, only that row shall be unreadable.
    connection.text_factory = lambda text: text.decode(errors="replace")
    connection.isolation_level = None  # transactions begin when we say so, even before a CREATE
    for pragma in (
        "synchronous=FULL",  # a commit is on disk when it returns
        "foreign_keys=ON",
        "secure_delete=ON",  # deleted rows are overwritten
        # A short log is overwritten instead of growing, which makes appends quick.
        f"wal_autocheckpoint={LOG_PAGES}",
    ):
        patiently(connection.execute, f"PRAGMA {pragma}")  # each of them may read the file


def _begin(connection: Connection) -> None:
    # A transaction that reads first and then writes needs the write lock from its start.
    begin = connection.get_execution_options().get("sqlite_begin", "BEGIN")
    patiently(_driver(connection).execute, begin)


def _commit(connection: Connection) -> None:
    # Until the write-ahead log is on, even a reader can block a commit. SQLAlchemy's own commit
    # would not wait; it finds nothing to do after this one.
    driver = _driver(connection)
    if driver.in_transaction:
        patiently(driver.execute, "COMMIT")


def _execute(cursor: sqlite3.Cursor, statement: str, values: Any, context: object) -> bool:
    patiently(cursor.execute, statement, values)
    return True  # SQLAlchemy need not execute it


def _execute_many(cursor: sqlite3.Cursor, statement: str, values: Any, context: object) -> bool:
    patiently(cursor.executemany, statement, values)
    return True  # SQLAlchemy need not execute it


def patiently(act: Callable[..., Result], *arguments: Any) -> Result:
    """Calls a function of SQLite, again and again until no other program has locked the file.

    SQLite could wait by itself, but then no other thread of this process would go on: no screen
    would get anything while a backup program has locked the ledger.

    Raises:
        sqlite3.OperationalError: It was locked for too long, or something else is wrong.
    """
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return act(*arguments)
        except sqlite3.OperationalError as error:
            # The low byte is the kind of error; the others say more about it.
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > give_up:
                raise
        time.sleep(BETWEEN_TRIES)


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def use_write_ahead_log(connection: Connection, place: str) -> None:
    """Turns the write-ahead log on, so that readers and writers need not wait for each other.

    Args:
        connection: The database.
        place: Name of its file, for the error.

    Raises:
        LedgerError: The file's disk cannot have a write-ahead log.
    """
    if _set_journal(_driver(connection)) != "wal":
        raise LedgerError(
            f"The disk of the ledger {place} cannot keep a write-ahead log: put the ledger on a "
            "disk of this machine."
        )


def _set_journal(driver: sqlite3.Connection) -> str:
    found = patiently(driver.execute, "PRAGMA journal_mode=WAL").fetchone()
    return str(found[0])  # the kind of journal that the file has now


def scrub(connection: Connection, place: str) -> None:
    """Removes what was deleted from an SQLite file and from its write-ahead log, too.

    The file is written anew, because its free space may hold copies of rows that SQLite moved. On
    a server it does nothing: a server cleans its own files, by ``VACUUM`` and in its own time.

    Raises:
        LedgerError: Another program reads the ledger, or the disk is full.
    """
    if connection.dialect.name != "sqlite":
        return
    driver = _driver(connection)
    try:
        driver.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")  # wait for readers, too
        driver.execute("VACUUM")
        busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        reason = "another program reads it" if busy else None
    except sqlite3.Error as error:
        reason = str(error)
    finally:
        driver.execute("PRAGMA busy_timeout=0")
    if reason is not None:
        raise LedgerError(
            f"It is gone from the ledger {place}, but traces of it stay in the files until "
            f"something is forgotten again: {reason}."
        )
