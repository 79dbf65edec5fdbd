"""Notices that a hand is over, though nobody has said so: the next one is dealt (V-14).

Whoever folds says so aloud, and may forget to tap it. Then people clear the table and deal, which
the rules do not allow yet. So a second ``Opening`` watches during every hand, as if the hand were
over. When it finds a deal, looks at the table are held back from the belief until somebody says how
the hand ended. Then they are judged as if that had been said when the table was bare.

A cleared table is asked about before there is a deal. When people take a trick, the pack or earlier
tricks stay on the table; at the end of a hand they go, too. While only this is known the hand may
go on, and no look is held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf, isnan

from vision.belief.context import Laid, RefereeContext
from vision.belief.memory import Memory
from vision.belief.opening import SEEN_LATELY, Opening, TableLook, is_face
from vision.tracking.tracked_card import TrackedCard

BEFORE = 2.0
"""Looks of so many seconds before the last card was seen are judged anew, as seen after the end."""

EMPTY = 3.0
"""If no card has lain on the table for so many seconds, it was cleared. Of 480 hands of simulated
films no table was empty for so long before its hand ended (one was for two seconds); 214 were after
it."""

LAID = 1.0
"""A card face down that is seen for so many seconds lies there: an arm's shadow goes sooner."""

TAKEN_UP = 1.0
"""Another deal can begin only so many seconds after the backs of the hand's own deal were seen
before several seats for the last time."""

THIN = 0.25
"""While nothing comes, goes or moves, one look is kept in so many seconds."""

MOST_LOOKS = 2000
"""If more looks than this are kept, those of the older half in which nothing changed are
forgotten."""


NO_HAND: tuple[int, tuple[Laid, ...]] = (0, ())
"""The state while no hand is in progress: its number, and what was laid."""


class Clearing:
    """Watches, beside a hand in progress, for the deal of the next one.

    Args:
        memory: what lies on the table, and what is decided about it.

    Attributes:
        holds_back: whether looks are held back: the next deal has begun, and nobody has said yet
            how the hand ended.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.holds_back = False
        self._state: tuple[int, tuple[Laid, ...]] = NO_HAND
        self._lay: set[int] = set()  # backs that lay there at the latest play: the pack, a trick
        self._kept = False  # whether backs have lain there since the latest play
        self._empty = inf  # since when no card lies there
        self._own = -inf  # when backs of the hand's own deal were last seen before several seats
        self._looks: list[TableLook] = []  # those that may have to be judged anew
        self._since = inf  # since when looks are held back
        self._passed = -inf  # looks up to this time were judged already
        self._start(())

    def _start(self, cards: Iterable[TrackedCard]) -> None:
        """Begins to watch anew, as if the hand had ended just now."""
        # A card may lie there for long while somebody thinks: it is waited for.
        self._opening = Opening(stays=inf)
        self._before = {card.id for card in cards if card.down}

    def see(self, look: TableLook, expected: RefereeContext) -> list[TableLook]:
        """Takes in one look.

        Args:
            look: the look.
            expected: what the referee expects now.

        Returns:
            The looks to be judged now: usually this one. An empty list while looks are held back;
            once somebody has said how the hand ended, those that were held back.
        """
        memory = self._memory
        if self.holds_back or (memory.cleared and not expected.open):
            # The next hand's cards may come before the answer. People may even enter both the end
            # of the hand and the next deal between two looks.
            self._keep(look)
            ended = not expected.open or self._state[0] not in (0, expected.hand)
            goes_on = memory.not_ended_before >= self._since
            return self._released(ended=ended) if ended or goes_on else []
        if not expected.open or look.at <= self._passed:
            self._state = NO_HAND
            return [look]
        over = expected.over
        state = (expected.hand, expected.laid)
        if state != self._state:  # a card was laid, or another hand was opened
            self._state, self._lay, self._looks = state, {card.id for card in _lying(look)}, []
            self._kept, memory.cleared = bool(self._lay), False
            self._start(look.cards.values())
        elif (
            look.at - memory.opening.watched_since < LAID  # cards may have come before
            or self._is_still_dealt(look, expected)
            or self._is_bare(look, over)
        ):
            self._start(look.cards.values())
        self._opening.watch(look, over, memory.dismissed)
        self._keep(look)
        if isnan(self._opening.emptied) or self._opening.emptied >= look.at:
            # Backs that are dealt onto a card's place hide for long that it has gone.
            faces = (card for card in look.cards.values() if self._is_face(card, over))
            latest = max((card.seen for card in faces), default=look.at)
            self._looks = [each for each in self._looks if each.at > latest - BEFORE]
        if self._has_begun(look, expected, over):
            self.holds_back, self._since = True, look.at
            return []
        memory.cleared = self._is_cleared(look, expected, over)
        return [look]

    def _released(self, *, ended: bool) -> list[TableLook]:
        """Holds back no longer.

        Args:
            ended: whether the hand has ended; else it goes on.

        Returns:
            The looks to be judged now: if the hand has ended, all since its end, also those that
            were judged before; else those that were held back.
        """
        self.holds_back = self._memory.cleared = False
        looks = [each for each in self._looks if ended or each.at >= self._since]
        if not ended:
            self._passed = self._looks[-1].at
        self._looks = []
        return looks

    def _keep(self, look: TableLook) -> None:
        """Keeps a look, as it may have to be judged anew."""
        looks = self._looks
        if looks and not look.changes and look.at - looks[-1].at < THIN:
            return
        looks.append(look)
        if len(looks) > MOST_LOOKS:
            half = MOST_LOOKS // 2
            self._looks = [each for each in looks[:half] if each.changes] + looks[half:]

    def _is_still_dealt(self, look: TableLook, expected: RefereeContext) -> bool:
        """Whether backs may be of this hand's own deal: nobody has played yet.

        A deal may be written before its last card has come. Then backs lie before several seats
        until people take them up.
        """
        if expected.laid:
            return False
        places = [card.place for card in _lying(look)] + [heap.place for heap in look.heaps]
        if len({look.plane.zone(place).seat for place in places} - {None}) > 1:
            self._own = look.at
        return look.at - self._own < TAKEN_UP

    def _is_bare(self, look: TableLook, over: RefereeContext) -> bool:
        """Whether the last card that lay face up has gone, and nothing new lies there."""
        went = any(each.kind == "vanished" and not each.card.down for each in look.changes)
        return went and not any(
            card.id not in self._before if card.down else self._is_face(card, over)
            for card in look.cards.values()
        )

    def _is_face(self, card: TrackedCard, over: RefereeContext) -> bool:
        """Whether a card lies there face up, and may be of the hand."""
        return card.id not in self._memory.dismissed and is_face(card, over)

    def _is_cleared(self, look: TableLook, expected: RefereeContext, over: RefereeContext) -> bool:
        """Whether all cards have gone, also the pack or the tricks, which stay when one is taken.

        The table counts as cleared until the next card is played.
        """
        self._kept |= any(card.seen - card.since >= LAID for card in _lying(look))
        played = any(self._is_face(card, over) for card in look.cards.values())
        down = any(card.down for card in look.cards.values())
        self._empty = inf if played or down or look.heaps else min(self._empty, look.at)
        goes_on = self._memory.not_ended_before >= self._memory.associations.latest
        if goes_on or played or not expected.laid:
            return False
        return self._memory.cleared or (self._kept and look.at - self._empty >= EMPTY)

    def _has_begun(self, look: TableLook, expected: RefereeContext, over: RefereeContext) -> bool:
        """Whether cards were dealt that cannot be of the hand in progress."""
        opening = self._opening
        # The first card after this hand's own deal is its lead, and says nothing of another deal.
        lead = bool(expected.laid) and any(
            not card.down and opening.between(card) and card.appeared > opening.last_back
            for card in look.cards.values()
        )
        if opening.dealt(look.at, over, lead=lead) is None:
            return False
        all_gone = bool(self._lay) and self._lay.isdisjoint(look.cards)
        held = expected.size * expected.seats - len(expected.laid)
        gathered = len(expected.laid) > expected.in_trick  # a won trick may lie there face down
        return all_gone or sum(opening.most.values()) > held + gathered


def _lying(look: TableLook) -> Iterator[TrackedCard]:
    """The cards face down that lie there, and were not taken just now."""
    return (c for c in look.cards.values() if c.down and c.missing <= SEEN_LATELY)
