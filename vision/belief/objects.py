"""The objects of a hand: what was seen on the table since the cards were dealt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from vision.belief.associations import GONE
from vision.belief.hypotheses import HandObject
from vision.belief.memory import Memory
from vision.belief.settings import SETTINGS
from vision.tracking.track import turn_between
from vision.tracking.tracked_card import TrackedCard

PUSHED = 1.0
"""A card that was pushed within this, in seconds, had not come to rest before."""

ASKEW = 0.2
"""A card that is pushed a little is turned by no more than this, in radians."""


def beside(memory: Memory, card: TrackedCard) -> dict[int, bool]:
    """The laid cards of which a card that nobody saw come may be another outline.

    Returns:
        Number of each of them, to whether the card is turned as it.
    """
    if memory.owners.was_seen_coming(card):
        return {}
    found, known = dict[int, bool](), memory.known()
    for play in memory.associations.plays:
        other = known.get(play.card or GONE)
        if other is None or other is card or min(other.appeared, play.at) > card.appeared:
            continue
        if math.dist(other.place, card.place) < SETTINGS.double_cm:
            found[other.id] = turn_between(other.turn, card.turn) < ASKEW
    return found


class HandObjects:
    """Keeps what is seen of each card face up, also of those that have gone."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[TrackedCard, HandObject]] = {}
        self._others: set[int] = set()  # cards that are of no hand

    def see(self, memory: Memory) -> None:
        """Takes in one look at the table.

        Args:
            memory: the belief's, after that look.
        """
        for number in self._seen.keys() - memory.cards.keys():
            card, known = self._seen[number]
            if known.gone is None:
                self._seen[number] = card, known._replace(gone=memory.at)
        owners, written = memory.owners, memory.associations.cards()
        for card in memory.faces:
            came, before = card.since, self._seen.get(card.id)
            if card.id in written or card.since - card.appeared >= PUSHED:
                # The card that is thrown onto it may have pushed it: it came when it came.
                came = card.appeared if before is None else before[1].came
            sides = tuple(owners.side_alone(card, seat) for seat in range(owners.plane.seats))
            self._seen[card.id] = card, HandObject(
                card.id, card.evidence, card.sure, came, card.seen, sides,
                beside=beside(memory, card), upon=owners.upon(card),
            )  # fmt: skip

    def begin(self, memory: Memory) -> None:
        """A hand was dealt: what is decided to be of no hand is left out from now on.

        Its first plays may be written already, where its deal was written late: these are kept,
        also where they have been taken away.
        """
        played = memory.associations.cards()
        self._seen = {number: seen for number, seen in self._seen.items() if number in played}
        self._others = set(memory.dismissed)

    def of_hand(self, dismissed: Mapping[int, str]) -> list[HandObject]:
        """The objects since ``begin``, in the order in which they came to rest.

        Args:
            dismissed: cards that are no play, and why; people have said so of some.
        """
        return self.now(
            number
            for number in self._seen
            if number not in self._others and dismissed.get(number) not in ("dropped", "exposed")
        )

    def now(self, numbers: Iterable[int]) -> list[HandObject]:
        """Some of the objects, by the numbers of their cards, in the order of coming to rest."""
        found = (self._seen[number][1] for number in numbers if number in self._seen)
        return sorted(found, key=lambda each: each.came)

    def cards(self) -> dict[int, TrackedCard]:
        """The cards that were seen face up since ``begin``, by their numbers."""
        return {number: card for number, (card, _) in self._seen.items()}
