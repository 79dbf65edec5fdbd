"""Limits that headers and events from outside must keep; they are checked before anything else.

Records, requests, pages and the camera's process send headers and events. Keys that the referee
does not know are kept as they came. So their values must be something that every reader, page,
export and import can handle: not too deep, not too long, only characters that can be written and
numbers that a browser can count.
"""

from __future__ import annotations

from typing import Any

from scorekeeper.errors import FormatError
from scorekeeper.messages import N_

DEEPEST = 8
"""Most levels of lists and objects inside one another."""
MOST_LETTERS = 8_000
"""Most characters of all texts of one header or event."""
MOST_VALUES = 1_000
"""Most keys and values of one header or event: its line stays far below 64 KiB."""
LARGEST_NUMBER = 2**53
"""The largest number; a browser rounds larger whole numbers."""
LEFT_OUT = "\ufffd"
"""Takes the place of a character that cannot be written."""


def check_limits(data: object) -> None:
    """Checks a header or an event from outside.

    Args:
        data: The JSON object.

    Raises:
        FormatError: It is beyond the limits.
    """
    level: list[Any] = [data]
    depth = values = size = 0
    while level:  # level by level, which is quick: a record may have a hundred thousand events
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


def cut_to_limits(data: object) -> object:
    """Cuts a header or an event down to the limits, if it was kept before they were checked.

    Characters that cannot be written are replaced. A value that is beyond the limits, alone or
    together with those before it, is left out.
    """
    if not isinstance(data, dict) or _is_within_limits(data):
        return data
    kept: dict[str, Any] = {}
    for key, value in data.items():
        for candidate in (value, _legible(value)):
            if _is_within_limits({**kept, key: candidate}):
                kept[key] = candidate
                break
    return kept


def _is_within_limits(data: object) -> bool:
    try:
        check_limits(data)
    except FormatError:
        return False
    return True


def _legible(value: object) -> object:
    """The value with characters replaced that cannot be written, in a text or a list of texts."""
    if isinstance(value, str):
        return "".join(one if _is_writable(one) else LEFT_OUT for one in value)
    if isinstance(value, list):
        return [_legible(part) if isinstance(part, str) else part for part in value]
    return value


def _is_writable(text: str) -> bool:
    """Whether files, databases and pages can hold a text: no zero bytes, no lone surrogates."""
    return not any(one == "\0" or "\ud800" <= one <= "\udfff" for one in text)
