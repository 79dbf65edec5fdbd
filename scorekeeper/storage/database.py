"""The ledger's database: where it is, and how it is opened without harm to other files."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import platformdirs
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    NullPool,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from scorekeeper.errors import LedgerError
from scorekeeper.storage import sqlite
from scorekeeper.storage.media import USUAL_DAYS, USUAL_MEGABYTES, Pictures
from scorekeeper.storage.schema import metadata

VARIABLE = "TRUCAM_LEDGER"
HEAD = "0005"
"""Revision of the newest step in ``scorekeeper.storage.migrations``."""
VERSION_TABLE = "trucam_version"
DAYS, MEGABYTES = "TRUCAM_EVIDENCE_DAYS", "TRUCAM_EVIDENCE_MB"
"""Name other amounts of pictures than the usual ones; 0 keeps nothing."""
APPLICATION_ID = int.from_bytes(b"TRUC")
"""Marks an SQLite file as a ledger, in SQLite's own header."""

PATIENCE = {
    "connect_timeout": 10,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
"""How long a server may be silent before it counts as lost, even if a cable was pulled."""


def default_path() -> Path:
    """The ledger's file in the user's data folder."""
    return platformdirs.user_data_path("trucam", appauthor=False) / "ledger.sqlite3"


def locate(where: str | None = None) -> URL:
    """Where the ledger is.

    Args:
        where: A path, or a URL of SQLite or PostgreSQL; None for the one in the environment
            variable ``VARIABLE``, or else the file in the user's data folder.

    Raises:
        LedgerError: It is neither a path nor such a URL.
    """
    where = os.environ.get(VARIABLE, "") if where is None else where
    if where.strip() == ":memory:":
        raise LedgerError(f":memory: keeps nothing; write a path for the ledger in {VARIABLE}.")
    if not where.strip():
        return URL.create("sqlite", database=str(default_path()))
    if "://" not in where:
        try:
            return URL.create("sqlite", database=str(Path(where).expanduser()))
        except RuntimeError:
            raise LedgerError(f"There is no such home folder as in {where}.") from None
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        # The text is not repeated: there may be a password in it.
        raise LedgerError(
            f"{VARIABLE} is not a URL that can be read; write a path, or "
            "postgresql+psycopg://USER:PASSWORD@HOST/DATABASE."
        ) from None
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        if url.database in (None, "", ":memory:") or url.query or url.host:
            raise LedgerError(
                f"{shown(url)} does not name a file; write a path, or sqlite:///PATH, for the "
                "ledger."
            )
        return URL.create("sqlite", database=url.database)
    if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise LedgerError(
        f"{url.drivername} is no database that trucam keeps a ledger in; use SQLite (a path), or "
        "postgresql+psycopg://."
    )


def shown(url: URL) -> str:
    """The ledger's place for people, without the password."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return url.render_as_string(hide_password=True)


def pictures_of(url: URL) -> Pictures:
    """The pictures of a ledger: beside its file, or for a server in the user's data folder.

    Raises:
        LedgerError: The environment names amounts that are none.
    """
    if url.get_backend_name() == "sqlite" and url.database:
        path = Path(url.database)
        folder = path.parent / f"{path.name}-evidence"
    else:
        place = f"{url.host}:{url.port}/{url.database}"
        folder = default_path().with_name(
            f"evidence-{hashlib.sha256(place.encode()).hexdigest()[:12]}"
        )
    return Pictures(
        folder, days=_amount(DAYS, USUAL_DAYS), most=_amount(MEGABYTES, USUAL_MEGABYTES) * 1e6
    )


def _amount(variable: str, usual: float) -> float:
    text = os.environ.get(variable, "").strip()
    try:
        amount = float(text) if text else usual
    except ValueError:
        amount = -1.0
    if not 0 <= amount < float("inf"):
        raise LedgerError(f"{variable} is a number, 0 or more, not {text!r}.")
    return amount


def connect(url: URL) -> Connection:
    """Opens the database, and creates its tables or brings them up to date if necessary.

    Raises:
        LedgerError: It cannot be opened, or is no ledger; then it is not touched.
    """
    is_file = url.get_backend_name() == "sqlite"
    new = is_file and _check_file(Path(url.database or ""))
    with explained(url):
        connection = (sqlite.engine(url) if is_file else _engine(url)).connect()
        try:
            connection.execution_options(sqlite_begin="BEGIN IMMEDIATE")
            _bring_up_to_date(connection, url, new=new)
            connection.execution_options(sqlite_begin="BEGIN")
            if is_file:
                sqlite.use_write_ahead_log(connection, shown(url))
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Turns the errors of a database into one sentence.

    Raises:
        LedgerError: Instead of the database's own error.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, UnicodeError) as error:
        _explain(url, error)


@contextmanager
def readable(what: str, place: str) -> Iterator[None]:
    """Turns the errors of a reader into a sentence on which part of a ledger cannot be read.

    Raises:
        LedgerError: Instead of the reader's own error.
    """
    try:
        yield
    except (ValueError, OverflowError, RecursionError) as error:
        raise LedgerError(
            f"{what[0].upper()}{what[1:]} cannot be read: {error}. The ledger {place} is damaged."
        ) from error


def _explain(url: URL, error: Exception) -> NoReturn:
    cause = error.orig if isinstance(error, DBAPIError) else error
    place = shown(url)
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorname", "") or ""
        for start, sentence in SQLITE_SENTENCES.items():
            if code.startswith(start):
                raise LedgerError(sentence.format(place=place)) from error
    reason = (str(cause).splitlines() or [type(cause).__name__])[0].rstrip(".")
    if isinstance(error, DBAPIError) and url.get_backend_name() == "postgresql":
        lost = error.connection_invalidated or "connection failed" in reason
        advice = "is the server running, and is the address right?" if lost else "nothing was kept."
        raise LedgerError(f"The ledger {place} cannot be used: {reason}; {advice}") from error
    raise LedgerError(f"The ledger {place} cannot be used: {reason}.") from error


SQLITE_SENTENCES = {
    "SQLITE_FULL": "The disk is full: nothing was kept in the ledger {place}; make room and say it "
    "again.",
    "SQLITE_READONLY": "The ledger {place} is read-only: make the file and its folder writable, or "
    f"name another one in {VARIABLE}.",
    "SQLITE_BUSY": "The ledger {place} is locked by another program: try again when that has "
    "finished.",
    "SQLITE_CANTOPEN": "The ledger {place} cannot be opened: its folder must exist, and you must "
    "be allowed to write in it.",
    "SQLITE_IOERR": "The disk does not take or give what belongs to the ledger {place}: nothing "
    "was kept; see whether it is full or broken.",
    "SQLITE_CORRUPT": "The ledger {place} is damaged: keep a copy of it, and name another one in "
    f"{VARIABLE}.",
    "SQLITE_NOTADB": "The ledger {place} is damaged: keep a copy of it, and name another one in "
    f"{VARIABLE}.",
}
"""Beginning of SQLite's own name of an error, to the sentence for people."""


def _check_file(path: Path) -> bool:
    """Looks at a file without SQLite, which would change what it opens.

    Returns:
        Whether there is no ledger yet.

    Raises:
        LedgerError: The file is something else, or its folder is missing.
    """
    if "\0" in str(path):
        raise LedgerError(f"The name of the ledger, {str(path)!r}, has a NUL character in it.")
    try:
        if path == default_path():
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise LedgerError(f"The ledger {path} is a folder: name a file in {VARIABLE}.")
        if not path.parent.is_dir():
            raise LedgerError(
                f"The ledger {path} cannot be created: the folder {path.parent} does not exist."
            )
        if path.exists() and not path.is_file():
            raise LedgerError(f"The ledger {path} is not a file: name one in {VARIABLE}.")
        if not path.exists() or path.stat().st_size == 0:
            return True
        with path.open("rb") as file:
            start = file.read(100)  # SQLite's own header
    except OSError as error:
        raise LedgerError(f"The ledger {path} cannot be opened: {error.strerror}.") from error
    if not any(start) and Path(f"{path}-journal").exists():
        return True  # a power cut leaves this if it comes while a ledger is being created
    if not start.startswith(sqlite.MAGIC):
        raise LedgerError(
            f"{path} is not a ledger, nor an SQLite file: it was left as it is; name another one "
            f"in {VARIABLE}."
        )
    if start[68:72] != APPLICATION_ID.to_bytes(4):
        raise LedgerError(
            f"{path} is the SQLite file of another program: it was left as it is; name another "
            f"one in {VARIABLE}."
        )
    return False


def _engine(url: URL) -> Engine:
    try:
        engine = create_engine(
            url,
            poolclass=NullPool,
            connect_args={name: n for name, n in PATIENCE.items() if name not in url.query},
        )
    except (ModuleNotFoundError, NoSuchModuleError):
        raise LedgerError(
            "A ledger in PostgreSQL needs psycopg, which is not installed: "
            "python -m pip install 'psycopg[binary]'."
        ) from None
    event.listen(engine, "connect", _prepare_postgresql)
    event.listen(engine, "handle_error", _notice_loss)
    return engine


def _notice_loss(context: ExceptionContext) -> None:
    """Marks a connection as lost if an error comes not from the server, but from the way to it."""
    cause, dialect = context.original_exception, context.dialect
    if isinstance(cause, dialect.loaded_dbapi.OperationalError):
        context.is_disconnect |= getattr(cause, "sqlstate", None) is None


def _prepare_postgresql(connection: object, record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("SET synchronous_commit TO on")  # whatever the server's configuration says
    cursor.close()
    connection.commit()  # type: ignore[attr-defined]


@contextmanager
def rewriting(connection: Connection) -> Iterator[None]:
    """A transaction in which nobody else can write: for what reads first and then writes."""
    connection.execution_options(sqlite_begin="BEGIN IMMEDIATE")
    try:
        with connection.begin():
            if connection.dialect.name == "postgresql":
                names = ", ".join(metadata.tables)
                connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))
            yield
    finally:
        connection.execution_options(sqlite_begin="BEGIN")


def _bring_up_to_date(connection: Connection, url: URL, *, new: bool) -> None:
    """Runs the steps that a new or an older ledger lacks.

    Raises:
        LedgerError: The database belongs to another program, or to a newer version of this one.
    """
    if not new:
        with connection.begin():  # if the ledger is read-only, it fails here, not in a match
            if _version(connection) == HEAD:
                return
    from scorekeeper.storage import migrations  # here, because Alembic takes long to load

    with connection.begin():
        if connection.dialect.name == "postgresql":  # SQLite has locked its file by now
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": APPLICATION_ID})
        version = _version(connection)  # another process may have been faster
        if version == HEAD:
            return
        if version is None and inspect(connection).get_table_names():
            raise LedgerError(
                f"{shown(url)} holds the tables of another program: they were left as they are; "
                f"name another database in {VARIABLE}."
            )
        if version is not None and not migrations.knows(version):
            raise LedgerError(
                f"The ledger {shown(url)} is from a newer version of trucam (form {version}, and "
                f"this one knows up to {HEAD}): update trucam."
            )
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
        migrations.upgrade(connection)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: str | None = connection.execute(
        select(text("version_num")).select_from(text(VERSION_TABLE))
    ).scalar()
    return version
