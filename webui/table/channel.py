"""The one version number that all screens follow, and who waits for the next one."""

from __future__ import annotations

import secrets
from threading import Condition, RLock


class Channel:
    """Counts the changes of a table, and wakes whoever waits for the next one.

    Those who play are woken before those who look on, of whom there may be a thousand.

    Attributes:
        run: A random name of this run of the program: numbers begin again with each run.
    """

    def __init__(self) -> None:
        self.run = secrets.token_hex(3)
        self._number = 1
        lock = RLock()
        self._players, self._viewers = Condition(lock), Condition(lock)

    @property
    def number(self) -> int:
        """How many changes there were."""
        return self._number

    def publish(self) -> None:
        """Counts a change, and wakes everybody."""
        with self._players, self._viewers:
            self._number += 1
            self._players.notify_all()
            self._viewers.notify_all()

    def wait(self, seen: int, seconds: float, *, plays: bool = False) -> int:
        """Waits until the number differs from one that was seen, but so many seconds at most.

        Args:
            seen: The number that was seen.
            seconds: How long to wait.
            plays: Whether it is one of those who play that waits.

        Returns:
            The number now.
        """
        waiting = self._players if plays else self._viewers
        with waiting:
            waiting.wait_for(lambda: self._number != seen, seconds)
            return self._number
