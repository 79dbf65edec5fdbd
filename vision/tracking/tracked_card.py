"""What the watcher knows of one card on the table, and what it tells about it."""

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


@dataclass(frozen=True, kw_only=True)
class WatchSettings:
    """The tracker's settings. Times are seconds, lengths centimetres on the table.

    Attributes:
        settle: a card that lies still so long has come to rest.
        least: and was seen at least so often. In a heap, outlines come and go.
        settle_alone: a face that is clearly read, and that no other card touches, has come to rest
            after this shorter time, ...
        least_alone: ... where it was seen so often, ...
        still_alone: ... and stayed within this.
        still: any other card that stays within this lies still.
        near: a detection within this may be of a card that lies there.
        aside: and no further than this from it where it is read otherwise, ...
        askew: ... with an angle that differs by no more than this, in radians.
        flight: a card that is carried comes no further in a second.
        gone: a card that is missed so long in clear view was taken away.
        gone_alone: the same where its neighbours are missed too and nobody says what is covered.
        fade: a card that never came to rest is forgotten after so long, ...
        lingers: ... or so long where it may lie: one that lies on others is not found in every
            look, for each is from another side.
        moved_within: a card seen elsewhere within this was pushed, and is no other one.
        pushed_by: a card is not pushed further, where its readings do not tell, ...
        pushed_within: ... and takes no longer for it.
        nudged_by: one that is pushed no further than this may have its suit misread, too.
        covered: a place is covered where this part of it is.
        touched: a card that lies there is not read where this part of it is covered.
        double: two outlines within this are of one card, as far as they can be.
        floor: the least probability that a reading counts.
        alike: two pictures whose readings differ by no more than this factor, a natural logarithm,
            are of one view of the card.
        independence: how much of news one more picture of the same view is.
        most: pictures that a view counts for at most.
        lasting: a view of a smaller share of a card's pictures counts for less.
        most_of_all: pictures that all views together count for at most.
        most_views: views that are told apart at most.
        sure: from this share of finding on, by the finder's scores and the frames that show it,
            something is a card at once.
        unsure: what lies there for so long is a card, too, ...
        clear: ... or what was read in as many pictures as are wanted, with this probability: that
            is clearly read.
        turnover: so many clear readings in a row of something else are another card.
        laid_within: one that lies exactly on another is seen so soon after a hand was over it.
        card_cm: width and height of a card.
        off_size: a card that seems larger or smaller by more than this part is not on the table.
        off_shape: an outline of which a side is longer or shorter by more than this part goes round
            two cards, or a part of one: by itself it makes nothing a card at once, ...
        misshapen: ... and what is read in it counts for so much: never enough alone.
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
    gone_alone: float = 2.0
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
    """A card on the table at one moment.

    Attributes:
        id: its number, which stays while it lies there.
        place: its middle, x and y in centimetres.
        turn: the angle of its long side, 0 to π.
        came: where it was seen first on its way there, x and y in centimetres.
        reached: the seats that reached over the table from a moment before it lay still on.
        quad: shape (4, 2), its outline on the table in centimetres.
        corners: shape (4, 2), its outline in the latest frame that showed it, in pixels.
        evidence: how much more likely its pictures are if it is that card than if it is one that
            was never read, in natural logarithms; a card that is missing here has 0.
        detections: how many pictures that is from.
        denied: whether the latest pictures clearly show another card there.
        sure: whether the finder is sure of it; not where much of it is covered.
        since: since when it lies where it lies.
        appeared: when it came to rest for the first time.
        seen: when it was seen last.
        missing: how long it is not seen now; 0 while it is.
        bare: whether it has gone, and its place was seen with nothing over it.
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
    denied: bool = False
    sure: bool = True
    since: float
    appeared: float
    seen: float
    missing: float
    bare: bool = False

    @cached_property
    def best(self) -> str:
        """What it is most likely."""
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
    """What has changed on the table.

    Attributes:
        kind: ``appeared``: a card has come to rest; ``moved``: one was pushed and rests again;
            ``vanished``: it was taken away.
        at: when it was found, in seconds.
        card: the card as it is, or was last.
    """

    kind: str
    at: float
    card: TrackedCard
