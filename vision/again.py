"""Cards that were laid and are seen again: elsewhere, as a second outline, or later (V-2)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vision.bonds import RANK_READ, Bond, reads_as
from vision.expect import Expectation
from vision.opening import SURELY
from vision.steady import Steady
from vision.tracks import turn_between
from vision.view import MAY_BE, SEEN_NOW, View
from vision.weigh import LaidCards, Weighed, weigh

ASKEW = 0.15
"""A card that is pushed a little is turned by no more than this, in radians."""


class Again(View):
    """Tells a card that was laid before from a new one."""

    def _is_double(self, card: Steady) -> bool:
        """Whether it is a second outline of a card that was laid (V-2): nobody saw it come."""
        if self._thrower(card) is not None:
            return False
        for bond, other in self._beside(card):
            if other.missing < SEEN_NOW and _is_one(card, bond, other) > SURELY:
                self._out[card.id] = "double"
                return True
        return False

    def _weigh(self, card: Steady, expected: Expectation, laid: LaidCards) -> Weighed:
        """What a card means; it may be one that was pushed a little while nobody could see it."""
        beside: set[str] = set()
        if self._thrower(card) is None:
            beside = {
                bond.laid.card
                for bond, other in self._beside(card)
                if other.missing > SEEN_NOW and turn_between(other.turn, card.turn) < ASKEW
            }
        return weigh(card, expected, laid._replace(beside=beside))

    def _free_doubles(self, expected: Expectation) -> None:
        """Frees what was taken for a second outline, and is clearly read as another card now."""
        for number in [number for number, why in self._out.items() if why == "double"]:
            card = self._cards.get(number)
            if card is None or card.missing > 0 or not self._is_clear(card, expected):
                continue
            if all(_is_one(card, bond, other) < MAY_BE for bond, other in self._beside(card)):
                del self._out[number]

    def _beside(self, card: Steady) -> Iterator[tuple[Bond, Steady]]:
        """The laid cards that lie so near to a card that it may be a second outline of them."""
        for bond in self.bonds.plays:
            other = None if bond.card is None else self._cards.get(bond.card)
            if other and math.dist(other.place, card.place) < self.settings.double_cm:
                yield bond, other

    def _find_again(self, at: float, expected: Expectation) -> None:
        """Binds cards again that come back, and those that are clearly seen elsewhere (V-2)."""
        settings = self.settings
        for card in self._free():
            for bond in self.bonds.plays:
                lost = None if bond.card is None else self._lost.get(bond.card)
                if lost is None or at - lost[1] > settings.again_within:
                    continue
                apart = math.dist(lost[0].place, card.place)
                as_before = apart <= settings.exactly_cm
                near = apart <= settings.again_cm and self._thrower(card) is None
                if (as_before or near) and reads_as(bond.laid, card) > RANK_READ:
                    bond.card = card.id
                    break
        laid = self._laid()
        for card in self._free():
            best, margin, _ = self._weigh(card, expected, laid)
            if best is None or best.kind != "same" or margin < settings.margin:
                continue
            for bond in self.bonds.plays:
                other = None if bond.card is None else self._cards.get(bond.card)
                if bond.laid.card == best.name and (other is None or other.missing > SEEN_NOW):
                    if other is not None:
                        self._out[other.id] = "moved"
                    bond.card = card.id
                    break

        self._find_meant()

    def _find_meant(self) -> None:
        """Binds what people meant instead of what they were asked about.

        A thing that was taken for a card is asked about as the card that is due, and the answer
        names the one that was really laid.
        """
        known = {**self._made_out, **self._known()}
        for bond in self.bonds.plays:
            asked = None if bond.card is None else known.get(bond.card)
            if asked is None or reads_as(bond.laid, asked) > RANK_READ:
                continue
            for card in self._free():
                after = card.since - bond.at
                recent = -self.settings.by_hand_within <= after <= self.settings.ask_after
                own = self._is_before(card, bond.laid.seat)
                if recent and own and reads_as(bond.laid, card) > RANK_READ:
                    self._out[asked.id] = "dropped"
                    bond.card = card.id
                    break


def _is_one(card: Steady, bond: Bond, other: Steady) -> float:
    """How likely a card is one that was laid, by what that is read as or was played as; 0–1.

    The suit that it was played as may be guessed (V-12).
    """
    return max(card.alike(other), card.chances().get(bond.laid.card, 0.0))
