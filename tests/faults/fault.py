"""The base class of all faults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tests.faults.game import FaultySite, Game

if TYPE_CHECKING:
    from tests.vision.show import Show

NOTHING = "refused"
"""While the fault lasts, every tap is refused."""
ALL = "taken"
"""While the fault lasts, every tap is accepted."""
PERHAPS = "either"
"""While the fault lasts, a tap may be accepted or refused."""
QUICK = 3.0
"""A page must come within so many seconds, even if taps have to wait. The machine may be busy."""


class Fault(ABC):
    """A fault that comes and goes while a match is played.

    Args:
        folder: An empty folder for this fault alone.

    Attributes:
        meanwhile: Whether taps are accepted while it lasts: ``NOTHING``, ``PERHAPS`` or ``ALL``.
        rounds: How often ``python -m tests.faults`` causes it, unless told otherwise.
    """

    meanwhile: ClassVar[str] = NOTHING
    rounds: ClassVar[int] = 50

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._show: Show | None = None

    @staticmethod
    def lacks() -> str | None:
        """What this machine lacks for this fault, in words; None if nothing."""
        return None

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        """Yields the site at which the match is played."""
        yield FaultySite(self.folder)

    @abstractmethod
    def strike(self, game: Game) -> None:
        """Causes the fault."""

    @abstractmethod
    def heal(self, game: Game) -> None:
        """Ends the fault."""
