"""The code with which a table joins a club: where the club's ledger is, and which table it is.

It is the ledger's URL with the table's own key, then ``#`` and the table's number:
``postgresql://trucam_5_7:KEY@192.168.1.5/club#7``.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL

from scorekeeper.errors import FormatError, LedgerError
from scorekeeper.messages import N_
from scorekeeper.storage.database import locate


class Join(NamedTuple):
    """What a code says.

    Attributes:
        url: The club's ledger, with the table's key.
        table: Number of the table.
    """

    url: URL
    table: int

    def __str__(self) -> str:
        url = self.url
        if url.get_backend_name() == "postgresql":
            url = url.set(drivername="postgresql")
        return f"{url.render_as_string(hide_password=False)}#{self.table}"


def parse_join(code: str) -> Join:
    """Reads a code.

    Raises:
        FormatError: It is no code.
    """
    where, _, table = code.strip().strip("'\"").rpartition("#")
    if "://" in where and table.isascii() and table.isdecimal() and 0 < len(table) < 4:
        try:
            return Join(locate(where), int(table))
        except LedgerError:
            pass  # its sentence is about a setting, and not about a code
    raise FormatError(
        N_("this is not the code of a club's table: copy it whole from the club's page")
    )


def same_place(one: URL, other: URL) -> bool:
    """Whether two URLs are of the same ledger, whatever user and password they have."""
    if "sqlite" in (one.get_backend_name(), other.get_backend_name()):
        return Path(one.database or "").resolve() == Path(other.database or "").resolve()
    return (one.host, one.port, one.database) == (other.host, other.port, other.database)
