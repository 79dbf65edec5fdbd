"""What the hall's pages say about the rules of the standing."""

from __future__ import annotations

import pytest

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.header import System
from scorekeeper.club.standing import standing
from scorekeeper.club.tournament import apply
from tests.scorekeeper.club.tournaments import entered
from webui.presenters.hall_state import TIES


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("system", System)
def test_the_rules_of_the_standings_name_what_decides_before_the_lot(system, seed):
    tournament = entered(4, system)
    pairs = ((1, 2), (3, 4))
    tournament = apply(tournament, ClubEvent("draw", round=1, pairs=pairs, byes=(), seed=seed))
    for table, score in enumerate(((7, 1), (7, 6)), 1):
        won = ClubEvent("result", round=1, table=table, score=score, winner=0)
        tournament = apply(tournament, won)
    assert [row.team for row in standing(tournament)] == [1, 3, 4, 2]  # by the difference alone
    told = TIES[system][-1]
    places = [told.find(words) for words in ("between them", "difference of the scores", "the lot")]
    assert places == sorted(places)
    assert -1 not in places
