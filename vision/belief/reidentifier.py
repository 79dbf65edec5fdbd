"""Cards that were laid and are seen again: elsewhere, as a second outline, or later (V-2)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vision.belief.associations import RANK_READ, PlayAssociation, reads_as
from vision.belief.context import RefereeContext
from vision.belief.memory import SEEN_NOW, Memory
from vision.belief.opening import SURELY
from vision.belief.posterior import LaidCards, Posterior, weigh
from vision.tracking.track import turn_between
from vision.tracking.tracked_card import TrackedCard

MAY_BE = 0.01
"""Two cards that are the same with this probability may be one."""

ASKEW = 0.2
"""A card that is pushed a little is turned by no more than this, in radians."""

EXACTLY_CM = 1.5
"""A card so near to another, in centimetres, lies on it or below it."""


class Reidentifier:
    """Tells a card that was laid before from a new one.

    Args:
        memory: what lies on the table, and what is decided about it.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.associations = memory.associations
        self.settings = memory.settings

    def find_doubles(self, expected: RefereeContext) -> None:
        """Leaves second outlines of laid cards away (V-2), until they clearly are others."""
        for card in self.memory.cards.values():
            if self.memory.dismissed.get(card.id) != "double" or card.missing > 0:
                continue
            if self.memory.is_clear(card, expected) and all(
                other.missing == 0 and _is_one(card, association, other) < MAY_BE
                for association, other in self._beside(card)
            ):
                del self.memory.dismissed[card.id]
        for card in self.memory.free():
            if card.id not in self.memory.held and self._is_double(card):
                self.memory.dismissed[card.id] = "double"

    def _is_double(self, card: TrackedCard) -> bool:
        """Whether it is a second outline of a card that was laid: nobody saw it come."""
        return self.memory.thrower(card) is None and any(
            _is_part(card, other)
            or (other.missing < SEEN_NOW and _is_one(card, association, other) > SURELY)
            for association, other in self._beside(card)
        )

    def weigh(self, card: TrackedCard, expected: RefereeContext, laid: LaidCards) -> Posterior:
        """What a card means; it may be one that was pushed a little while nobody could see it."""
        beside: set[str] = set()
        if self.memory.thrower(card) is None:
            beside = {
                self.memory.name_of(association, other)
                for association, other in self._beside(card)
                if other.missing > SEEN_NOW and turn_between(other.turn, card.turn) < ASKEW
            }
        return weigh(card, expected, laid._replace(beside=beside))

    def _beside(self, card: TrackedCard) -> Iterator[tuple[PlayAssociation, TrackedCard]]:
        """The laid cards that lie so near to a card that it may be a second outline of them."""
        for association in self.associations.plays:
            other = None if association.card is None else self.memory.cards.get(association.card)
            if other and math.dist(other.place, card.place) < self.settings.double_cm:
                yield association, other

    def find_again(self, at: float, expected: RefereeContext) -> None:
        """Binds cards again that come back, and those that are clearly seen elsewhere (V-2)."""
        settings = self.settings
        for card in self.memory.free():
            for association in self.associations.plays:
                lost = None if association.card is None else self.memory.lost.get(association.card)
                if lost is None or at - lost[1] > settings.again_within:
                    continue
                apart = math.dist(lost[0].place, card.place)
                as_before = apart <= settings.exactly_cm
                near = apart <= settings.again_cm and self.memory.thrower(card) is None
                if (as_before or near) and reads_as(association.laid, card) > RANK_READ:
                    association.card = card.id
                    break
        laid = self.memory.laid()
        for card in self.memory.free():
            best, margin, _ = self.weigh(card, expected, laid)
            if best is None or best.kind != "same" or margin < settings.margin:
                continue
            for association in self.associations.plays:
                other = (
                    None if association.card is None else self.memory.cards.get(association.card)
                )
                name = (
                    association.laid.card
                    if other is None
                    else self.memory.name_of(association, other)
                )
                if name == best.name and (other is None or other.missing > SEEN_NOW):
                    if other is not None:
                        self.memory.dismissed[other.id] = "moved"
                    association.card = card.id
                    break

        self._find_meant()

    def _find_meant(self) -> None:
        """Binds what people meant instead of what they were asked about.

        A thing that was taken for a card is asked about as the card that is due, and the answer
        names the one that was really laid.
        """
        known = {**self.memory.made_out, **self.memory.known()}
        for association in self.associations.plays:
            asked = None if association.card is None else known.get(association.card)
            if asked is None or reads_as(association.laid, asked) > RANK_READ:
                continue
            for card in self.memory.free():
                after = card.since - association.at
                recent = -self.settings.by_hand_within <= after <= self.settings.ask_after
                own = self.memory.is_before(card, association.laid.seat)
                if recent and own and reads_as(association.laid, card) > RANK_READ:
                    self.memory.dismissed[asked.id] = "dropped"
                    association.card = card.id
                    break


def _is_one(card: TrackedCard, association: PlayAssociation, other: TrackedCard) -> float:
    """How likely a card is one that was laid, by what that is read as or was played as; 0–1.

    The suit that it was played as may be guessed (V-12).
    """
    return max(card.alike(other), card.chances().get(association.laid.card, 0.0))


def _is_part(card: TrackedCard, other: TrackedCard) -> bool:
    """Whether it is another outline of a laid card, whatever it is read as.

    Such are what others leave to be seen of one that was pushed below them, for little of a card
    is misread more than once; and what was seen for a moment where one that is seen now was pushed,
    for a card does not vanish from above another one.
    """
    as_it = turn_between(other.turn, card.turn) < ASKEW
    if other.missing >= SEEN_NOW:
        return as_it and not card.sure
    above = math.dist(other.place, card.place) < EXACTLY_CM
    return card.missing >= SEEN_NOW and (as_it or above)
