"""What a review of a hand may find: a correction, a likelier course, an end, a doubtful play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorekeeper.engine.events import Event
from vision.belief.associations import PlayAssociation
from vision.belief.context import Laid, RefereeContext
from vision.belief.courses import Course, course_of, first_difference
from vision.belief.hypotheses import HandObject, Hypothesis
from vision.belief.proposals import Choice, Proposal
from vision.belief.written_hand import WrittenHand


class Revision(NamedTuple):
    """A correction: what takes the place of a hand's events, from one of them to the latest.

    Attributes:
        seq: number of the first event that is replaced.
        wanted: the events that stand from there on.
        proposals: one for each play among them that was not written before.
        plays: all plays of the corrected hand and their cards on the table. None if every play
            keeps its card, for a person has put one play right.
    """

    seq: int
    wanted: tuple[Event, ...]
    proposals: tuple[Proposal, ...]
    plays: tuple[PlayAssociation, ...] | None


class LikelierCourse(NamedTuple):
    """Another course of the hand that is likelier than the written one.

    Attributes:
        course: its plays, but no more of them than are written.
        margin: how much likelier it is than the written one, in nats.
        best: the likeliest hypothesis of the hand, which has this course.
        ranks: how likely each rank is in the first place where both differ, 0–1; "" for no card.
    """

    course: Course
    margin: float
    best: Hypothesis
    ranks: Mapping[str, float]

    def is_like(self, other: LikelierCourse) -> bool:
        """Whether another review found the same, as far as both courses go: more may be written."""
        both = min(len(self.course), len(other.course))
        same = self.course[:both] == other.course[:both]
        return same and self.best.ended == other.best.ended


class End(NamedTuple):
    """The likeliest end of a hand of which nobody has said that it is over (V-14).

    Attributes:
        laid: the plays that are written.
        shown: how many of the latest of them are no plays: the cards were shown after the end.
        card: number of the first card that was shown.
        since: when the last card that was shown came, in seconds.
    """

    laid: tuple[Laid, ...]
    shown: int
    card: int
    since: float


class Doubt(NamedTuple):
    """A play that is written, and hardly believed: the table is asked about it (V-13).

    Attributes:
        place: of the play in the hand, from 0.
        laid: the play as it is written.
        trick: the trick to which its seat laid it, from 1.
        card: number of its card.
        choices: the answers, the likeliest first.
    """

    place: int
    laid: Laid
    trick: int
    card: int
    choices: tuple[Choice, ...]

    def stands(self, expected: RefereeContext) -> bool:
        """Whether that play is still written."""
        return expected.laid[self.place :][:1] == (self.laid,)


def end_of(
    likeliest: Sequence[Hypothesis], objects: Sequence[HandObject], hand: WrittenHand
) -> End | None:
    """Finds the likeliest end of a hand of which nobody has said that it is over.

    Args:
        likeliest: what may have happened, the likeliest first.
        objects: what was seen.
        hand: what is written of the hand.

    Returns:
        The end; None if no hypothesis has one, or if a word that was said would have to go.
    """
    ended = next((each for each in likeliest if each.ended), None)
    if ended is None:
        return None
    cards = [each.object for each in ended.terms if each.kind == "shown"]
    latest = max(each.came for each in objects if each.id in cards)
    written = hand.course()
    shown = len(written) - first_difference(course_of(ended), written)
    if any(one.event.do != "play" for one in hand.events[len(hand.events) - shown :]):
        return None
    return End(hand.laid(), shown, cards[0] or 0, latest)
