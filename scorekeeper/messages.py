"""Helpers for texts that people read: messages, values from outside, and names."""

import json

N_ = str
"""Marks a message so that it gets into the catalogues of translations; returns it unchanged.

It is translated where it is shown.
"""

LONGEST_VALUE = 60
"""Characters of a value that ``shown`` keeps."""


def shown(value: object) -> str:
    """A value as JSON, as it can stand in a message; cut short if it is long: ``[1, 2 …``."""
    try:
        text = json.dumps(value, ensure_ascii=True, default=str)
    except (ValueError, RecursionError):
        text = "…"
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + " …"


JOINER = "\u200d"
"""Joins several emoji into one; the only invisible character that a name may have."""


def one_line(text: str) -> str:
    """The text with each character escaped that breaks a line or that no screen can show."""
    return "".join(
        sign if sign.isprintable() or sign == JOINER else sign.encode("unicode_escape").decode()
        for sign in text
    )
