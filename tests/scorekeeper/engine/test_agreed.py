"""V-15 … V-21: what a table may agree on; and that a match goes on after any agreement."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine.agreeing import VERBS
from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import (
    agreements_on_offer,
    apply,
    latest_events,
    moments,
    replay,
    undone,
)
from scorekeeper.engine.said import AGREED_BY
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, RuleError
from scorekeeper.games.agreed import AGREED, HEADINGS
from scorekeeper.history.record import read_record, write_record
from scorekeeper.history.repairs import insertions, repairs, undo_last
from scorekeeper.history.timeline import timeline
from scorekeeper.reports.answer import answer
from scorekeeper.reports.explain import explain
from scorekeeper.reports.spreadsheets import match_sheet
from scorekeeper.reports.statistics import chronicle
from scorekeeper.text.announcer import Announcer
from scorekeeper.text.i18n import LANGUAGES, language
from scorekeeper.text.rulebook import Rulebook
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, NAMES, TRUC, TRUT, event, ranks, say, table

DOCS = Path(__file__).parents[3] / "docs"


def scores(match: Match) -> tuple[tuple[int, int], ...]:
    return tuple(map(tuple, match.scores))


# --- V-16: a card out of turn, a wrong leader ---

TURNS = [
    # seats, events, seats that play after them
    (2, "0 deal 3, 0 turn", "0 1"),  # the other player leads instead
    (4, "0 deal 3, 1 i_play, 3 turn", "3 0 1 2"),
    (4, "0 deal 3, 1 play KS, 3 turn", "3 0 2"),
    (4, "0 deal 3, 1 play KS, 0 turn", "0 2 3"),
    (4, "0 deal 3, 1 play KS, 2 play QS, 0 turn", "0 3"),
    (4, "0 deal 3, 1 play KS, 3 turn, 2 turn", "2 3 0"),  # changed again
]


@pytest.mark.parametrize(("seats", "said", "order"), TURNS)
def test_V16_who_plays_after_a_card_out_of_turn(seats, said, order) -> None:
    match = say(table(LT_ACE, seats), said)
    played = []
    for rank in ("7", "8", "9", "10")[: len(order.split())]:
        played.append(str(match.turn))
        match = ranks(match, rank)
    assert " ".join(played) == order
    assert match.hand.tricks[0].complete


REFUSED = [
    ("V-16", LT_ACE, "0 deal 3", "1 turn"),  # on turn already
    ("V-16", LT_ACE, "0 deal 3, 1 play KS", "1 turn"),  # has played to this trick
    ("V-16", LT_ACE, "0 deal 3, 1 raise 2", "0 turn"),  # an offer waits
    ("V-16", LT_ACE, "", "0 turn"),
    ("V-17", LT_ACE, "", "0 dealer"),  # deals already
    ("V-17", LT_ACE, "0 deal 3, 1 play KS", "1 dealer"),
    ("V-17", LT_ACE, "0 deal 3, 1 raise 2", "1 dealer"),
    ("V-17", LT_ACE, "award 0 12", "1 dealer"),
    ("V-18", LT_ACE, "", "deal_again"),
    ("V-18", TRUC, "1 cut", "deal_again"),
    ("V-19", LT_ACE, "", "end_game"),
    ("V-19", LT_ACE, "award 0 1, end_match", "end_game"),
    ("V-19", LT_ACE, "end_match", "end_match"),
    ("V-20", LT_ACE, "", "adjust 0 1 1"),  # no Smalls there
    ("V-20", LT_ACE, "", "adjust 0 0"),
    ("V-20", TRUT, "", "adjust 0 1 -1"),
    ("V-20", LT_ACE, "award 0 1, end_game", "adjust 0 1"),
    ("V-21", LT_ACE, "award 0 12", "0 player Eva"),
    ("format", LT_ACE, "0 deal 3", "adjust 0 1"),
]


@pytest.mark.parametrize(("rule", "game", "before", "said"), REFUSED)
def test_what_is_refused_names_its_rule(rule, game, before, said) -> None:
    match = say(table(game), before)
    with pytest.raises(RuleError) as caught:
        apply(match, event(said))
    assert caught.value.rule == rule
    for code in LANGUAGES:
        assert "{" not in Announcer(match.header, code).refusal(caught.value)
        assert "{" not in caught.value.sentence(language(code).gettext)


# --- V-17: a wrong dealer ---

DEALERS = [
    # seats, events, dealer, seat on turn, next dealer if the hand is void
    (2, "1 dealer, 1 deal 3", 1, 0, 0),
    (4, "2 dealer, 2 deal 3", 2, 3, 3),
    (4, "0 deal 3, 2 dealer", 2, 3, 3),  # noticed when the cards were dealt
    (4, "0 deal 3, 1 i_play, 3 dealer", 3, 0, 0),
    (4, "0 deal 3, 2 dealer, misdeal, 2 deal 3", 2, 3, 3),
]


@pytest.mark.parametrize(("seats", "said", "dealer", "turn", "following"), DEALERS)
def test_V17_a_wrong_dealer_is_accepted(seats, said, dealer, turn, following) -> None:
    match = say(table(LT_ACE, seats), said)
    assert (match.hand.dealer, match.dealer, match.turn) == (dealer, dealer, turn)
    assert say(match, "void_hand").dealer == following


# --- V-18: a wrong deal ---


@pytest.mark.parametrize(("said", "dealer"), [("deal_again", 0), ("void_hand", 1)])
@pytest.mark.parametrize("played", ["", "1 play KS", "1 play KS, 0 play QS, 1 raise 2"])
def test_V18_a_wrong_deal_is_dealt_again_or_the_deal_passes(said, dealer, played) -> None:
    match = say(table(LT_ACE), "0 deal 3, 1 i_play", played, said)
    assert (match.dealer, scores(match)) == (dealer, ((0, 0), (0, 0)))
    assert match.hand.end == {"deal_again": "dealt_again", "void_hand": "void_hand"}[said]
    say(match, f"{dealer} deal 3")


# --- V-19: a game or a match that ends early ---

ENDS = [
    # events, games won, winner of the match, phase, scores of the game of the next hand
    ("end_game", (0, 0), None, "hand_over", 0),
    ("end_game 1", (0, 1), None, "hand_over", 0),
    ("end_game 1, 1 deal 3, end_game 1", (0, 2), 1, "match_over", 0),
    ("end_match", (0, 0), None, "match_over", None),
    ("end_match 0", (0, 0), 0, "match_over", None),
    ("void_hand, award 0 3, end_game 0", (1, 0), None, "hand_over", 0),
    ("void_hand, award 0 3, end_match", (0, 0), None, "match_over", None),
]


@pytest.mark.parametrize(("said", "games", "winner", "phase", "score"), ENDS)
def test_V19_a_game_or_a_match_ends_early(said, games, winner, phase, score) -> None:
    match = say(table(LT_ACE, best_of=3), "0 deal 3, 1 play KS", said)
    assert (match.games_won, match.winner, match.phase) == (games, winner, phase)
    assert match.over == (phase == "match_over")
    assert answer(match)["winner"] == winner
    if phase == "hand_over":
        match = say(match, f"{match.dealer} deal 3")
        assert [one.points for one in match.scores] == [score, score]
    told = chronicle(match)
    assert sum(game.winner is not None for game in told.games) == sum(games)


# --- V-20: the score ---

ADJUSTED = [
    (table(LT_ACE, scores=(3, 5)), "adjust 0 2", ((5, 0), (5, 0)), (0, 0)),
    (table(LT_ACE, scores=(3, 5)), "adjust 1 -9", ((3, 0), (0, 0)), (0, 0)),
    (table(LT_ACE, scores=(3, 5)), "adjust 1 7", ((3, 0), (12, 0)), (0, 1)),
    (table(TRUT, tokens=((2, 1), (3, 2))), "adjust 0 1", ((3, 1), (3, 0)), (0, 0)),
    (table(TRUT, tokens=((2, 1), (3, 2))), "adjust 1 -1", ((2, 1), (2, 2)), (0, 0)),
    (table(TRUT, tokens=((2, 1), (3, 2))), "adjust 1 0 1", ((2, 0), (4, 0)), (0, 0)),
    (table(TRUT, tokens=((2, 1), (3, 2))), "adjust 1 0 -1", ((2, 1), (3, 1)), (0, 0)),
    (table(TRUT, tokens=((6, 0), (3, 2))), "adjust 0 1", ((7, 0), (3, 0)), (1, 0)),
    # A game that is over goes on, and a match with it.
    (table(LT_ACE, scores=(11, 5)), "award 0 1, adjust 0 -1", ((11, 0), (5, 0)), (0, 0)),
    (
        table(LT_ACE, scores=(11, 5), best_of=3),
        "award 0 1, adjust 1 2",
        ((12, 0), (7, 0)),
        (1, 0),
    ),
    (table(TRUT, tokens=((6, 2), (0, 0))), "award 0 1, adjust 0 -1", ((6, 0), (0, 0)), (0, 0)),
    # Points for the loser do not win a game that the other side has won already.
    (table(LT_ACE), "adjust 1 12, adjust 0 12", ((11, 0), (12, 0)), (0, 1)),
    (table(TRUC), "adjust 1 12, adjust 0 11, adjust 0 2", ((11, 0), (12, 0)), (0, 1)),
    (table(TRUT), "adjust 1 7, adjust 0 7", ((0, 0), (7, 0)), (0, 1)),
    (table(LT_ACE), "adjust 1 12, adjust 1 -1, adjust 0 12", ((12, 0), (11, 0)), (1, 0)),
]


@pytest.mark.parametrize(("match", "said", "expected", "games"), ADJUSTED)
def test_V20_points_are_given_and_taken(match, said, expected, games) -> None:
    after = say(match, said)
    assert (scores(after), after.games_won) == (expected, games)
    assert after.over == (max(games) >= after.header.games_to_win)
    assert undone(after, said.count(",") + 1) == match


def test_V20_a_game_that_goes_on_is_dealt_by_whose_turn_it_was() -> None:
    match = say(table(LT_ACE, scores=(11, 0), options={"next_dealer": "winner"}, best_of=3),
                "0 deal 3, concede 1")  # fmt: skip
    assert match.closed is not None
    assert say(match, "adjust 0 -1").dealer == 1


@pytest.mark.parametrize(("said", "dealer"), [("adjust 1 -1", 1), ("adjust 0 -12, adjust 1 12", 1)])
def test_V17_a_dealer_agreed_on_stays_where_a_game_that_is_over_stays_so(said, dealer) -> None:
    match = say(table(LT_ACE, scores=(11, 5), options={"next_dealer": "winner"}, best_of=3),
                "1 dealer, 1 deal 3, concede 1")  # fmt: skip
    assert match.dealer == 0
    assert say(match, "1 dealer", said).dealer == dealer


# --- V-21: players ---


def test_V21_a_player_takes_over_and_each_keeps_what_he_played() -> None:
    match = say(table(LT_ACE), "0 deal 3, concede 1, 1 player Eva, 1 deal 3, concede 0")
    assert match.seated.seats == ("Ana", "Eva")
    assert match.header.seats == ("Ana", "Bea")
    assert [hand.players for hand in chronicle(match).hands] == [("Ana", "Bea"), ("Ana", "Eva")]
    told = "\n".join(explain(match, "en"))
    assert "From here on Eva plays instead of Bea. [V-21]" in told
    assert "Ana 1 point; Eva 1 point" in told
    assert undone(match, 3).seated.seats == ("Ana", "Bea")
    sheet = "".join(match_sheet(match))
    assert "player Bea Eva" in sheet or "player Eva" in sheet


# --- one table for all of them ---


def test_every_row_has_its_move_its_heading_and_its_rule_in_the_documents() -> None:
    rules, records = (DOCS / "rules.md").read_text(), (DOCS / "record-format.md").read_text()
    assert set(AGREED) == set(VERBS)
    assert {row.rule for row in AGREED.values()} == set(HEADINGS)
    for do, row in AGREED.items():
        assert f"* {row.rule} " in rules, row.rule
        assert f"| `{do}` |" in records, do


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", [LT_ACE, LT_SEVEN, TRUT, TRUC])
def test_the_rulebook_tells_each_rule(game, code) -> None:
    told = dict(Rulebook(Header(game=game, seats=NAMES[:2]), code).sections())
    cited = {rule for sentences in told.values() for one in sentences for rule in one.rules}
    assert cited >= set(HEADINGS)


@pytest.mark.parametrize(
    ("agreed", "told"),
    [([0, 1], "Agreed by Ana, Bea."), ([], "The host decided."), (["x"], ""), ([7], ""), (3, "")],
)
def test_who_agreed_is_told(agreed, told) -> None:
    said = Event("turn", 0, remarks={AGREED_BY: agreed})
    match = apply(say(table(LT_ACE), "0 deal 3"), said)
    line = [line for line in explain(match, "en") if "turn" in line or "Agreed" in line]
    lines = "\n".join(explain(match, "en"))
    assert "By agreement it is Ana's turn. [V-16]" in lines
    assert (told in lines) if told else "Agreed" not in lines
    assert line


TAMPERED = [
    {"do": "turn"},
    {"do": "turn", "seat": 9},
    {"do": "dealer", "seat": True},
    {"do": "player", "seat": 0},
    {"do": "player", "seat": 0, "name": " "},
    {"do": "player", "seat": 0, "name": "x" * 81},
    {"do": "adjust", "side": 0},
    {"do": "adjust", "side": 2, "points": 1},
    {"do": "adjust", "side": 0, "points": 1, "note": 3},
    {"do": "end_game", "side": "0"},
]


@pytest.mark.parametrize("data", TAMPERED, ids=str)
def test_an_event_without_what_it_needs_is_refused(data) -> None:
    with pytest.raises(FormatError):
        parse_event(data, verbs=set(AGREED), seats=2)


@settings(max_examples=60)
@given(
    st.sampled_from(HEADERS),
    st.randoms(use_true_random=False),
    st.integers(1, 60),
    st.sampled_from(LANGUAGES),
)
def test_whatever_is_agreed_on_is_kept_told_undone_and_corrected(
    header: Header, chance: Random, length: int, code: str
) -> None:
    events = playout(header, chance, length, operator=0.4)
    match = replay(header, events)
    text = "".join(write_record(header, events))
    again = read_record(io.BytesIO(text.encode()))
    assert again.match == match
    assert json.dumps(answer(again.match)) == json.dumps(answer(match))
    assert match == replay(header, latest_events(match))
    for before, after in pairwise(moments(match)):
        assert undone(after) == before
        assert after.phase == "match_over" or after.in_progress or after.dealer in range(len(NAMES))
    for told in (*explain(match, code), *(one.words for one in timeline(match, events, code))):
        assert "{" not in told
    "".join(match_sheet(match))
    undo_last(match, events, code)
    insertions(match, events, None, code)
    for entry in timeline(match, events, code)[-2:]:
        repairs(match, events, entry.seq, code)
    for one in agreements_on_offer(match):
        after = apply(match, one)
        assert undone(after) == match
