"""Errors of the camera's side, as sentences that a screen can say in another language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorekeeper.errors import ScorekeeperError
from scorekeeper.messages import N_

OF_THE_SYSTEM = frozenset({
    N_("No space left on device"), N_("Permission denied"), N_("Read-only file system"),
    N_("No such file or directory"), N_("Input/output error"),
})  # fmt: skip
"""What the operating system says, in English, and a field may repeat."""


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
        return in_words(self.reason, self.fields, translate)


class SourceError(VisionError):
    """What was named is no source of pictures."""


def in_words(
    reason: str, fields: Mapping[str, object], translate: Callable[[str], str] = str
) -> str:
    """A sentence with its fields, in the language of ``translate`` (gettext)."""
    said = {
        name: translate(str(value)) if value in OF_THE_SYSTEM else value
        for name, value in fields.items()
    }
    return translate(reason).format(**said)
