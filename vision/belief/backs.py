"""What backs say after the deal: that a hand has too many or too few cards, or no to an offer."""

from __future__ import annotations

from vision.belief.context import RefereeContext
from vision.belief.memory import Memory
from vision.belief.proposals import Choice


class Backs:
    """Looks at the cards that lie face down while a hand is played.

    Args:
        memory: what lies on the table, and what is decided about it.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._settings, self._opening = memory.settings, memory.opening

    def see(self, at: float, expected: RefereeContext) -> None:
        """Hints at wrong numbers of cards, and asks whether a hand was laid down.

        Args:
            at: the time, in seconds.
            expected: what the referee expects.
        """
        self._count(at, expected)
        self._ask_for_no(at, expected)

    def _count(self, at: float, expected: RefereeContext) -> None:
        """Hints at too many or too few backs after the deal (V-6)."""
        if not expected.laid and at - self._opening.last_back >= self._settings.quiet:
            counts = self._opening.most
            counted = expected.size in counts.values()
            heaped = self._opening.heaped | self._opening.blurred
            for seat, count in sorted(counts.items()):
                sure = self._opening.apart[seat]
                if sure > expected.size + (seat == expected.dealer):  # the pack, perhaps
                    text = f"seat {seat} was dealt {sure} cards, not {expected.size}"
                    self._memory.add_hint("too_many_backs", "V-6", seat, text)
                elif counted and 1 < count < expected.size and seat not in heaped:
                    # One alone may be a heap.
                    text = f"seat {seat} seems to have {count} cards, not {expected.size}"
                    self._memory.add_hint("too_few_backs", "V-6", seat, text)

    def _ask_for_no(self, at: float, expected: RefereeContext) -> None:
        """Asks whether cards laid face down mean no, while an offer waits for an answer."""
        if ("kept", self._memory.offer_since) in self._memory.said:
            return
        for event in expected.rejects:
            laid_down = [
                card
                for card in self._memory.cards.values()
                if card.down
                and card.appeared > self._memory.offer_since
                and self._memory.owners.clear_seat(card) == event.seat
            ]
            if self._memory.long_ago(laid_down, at):
                choices = (Choice(event.do, event), Choice("no"))
                why = f"seat {event.seat} has laid cards face down: does that mean no?"
                self._memory.questions.want("reject", event.seat, event.seat, choices, why, None)
