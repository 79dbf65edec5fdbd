"""Options for what the sources leave open: each by vectors, and by default as the source has it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scorekeeper.talk import TRUC, deal, legal, say, table

DECLINED = [({}, 1), ({"declined": 1}, 1), ({"declined": 2}, 2), ({"declined": 3}, 3)]
"""Options, and what declining at eleven brings the other side."""


@pytest.mark.parametrize(("options", "points"), DECLINED, ids=str)
@pytest.mark.parametrize("seats", [2, 4])
def test_TS18_the_price_of_declining_at_eleven(seats: int, options: dict[str, Any], points) -> None:
    match = deal(table(TRUC, seats, scores=(11, 8), options=options))
    declined = say(match, "0 decline")
    assert [score.points for score in declined.scores] == [11, 8 + points]
    assert declined.hand.award == ("points", points)
    assert [score.points for score in say(match, "0 play_on").scores] == [11, 8]


def test_TS18_a_declined_eleven_can_end_the_game() -> None:
    match = say(deal(table(TRUC, 2, scores=(10, 11), options={"declined": 2})), "1 decline")
    assert (match.winner, match.scores[0].points) == (0, 12)
    assert legal(match) == []
