"""What the referee expects: as the match stands, and if the hand in progress were over."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, can, undone
from scorekeeper.engine.state import Match
from scorekeeper.engine.unsaid import lay_downs
from vision.belief.context import referee_context
from vision.belief.proposals import Choice


class Expectations:
    """What the referee expects at one moment, and what it would allow; made once after each event.

    Args:
        match: the match.
        seq: number of its latest event.

    Attributes:
        match: the match.
        now: what is expected as the match stands.
        over: what is expected before the next deal, if the hand in progress were over.
    """

    def __init__(self, match: Match, seq: int) -> None:
        self.match = match
        self._endings: dict[int, tuple[Choice, ...]] = {}
        self.now = self.over = referee_context(match, seq)
        if match.in_progress:
            ended = apply(match, Event("void_hand"))
            self.over = referee_context(ended, seq)
            if self.over.cuts:  # any deal is looked for, whether the pack was cut or tapped
                self.over = referee_context(apply(ended, self.over.cuts[-1][0]), seq)

    def endings(self, shown: int = 0) -> tuple[Choice, ...]:
        """The answers to what has ended the hand: a side lay down, it was void, or it goes on.

        Args:
            shown: so many of the latest plays are none: these cards were shown after the end.
        """
        if shown not in self._endings:
            self._endings[shown] = tuple(self._ended(shown))
        return self._endings[shown]

    def _ended(self, shown: int) -> Iterator[Choice]:
        match, misdeal = undone(self.match, shown), Event("misdeal")
        first = (Event("undo"),) * shown
        sides = lay_downs(match)
        for side, said in sides.items():
            yield Choice("side", said[-1], before=(*first, *said[:-1]), side=side)
        if can(match, misdeal):
            yield Choice("misdeal", misdeal, before=first)
        elif not sides:  # nobody can lie down any more
            yield Choice("void", Event("void_hand"), before=first)
        yield Choice("no")
