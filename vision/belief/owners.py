"""Whose a card on the table is: by where it lies, who threw it, and who reached for it (V-1)."""

from __future__ import annotations

import math
from collections.abc import Iterable

from vision.belief.associations import PlayAssociations
from vision.belief.context import RefereeContext
from vision.belief.proposals import BeliefSettings
from vision.geometry.table_plane import Plane, Zone
from vision.tracking.tracked_card import TrackedCard

STEP_CM = 2.0
"""The way that a card came is followed back to the table's edge in steps of so many centimetres."""


class Owners:
    """Tells whose the cards on the table are.

    Args:
        settings: of the belief.
        associations: which play is which card.

    Attributes:
        plane: where the table is.
        zones: where each card lies, by its number.
    """

    def __init__(self, settings: BeliefSettings, associations: PlayAssociations) -> None:
        self._settings, self._associations = settings, associations
        self.plane: Plane
        self.zones: dict[int, Zone] = {}
        self._upon: dict[int, frozenset[int]] = {}
        self._throwers: dict[int, int | None] = {}
        self._done: set[int] = set()  # who has laid to the trick in progress

    def look(self, cards: Iterable[TrackedCard], plane: Plane) -> None:
        """Takes in where the cards lie."""
        self.plane = plane
        self.zones = {card.id: plane.zone(card.place) for card in cards}

    def place(self, card: TrackedCard) -> Zone:
        """Takes in where one more card lies, or lay before it was taken away."""
        self.zones[card.id] = zone = self.plane.zone(card.place)
        return zone

    def follow(self, expected: RefereeContext) -> None:
        """Takes over who has laid to the trick in progress."""
        self._done = {one.seat for one in expected.laid[len(expected.laid) - expected.in_trick :]}

    def note_neighbours(self, faces: Iterable[TrackedCard]) -> None:
        """Remembers which cards face up lay near each one when it came."""
        faces = list(faces)
        for card in faces:
            self._upon[card.id] = self.upon(card) | self._near(card, faces)

    def forget(self, number: int) -> None:
        """Forgets a card that has gone."""
        self._throwers.pop(number, None)
        self._upon.pop(number, None)

    # --- what was seen of a card ---

    def thrower(self, card: TrackedCard) -> int | None:
        """The seat that a card was seen to come from, or None."""
        if card.id not in self._throwers:
            x, y = card.place
            dx, dy = card.came[0] - x, card.came[1] - y
            way = math.hypot(dx, dy)
            seat = None
            if way >= self._settings.way_cm:
                step, zone = 0.0, self.plane.zone(card.place)
                while zone.inside:  # on, to the table's edge
                    seat = None if zone.border < self._settings.border else zone.seat
                    step += STEP_CM
                    zone = self.plane.zone((x + dx / way * step, y + dy / way * step))
            self._throwers[card.id] = seat
        return self._throwers[card.id]

    def reacher(self, card: TrackedCard, seat: int | None = None) -> int | None:
        """The only seat that reached over the table when a card came to rest, or None.

        Others than ``seat`` that have laid a card to this trick only draw their arms back.
        """
        seats = card.reached - (self._done - {seat})
        return next(iter(seats)) if len(seats) == 1 else None

    def clear_seat(self, card: TrackedCard) -> int | None:
        """The seat that a card lies clearly before, or None."""
        zone = self.zones[card.id]
        return None if zone.border < self._settings.border else zone.seat

    def upon(self, card: TrackedCard) -> frozenset[int]:
        """Numbers of the cards that one may have been thrown onto, also of those that are gone."""
        return self._upon.get(card.id, frozenset())

    def is_onto(self, card: TrackedCard) -> bool:
        """Whether a card was thrown onto one that was laid in this hand, and is gone perhaps."""
        return not self.upon(card).isdisjoint(self._associations.cards())

    def _near(self, card: TrackedCard, faces: Iterable[TrackedCard]) -> frozenset[int]:
        """The cards face up that lay near one when it came."""
        return frozenset(
            other.id
            for other in faces
            if other is not card
            and other.appeared <= card.appeared <= other.seen + self._settings.gathers
            and math.dist(other.place, card.place) < self._settings.onto_cm
        )

    # --- whose it is ---

    def may_be_of(self, card: TrackedCard, seat: int) -> bool:
        """Whether a card may be this seat's, if that is due (V-1).

        It is whose it lies before; or else of whoever was seen to throw it; or else, in the middle,
        near a border or thrown onto a card of the hand (V-5), whoever's that is due, unless it was
        another one alone who reached over the table when it came.
        """
        zone = self.zones[card.id]
        if zone.seat == seat and zone.border >= self._settings.border:
            return True
        thrower = self.thrower(card)
        if thrower is not None:
            return thrower == seat
        reacher = self.reacher(card, seat)
        return reacher in (None, seat) and (self.clear_seat(card) is None or self.is_onto(card))

    def apparent(self, card: TrackedCard) -> int | None:
        """Whose a card seems to be, though that is not sure; or None where nothing tells."""
        thrower = self.thrower(card)
        if thrower is None and (self.clear_seat(card) is None or self.is_onto(card)):
            thrower = self.reacher(card)
        return self.zones[card.id].seat if thrower is None else thrower

    def owner(self, card: TrackedCard) -> int | None:
        """The seat whose card it clearly is, or None: not where it may be thrown onto another."""
        thrower = self.thrower(card)
        if thrower is not None or self.upon(card):
            return thrower
        return self.clear_seat(card)

    def laid_by(self, card: TrackedCard) -> int | None:
        """The seat that threw it, or alone reached over the table for it, or that it lies before.

        For hands whose deal was overlooked: nobody knows which card it may lie on.
        """
        seen = (self.thrower(card), self.reacher(card), self.clear_seat(card))
        return next((seat for seat in seen if seat is not None), None)
