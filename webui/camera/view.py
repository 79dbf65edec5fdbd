"""What there is to show of a camera, at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scorekeeper.engine.state import Match
from vision.belief.proposals import Hint, Question
from vision.process.status import Sight

OF_THE_DEAL = frozenset({"exposed", "too_many_backs", "too_few_backs"})
"""Kinds of hints that hold until the next event: a deal is put right in its own time."""


class Asked(NamedTuple):
    """A question with a name that no other one has had, whichever process asked it.

    Attributes:
        name: Its name.
        question: The question.
        picture: What it is about, a JPEG; empty where there is none.
    """

    name: str
    question: Question
    picture: bytes = b""


class Hinted(NamedTuple):
    """A hint, and the number of the latest event when it came."""

    seq: int
    hint: Hint


class Opened(NamedTuple):
    """The picture is shown between two hands: while all of this stays as it is."""

    seq: int
    came: int
    starts: int


@dataclass(frozen=True)
class CameraView:
    """What there is to show of a camera, at one moment; a value that never changes.

    Attributes:
        sight: What the watching process last said of itself, but for its pace.
        asked: The questions that are open.
        hints: The latest hints.
        lost: Whether it has watched this match, or tried to, and does not now.
        keeps: Whether it keeps pictures.
        sets_up: Whether the match has not begun.
        opened: Between hands, when the picture was opened; None where it was not.
        shut: Whether cards were dealt before the match began, until somebody says otherwise.
        source: What it sees through.
        deck: Name of the deck on the table, where it was learned.
        phone_sends: Whether a phone's browser sends pictures; None where another camera watches.
    """

    sight: Sight = field(default_factory=Sight)
    asked: tuple[Asked, ...] = ()
    hints: tuple[Hinted, ...] = ()
    lost: bool = False
    keeps: bool = False
    sets_up: bool = False
    opened: Opened | None = None
    shut: bool = False
    source: str = ""
    deck: str | None = None
    phone_sends: bool | None = None

    def shows_picture(self, match: Match | None, seq: int) -> bool:
        """Whether nobody holds cards: live pictures exist in set-up and between hands only.

        A deal may be missed: so in a match the picture is shown only after somebody has said that
        nobody holds cards, and until anything happens.

        Args:
            match: The match; None in set-up.
            seq: Its number now.
        """
        if match is None:
            return self.sets_up and not self.shut
        return self.opened is not None and self.opened.seq == seq and not match.in_progress
