"""Finds that the next hand was dealt: by the backs, by its first cards, or by asking."""

from __future__ import annotations

import math

from vision.belief.context import RefereeContext
from vision.belief.memory import SEEN_NOW, Memory
from vision.belief.opening import is_face
from vision.belief.proposals import Choice, Proposal
from vision.belief.settings import SETTINGS
from vision.tracking.tracked_card import TrackedCard


class DealDetector:
    """Decides from what an ``Opening`` has seen that a hand was dealt, and how many cards.

    Args:
        memory: what lies on the table, and what is decided about it.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._opening = memory.opening
        self._lead: int | None = None  # number of the latest card that lay alone between two hands

    def dealt(self, expected: RefereeContext) -> Proposal | None:
        """The deal of the next hand, if it is known; asks about it if that takes too long.

        Args:
            expected: what the referee expects.
        """
        if not expected.sizes:
            return None
        before = self._opening.before_deal  # leftovers of the last hand, or misread backs
        faces = [card for card in self.between() if not before(card, expected)]
        leads = self._leads(faces, expected)
        single = self._laid_singly(faces)
        cut = self._may_be_cut(faces, expected)
        dealing = self._memory.at - self._opening.last_back < SETTINGS.quiet
        self._opening.missed |= not (cut or dealing) and self._is_trick(single)
        asks = not dealing and (self._opening.missed or self._is_overdue(leads, single, cut=cut))
        led = any(self._memory.at - card.appeared >= SETTINGS.lead_quiet for card in leads)
        size = self._opening.dealt(self._memory.at, expected, lead=led or bool(self._memory.words))
        why = f"{size} cards were dealt to everybody"
        if size is None and not dealing and self._has_begun(expected, single):
            size = expected.sizes[0] if len(expected.sizes) == 1 else 0
            why = "the hand has begun, though its deal was not seen"
        if (deal := self._deal(size, why, expected)) is not None:
            return deal
        if size == 0 and ("nothing dealt", self._opening.signs) in self._memory.said:
            size = None
        if size == 0 or asks:
            deals = (Choice("deal", deal, before=words) for words, deal in expected.deals)
            choices = (*deals, Choice("no"))
            self._memory.questions.want("deal", None, expected.dealer, choices, None)
        return None

    def _leads(self, faces: list[TrackedCard], expected: RefereeContext) -> list[TrackedCard]:
        """The card that may be the first one of the hand, if there is one."""
        if len(faces) == 1:
            self._lead = faces[0].id
        return [
            card
            for card in faces
            if card.id == self._lead  # several at once are leftovers that somebody shows
            and card.missing < SEEN_NOW  # this one may be the last of them, on its way off
            and card.id not in self._opening.exposed
            and self._memory.owners.may_be_of(card, expected.order[0])
        ]

    def _is_overdue(
        self, leads: list[TrackedCard], single: list[TrackedCard], *, cut: bool
    ) -> bool:
        """Whether a card has lain there for so long that the table asks about the deal.

        It waits longer if no backs were seen before a seat: the card may be a leftover that
        somebody shows. It waits longer, too, while the pack lies untouched: nobody has dealt.

        Args:
            leads: the cards that may be the first one of the hand.
            single: those that were laid one by one.
            cut: whether people may have cut these cards for the first deal; it waits longer then.
        """
        hurried = self._opening.most and not (cut or self._opening.untouched)
        patience = SETTINGS.lead_after if hurried else SETTINGS.nobody_after
        waits = [(card, patience) for card in leads]
        waits += [(card, SETTINGS.nobody_after) for card in single]
        return any(card.missing < SEEN_NOW and self._lies(card) >= long for card, long in waits)

    def dealt_anew(self, expected: RefereeContext) -> Proposal | None:
        """The deal of new cards that were asked for: it says that they were granted (V-22)."""
        if not all(self._opening.most[seat] > 1 for seat in range(expected.seats)):
            return None  # backs before some seats may be cards that players laid down
        size = self._opening.dealt(self._memory.at, expected, lead=False)
        why = f"{size} new cards were dealt to everybody, as was asked for"
        return self._deal(size, why, expected)

    def _deal(self, size: int | None, why: str, expected: RefereeContext) -> Proposal | None:
        """The deal of so many cards, with the word that was said first and not tapped (V-22)."""
        since = self._opening.last_back
        when = self._memory.at if math.isnan(since) else since
        for words, deal in expected.deals:
            if size and deal.cards == size:
                return Proposal(deal, None, why, 1.0, when, before=words)
        return None

    def between(self) -> list[TrackedCard]:
        """The cards face up that came after the table was empty, before the hand was opened."""
        free = self._memory.free()
        return [card for card in free if not card.down and self._opening.between(card)]

    def _laid_singly(self, faces: list[TrackedCard]) -> list[TrackedCard]:
        """The faces that were laid one by one, as in a hand; leftovers are shown several at once.

        If one lies there alone for long, another seat may have led than the referee expects.
        """
        return [
            card
            for card in faces
            if card.id not in self._opening.exposed
            and self._memory.at - card.appeared >= SETTINGS.lay_for
            and not self._memory.is_leftover(card, faces)
        ]

    def _may_be_cut(self, faces: list[TrackedCard], expected: RefereeContext) -> bool:
        """Whether people may have cut these cards for the first deal (LA/LB-2).

        Three or more that came in turn, from the leader on, are a trick rather than that.
        """
        laid = tuple(map(self._memory.owners.owner, faces))
        in_turn = len(laid) > 2 and laid == expected.order[: len(laid)]
        return not expected.hand and not in_turn

    def _is_trick(self, single: list[TrackedCard]) -> bool:
        """Whether cards lie there as in a trick, whoever leads it: then a deal was missed."""
        seats = [self._memory.owners.laid_by(card) for card in single]
        several = len(single) > 1 and (len(set(seats)) > 1 or None in seats)
        untouched = self._opening.untouched
        patience = SETTINGS.nobody_after if untouched else SETTINGS.ask_after
        return several and self._lies(single[0]) >= patience

    def _lies(self, card: TrackedCard) -> float:
        """For how many seconds a card has lain there, and the pack was taken up."""
        used = self._opening.pack_used
        return self._memory.at - (card.appeared if math.isnan(used) else max(card.appeared, used))

    def _are_in_turn(self, single: list[TrackedCard], expected: RefereeContext) -> bool:
        """Whether several cards lie in turn: the first one is the leader's.

        Each of the others may be of the seat that is due after it: whose a card in the middle is,
        is often not clear.
        """
        owners = self._memory.owners
        return (
            1 < len(single) <= expected.seats
            and owners.laid_by(single[0]) == expected.order[0]
            and all(map(owners.may_be_of, single, expected.order))
        )

    def _has_begun(self, expected: RefereeContext, single: list[TrackedCard]) -> bool:
        """Whether people do what they do only during a hand: then its deal was missed.

        They say a word; or they lay cards in turn, from the leader on, while the pack does not lie
        untouched, and no back comes after these cards. Before the first hand such cards say
        nothing: people may have cut them for the deal.
        """
        if any(said > self._opening.emptied for said, _ in self._memory.words):
            return True
        return (
            expected.hand > 0
            and not self._opening.untouched
            and self._are_in_turn(single, expected)
            and all(card.watched for card in single)  # else they may be of the hand before
            and all(is_face(card, expected) for card in single)
            and not single[0].appeared < self._opening.last_back  # also where no back was seen
            and self._memory.at - single[-1].appeared >= SETTINGS.lead_quiet
        )
