"""What the watching table believes of a hand, for the curious: its objects and its stories.

A story is one explanation of the hand. Both are shown only between hands, or with the demo's film,
for cards that were never played are among the objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vision.belief.courses import by_course
from vision.belief.hypotheses import Hypothesis
from vision.tracking.tracked_card import TrackedCard
from vision.watched_table import WatchingTable

MOST_STORIES, MOST_READINGS = 5, 3
"""At most so many stories are told, and so many readings of each card."""

LEAST = 0.001
"""Stories and readings that are less likely than this, 0–1, are left out."""

Point = tuple[float, float]
"""A point of the table, x and y in centimetres."""


class SeenObject(NamedTuple):
    """Something that was seen on the table, and looks like a card face up.

    Attributes:
        id: its number.
        corners: its outline on the table, four points in centimetres.
        readings: its likeliest readings with their probabilities, 0–1, the likeliest first.
        here: whether it is seen there now.
        meaning: what it is in the likeliest story, as the ``kind`` of a ``BeliefTerm``; empty if
            that story does not speak of it.
    """

    id: int
    corners: Sequence[Point]
    readings: Sequence[tuple[str, float]]
    here: bool
    meaning: str


class StoryPlay(NamedTuple):
    """A play of a story.

    Attributes:
        seat: who laid it.
        card: its plain name.
        object: number of the object; None if the card was not seen.
    """

    seat: int
    card: str
    object: int | None


class Story(NamedTuple):
    """One explanation of the hand.

    Attributes:
        chance: how likely it is among all stories that the table keeps, 0–1.
        plays: its plays, in order.
        ended: whether the hand is over, and nobody has said how (V-14).
    """

    chance: float
    plays: Sequence[StoryPlay]
    ended: bool


class Insight(NamedTuple):
    """What the table believes.

    Attributes:
        outline: the corners of the table's edge, in order, in centimetres.
        objects: what was seen in the hand, in the order in which it came.
        stories: the stories, the likeliest first; none while no hand is followed.
    """

    outline: Sequence[Point]
    objects: Sequence[SeenObject]
    stories: Sequence[Story]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Insight:
        """Reads what :func:`insight_to` made."""
        return cls(
            [(x, y) for x, y in data["outline"]],
            [SeenObject(**each) for each in data["objects"]],
            [
                Story(each["chance"], [StoryPlay(*play) for play in each["plays"]], each["ended"])
                for each in data["stories"]
            ],
        )


def insight_to(table: WatchingTable) -> dict[str, Any]:
    """What a watching table believes of its latest hand, as a JSON object."""
    seq, match, _ = table.log.read()
    review = table.belief.review
    courses = by_course(review.stories(match, seq))[:MOST_STORIES]
    meanings = _meanings(courses[0][1]) if courses else {}
    here = {card.id for card in table.cards if not card.missing}
    cards = sorted(review.cards().values(), key=lambda card: (card.appeared, card.id))
    return {
        "outline": table.plane.outline.round(1).tolist(),
        "objects": [_object(card, card.id in here, meanings)._asdict() for card in cards],
        "stories": [
            {
                "chance": round(chance, 4),
                "plays": [[p.seat, p.card, p.object] for p in best.plays],
                "ended": best.ended,
            }
            for chance, best in courses
            if chance >= LEAST
        ],
    }


def _object(card: TrackedCard, here: bool, meanings: Mapping[int, str]) -> SeenObject:
    chances = list(card.chances().items())
    readings = [(name, round(p, 3)) for name, p in chances[:MOST_READINGS] if p >= LEAST]
    return SeenObject(
        card.id, card.quad.round(1).tolist(), readings, here, meanings.get(card.id, "")
    )


def _meanings(hypothesis: Hypothesis) -> dict[int, str]:
    """What each object is in a hypothesis, by its number: the kind of its latest term."""
    return {term.object: term.kind for term in hypothesis.terms if term.object is not None}
