"""Messages that are written here and translated where they are shown."""

import json

N_ = str
"""Marks a message for the catalogues, and leaves it as it is."""

LONGEST_VALUE = 60


def shown(value: object) -> str:
    """A value as a record writes it, cut where it is long: ``"foo"``, ``true``, ``[1, 2 …``."""
    try:
        text = json.dumps(value, ensure_ascii=True, default=str)
    except (ValueError, RecursionError):
        text = "…"
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + " …"


JOINER = "\u200d"
"""Joins emoji into one; the only sign without a shape of its own that a name may have."""


def one_line(text: str) -> str:
    """The text with everything escaped that would break a line, or that no screen can show."""
    return "".join(
        sign if sign.isprintable() or sign == JOINER else sign.encode("unicode_escape").decode()
        for sign in text
    )
