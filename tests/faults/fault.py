"""What all faults have: how the table is served, what is broken, and how it is mended."""

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
"""What may be done by hand while a fault lasts: nothing that would have to be kept."""
ALL = "taken"
"""All of it."""
PERHAPS = "either"
QUICK = 3.0
"""Seconds in which a page is there on a busy machine, though taps wait."""


class Fault(ABC):
    """A fault that comes and goes while a match is played.

    Args:
        folder: Of this fault alone, empty.

    Attributes:
        meanwhile: Whether taps are taken while it lasts.
        rounds: How often it comes where nobody says otherwise.
    """

    meanwhile: ClassVar[str] = NOTHING
    rounds: ClassVar[int] = 50

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._show: Show | None = None

    @staticmethod
    def lacks() -> str | None:
        """What this machine lacks for it, in words."""
        return None

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        """The site, while it is needed."""
        yield FaultySite(self.folder)

    @abstractmethod
    def strike(self, game: Game) -> None:
        """Breaks something."""

    @abstractmethod
    def heal(self, game: Game) -> None:
        """Mends it."""
