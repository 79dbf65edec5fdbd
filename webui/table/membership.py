"""The club that a table plays for: the code with which it joined, and the courier between them."""

from __future__ import annotations

import logging

from scorekeeper.errors import LedgerError
from scorekeeper.storage.courier import ClubView, Courier
from webui.table.memory import Memory

log = logging.getLogger(__name__)


class Membership:
    """Which club a table plays for, and its courier.

    Args:
        memory: What the table remembers; the code is in it.

    Attributes:
        courier: Goes between the table and its club, or None where it plays for none.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.courier: Courier | None = None

    @property
    def code(self) -> str | None:
        """The code with which the table has joined a club, or None."""
        code = self._memory.data.get("club")
        return code if isinstance(code, str) else None

    def use(self, courier: Courier | None, code: str | None) -> None:
        """Joins a club, also for the next runs of the program; None for both leaves it.

        Args:
            courier: Brings the table's events to the club; see ``scorekeeper.storage.courier``.
            code: The code with which the table joins.

        Raises:
            TableError: It could not be written.
        """
        if code != self.code:
            with self._memory.changing() as data:
                data["club"] = code
        before, self.courier = self.courier, courier
        if before is not None:
            before.close()
        if courier is not None:
            courier.start()

    def wake(self) -> None:
        """Has the courier bring new events to the club."""
        if self.courier is not None:
            self.courier.wake()

    @property
    def view(self) -> ClubView | None:
        """How the table stands with its club; None where it plays for none."""
        try:
            return None if self.courier is None else self.courier.view
        except LedgerError as error:
            log.warning("how the table stands with its club is not shown: %s", error)
            return None

    def close(self) -> None:
        """Ends the courier; the membership stays for the next run of the program."""
        if self.courier is not None:
            self.courier.close()
