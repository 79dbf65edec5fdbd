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

ASKEW = 0.2
"""Two outlines are turned alike if their angles differ by less than this, in radians: a little push
turns a card no further."""


def beside(memory: Memory, card: TrackedCard) -> dict[int, bool]:
    """The laid cards of which a card may be a second outline; none if it was seen to come.

    Returns:
        Number of each of these cards, to whether both are turned alike.
    """
    if memory.owners.was_seen_coming(card):
        return {}
    found, known = dict[int, bool](), memory.known()
    for play in memory.associations.plays:
        for number in (play.card or GONE, *play.earlier):
            other = known.get(number)
            if other is None or other is card or min(other.appeared, play.at) > card.appeared:
                continue
            if math.dist(other.place, card.place) < SETTINGS.double_cm:
                found[number] = turn_between(other.turn, card.turn) < ASKEW
    return found


class HandObjects:
    """Keeps what was seen of each card face up in a hand, also of those that have gone."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[TrackedCard, HandObject]] = {}
        self._others: set[int] = set()  # cards that are of no hand

    def see(self, memory: Memory) -> None:
        """Takes in one look at the table.

        Args:
            memory: what lies on the table after that look, and what is decided about it.
        """
        for number in self._seen.keys() - memory.cards.keys():
            card, known = self._seen[number]
            if known.gone is None:
                self._seen[number] = card, known._replace(gone=memory.at)
        owners, written = memory.owners, memory.associations.cards()
        for card in memory.faces:
            came, before = card.laid, self._seen.get(card.id)
            if before is not None and (card.id in written or card.since > came):
                came = before[1].came
            sides = tuple(owners.side_alone(card, seat) for seat in range(owners.plane.seats))
            self._seen[card.id] = card, HandObject(
                card.id, card.evidence, card.sure, came, card.seen, sides,
                beside=beside(memory, card), upon=owners.upon(card), watched=card.watched,
            )  # fmt: skip

    def begin(self, memory: Memory) -> None:
        """Begins a hand: forgets what was seen before, and leaves out cards that are of no hand.

        If the deal was written late, the first plays of the hand may be written already. Their
        cards are kept, also if they have been taken away.
        """
        played = memory.associations.cards()
        self._seen = {number: seen for number, seen in self._seen.items() if number in played}
        self._others = set(memory.dismissed)

    def of_hand(self, dismissed: Mapping[int, str]) -> list[HandObject]:
        """The objects since ``begin``, in the order in which they came to rest.

        Args:
            dismissed: cards that are no play, and why; those of which people said so, and those
                that were shown in dealing, are left out.
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
