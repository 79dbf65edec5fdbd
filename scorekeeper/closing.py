"""What is closed where its ``with`` ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closes(ABC):
    """Whatever has a ``close`` that is called where its ``with`` ends."""

    @abstractmethod
    def close(self) -> None:
        """Gives back what it holds; to call it again does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
