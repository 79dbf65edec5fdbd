"""The referee: checks events, applies them to a match, undoes them, and lists the legal ones."""

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
"""A match keeps one state in so many events; undo goes back to it and replays the rest.

Keeping every state would take 200 MB for 10,000 hands.
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
        kept: Whether it is in the record already. Then its card may be from another kind of pack:
            earlier versions did not refuse these, and such records still count.

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


def apply_if_legal(match: Match, event: Event) -> Match | None:
    """The match after an event of a record; None if the rules do not allow it."""
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
    """The match before its latest ``n`` events that stand; at its start if there are fewer."""
    while match.checkpoint is not None and n >= match.since:
        n -= match.since
        match = match.checkpoint
    if match.checkpoint is None or n == 0:
        return match
    before = match.checkpoint
    for event in latest_events(match, match.since)[:-n]:
        before = _advance(before, event)
    return before


def replay(header: Header, events: Iterable[Event]) -> Match:
    """Replays the events of a record from the start of the match.

    Raises:
        RuleError: As ``verify``, at the first event that is not allowed.
    """
    match = start(header)
    for event in events:
        match = apply(match, event, kept=True)
    return match


def legal_events(match: Match, *dos: str) -> tuple[Event, ...]:
    """All events that the rules allow now, without those of the operator, in a fixed order.

    A ``play`` comes without its card, a ``raise`` once for each value, a ``deal`` once for each
    number of cards.

    Args:
        match: The match.
        *dos: The verbs to look for, which takes less time; all verbs if none is given.
    """
    return in_order(
        event
        for do in (match.header.verbs.intersection(dos) if dos else match.header.verbs)
        - OPERATOR_VERBS
        for event in VERBS[do].propose(match, do)
        if can(match, event)
    )


def agreements_on_offer(match: Match) -> tuple[Event, ...]:
    """Events that the table may agree on now, as ``AGREED`` lists them.

    Their amounts and names are only examples.
    """
    return tuple(
        event for do in AGREED for event in VERBS[do].propose(match, do) if can(match, event)
    )


def latest_events(match: Match, n: int | None = None) -> list[Event]:
    """The latest ``n`` events that stand, in the order of the record; all if ``n`` is None."""
    events: list[Event] = []
    step = match.steps
    while step is not None and len(events) != n:
        events.append(step.event)
        step = step.earlier
    return events[::-1]


def moments(match: Match) -> list[Match]:
    """The states of the match, in order: at its start, and after each event that stands."""
    found = [start(match.header)]
    for event in latest_events(match):
        found.append(_advance(found[-1], event))
    return found
