"""The correction that one side proposes to the other, as a part of the table's state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Match
from scorekeeper.games.tricks import side_of
from scorekeeper.history.repairs import Kind, offered
from scorekeeper.messages import one_line
from webui.table.access import Grant
from webui.table.proposals import Proposal


def refusal(refused: Proposal | None, match: Match, grant: Grant) -> int | None:
    """The number of a refused proposal, for phones of the side that made it; None for others."""
    seat = grant.seat
    if refused is None or seat is None or seat >= match.seats or side_of(seat) != refused.side:
        return None
    return refused.number


def proposal_state(
    proposed: Proposal | None, match: Match, events: Sequence[Event], grant: Grant, code: str
) -> dict[str, Any] | None:
    """The proposal that waits for an answer, as screens show it.

    Args:
        proposed: The proposal that waits, or None.
        match: The match that it corrects.
        events: All its events.
        grant: Who looks.
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
