"""The number of a table's latest change, which all screens follow."""

from __future__ import annotations

import secrets
from threading import Condition, RLock


class Channel:
    """Counts the changes of a table, and wakes the screens that wait for the next change.

    The players' screens are woken first: there may be a thousand viewers.

    Attributes:
        run: A random name of this run of the program. Each run counts from 1 again.
    """

    def __init__(self) -> None:
        self.run = secrets.token_hex(3)
        self._number = 1
        lock = RLock()
        self._players, self._viewers = Condition(lock), Condition(lock)

    @property
    def number(self) -> int:
        """The number of the latest change."""
        return self._number

    def publish(self) -> None:
        """Counts a change, and wakes all screens."""
        with self._players, self._viewers:
            self._number += 1
            self._players.notify_all()
            self._viewers.notify_all()

    def wait(self, seen: int, seconds: float, *, plays: bool = False) -> int:
        """Waits for a change.

        Args:
            seen: The number of the change that the screen shows.
            seconds: How long to wait at most.
            plays: Whether the screen is a player's.

        Returns:
            The number now; ``seen`` if nothing has changed.
        """
        waiting = self._players if plays else self._viewers
        with waiting:
            waiting.wait_for(lambda: self._number != seen, seconds)
            return self._number
