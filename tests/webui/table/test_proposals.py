"""A proposal waits for the other side, for a while, as long as its trick stands as it was."""

from __future__ import annotations

import pytest

from scorekeeper.errors import FormatError
from tests.scorekeeper.talk import event
from webui.table.proposals import SECONDS, Proposals

EVENTS = [event(text) for text in ("0 deal 3", "1 play KS", "0 play KH")]
FIX = {"fix": "remove", "seq": 3}


@pytest.fixture
def now() -> list[float]:
    return [100.0]


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def proposals(now: list[float], told: list[str]) -> Proposals:
    return Proposals(lambda: told.append("changed"), clock=lambda: now[0])


def make(proposals: Proposals, seat: int = 0, match_id: int = 7):
    return proposals.make(
        match_id, seat=seat, picture=3, case=(2, 3), repair=FIX, events=EVENTS
    )  # fmt: skip


def test_it_waits_and_everybody_is_told(proposals, told) -> None:
    made = make(proposals)
    assert proposals.waiting(7, EVENTS) == made
    assert (made.side, made.repair, told) == (0, FIX, ["changed"])
    proposals.withdraw(made.number + 1)
    assert (proposals.waiting(7, EVENTS), told) == (made, ["changed"])
    proposals.withdraw(made.number)
    assert (proposals.waiting(7, EVENTS), told) == (None, ["changed", "changed"])


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
    ],
)
def test_it_goes_after_a_while_with_its_match_and_with_its_trick(
    proposals, now, seconds, match_id, later, waits
) -> None:
    made = make(proposals)
    now[0] += seconds
    found = proposals.waiting(match_id, [*EVENTS, *map(event, later)])
    assert found == (made if waits else None)
    proposals.withdraw(made.number)


def test_each_side_has_its_word(proposals, now) -> None:
    first = make(proposals)
    with pytest.raises(FormatError, match="answer it first"):
        make(proposals, seat=1)
    second = make(proposals, seat=2)  # of the same side: it gives way
    assert proposals.waiting(7, EVENTS) == second != first
    now[0] += SECONDS
    third = make(proposals, seat=1)
    assert proposals.waiting(7, EVENTS) == third
    proposals.withdraw(third.number)
