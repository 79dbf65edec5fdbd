"""Names of players that somebody chose to keep: each has a page over all evenings.

Here only the name is kept, and when it was. The figures on the page are computed from the matches
each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, insert, select

from scorekeeper.engine.limits import check_limits
from scorekeeper.engine.said import moment, offset_minutes, utc_text
from scorekeeper.storage.database import readable
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.schema import kept_players


class KeptPlayer(NamedTuple):
    """A name that was kept.

    Attributes:
        id: Its number, which addresses of pages have instead of the name; never used again.
        name: The name, without blanks around it.
        since: When it was kept, by the table's clock.
    """

    id: int
    name: str
    since: datetime


class KeptPlayers:
    """The kept names of a ledger. May be used by several threads, and by several processes.

    Args:
        ledger: Where they are kept, beside its matches.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def all(self) -> Sequence[KeptPlayer]:
        """All kept names, in the order in which they were kept.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        with self._ledger.transaction() as connection:
            rows = connection.execute(select(kept_players).order_by(kept_players.c.id)).all()
        found = []
        for row in rows:
            with readable(f"kept name {row.id}", str(self._ledger)):
                since = moment(row.kept_at, row.utc_offset)
            found.append(KeptPlayer(row.id, row.name, since))
        return found

    def find(self, number: int) -> KeptPlayer | None:
        """The name with this number; None if it was dropped, or never kept.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        return next((player for player in self.all() if player.id == number), None)

    def keep(self, name: str, at: datetime) -> int:
        """Keeps a name and returns its number; a name that is kept already has its old number.

        Raises:
            ValueError: It is empty.
            FormatError: It is too long, or has characters that cannot be written.
            LedgerError: It could not be written.
        """
        name = name.strip()
        check_limits([name])
        if not name:
            raise ValueError("nobody is called so")
        row = {"name": name, "kept_at": utc_text(at), "utc_offset": offset_minutes(at)}
        with self._ledger.transaction(alone=True) as connection:
            known = select(kept_players.c.id).where(kept_players.c.name == name)
            number = connection.execute(known).scalar()
            if number is None:
                key = connection.execute(insert(kept_players), row).inserted_primary_key
                assert key is not None
                number = key[0]
        return int(number)

    def drop(self, number: int) -> None:
        """Drops a kept name; the matches stay as they are.

        Raises:
            LedgerError: It could not be written.
        """
        with self._ledger.transaction() as connection:
            connection.execute(delete(kept_players).where(kept_players.c.id == number))
