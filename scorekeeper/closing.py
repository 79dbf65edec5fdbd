"""A base class for objects that are closed at the end of their ``with`` block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closes(ABC):
    """An object whose ``close`` is called at the end of its ``with`` block."""

    @abstractmethod
    def close(self) -> None:
        """Frees what it holds; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
