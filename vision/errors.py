"""Errors of the camera's side, as sentences that a screen can say in another language."""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.errors import ScorekeeperError


class VisionError(ScorekeeperError):
    """Something that a person at the table can be told.

    Args:
        reason: A sentence with ``{fields}``; also the key of its translations.
        fields: What the reason's fields stand for.
    """

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(reason.format(**fields))
        self.reason, self.fields = reason, fields

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """What is wrong and what to do, in the language of ``translate`` (gettext)."""
        return translate(self.reason).format(**self.fields)
