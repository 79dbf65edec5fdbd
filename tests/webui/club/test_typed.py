"""What the host of a club types is tidied, or refused in a sentence."""

from __future__ import annotations

import pytest

from tests.webui.club.opening import OPENING, drawn, opened


@pytest.mark.parametrize("do", ["enter", "team/1/rename"])
def test_names_are_tidied_as_at_a_table(chief, club, do):
    opened(chief, teams=1)
    typed = ["  E\u200bva \x07 Mar\u0069\u0301a ", "Fina\u202e"]
    assert chief.send(f"/host/{do}", {"name": typed}).status_code == 200
    assert club.snapshot().tournament.teams[-1].names == ("Eva Mar\u00eda", "Fina")


def test_a_draw_of_games_counts_games(chief, club):
    drawn(chief, best_of="3")
    refused = chief.send("/host/result/1/1", {"first": "2", "second": "2"})
    assert (refused.status_code, "reach 2" in refused.text) == (422, True)
    assert chief.send("/host/result/1/1", {"first": "1", "second": "1"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "fields", "status", "sentence"),
    [
        ("/host/open", OPENING | {"title": " "}, 422, "1 to 80 letters"),
        ("/host/open", OPENING | {"system": "ladder"}, 422, "choose who meets whom"),
        ("/host/open", OPENING | {"rounds": "99"}, 422, "1 to 30 rounds, not 99"),
        ("/host/open", OPENING | {"game": "bridge"}, 422, "bridge"),
        ("/host/open", OPENING | {"trut.option.target": "0"}, 422, "target"),
        ("/host/open", OPENING | {"trut.option.x": "1"}, 422, "x"),
        ("/host/open", OPENING | {"trut.variants": "to_16"}, 422, "to_16"),
        ("/host/enter", {"name": ["Ana 1", "Eva"]}, 422, "Ana 1 takes part already"),
        ("/host/enter", {"name": ["Eva"]}, 422, "a team has 2 players"),
        ("/host/enter", {}, 422, "write the names of the players"),
        ("/host/result/1/1", {"first": "7"}, 422, "write both scores as numbers"),
        ("/host/result/1/9", {"first": "7", "second": "3"}, 422, "nobody was drawn for table 9"),
        ("/host/result/1/1", {"first": "7", "second": "7"}, 422, "only one side can reach 7"),
        ("/host/result/1/1", {"first": "9", "second": "8"}, 422, "only one side can reach 7"),
        ("/host/team/9/check_in", {}, 422, "there is no team 9"),
        ("/host/team/1/fly", {}, 404, "no such page"),
        ("/host/close", {}, 422, "when every table has a result"),
    ],
)
def test_what_the_host_gets_wrong_is_said_in_one_sentence(chief, path, fields, status, sentence):
    drawn(chief)
    answer = chief.send(path, fields)
    assert answer.status_code == status
    assert sentence in answer.text
