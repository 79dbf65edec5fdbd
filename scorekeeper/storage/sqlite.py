"""How the ledger uses an SQLite file: what a connection sets, and how it waits for its turn."""

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
"""Pages in the write-ahead log after which it is moved into the ledger's file and begun again."""
BUSY_SECONDS = 10
"""How long to wait while another process writes to the same file."""
BETWEEN_TRIES = 0.005
Result = TypeVar("Result")


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database, or a part of one."""
    if path.name.endswith(("-wal", "-shm", "-journal")):
        return True
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def engine(url: URL) -> Engine:
    """An engine whose transactions begin and end patiently; see :func:`patiently`."""
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
    # A damaged disk leaves letters that are none: one row cannot be read then, and not all of them.
    connection.text_factory = lambda text: text.decode(errors="replace")
    connection.isolation_level = None  # transactions begin when we say so, also before a CREATE
    for pragma in (
        "synchronous=FULL",  # a commit is on disk, whatever happens next
        "foreign_keys=ON",
        "secure_delete=ON",  # what is deleted is written over
        # A short log is soon written over instead of growing: that makes an append quick.
        f"wal_autocheckpoint={LOG_PAGES}",
    ):
        patiently(connection.execute, f"PRAGMA {pragma}")  # each of them may read the file


def _begin(connection: Connection) -> None:
    # What reads first and writes then must have the writer's lock from the start.
    begin = connection.get_execution_options().get("sqlite_begin", "BEGIN")
    patiently(_driver(connection).execute, begin)


def _commit(connection: Connection) -> None:
    # Whoever only reads stops a commit until the write-ahead log is on. SQLAlchemy's own commit,
    # which does not wait, then finds nothing left to do.
    driver = _driver(connection)
    if driver.in_transaction:
        patiently(driver.execute, "COMMIT")


def _execute(cursor: sqlite3.Cursor, statement: str, values: Any, context: object) -> bool:
    patiently(cursor.execute, statement, values)
    return True  # it is done


def _execute_many(cursor: sqlite3.Cursor, statement: str, values: Any, context: object) -> bool:
    patiently(cursor.executemany, statement, values)
    return True


def patiently(act: Callable[..., Result], *arguments: Any) -> Result:
    """Does something with an SQLite file as soon as other programs let it.

    SQLite would wait by itself, but then nothing else in this process would go on: no screen would
    be sent anything while somebody's backup holds the ledger.

    Raises:
        sqlite3.OperationalError: They hold it for too long, or something else is wrong.
    """
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return act(*arguments)
        except sqlite3.OperationalError as error:
            # The low byte is the kind: busy, also with a log that is begun or was just written.
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > give_up:
                raise
        time.sleep(BETWEEN_TRIES)


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def use_write_ahead_log(connection: Connection, place: str) -> None:
    """Turns the write-ahead log on: who reads and who writes need not wait for each other then.

    SQLite does not wait by itself where two that have just created a ledger turn it on at once.

    Raises:
        LedgerError: The file's disk cannot have one; ``place`` names the file.
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
    """Clears what was deleted out of an SQLite file, and out of its write-ahead log.

    The file is written anew, because free room in it may hold copies that SQLite made when it
    moved rows about. A server clears its own files, by ``VACUUM`` and in its own time: there is
    nothing to do.

    Raises:
        LedgerError: Another program reads the ledger, or the disk is full.
    """
    if connection.dialect.name != "sqlite":
        return
    driver = _driver(connection)
    try:
        driver.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")  # also for those who read
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
