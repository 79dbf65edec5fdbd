"""A correction that one side proposes, and that waits for the other side's word."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from threading import Lock, Timer
from typing import Any, NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError
from scorekeeper.games.tricks import side_of
from scorekeeper.history.corrections import standing
from scorekeeper.history.repairs import offered
from scorekeeper.messages import N_

SECONDS = 300.0
"""How long a proposal waits for an answer."""

TOLD_SECONDS = 30.0
"""How long the side that proposed is shown that the other side refused."""


class Proposal(NamedTuple):
    """What one side proposes.

    Attributes:
        number: Its number, which an answer names.
        match_id: The match that it corrects.
        seat: The seat that proposes it.
        picture: The event in the links of its trick or call, see ``scorekeeper.reports.cases``;
            None where it was not proposed on the page of a trick or call.
        case: The sequence numbers of the events of that trick or call, as it stood.
        seen: How many events the match had.
        repair: The token of the correction; see ``scorekeeper.history.fixes``.
        until: When it ends without an answer, by the clock of ``Proposals``.
    """

    number: int
    match_id: int
    seat: int
    picture: int | None
    case: tuple[int, ...]
    seen: int
    repair: Mapping[str, Any]
    until: float

    @property
    def side(self) -> int:
        """The side that proposes; the other one answers."""
        return side_of(self.seat)


class Proposals:
    """The proposals of a table, one at a time. May be used by several threads.

    Args:
        changed: Called when a proposal is made or ends.
        clock: Tells seconds.
    """

    def __init__(
        self, changed: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._changed, self._clock, self._lock = changed, clock, Lock()
        self._made = 0
        self._open: Proposal | None = None
        self._refused: tuple[Proposal, float] | None = None
        self._timer: Timer | None = None

    def make(
        self,
        match_id: int,
        *,
        seat: int,
        repair: Mapping[str, Any],
        match: Match,
        events: Sequence[Event],
        picture: int | None = None,
        case: tuple[int, ...] = (),
    ) -> Proposal:
        """Proposes a correction; it replaces an earlier proposal of the same side.

        Raises:
            FormatError: A proposal of the other side waits for an answer.
        """
        with self._lock:
            waiting = self.waiting(match_id, match, events)
            if waiting is not None and waiting.side != side_of(seat):
                raise FormatError(N_("the other side has proposed a correction: answer it first"))
            self._made += 1
            until = self._clock() + SECONDS
            made = Proposal(self._made, match_id, seat, picture, case, len(events), repair, until)
            self._open, self._refused = made, None
            self._call_changed_after(SECONDS)  # screens then find that it has ended
        self._changed()
        return made

    def waiting(
        self, match_id: int | None, match: Match | None, events: Sequence[Event]
    ) -> Proposal | None:
        """The proposal that waits for an answer now; None where none does.

        A proposal ends after a while, and with its match. It ends when one of the events of its
        trick or call no longer stands; without a trick or call, at the next event. It also ends
        where its token would no longer be offered: a guessed suit may have been played meanwhile.

        Args:
            match_id: The match that is played; None where none is.
            match: That match as it is.
            events: All its events.
        """
        made = self._open
        if made is None or match is None or made.match_id != match_id:
            return None
        if self._clock() >= made.until:
            return None
        if made.picture is None:
            return made if len(events) == made.seen else None
        if not {one.seq for one in standing(events)}.issuperset(made.case):
            return None
        return made if offered(match, events, made.repair, "en") is not None else None

    def refused(self, match_id: int | None) -> Proposal | None:
        """The proposal that the other side refused, for as long as its own side is shown that."""
        if self._refused is None or self._clock() >= self._refused[1]:
            return None
        return self._refused[0] if self._refused[0].match_id == match_id else None

    def withdraw(self, number: int, *, refused: bool = False) -> None:
        """Ends a proposal, if it still waits.

        Args:
            number: The number of the proposal.
            refused: Whether the other side refused it: then its own side is shown that for a while.
        """
        with self._lock:
            if self._open is None or self._open.number != number:
                return
            if refused:
                self._refused = self._open, self._clock() + TOLD_SECONDS
            self._open = None
            if self._timer is not None:
                self._timer.cancel()
            if refused:
                self._call_changed_after(TOLD_SECONDS)
        self._changed()

    def _call_changed_after(self, seconds: float) -> None:
        """Has the screens drawn anew after a while, instead of when that was asked for before."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = Timer(seconds, self._changed)
        self._timer.daemon = True
        self._timer.start()
