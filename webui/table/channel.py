"""The one version number that all screens follow, and who waits for the next one."""

from __future__ import annotations

import secrets
from threading import Condition


class Channel:
    """Counts the changes of a table, and wakes whoever waits for the next one.

    Attributes:
        run: A random name of this run of the program: numbers begin again with each run.
    """

    def __init__(self) -> None:
        self.run = secrets.token_hex(3)
        self._number = 1
        self._changed = Condition()

    @property
    def number(self) -> int:
        """How many changes there were."""
        return self._number

    def publish(self) -> None:
        """Counts a change, and wakes everybody."""
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Waits until the number differs from one that was seen, but so many seconds at most.

        Returns:
            The number now.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._number != seen, seconds)
            return self._number
