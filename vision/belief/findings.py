"""What a review of the hand in progress may find: a revision, another course, an end, a doubt."""

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
    """What takes the place of the end of a hand.

    Attributes:
        seq: number of the first event that goes.
        wanted: what was done and said from there on.
        proposals: of the plays among them that were not written before.
        plays: all plays of the hand then, and their cards on the table; None where the cards stay
            as they are, for a person has put one play right.
    """

    seq: int
    wanted: tuple[Event, ...]
    proposals: tuple[Proposal, ...]
    plays: tuple[PlayAssociation, ...] | None


class LikelierCourse(NamedTuple):
    """Another course of the hand that is likelier than the written one.

    Attributes:
        course: its plays, no more than are written.
        nats: how much likelier it is, in nats.
        best: the likeliest hypothesis.
        ranks: how likely each rank is in the first place where both differ, 0–1; "" for no card.
    """

    course: Course
    nats: float
    best: Hypothesis
    ranks: Mapping[str, float]

    def is_like(self, other: LikelierCourse) -> bool:
        """Whether another review has found the same; more may be written by now."""
        both = min(len(self.course), len(other.course))
        same = self.course[:both] == other.course[:both]
        return same and self.best.ended == other.best.ended


class End(NamedTuple):
    """A hand that has rather ended, though nobody has said how (V-14).

    Attributes:
        laid: the plays that are written.
        shown: how many of the latest of them are no plays: the cards were shown after the end.
        card: number of the first card that was shown.
        since: when the last of them came, in seconds.
    """

    laid: tuple[Laid, ...]
    shown: int
    card: int
    since: float


class Doubt(NamedTuple):
    """A play that is written, and hardly believed: the table is asked about it.

    Attributes:
        place: of the play in the hand, from 0.
        laid: as it is written.
        trick: to which its seat laid it, from 1.
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
        The end; None where no hypothesis has one, or a word that was said would fall away.
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
