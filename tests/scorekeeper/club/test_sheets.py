"""The lists of a tournament for spreadsheets."""

from __future__ import annotations

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.tournament import apply
from scorekeeper.reports.spreadsheets import rounds_sheet, standing_sheet
from tests.scorekeeper.club.tournaments import entered


def test_the_standing_and_the_rounds_as_lists():
    tournament = entered(3)
    for event in (
        ClubEvent("rename", 2, ("=Cai", "Dora")),
        ClubEvent("draw", round=1, pairs=((1, 2),), byes=(3,), seed=7),
        ClubEvent("result", round=1, table=1, score=(7, 3), winner=0),
        ClubEvent("correct", round=1, table=1, score=(3, 7), winner=1, note="swapped"),
    ):
        tournament = apply(tournament, event)
    assert "".join(standing_sheet(tournament)).split("\r\n") == [
        "place,team,names,won,drawn,lost,byes,points,rivals_points,direct_points,difference",
        "1,3,Ana 3 & Bea 3,0,0,0,1,1,0.5,0,0",
        "2,2,'=Cai & Dora,1,0,0,0,1,0,0,4",
        "3,1,Ana 1 & Bea 1,0,0,1,0,0,1,0,-4",
        "",
    ]
    assert "".join(rounds_sheet(tournament)).split("\r\n") == [
        "round,table,side_0,side_1,score_0,score_1,winner,how,seed",
        "1,1,Ana 1 & Bea 1,'=Cai & Dora,3,7,'=Cai & Dora,corrected: swapped,7",
        "1,,Ana 3 & Bea 3,,,,Ana 3 & Bea 3,bye,7",
        "",
    ]


def test_a_meeting_without_a_result_is_empty_and_a_walkover_says_so():
    tournament = apply(
        entered(4), ClubEvent("draw", round=1, pairs=((1, 2), (3, 4)), byes=(), seed=7)
    )
    tournament = apply(tournament, ClubEvent("withdraw", 4, note="ill"))
    assert "".join(rounds_sheet(tournament)).split("\r\n")[1:3] == [
        "1,1,Ana 1 & Bea 1,Ana 2 & Bea 2,,,,,7",
        "1,2,Ana 3 & Bea 3,Ana 4 & Bea 4,0,0,Ana 3 & Bea 3,walkover,7",
    ]
