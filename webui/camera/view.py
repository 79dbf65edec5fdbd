"""What there is to show of a camera, at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scorekeeper.engine.state import Match
from vision.belief.proposals import Hint, Question
from vision.process.status import Report

OF_THE_DEAL = frozenset({"exposed", "too_many_backs", "too_few_backs"})
"""Kinds of hints that are shown until the next event: to put a deal right takes its time."""


class Asked(NamedTuple):
    """An open question.

    Attributes:
        name: Its name, which no other question has had, whichever process asked it.
        question: The question.
        picture: A picture of what it is about, a JPEG; empty where there is none.
    """

    name: str
    question: Question
    picture: bytes = b""


class Hinted(NamedTuple):
    """A hint, and the match's sequence number when it came."""

    seq: int
    hint: Hint


class Opened(NamedTuple):
    """How things stood when the host opened the picture between two hands.

    The picture is shown as long as all of this stays the same.

    Attributes:
        seq: The match's sequence number.
        came: How many cards have come to rest so far.
        starts: How often the watching process was started.
    """

    seq: int
    came: int
    starts: int


@dataclass(frozen=True)
class CameraView:
    """What there is to show of a camera, at one moment; a value that never changes.

    Attributes:
        report: What the watching process last said of itself, without what no screen shows.
        asked: The open questions.
        hints: The latest hints.
        lost: Whether the camera has watched this match, or tried to, and does not now.
        keeps: Whether pictures of the events are kept.
        sets_up: Whether the table is set up, and the match has not begun.
        opened: How things stood when the host opened the picture between two hands; None while the
            picture is not open in a match.
        closed: In set-up: whether the picture is closed until the host asks for it. It closes after
            a while without a touch, and when somebody may hold cards.
        source: The camera, as ``Camera`` takes it.
        deck: Name of the learned deck that lies on the table; None where it was not learned.
        phone_sends: Whether a phone's browser sends pictures; None where another camera watches.
    """

    report: Report = field(default_factory=Report)
    asked: tuple[Asked, ...] = ()
    hints: tuple[Hinted, ...] = ()
    lost: bool = False
    keeps: bool = False
    sets_up: bool = False
    opened: Opened | None = None
    closed: bool = False
    source: str = ""
    deck: str | None = None
    phone_sends: bool | None = None

    def shows_picture(self, match: Match | None, seq: int) -> bool:
        """Whether the host may see the live picture: only while nobody holds cards.

        That is in set-up, and between two hands. The camera may miss a deal. So in a match, the
        picture is shown only after the host has said that nobody holds cards, and only until
        something happens.

        Args:
            match: The match; None in set-up.
            seq: Its sequence number now.
        """
        if match is None:
            return self.sets_up and not self.closed
        return self.opened is not None and self.opened.seq == seq and not match.in_progress
