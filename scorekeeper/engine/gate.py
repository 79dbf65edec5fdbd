"""The gate: what comes from outside is held to limits here, before anybody judges it.

Records, requests, pages and the camera's process send headers and events. What they hold beyond the
keys that the referee knows is kept as it came, so it must be something that every reader, page,
export and import can take again: not too deep, not too long, with letters that can be written and
numbers that can be counted.
"""

from __future__ import annotations

from typing import Any

from scorekeeper.errors import FormatError
from scorekeeper.messages import N_

DEEPEST = 8
"""Lists and objects in each other."""
MOST_LETTERS = 8_000
"""Characters of all texts of one header or event."""
MOST_VALUES = 1_000
"""Texts, numbers, lists and objects of one header or event: its line stays far below 64 KiB."""
LARGEST_NUMBER = 2**53
"""Larger whole numbers are not the same ones in a browser."""
LEFT_OUT = "\ufffd"
"""Stands for a letter that cannot be written."""


def admit(data: object) -> None:
    """Checks a header or an event from outside.

    Args:
        data: The JSON object.

    Raises:
        FormatError: It is beyond the limits.
    """
    level: list[Any] = [data]
    depth = values = size = 0
    while level:  # one depth at once: records of a hundred thousand events are let in quickly
        values += len(level)
        if values > MOST_VALUES or depth > DEEPEST:
            raise FormatError(N_("this holds more than a header or an event may hold"))
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, str):
                size += len(value)
                if size > MOST_LETTERS:
                    raise FormatError(N_("this holds more than a header or an event may hold"))
                if not (value.isprintable() or _is_writable(value)):
                    raise FormatError(N_("a text holds a letter that cannot be written"))
            elif isinstance(value, int | float):
                if not abs(value) <= LARGEST_NUMBER:
                    raise FormatError(N_("a number is too large to count with"))
            elif isinstance(value, dict):
                deeper += value
                deeper += value.values()
            elif isinstance(value, list | tuple):
                deeper += value
        level, depth = deeper, depth + 1


def within_limits(data: object) -> object:
    """What was written before there was a gate, so that all can read it.

    Letters that cannot be written are replaced; a value that is beyond the limits, alone or with
    those before it, is left out.
    """
    if not isinstance(data, dict) or _is_let_in(data):
        return data
    kept: dict[str, Any] = {}
    for key, value in data.items():
        for candidate in (value, _legible(value)):
            if _is_let_in({**kept, key: candidate}):
                kept[key] = candidate
                break
    return kept


def _is_let_in(data: object) -> bool:
    try:
        admit(data)
    except FormatError:
        return False
    return True


def _legible(value: object) -> object:
    """A text, or a list of texts, whose letters can all be written; other values as they are."""
    if isinstance(value, str):
        return "".join(one if _is_writable(one) else LEFT_OUT for one in value)
    if isinstance(value, list):
        return [_legible(part) if isinstance(part, str) else part for part in value]
    return value


def _is_writable(text: str) -> bool:
    """Whether files, databases and pages can hold it: no zero bytes, no halves of letters."""
    return not any(one == "\0" or "\ud800" <= one <= "\udfff" for one in text)
