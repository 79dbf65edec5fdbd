"""Who said an event, when and from where; and to which evening a moment belongs."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from typing import NamedTuple

from scorekeeper.engine.events import Event

AT = "_at"
"""Remark: when it was said, in UTC."""
UTC_OFFSET = "_utc_offset"
"""Remark: minutes by which the table's clock was ahead of UTC then."""
SOURCE = "_source"
"""Remark: where it came from."""
WHO = "_who"
"""Remark: who said it: a player's name, or ``HOST``."""
HOST = "host"
AGAIN = "_again"
"""Remark: sequence number of the earlier event that a correction repeats with this one."""
AGREED_BY = "_agreed"
"""Remark of a correction's events: the seats of both sides that agreed on it, side 0 first."""

SUIT = "_suit"
"""Remark of a ``play``: how the suit is known."""
GUESSED = "guessed"
"""Value of ``SUIT`` if only the rank is known, and the suit is the likeliest one (V-12)."""

EVENING_ENDS = timedelta(hours=6)
"""An evening ends at 06:00 by the table's clock."""


class Source(StrEnum):
    """Where an event comes from."""

    CAMERA = "camera"
    PHONE = "phone"
    MARKER = "marker"
    OPERATOR = "operator"
    IMPORT = "import"


class Said(NamedTuple):
    """When an event is said, where it comes from, and who says it.

    Attributes:
        at: The time, with the table's UTC offset; kept to the millisecond, the offset to the
            minute.
        source: Where it comes from.
        who: Who said it: a player's name, or ``HOST``; None if that is not known.
    """

    at: datetime
    source: Source
    who: str | None = None

    @classmethod
    def now(cls, source: Source, who: str | None = None) -> Said:
        """The circumstances of something that is said now."""
        at = datetime.now().astimezone()
        return cls(at.replace(microsecond=at.microsecond // 1000 * 1000), source, who)


def is_guessed(event: Event) -> bool:
    """Whether only the rank of the card is known (V-12)."""
    return event.remarks.get(SUIT) == GUESSED


def utc_text(at: datetime) -> str:
    """A moment as records and the ledger write it: ``2026-11-20T20:15:03.120Z``."""
    text = at.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def offset_minutes(at: datetime) -> int:
    """Minutes by which a moment's own clock is ahead of UTC; 0 if it has no time zone."""
    offset = at.utcoffset()
    return 0 if offset is None else offset // timedelta(minutes=1)


def moment(text: str, minutes: int) -> datetime:
    """The moment that ``utc_text`` and ``offset_minutes`` wrote down.

    Raises:
        ValueError: The text is no time in a known zone, or the offset is a day or more.
        OverflowError: The time is outside the years 1 to 9999.
    """
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text} does not say from which clock it is")
    return at.astimezone(timezone(timedelta(minutes=minutes)))


def marked(event: Event, said: Said) -> Event:
    """The event with remarks that tell when it was said, where it comes from, and who said it.

    Remarks that it has already are kept: the camera gives the time of its picture. An imported
    event stays as it came, and so does one that a correction repeats.
    """
    if said.source is Source.IMPORT or AGAIN in event.remarks:
        return event
    marks = {
        AT: utc_text(said.at),
        UTC_OFFSET: offset_minutes(said.at),
        SOURCE: said.source.value,
    }
    if said.who is not None:
        marks[WHO] = said.who
    return event._replace(remarks={**marks, **event.remarks})


def said_at(event: Event) -> datetime | None:
    """When an event was said, by its remarks; None if they do not tell.

    If they hold no UTC offset, the time is given in this machine's time zone.
    """
    text, minutes = event.remarks.get(AT), event.remarks.get(UTC_OFFSET)
    if not isinstance(text, str):
        return None
    try:
        if isinstance(minutes, int):
            return moment(text, minutes)
        return moment(text, 0).astimezone()
    except (ValueError, OverflowError):
        return None


def evening_of(at: datetime) -> date:
    """The day on which the evening of a moment began: for 01:30, the day before."""
    return (at - EVENING_ENDS).date()
