"""Notices soon that another process has written to the ledger, at little cost."""

from __future__ import annotations

import logging
import time
from typing import Any

from sqlalchemy import Connection, text

from scorekeeper.closing import Closes
from scorekeeper.errors import LedgerError
from scorekeeper.storage.database import connect, explained, locate, shown

log = logging.getLogger(__name__)

POLL_SECONDS = 0.05
"""Seconds between two looks at an SQLite file's version, which is one number in its header."""
RETRY_SECONDS = 1.0
"""Seconds between two tries to reach a server that was lost."""


class Watch(Closes):
    """Waits for changes: PostgreSQL sends a notice, an SQLite file is looked at again and again.

    It has a connection of its own, and is used by one thread.

    Args:
        where: As for ``Ledger``.

    Raises:
        LedgerError: The ledger cannot be opened.
    """

    def __init__(self, where: str | None = None) -> None:
        self._url = locate(where)
        self._sqlite = self._url.get_backend_name() == "sqlite"
        self._connection: Connection | None = connect(self._url)
        self._version = 0
        self._begin()

    def close(self) -> None:
        """Closes its connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def wait(self, seconds: float) -> bool:
        """Waits for a change, for so many seconds at most.

        If the server is lost, it connects again, and counts that as a change: one may have been
        missed.

        Returns:
            Whether something may have changed since the last call.
        """
        until = time.monotonic() + seconds
        while True:
            try:
                if self._changed(max(0.0, until - time.monotonic())):
                    return True
            except LedgerError as error:
                log.warning("%s", error)
                self.close()
                return self._call_again(until)
            if time.monotonic() >= until:
                return False

    def _changed(self, seconds: float) -> bool:
        if self._connection is None:
            raise LedgerError("The connection to the ledger was lost.")
        if self._sqlite:
            with explained(self._url):
                version = self._look()
            if version == self._version:
                time.sleep(min(seconds, POLL_SECONDS))
                return False
            self._version = version
            return True
        driver: Any = self._connection.connection.driver_connection
        try:
            return any(True for _ in driver.notifies(timeout=seconds, stop_after=1))
        except self._connection.dialect.loaded_dbapi.Error as error:  # not asked by SQLAlchemy
            self._connection.invalidate()
            raise LedgerError(f"The ledger {shown(self._url)} is lost: {error}.") from error

    def _call_again(self, until: float) -> bool:
        while time.monotonic() < until:
            try:
                self._connection = connect(self._url)
                self._begin()
            except LedgerError as error:
                log.info("%s", error)
                time.sleep(max(0.0, min(RETRY_SECONDS, until - time.monotonic())))
            else:
                return True
        return False

    def _begin(self) -> None:
        assert self._connection is not None
        if self._sqlite:
            self._version = self._look()
            return
        with explained(self._url):
            self._connection.execution_options(isolation_level="AUTOCOMMIT")
            self._connection.execute(text("LISTEN trucam"))

    def _look(self) -> int:
        assert self._connection is not None
        with self._connection.begin():
            return int(self._connection.exec_driver_sql("PRAGMA data_version").scalar_one())
