"""The referee: what is legal, what an event does, and a match as the fold of its events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scorekeeper.engine import agreeing, calling, dealing, playing
from scorekeeper.engine.events import Event, in_order
from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import check_pack
from scorekeeper.engine.state import Match, Step
from scorekeeper.engine.verbs import Verb
from scorekeeper.errors import FormatError, RuleError
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.rules import OPERATOR_VERBS
from scorekeeper.messages import N_

CHECKPOINT_EVERY = 16
"""Events between two states that a match keeps: undo plays at most so many again.

Keeping every state instead would take 200 MB for 10,000 hands.
"""


def _check_undo(match: Match, event: Event) -> None:
    if match.steps is None:
        raise FormatError(N_("there is nothing to take back"))


def _undo(match: Match, event: Event) -> Match:
    return undone(match)


VERBS: Mapping[str, Verb] = {
    **dealing.VERBS,
    **playing.VERBS,
    **calling.VERBS,
    **agreeing.VERBS,
    "undo": Verb(_check_undo, _undo),
}


def start(header: Header) -> Match:
    """The match before its first event."""
    return Match(header, dealer=header.first_dealer)


def verify(match: Match, event: Event, *, kept: bool = False) -> None:
    """Checks one event against the rules.

    Args:
        match: The match before it.
        event: The event.
        kept: Whether it is in the record already. A record may hold cards from a pack that cannot
            play the game, because they were not always refused; they go on to count.

    Raises:
        RuleError: The rules do not allow it now. The error names the rule, the event that was
            tried and the events that are legal instead.
    """
    try:
        _check(match, event, kept=kept)
    except RuleError as error:
        error.tried = event
        error.legal = legal_events(match)
        raise


def _check(match: Match, event: Event, *, kept: bool) -> None:
    if event.card is not None and not kept:
        check_pack(match, event.card)
    VERBS[event.do].check(match, event)


def can(match: Match, event: Event, *, kept: bool = False) -> bool:
    """Whether the rules allow an event now; ``kept`` as for ``verify``."""
    try:
        _check(match, event, kept=kept)
    except RuleError:
        return False
    return True


def apply(match: Match, event: Event, *, kept: bool = False) -> Match:
    """The match after one more event; ``kept`` as for ``verify``.

    Raises:
        RuleError: As ``verify``.
    """
    verify(match, event, kept=kept)
    return _advance(match, event)


def tried(match: Match, event: Event) -> Match | None:
    """The match after an event that is said again, or None where the rules do not allow it."""
    return _advance(match, event) if can(match, event, kept=True) else None


def _advance(match: Match, event: Event) -> Match:
    """The match after an event that the rules allow."""
    after = VERBS[event.do].move(match, event)
    if event.do == "undo":
        return after
    checkpoint, since = match.checkpoint, match.since + 1
    if checkpoint is None or since > CHECKPOINT_EVERY:
        checkpoint, since = match, 1
    return Match(*after[:-3], Step(event, match.steps), checkpoint, since)


def undone(match: Match, n: int = 1) -> Match:
    """The match before its latest ``n`` events that stand; at its start where there are fewer."""
    while match.checkpoint is not None and n >= match.since:
        n -= match.since
        match = match.checkpoint
    if match.checkpoint is None or n == 0:
        return match
    before = match.checkpoint
    for event in latest_events(match, match.since)[:-n]:
        before = _advance(before, event)
    return before


def fold(header: Header, events: Iterable[Event]) -> Match:
    """The match after these events of a record, from its start.

    Raises:
        RuleError: As ``verify``, at the first event that is not allowed.
    """
    match = start(header)
    for event in events:
        match = apply(match, event, kept=True)
    return match


def legal_events(match: Match, *dos: str) -> tuple[Event, ...]:
    """Every event that the rules allow now, the operator's left out.

    A ``play`` comes without its card, a ``raise`` once for each value, a ``deal`` once for each
    size. Sorted as answers list them.

    Args:
        match: The match.
        *dos: The verbs that are asked for, where not all are: that takes less time.
    """
    return in_order(
        event
        for do in (match.header.verbs.intersection(dos) if dos else match.header.verbs)
        - OPERATOR_VERBS
        for event in VERBS[do].propose(match, do)
        if can(match, event)
    )


def agreements_on_offer(match: Match) -> tuple[Event, ...]:
    """What the table may agree on now, as ``AGREED`` lists it; amounts and names are samples."""
    return tuple(
        event for do in AGREED for event in VERBS[do].propose(match, do) if can(match, event)
    )


def latest_events(match: Match, n: int | None = None) -> list[Event]:
    """The latest ``n`` events that stand, in order; all of them without a number."""
    events: list[Event] = []
    step = match.steps
    while step is not None and len(events) != n:
        events.append(step.event)
        step = step.earlier
    return events[::-1]


def moments(match: Match) -> list[Match]:
    """The match at its start and after each event that stands, in order."""
    found = [start(match.header)]
    for event in latest_events(match):
        found.append(_advance(found[-1], event))
    return found
