"""What the tracker tells: the cards on the table, and what has changed; and its settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from vision.geometry.table_plane import CARD_CM, Points
from vision.packs import BACK

UNWATCHED = 1.0
"""A frame that comes more than so many seconds after the one before ends a break in the watching:
nobody saw what people did meanwhile, as after a restart."""

PUSHED = 1.0
"""A card that moves within so many seconds after it first came to rest had not come to rest yet."""

SEEN_AT_FIRST = 0.3
"""What lies still since so few seconds after the watching began, or went on after a break, may have
lain there before."""


@dataclass(frozen=True, kw_only=True)
class TrackerSettings:
    """The tracker's settings. Times are seconds, lengths centimetres on the table.

    Attributes:
        settle: a card has come to rest once it has lain still for this long, ...
        least: ... and was read in this many pictures: in a heap, outlines come and go.
        settle_alone: a face that is clearly read, and that no other card touches, has come to rest
            after this shorter time, ...
        least_alone: ... if it was read in this many pictures, ...
        still_alone: ... and stayed within this distance.
        still: any other card lies still while it stays within this distance.
        near: a detection may be of a card at rest if it is no farther from it than this.
        aside: a detection that is no farther from a card than this, ...
        askew: ... and turned against it by no more than this, in radians, lies as the card lay: it
            is that card, whatever it is read as.
        flight: the highest speed of a card that is carried, in centimetres a second.
        gone: a card that is missed for this long, while nothing covers it, was taken away.
        gone_in_group: the same, where cards nearby are missed too and nobody says what hands cover.
        fade: what never came to rest is forgotten once it is missed for this long, ...
        lingers: ... or for this long if it may still lie there (``Track.lingers``): a card on
            others is not found in every look, for each look turns the picture another way.
        moved_within: a card that is seen elsewhere no later than this was pushed; after that it is
            another card.
        pushed_by: where readings do not tell, a card was pushed no farther than this, ...
        pushed_within: ... and was on its way no longer than this.
        nudged_by: of a card that was pushed no farther than this only the rank has to agree: its
            suit may be misread.
        covered: a card's place is covered if at least this part of it is, 0–1.
        touched: a card at rest is not read while at least this part of it is covered, 0–1.
        double: two outlines whose middles are nearer than this are of one card, unless both are
            clearly read as different ones.
        floor: the least probability that a picture leaves to a card that it does not name.
        alike: two pictures are of one view of the card if they differ by no more than this in what
            they say of any name, in natural logarithms.
        independence: what one more picture of a view adds, as a part of what the first one counts.
        most: a view counts for no more than this many pictures.
        lasting: a view that has less than this share of a card's pictures counts for less.
        most_of_all: all views together count for no more than this many pictures.
        most_views: no more views than this are told apart; further pictures join the nearest.
        sure: something is a card at once if the mean of the finder's scores is at least this, 0–1,
            where a frame that misses it counts 0.
        unsure: what has lain there for this long is a card, too.
        clear: what the finder misses at times, but is sure of when it sees it, is a card if it is
            clearly read: as one face with at least this probability.
        turnover: this many clear readings in a row of something else mean another card.
        laid_within: a card that is laid exactly onto another is first read no later than this after
            a hand was over that one.
        card_cm: width and height of a card.
        off_size: a card that seems larger or smaller by this part, or more, is not on the table.
        off_shape: an outline with a side that is longer or shorter by this part, or more, goes
            round two cards, or round a part of one. It never counts towards ``sure``, ...
        misshapen: ... and its readings have this weight, 0–1: never enough alone.
    """

    settle: float = 0.2
    least: int = 3
    settle_alone: float = 0.1
    least_alone: int = 2
    still_alone: float = 0.4
    still: float = 0.8
    near: float = 2.5
    aside: float = 0.5
    askew: float = 0.12
    flight: float = 160.0
    gone: float = 0.8
    gone_in_group: float = 2.0
    fade: float = 0.3
    lingers: float = 0.9
    moved_within: float = 2.0
    pushed_by: float = 8.0
    pushed_within: float = 0.7
    nudged_by: float = 2.0
    covered: float = 0.35
    touched: float = 0.12
    double: float = 1.3
    floor: float = 0.0002
    alike: float = 1.0
    independence: float = 0.02
    most: float = 1.5
    lasting: float = 0.05
    most_of_all: float = 2.0
    most_views: int = 16
    sure: float = 0.55
    unsure: float = 1.0
    clear: float = 0.99
    turnover: int = 5
    laid_within: float = 1.5
    card_cm: tuple[float, float] = CARD_CM
    off_size: float = 0.35
    off_shape: float = 0.2
    misshapen: float = 0.1


NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, eq=False, kw_only=True)
class TrackedCard:
    """A card on the table at one moment. Times are seconds.

    Attributes:
        id: its number, which stays while it lies there.
        place: its middle, x and y in centimetres.
        turn: the angle of its long side, 0 to π.
        came: where it was seen first on its way there, x and y in centimetres.
        reached: the seats from which something reached over the table at about the time that it
            came to lie still: whoever laid it did.
        quad: shape (4, 2), its outline on the table in centimetres.
        corners: shape (4, 2), its outline in the latest frame that showed it, in pixels.
        evidence: by name, how much likelier its pictures are if it is that card than if it is one
            that was never read, in natural logarithms; a name that is not here has 0.
        detections: how many pictures that is from.
        contradicted: whether the latest pictures clearly show another card there.
        sure: whether the finder is sure of it; it is hardly so where much of the card is covered.
        since: since when it lies where it lies.
        appeared: when it came to rest for the first time.
        watched: whether the table was watched when it came. Otherwise, as after a restart, it is
            not known which of several such cards came first.
        seen: when it was seen last.
        missing: for how long it has not been seen; 0 while it is.
        bare: whether it is gone, and its place was seen with nothing over it.
    """

    id: int
    place: tuple[float, float]
    turn: float
    came: tuple[float, float]
    reached: frozenset[int] = frozenset()
    quad: Points
    corners: Points
    evidence: Mapping[str, float]
    detections: int
    contradicted: bool = False
    sure: bool = True
    since: float
    appeared: float
    watched: bool = True
    seen: float
    missing: float
    bare: bool = False

    @property
    def laid(self) -> float:
        """When it was laid; a push that comes later, as by a card thrown onto it, says nothing."""
        return self.since if self.since - self.appeared < PUSHED else self.appeared

    @cached_property
    def best(self) -> str:
        """The likeliest card; empty where nothing was read."""
        return max(self.evidence, key=self.evidence.__getitem__, default="")

    @property
    def down(self) -> bool:
        """Whether it lies face down."""
        return self.best == BACK

    def chances(self) -> dict[str, float]:
        """The readings with their probabilities, the likeliest first."""
        if not self.evidence:
            return {}
        top = max(self.evidence.values())
        weights = [(name, math.exp(value - top)) for name, value in self.evidence.items()]
        total = sum([weight for _, weight in weights])
        weights.sort(key=itemgetter(1), reverse=True)
        return {name: weight / total for name, weight in weights}

    def of_rank(self, rank: str) -> float:
        """How likely it is of a rank, as that is printed, by its readings; 0–1."""
        return sum(chance for name, chance in self.chances().items() if name[:-1] == rank)

    def alike(self, other: TrackedCard) -> float:
        """How likely both are the same card, by their readings; 0–1."""
        read = other.chances()
        return sum(chance * read.get(name, 0.0) for name, chance in self.chances().items())


class Change(NamedTuple):
    """A change on the table.

    Attributes:
        kind: ``appeared``: a card has come to rest; ``moved``: one was pushed and rests again;
            ``vanished``: it was taken away.
        at: when it was found, in seconds.
        card: the card as it is, or was last.
    """

    kind: str
    at: float
    card: TrackedCard
