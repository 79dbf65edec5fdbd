"""The keys of a club's tables: with its key, a table can write its own matches and no others.

On PostgreSQL each key is a role. It may read the draw and its own matches, and append to these;
the database itself ensures that, by row-level security. An SQLite file has no roles, so the code
of a table has no key there.
"""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text

from scorekeeper.storage.database import VERSION_TABLE
from scorekeeper.storage.joining import Join
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.schema import table_keys

READS = ("matches", "events", "fixtures", "tournaments", "tournament_events", VERSION_TABLE)
"""What a club's table may read; of ``matches`` and ``events``, only its own rows."""
CONNECTIONS = 5
"""Connections that a table may have at once; the server notices late that one was cut off."""
KEY_BYTES = 16


class TableKeys:
    """The keys of a club's tables, which its host makes and takes back.

    Args:
        ledger: The club's ledger, opened by the owner of the database's tables. On PostgreSQL the
            owner must be allowed to make roles.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @property
    def has_roles(self) -> bool:
        """Whether the database tells tables apart; an SQLite file does not."""
        return self._ledger.url.get_backend_name() == "postgresql"

    def join(self, table: int) -> Join | None:
        """The code of a table; None if it has no key.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        if not self.has_roles:
            return Join(self._ledger.url, table)
        query = select(table_keys).where(table_keys.c.place == table)
        with self._ledger.transaction() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        return Join(self._ledger.url.set(username=row.role, password=row.key), table)

    def tables(self) -> list[int]:
        """The tables that have a key.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        with self._ledger.transaction() as connection:
            return list(
                connection.execute(
                    select(table_keys.c.place).order_by(table_keys.c.place)
                ).scalars()
            )

    def make(self, table: int) -> None:
        """Makes a key for a table; an old one is void at once.

        Raises:
            LedgerError: The database does not let this user make roles; nothing was changed.
        """
        if not self.has_roles:
            return
        with self._ledger.transaction() as connection:
            self._drop(connection, table)
            # Random letters, because roles belong to the whole server: other clubs may use it, too.
            role = f"trucam_{table}_{secrets.token_hex(4)}"
            key = secrets.token_urlsafe(KEY_BYTES)
            row = {"place": table, "role": role, "key": key}
            connection.execute(insert(table_keys), row)
            for order in (
                f"CREATE ROLE {role} LOGIN CONNECTION LIMIT {CONNECTIONS} "
                f"PASSWORD '{_hidden(connection, role, key)}'",
                f"GRANT SELECT ON {', '.join(READS)} TO {role}",
                f"GRANT INSERT ON events TO {role}",
                f"GRANT SELECT (place, role) ON table_keys TO {role}",
            ):
                connection.exec_driver_sql(order)

    def take_back(self, table: int) -> None:
        """Takes a table's key back: it is void at once, even while it is in use.

        Raises:
            LedgerError: It could not be written; nothing was changed.
        """
        with self._ledger.transaction() as connection:
            self._drop(connection, table)

    def _drop(self, connection: Connection, table: int) -> None:
        known = select(table_keys.c.role).where(table_keys.c.place == table)
        role = connection.execute(known).scalar()
        if role is None:
            return
        connection.execute(delete(table_keys).where(table_keys.c.place == table))
        if connection.execute(text("SELECT to_regrole(:role)"), {"role": role}).scalar() is None:
            return  # the ledger was copied from another server, which has the role
        for order in (
            f"REVOKE ALL ON {', '.join(READS)}, table_keys FROM {role}",
            f"DROP ROLE {role}",
        ):
            connection.exec_driver_sql(order)


def _hidden(connection: Connection, role: str, key: str) -> str:
    """The hash of a key as the server keeps it, so that the key is in none of its logs."""
    driver: Any = connection.connection.driver_connection
    hidden: bytes = driver.pgconn.encrypt_password(key.encode(), role.encode(), b"scram-sha-256")
    return hidden.decode()
