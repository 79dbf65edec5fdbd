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
from scorekeeper.history.repairs import Kind, offered
from scorekeeper.messages import N_, one_line
from webui.table.access import Grant

SECONDS = 300.0
"""How long a proposal waits."""

TOLD_SECONDS = 30.0
"""How long the side that has proposed is told that the other one does not agree."""


class Proposal(NamedTuple):
    """What one side proposes.

    Attributes:
        number: Its number; names it in an answer.
        match_id: The match that it corrects.
        seat: Who proposes it.
        picture: Names the event in links; see ``scorekeeper.reports.cases``. None where it was
            proposed
            without looking at a trick or a call.
        case: The sequence numbers of the events of the trick or call as it stood.
        seen: How many events there were.
        repair: The token of the correction; see ``scorekeeper.history.fixes``.
        until: When it is withdrawn, by the clock of the proposals.
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
    """The proposal of a table: one at a time. May be used by several threads.

    Args:
        changed: Called when it is made or goes.
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
        """Proposes a correction; one that the same side has made before gives way.

        Raises:
            FormatError: One of the other side waits for its answer.
        """
        with self._lock:
            waiting = self.waiting(match_id, match, events)
            if waiting is not None and waiting.side != side_of(seat):
                raise FormatError(N_("the other side has proposed a correction: answer it first"))
            self._made += 1
            until = self._clock() + SECONDS
            made = Proposal(self._made, match_id, seat, picture, case, len(events), repair, until)
            self._open, self._refused = made, None
            self._tell_after(SECONDS)  # screens then find that it is gone
        self._changed()
        return made

    def waiting(
        self, match_id: int | None, match: Match | None, events: Sequence[Event]
    ) -> Proposal | None:
        """The proposal that waits now.

        It is gone after a while, with its match, and when its trick or call does not stand as it
        was any more; one without a trick or a call, when anything has happened since. It is gone,
        too, where it would be another correction now, as when a guessed suit was played meanwhile.

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
        """The proposal that the other side has just refused, until its own side was told."""
        if self._refused is None or self._clock() >= self._refused[1]:
            return None
        return self._refused[0] if self._refused[0].match_id == match_id else None

    def withdraw(self, number: int, *, refused: bool = False) -> None:
        """Takes a proposal away, if it is still the one that waits.

        Args:
            number: The proposal's.
            refused: Whether the other side does not agree: its own side is told.
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
                self._tell_after(TOLD_SECONDS)
        self._changed()

    def _tell_after(self, seconds: float) -> None:
        """Tells the screens again after a while."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = Timer(seconds, self._changed)
        self._timer.daemon = True
        self._timer.start()


def refusal(refused: Proposal | None, match: Match, grant: Grant) -> int | None:
    """The number of a proposal that was refused, for the side that made it; None for others."""
    seat = grant.seat
    if refused is None or seat is None or seat >= match.seats or side_of(seat) != refused.side:
        return None
    return refused.number


def proposal_state(
    proposed: Proposal | None, match: Match, events: Sequence[Event], grant: Grant, code: str
) -> dict[str, Any] | None:
    """The correction that waits for an answer.

    Args:
        proposed: The one that waits, or None.
        match: The match that it corrects.
        events: All its events.
        grant: Whose eyes.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.

    Returns:
        What is proposed (``words``), what it ``changes``, what ``falls_away``, who proposes it,
        and whether this phone ``answers``; None where nothing waits.
    """
    offer = None if proposed is None else offered(match, events, proposed.repair, code)
    if proposed is None or offer is None:
        return None
    seat = grant.seat if grant.seat is not None and grant.seat < match.seats else None
    return {
        "number": proposed.number,
        "match": proposed.match_id,
        "seat": proposed.seat,
        "name": one_line(match.seated.seats[proposed.seat]),
        "picture": proposed.picture,
        "words": offer.label,
        "changes": [*offer.changes],
        "falls_away": [*offer.falls_away] if offer.kind is not Kind.UNDO else [],
        "answers": seat is not None and side_of(seat) != proposed.side,
    }
