"""A tournament: what it refuses, what each event does, and which rule decides who leads."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.club.events import NEEDS, ClubEvent, parse_club_event
from scorekeeper.club.header import System, parse_tournament_header
from scorekeeper.club.pairing import draw
from scorekeeper.club.standing import standing
from scorekeeper.club.state import Result, Tournament
from scorekeeper.club.tournament import apply, can, replay, start
from scorekeeper.errors import FormatError, TournamentError
from tests.scorekeeper.club.tournaments import Evening, entered, header, names_of


def say(tournament: Tournament, do: str, **fields: object) -> Tournament:
    return apply(tournament, ClubEvent(do, **fields))


def drawn(*pairs: tuple[int, int], byes: tuple[int, ...] = (), **more: object) -> ClubEvent:
    return ClubEvent("draw", pairs=pairs, byes=byes, **{"round": 1, "seed": 7, **more})


def four(system: System = System.SWISS) -> Tournament:
    """A tournament of four pairs in its first round: 1 plays 2 at table 1, 3 plays 4 at table 2."""
    return apply(entered(4, system), drawn((1, 2), (3, 4)))


def result(table: int, *score: int, winner: int | None = None, round_: int = 1) -> ClubEvent:
    if winner is None and score[0] != score[1]:
        winner = int(score[1] > score[0])
    return ClubEvent("result", round=round_, table=table, score=score, winner=winner)


AGAIN = {"round": 1, "table": 1, "score": (3, 7), "winner": 1}


@pytest.mark.parametrize(
    ("tournament", "event", "sentence"),
    [
        (entered(2), ClubEvent("enter", 4, ("Eva", "Fina")), "entered at the same time"),
        (entered(2), ClubEvent("enter", 3, ("Eva",)), "a team has 2 players"),
        (entered(2), ClubEvent("enter", 3, ("Eva", "ana 1 ")), "ana 1  takes part already"),
        (entered(2), ClubEvent("enter", 3, ("Eva", "eva")), "eva takes part already"),
        (entered(2), ClubEvent("rename", 2, names_of(1)), "Ana 1 takes part already"),
        (entered(2), ClubEvent("rename", 3, ("Eva", "Fina")), "there is no team 3"),
        (entered(2), ClubEvent("check_in", 1), "Ana 1 & Bea 1 is checked in already"),
        (four(System.ROUND_ROBIN), ClubEvent("enter", 5, names_of(5)), "nobody can join once"),
        (four(), ClubEvent("check_out", 1), "has been drawn already; withdraw the team"),
        (four(), drawn((1, 3), (2, 4), round=2), "when every table has a result"),
        (entered(1), drawn((1, 1)), "two teams must be checked in"),
        (entered(4), drawn((1, 2)), "the teams have changed since the draw"),
        (entered(4), drawn((1, 2), (3, 4), round=2), "drawn this round already"),
        (four(), result(3, 7, 1), "nobody was drawn for table 3 of round 1"),
        (four(), result(1, 7, 1, round_=2), "nobody was drawn for table 1 of round 2"),
        (four(System.KNOCK_OUT), result(1, 5, 5), "a knock-out needs a winner"),
        (apply(four(), result(1, 7, 3)), result(1, 3, 7), "has a result already; correct it"),
        (four(), ClubEvent("correct", note="why", **AGAIN), "has no result yet"),
        (apply(four(), result(1, 7, 3)), ClubEvent("cancel_draw", round=1, note="late"),
         "a table has a result already"),
        (four(), ClubEvent("cancel_draw", round=2, note="late"), "only the latest draw"),
        (entered(2), ClubEvent("close"), "no round has been played yet"),
        (four(), ClubEvent("close"), "closed when every table has a result"),
        (entered(2), ClubEvent("reopen", note="why"), "is open already"),
        (say(entered(2), "withdraw", team=1, note="ill"), ClubEvent("withdraw", 1, note="ill"),
         "has withdrawn already"),
    ],
)  # fmt: skip
def test_refused(tournament, event, sentence):
    with pytest.raises(TournamentError, match=sentence):
        apply(tournament, event)
    assert not can(tournament, event)


def after(*results: tuple[int, int]) -> Tournament:
    """The first round of four pairs, with these scores at tables 1 and 2."""
    tournament = four()
    for table, score in enumerate(results, 1):
        tournament = apply(tournament, result(table, *score))
    return tournament


def test_nobody_meets_twice():
    with pytest.raises(TournamentError, match="Ana 1 & Bea 1 and Ana 2 & Bea 2 have met already"):
        apply(after((7, 1), (7, 2)), drawn((1, 2), (3, 4), round=2))


def test_a_withdrawal_gives_the_match_to_the_other_side_and_ends_the_drawing():
    tournament = say(four(), "withdraw", team=2, note="ill")
    assert tournament.rounds[0].meetings[0].result == Result(0, (0, 0), walkover=True)
    assert tournament.field == (1, 3, 4)
    back = say(tournament, "check_in", team=2)
    assert back.field == (1, 2, 3, 4)


def test_a_correction_keeps_its_reason_and_the_match_it_came_from():
    tournament = apply(four(), result(1, 7, 3)._replace(match=12))
    tournament = say(tournament, "correct", note="sides were swapped", **AGAIN)
    assert tournament.rounds[0].meetings[0].result == Result(1, (3, 7), 12, "sides were swapped")
    assert not can(tournament, result(1, 7, 3)._replace(match=12))


def test_a_result_follows_its_match_until_the_next_round_is_drawn():
    from_match = result(1, 7, 3)._replace(match=12)
    tournament = apply(four(), from_match)
    other = apply(tournament, from_match._replace(score=(7, 4)))
    assert other.rounds[0].meetings[0].result == Result(0, (7, 4), 12)
    taken_back = ClubEvent("retract", round=1, table=1, match=12)
    assert apply(other, taken_back) == four()
    assert not can(other, taken_back._replace(match=13))
    ended = apply(apply(other, result(2, 7, 0)), drawn((1, 3), (2, 4), round=2))
    assert not can(ended, taken_back)
    assert not can(ended, from_match)


def test_in_a_knock_out_a_result_stands_once_the_next_round_was_drawn_from_it():
    tournament = four(System.KNOCK_OUT)
    tournament = apply(apply(tournament, result(1, 7, 1)), result(2, 7, 1))
    correct = ClubEvent("correct", note="why", **AGAIN)
    assert can(tournament, correct)
    assert not can(apply(tournament, drawn((1, 3), (2, 4), round=2)), correct)


def test_a_closed_tournament_is_corrected_or_opened_again():
    closed = say(after((7, 1), (7, 2)), "close")
    assert not can(closed, ClubEvent("enter", 5, names_of(5)))
    assert can(closed, ClubEvent("correct", note="why", **AGAIN))
    assert say(closed, "reopen", note="one more round").closed is False


@pytest.mark.parametrize(
    ("scores", "order", "why"),
    [
        (((7, 1), (7, 2)), [1, 3, 4, 2], "difference"),
        (((7, 6), (7, 1)), [3, 1, 2, 4], "difference"),
        (((5, 5), (7, 2)), [3, 1, 2, 4], "points, then the lot"),
    ],
)
def test_who_leads(scores, order, why):
    rows = standing(after(*scores))
    assert [row.team for row in rows] == order, why
    assert [row.place for row in rows] == [1, 2, 3, 4]


def test_rivals_points_come_before_the_difference():
    tournament = after((7, 6), (7, 0))
    tournament = apply(tournament, drawn((1, 3), (2, 4), round=2))
    tournament = apply(apply(tournament, result(1, 7, 6, round_=2)), result(2, 0, 7, round_=2))
    rows = {row.team: row for row in standing(tournament)}
    assert {team: (row.points, row.rivals) for team, row in rows.items()} == {
        1: (4, 2), 3: (2, 6), 4: (2, 2), 2: (0, 6)
    }  # fmt: skip
    assert rows[3].place < rows[4].place


def test_a_bye_is_a_win_against_a_rival_of_middling_strength():
    tournament = apply(entered(3), drawn((1, 2), byes=(3,)))
    rows = {row.team: row for row in standing(apply(tournament, result(1, 7, 3)))}
    assert (rows[3].points, rows[3].won, rows[3].byes, rows[3].rivals) == (2, 0, 1, 1)


def test_who_joins_late_changes_nobody_elses_lot():
    tournament = after((5, 5), (5, 5))
    joined = say(say(tournament, "enter", team=5, names=names_of(5)), "check_in", team=5)
    lots = {row.team: row.lot for row in standing(tournament)}
    assert {row.team: row.lot for row in standing(joined) if row.team != 5} == lots


@settings(max_examples=20)
@given(st.sampled_from(list(System)), st.integers(2, 9), st.integers(0, 1000))
def test_events_are_read_back_as_they_were_and_replayed_to_the_same_tournament(system, size, seed):
    events: list[ClubEvent] = []

    class Noted(Evening):
        def say(self, event):
            super().say(event)
            events.append(event)

    evening = Noted(start(header(system)), Random(seed), comes_and_goes=True)
    for team in range(1, size + 1):
        evening.say(ClubEvent("enter", team, names_of(team)))
        evening.say(ClubEvent("check_in", team))
    for _ in range(4):
        if evening.can_draw():
            evening.play_round()
    assert [parse_club_event(event.to_json()) for event in events] == events
    assert replay(evening.tournament.header, events) == evening.tournament
    assert parse_tournament_header(evening.tournament.header.to_json()).to_json() == (
        evening.tournament.header.to_json()
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "a JSON object"),
        ({"do": "fly"}, 'no event "fly" in a tournament'),
        ({"do": "enter", "team": 1}, "write the names"),
        ({"do": "enter", "team": 0, "names": ["Ana"]}, "enter needs another team than 0"),
        ({"do": "enter", "team": True, "names": ["Ana"]}, "another team than true"),
        ({"do": "enter", "team": 1, "names": ["A" * 41]}, "name has at most 40 letters"),
        ({"do": "enter", "team": 1, "names": [" "]}, "write the names"),
        ({"do": "withdraw", "team": 1, "note": " "}, "a reason is needed"),
        ({"do": "withdraw", "team": 1, "note": "a" * 201}, "note has at most 200 letters"),
        ({"do": "draw", "round": 1, "pairs": [[1]], "byes": [], "seed": 1}, "another pairs than"),
        ({"do": "draw", "round": 1, "pairs": 1, "byes": [], "seed": 1}, "another pairs than"),
        ({"do": "draw", "round": 1, "pairs": [], "byes": 1, "seed": 1}, "another byes than"),
        ({"do": "draw", "round": 1, "pairs": [], "byes": [], "seed": -1}, "another seed than -1"),
        ({"do": "result", "round": 1, "table": 1, "score": [1]}, "another score than"),
        ({"do": "result", "round": 1, "table": 1, "score": [1, 2], "winner": 2}, "winner than 2"),
    ],
)
def test_data_that_is_no_event_is_refused_in_a_sentence(data, sentence):
    with pytest.raises(FormatError, match=sentence):
        parse_club_event(data)


@pytest.mark.parametrize("do", NEEDS)
def test_an_event_that_lacks_something_is_refused(do):
    if NEEDS[do]:
        with pytest.raises(FormatError):
            parse_club_event({"do": do})


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"format": "trucam-record/1"}, "no tournament"),
        ({"title": " "}, "1 to 80 letters"),
        ({"title": 1}, "no tournament"),
        ({"rounds": 31}, "1 to 30 rounds, not 31"),
        ({"players": 3}, "2 or 4 players, not 3"),
        ({"players": 2, "game": "bridge"}, "bridge"),
        ({"best_of": 2}, "best of 1, 3 or 5"),
        ({"system": "ladder"}, "no tournament"),
        ({"options": []}, "no tournament"),
        ({"variants": ["to_16"]}, "to_16"),
        ({"deck": "french"}, "no tournament"),
        ({"deck": {"_suits": ["french"]}}, "no tournament"),
    ],
)
def test_data_that_is_no_header_is_refused_in_a_sentence(changed, sentence):
    with pytest.raises(FormatError, match=sentence):
        parse_tournament_header({**header(System.SWISS).to_json(), **changed})


def test_a_tournament_that_was_kept_before_it_named_its_deck_is_read():
    kept = header(System.SWISS).to_json()
    del kept["deck"]
    assert parse_tournament_header(kept) == header(System.SWISS)


def test_the_draw_is_refused_while_a_table_plays():
    with pytest.raises(TournamentError, match="when every table has a result"):
        draw(four(), 1)
