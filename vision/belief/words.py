"""Words that people said: they wait until the rules allow them.

A word may be quicker than the picture of the card before it.
"""

from __future__ import annotations

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import can
from scorekeeper.engine.unsaid import is_repeated, words_before
from scorekeeper.messages import N_
from vision.belief.context import RefereeContext
from vision.belief.memory import Memory
from vision.belief.proposals import Proposal
from vision.belief.settings import SETTINGS


class Words:
    """Proposes what people said as soon as the rules allow it.

    Args:
        memory: what lies on the table, and what is decided about it.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._taken: Proposal | None = None  # the latest

    def spoken(self, at: float, expected: RefereeContext) -> Proposal | None:
        """The first word that waits, if its moment has come.

        Args:
            at: the time, in seconds.
            expected: what the referee expects.
        """
        while self._memory.words:
            said, event = self._memory.words[0]
            if said > at:
                return None
            waiting = self._memory.waiting(expected) if expected.open else []
            # A word waits for the cards before it, but not for ever: one may never be made out.
            over = at - said > SETTINGS.words_wait and not self._asks_before(said)
            ready = over or not any(card.since < said for card in waiting)
            if ready and can(expected.match, event):
                return self._take(expected)
            if is_repeated(expected.match, event):
                # Tapped twice: if it waited, it would be taken for a word of the next hand.
                del self._memory.words[0]
                continue
            # A word that it answers may still be tapped, a moment later.
            late = waiting or at - said > SETTINGS.untold_after
            if ready and late and (before := words_before(expected.match, event)):
                return self._take(expected, before)
            if not over:
                return None
            del self._memory.words[0]
            reason = N_("the rules do not allow it yet")
            self._memory.add_hint("refused", "format", event.seat, reason, event=event)
        return None

    def _take(self, expected: RefereeContext, before: tuple[Event, ...] = ()) -> Proposal:
        """Takes the first word.

        Args:
            expected: what the referee expects.
            before: what the word answers, which was said and not tapped (V-22).
        """
        said, event = self._memory.words.pop(0)
        why = "it was said, and what it answers was not tapped" if before else "it was said"
        self._taken = Proposal(event, expected.seq, None, why, 1.0, said, before=before)
        return self._taken

    def put_back(self, proposal: Proposal) -> None:
        """Lets a word wait again whose proposal was not written: something else was, before it."""
        if proposal is self._taken:
            self._memory.words.insert(0, (proposal.at, proposal.event))

    def _asks_before(self, at: float) -> bool:
        """Whether somebody is asked about a card that was laid before a time."""
        early = {card.id for card in self._memory.free() if card.since < at}
        return any(q.kind == "unseen" or q.card in early for q in self._memory.questions.all)
