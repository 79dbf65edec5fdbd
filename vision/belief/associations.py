"""Which play is which card on the table: people overrule the camera (V-2, V-5, V-11)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from vision.belief.context import Laid, RefereeContext
from vision.belief.posterior import meanings
from vision.belief.settings import SETTINGS
from vision.geometry.table_plane import Zone
from vision.tracking.tracked_card import TrackedCard

GONE = 0
"""Stands for a card's number if the card was taken away before the camera saw it; no tracked card
has this number."""

RANK_READ = 0.5
"""A card that is read as a play with more than this probability, 0–1, may be that play's card."""

MAY_READ = 0.05
"""A play that stood before the first look is bound by its place to a card that may be of its rank
with at least this probability, 0–1: its own card may have been taken away since."""

ENTERED_BEFORE = 0.5
"""A play may be entered up to so many seconds before its card comes to rest. A card that comes
later, and is surely read as another one, is its seat's next card."""

BELIEVED = 0.95
"""From this probability on, 0–1, a card was surely read as the play that stands: its picture is
learned."""


@dataclass
class PlayAssociation:
    """An accepted play and its card on the table.

    Attributes:
        laid: the play, as it stands.
        card: number of the tracked card, or ``GONE``; None if no card was found yet.
        at: since when the play stands, in seconds; minus infinity: since before the first look.
        fixed: whether the review keeps it, for a person entered, corrected or confirmed it, or the
            review itself has put it right before.
        earlier: numbers that the same card had before it was lost and found again.
    """

    laid: Laid
    card: int | None
    at: float
    fixed: bool = False
    earlier: tuple[int, ...] = ()


def reads_as(laid: Laid, card: TrackedCard) -> float:
    """How likely a card is read as a play, 0–1; by its rank, if only that is known of the play."""
    return card.of_rank(laid.card[:-1]) if laid.guessed else card.chances().get(laid.card, 0.0)


def believed(plays: Iterable[PlayAssociation], cards: Mapping[int, TrackedCard]) -> dict[int, str]:
    """The cards of a hand that is over which were surely read as the plays that stand.

    Args:
        plays: those of the hand.
        cards: the cards that were seen in it, by their numbers.

    Returns:
        Number of each such card to its plain name.
    """
    seen = ((play.laid, cards.get(play.card or GONE)) for play in plays)
    return {
        card.id: laid.card
        for laid, card in seen
        if card is not None and not laid.guessed and reads_as(laid, card) >= BELIEVED
    }


class PlayAssociations:
    """The plays of one hand and their cards.

    Attributes:
        plays: the plays that stand, in order.
        taken_back: numbers of the cards whose plays a person took back. They are not proposed again
            before they have left the table (V-11).
    """

    def __init__(self) -> None:
        self.plays: list[PlayAssociation] = []
        self.taken_back: set[int] = set()
        # Seat and card of each play, to the card's number, and whether the play is fixed.
        self._proposed: dict[tuple[int, str], tuple[int, bool]] = {}

    def new_hand(self) -> None:
        """Forgets the plays of the hand before."""
        self.plays = []
        self._proposed.clear()

    @property
    def latest(self) -> float:
        """Since when the latest play stands, in seconds; minus infinity before the first."""
        return max((play.at for play in self.plays), default=-math.inf)

    def cards(self) -> set[int]:
        """Numbers of the cards that are a play."""
        return {play.card for play in self.plays if play.card is not None}

    def proposed(self, laid: Laid, card: int, *, fixed: bool = False) -> None:
        """Remembers the card of a play that the belief proposes.

        Args:
            laid: the play.
            card: number of its card, or ``GONE``.
            fixed: see ``PlayAssociation``.
        """
        self._proposed[laid.seat, laid.card] = card, fixed

    def follow(self, expected: RefereeContext, at: float) -> list[PlayAssociation]:
        """Takes over what stands now: after a play, an undo, a correction, an insertion, a restart.

        A play that still stands keeps its card. A corrected play keeps the card of the play that it
        replaces. The card of any other play that is gone is not proposed again (V-11).

        Args:
            expected: what the referee expects.
            at: the time, in seconds.

        Returns:
            The plays that people have put right just now, except those that were ``fixed``.
        """
        if [play.laid for play in self.plays] == list(expected.laid):
            return []
        left = list(self.plays)
        stand: list[PlayAssociation | None] = []
        put_right: list[PlayAssociation] = []
        for one in expected.laid:
            same = next((play for play in left if play.laid[:2] == one[:2]), None)
            if same is not None:
                left.remove(same)
                same.laid = one
            stand.append(same)
        for place, one in enumerate(expected.laid):
            corrected = next((play for play in left if play.laid.seat == one.seat), None)
            if stand[place] is not None or corrected is None:
                continue
            if (one.seat, one.card) not in self._proposed:  # people have put it right
                left.remove(corrected)
                same_rank = one.card[:-1] == corrected.laid.card[:-1]
                # A guessed suit changes when another card has it: no person corrected that (V-12).
                if not (one.guessed and same_rank):
                    if not corrected.fixed:
                        put_right.append(corrected)
                    corrected.fixed = True
                corrected.laid = one
                stand[place] = corrected
            elif corrected is self.plays[-1]:  # its seat laid another card: this is free (V-1)
                left.remove(corrected)
        self.taken_back |= {play.card for play in left if play.card is not None}
        self.plays = [
            self._new_play(one, at) if play is None else play
            for play, one in zip(stand, expected.laid, strict=True)
        ]
        return put_right

    def _new_play(self, laid: Laid, at: float) -> PlayAssociation:
        """A play that did not stand before: proposed by the belief, or entered by hand."""
        card, fixed = self._proposed.pop((laid.seat, laid.card), (None, True))
        return PlayAssociation(laid, card, at, fixed=fixed or card == GONE)

    def bind(
        self, cards: Mapping[int, TrackedCard], zone_of: Callable[[TrackedCard], Zone],
        free: Iterable[int], expected: RefereeContext, *, read: Collection[int],
    ) -> None:  # fmt: skip
        """Looks for the cards of plays that have none: by what they are read as, else by place.

        Args:
            cards: the tracked cards by number.
            zone_of: where one of them lies.
            free: numbers of cards that may be bound.
            expected: what stands.
            read: those of them that were looked at for so long that they may be bound to plays
                which stood before the first look.
        """
        left = set(free)
        for play in self.plays:
            fitting = left.intersection(read) if math.isinf(play.at) else left
            if play.card is not None or not fitting:
                continue
            found = self._by_look(play, cards, fitting)
            if found is None:
                found = self._by_place(play, cards, zone_of, fitting, expected)
            if found is not None:
                play.card = found
                left.remove(found)
                self.taken_back.discard(found)

    def _by_look(
        self, play: PlayAssociation, cards: Mapping[int, TrackedCard], free: Iterable[int]
    ) -> int | None:
        """The card that is read as a play; None if no card is likelier that play than not."""
        chances = {number: reads_as(play.laid, cards[number]) for number in free}
        best = max(sorted(chances), key=chances.__getitem__)
        return best if chances[best] > RANK_READ else None

    def _by_place(
        self, play: PlayAssociation, cards: Mapping[int, TrackedCard],
        zone_of: Callable[[TrackedCard], Zone], free: Iterable[int], expected: RefereeContext,
    ) -> int | None:  # fmt: skip
        """The card that came about when a play was entered, and lies before its seat.

        Failing that, a card in the middle, unless it is surely read: then it is another play's.
        """
        fitting = []
        for number in free:
            card, zone = cards[number], zone_of(cards[number])
            if not zone.inside:
                continue
            after = card.appeared - play.at
            recent = -SETTINGS.by_hand_within <= after <= SETTINGS.ask_after
            stood = math.isinf(after) and card.of_rank(play.laid.card[:-1]) >= MAY_READ
            if not (recent or stood or number in self.taken_back):
                continue
            own = zone.seat == play.laid.seat and zone.border >= SETTINGS.border
            shared = zone.seat is None or zone.border < SETTINGS.border
            unsure = number in self.taken_back or not meanings(card, expected).sure
            if (own and after <= ENTERED_BEFORE) or ((own or shared) and unsure):
                fitting.append((not own, card.appeared, number))
        return min(fitting)[2] if fitting else None
