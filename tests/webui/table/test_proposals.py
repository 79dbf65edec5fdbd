"""A proposal waits for the other side, for a limited time, and while its trick is unchanged."""

from __future__ import annotations

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError
from tests.scorekeeper.talk import LT_ACE, NAMES, event
from webui.table.proposals import SECONDS, Proposal, Proposals

EVENTS = [event(text) for text in ("0 deal 3", "1 play KS", "0 play KH")]
FIX = {"fix": "replace", "seq": 3,
       "events": [{"do": "play", "seat": 0, "card": "QC", "_suit": "guessed"}]}  # fmt: skip


@pytest.fixture
def now() -> list[float]:
    return [100.0]


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def proposals(now: list[float], told: list[str]) -> Proposals:
    return Proposals(lambda: told.append("changed"), clock=lambda: now[0])


def match_of(events: list[Event]) -> Match:
    return replay(Header(game=LT_ACE, seats=NAMES[:2]), events)


def make(proposals: Proposals, seat: int = 0, match_id: int = 7):
    return proposals.make(
        match_id, seat=seat, picture=3, case=(2, 3), repair=FIX, match=match_of(EVENTS),
        events=EVENTS,
    )  # fmt: skip


def waiting(proposals: Proposals, *later: str, match_id: int | None = 7) -> Proposal | None:
    events = [*EVENTS, *map(event, later)]
    return proposals.waiting(match_id, match_of(events), events)


def test_a_proposal_waits_and_everybody_is_told(proposals, told) -> None:
    made = make(proposals)
    assert waiting(proposals) == made
    assert (made.side, made.repair, told) == (0, FIX, ["changed"])
    proposals.withdraw(made.number + 1)
    assert (waiting(proposals), told) == (made, ["changed"])
    proposals.withdraw(made.number)
    assert (waiting(proposals), told) == (None, ["changed", "changed"])


@pytest.mark.parametrize(
    ("seconds", "match_id", "later", "waits"),
    [
        (0, 7, (), True),
        (SECONDS - 1, 7, ("1 play 9H", "0 play 9D"), True),
        (SECONDS, 7, (), False),
        (0, 8, (), False),
        (0, None, (), False),
        (0, 7, ("undo",), False),
        (0, 7, ("undo", "0 play QH"), False),
        (0, 7, ("1 play 9H", "undo"), True),
        (0, 7, ("1 play QC",), False),  # the suit that was guessed for the queen
    ],
)
def test_a_proposal_ends_after_a_while_with_its_match_or_with_its_trick(
    proposals, now, seconds, match_id, later, waits
) -> None:
    made = make(proposals)
    now[0] += seconds
    found = waiting(proposals, *later, match_id=match_id)
    assert found == (made if waits else None)
    proposals.withdraw(made.number)


def test_a_proposal_gives_way_to_its_own_side_and_not_to_the_other(proposals, now) -> None:
    first = make(proposals)
    with pytest.raises(FormatError, match="answer it first"):
        make(proposals, seat=1)
    second = make(proposals, seat=2)  # of the same side: it gives way
    assert waiting(proposals) == second != first
    now[0] += SECONDS
    third = make(proposals, seat=1)
    assert waiting(proposals) == third
    proposals.withdraw(third.number)


def test_what_was_refused_is_forgotten_once_something_else_is_proposed(proposals) -> None:
    proposals.withdraw(make(proposals).number, refused=True)
    assert proposals.refused(7) is not None
    second = make(proposals)
    assert proposals.refused(7) is None
    proposals.withdraw(second.number)
    assert proposals.refused(7) is None
