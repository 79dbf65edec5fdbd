"""Whose a card on the table is: by where it lies, who threw it, and who reached for it (V-1)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from vision.belief.associations import GONE, PlayAssociations
from vision.belief.likelihoods import ANOTHERS, Side, onto, side_of
from vision.belief.settings import SETTINGS
from vision.geometry.table_plane import Plane, Zone
from vision.tracking.tracked_card import TrackedCard

STEP_CM = 2.0
"""The way that a card came is followed back to the table's edge in steps of so many centimetres."""

TOGETHER = 0.3
"""Cards that appear within so many seconds of one another may be laid with one reach."""


class Owners:
    """Tells whose the cards on the table are.

    Args:
        associations: which play is which card.

    Attributes:
        plane: where the table is.
        cards: those that lie on the table or have gone from it, by their numbers.
    """

    def __init__(self, associations: PlayAssociations) -> None:
        self._associations = associations
        self.plane: Plane
        self.cards: Mapping[int, TrackedCard] = {}
        self._upon: dict[int, frozenset[int]] = {}
        self._throwers: dict[int, int | None] = {}

    def zone(self, card: TrackedCard) -> Zone:
        """Where on the table a card lies, or lay before it was taken away."""
        return self.plane.zone(card.place)

    def note_neighbours(self, faces: Collection[TrackedCard]) -> None:
        """Remembers which cards face up lay near each card when it came.

        Of those that came while nobody watched, the plays came first.
        """
        unwatched = {card.id for card in faces if not card.watched}
        played = self._associations.cards() & unwatched
        for card in faces:
            first = played if card.id in unwatched else ()
            self._upon[card.id] = self.upon(card) | {
                other.id
                for other in faces
                if other is not card
                and (other.appeared <= card.appeared or other.id in first)
                and card.appeared <= other.seen + SETTINGS.gathers
                and math.dist(other.place, card.place) < SETTINGS.onto_cm
            }

    def forget(self, number: int) -> None:
        """Forgets a card that has gone."""
        self._throwers.pop(number, None)
        self._upon.pop(number, None)

    # --- what was seen of a card ---

    def was_seen_coming(self, card: TrackedCard) -> bool:
        """Whether a card was seen on its way, from wherever it came."""
        return math.dist(card.came, card.place) >= SETTINGS.way_cm

    def thrower(self, card: TrackedCard) -> int | None:
        """The seat that a card was seen to come from, or None.

        None, too, if that seat had laid a card to this trick already, and this one lies clearly
        before another seat that reached for it: then another card was seen on the way.
        """
        if card.id not in self._throwers:
            self._throwers[card.id] = self._way_from(card)
        seat = self._throwers[card.id]
        if seat is None or self._may_lay(seat, card):
            return seat
        return None if self.clear_seat(card) in self.reachers(card) else seat

    def _way_from(self, card: TrackedCard) -> int | None:
        """The seat at the table's edge to which a card's way leads back; None near a border."""
        seat = None
        if self.was_seen_coming(card):
            x, y = card.place
            dx, dy = card.came[0] - x, card.came[1] - y
            way = math.hypot(dx, dy)
            step, zone = 0.0, self.zone(card)
            while zone.inside:
                seat = None if zone.border < SETTINGS.border else zone.seat
                step += STEP_CM
                zone = self.plane.zone((x + dx / way * step, y + dy / way * step))
        return seat

    def reachers(self, card: TrackedCard) -> frozenset[int]:
        """The seats that reached over the table when a card came to rest, and may have laid it."""
        return frozenset(seat for seat in card.reached if self._may_lay(seat, card))

    def _may_lay(self, seat: int, card: TrackedCard) -> bool:
        """Whether a seat may have laid a card: not if it had laid one to this trick before.

        Then it only drew its arm back. But if both cards appeared together and lie close, this one
        is a second outline of the other one, or was laid with it.
        """
        plays = self._associations.plays
        place = next((n for n, play in enumerate(plays) if play.card == card.id), len(plays))
        trick = plays[place - place % self.plane.seats : place]
        done = [play.card or GONE for play in trick if play.laid.seat == seat]
        if not done:
            return True
        laid = self.cards.get(done[0])
        return (
            laid is not None
            and abs(card.appeared - laid.appeared) <= TOGETHER
            and math.dist(card.place, laid.place) < SETTINGS.onto_cm
        )

    def clear_seat(self, card: TrackedCard) -> int | None:
        """The seat that a card lies clearly before, or None."""
        zone = self.zone(card)
        return None if zone.border < SETTINGS.border else zone.seat

    def upon(self, card: TrackedCard) -> frozenset[int]:
        """Numbers of the cards that one may have been thrown onto, also of those that are gone."""
        return self._upon.get(card.id, frozenset())

    # --- whose it is ---

    def side(self, card: TrackedCard, seat: int) -> Side:
        """Where a card lies, or came from, as a seat sees it."""
        return onto(self.side_alone(card, seat), self.upon(card), self._associations.cards())

    def side_alone(self, card: TrackedCard, seat: int) -> Side:
        """The same as ``side``, except that it does not matter what the card was thrown onto."""
        return side_of(
            seat, thrower=self.thrower(card), before=self.clear_seat(card),
            reachers=self.reachers(card),
        )  # fmt: skip

    def may_be_of(self, card: TrackedCard, seat: int) -> bool:
        """Whether a card may be this seat's, if this seat is due (V-1).

        A card that somebody else was seen to throw may be, if it lies clearly before this seat.
        """
        side = self.side(card, seat)
        if side is Side.THROWN_BY_ANOTHER:
            return self.clear_seat(card) == seat
        return side not in ANOTHERS

    def owner(self, card: TrackedCard) -> int | None:
        """The seat whose card it clearly is, or None.

        If it may lie on another card, only the seat that was seen to throw it counts.
        """
        return self.thrower(card) if self.upon(card) else self.laid_by(card)

    def laid_by(self, card: TrackedCard) -> int | None:
        """The seat that threw it; else the only one that reached for it; else that it lies before.

        It does not matter whether it may lie on another card.
        """
        if (thrower := self.thrower(card)) is not None:
            return thrower
        reachers = self.reachers(card)
        return next(iter(reachers)) if len(reachers) == 1 else self.clear_seat(card)
