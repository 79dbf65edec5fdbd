"""The spoken call after an append: of an event, of a correction, or none."""

from __future__ import annotations

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, start
from scorekeeper.engine.said import WHO
from scorekeeper.engine.state import Match
from scorekeeper.history import repairs
from scorekeeper.history.fixes import carry_out
from scorekeeper.history.suits import enter_card
from scorekeeper.reports.cases import agreed
from scorekeeper.text.append_announcer import AppendAnnouncer
from tests.scorekeeper.talk import event

HEADER = Header(game="le_truc_ace", seats=("Ana", "Bea"))


def told(*lines: str) -> tuple[Match, list[Event]]:
    match, events = start(HEADER), [event(line) for line in lines]
    for said in events:
        match = apply(match, said)
    return match, events


def after(match: Match, events: tuple[Event, ...]) -> Match:
    for said in events:
        match = apply(match, said)
    return match


def by(who: str, events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(said._replace(remarks={**said.remarks, WHO: who}) for said in events)


def called(match: Match, events: tuple[Event, ...]) -> list[str]:
    now = after(match, events)
    return [call.text for call in AppendAnnouncer(now.seated, "en").news(match, events, now)]


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        ("1 play KS", [""]),
        ("1 raise 2", ["Bea raises to 2."]),
        ("1 ask", ["New cards are asked for."]),
    ],
)
def test_an_event_is_called_as_it_is(said, calls):
    match, _ = told("0 deal 3")
    assert called(match, (event(said),)) == calls


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        pytest.param(
            ("1 raise 2", "0 accept"), ["Bea raises to 2.", "Ana accepts: 2 points."],
            id="an offer that nobody tapped, and its answer",
        ),
        pytest.param(
            ("1 raise 2", "0 accept", "1 play KS", "0 play 9H", "1 play QS", "0 play 8H"),
            ["", "Trick for Bea.", "", "Trick for Bea.", "Hand for Bea: 2 points.", "2 to 0."],
            id="the latest of many",
        ),
    ],
)  # fmt: skip
def test_V_22_events_that_come_together_and_correct_nothing_are_called_as_they_are(said, calls):
    match, _ = told("0 deal 3")
    assert called(match, tuple(map(event, said))) == calls


def test_a_correction_is_called_once_with_its_author_and_what_it_changed():
    match, events = told("0 deal 3", "1 play KS", "0 play 9H")
    token = {"fix": "replace", "seq": 3, "events": [{"do": "play", "seat": 0, "card": "AH"}]}
    made = by("Bea", carry_out(match, events, token).events)
    assert called(match, made) == [
        "Corrected by Bea: “Ana plays A♥”, not “Ana plays 9♥”. Trick 1 for Ana. Ana leads."
    ]


def test_a_correction_that_decides_nothing_still_says_who_corrected_what():
    match, events = told("0 deal 3", "1 play KS", "0 play 9H")
    token = {"fix": "replace", "seq": 3, "events": [{"do": "play", "seat": 0, "card": "8H"}]}
    made = by("Bea", carry_out(match, events, token).events)
    assert called(match, made) == ["Corrected by Bea: “Ana plays 8♥”, not “Ana plays 9♥”."]
    by_host = by("host", carry_out(match, events, token).events)
    assert called(match, by_host) == [
        "Corrected: “Ana plays 8♥”, not “Ana plays 9♥”."
    ]  # the host is no player


def test_V_12_another_suit_is_called_by_nobody():
    match, events = told("0 deal 3", "1 play KS")
    token = {"fix": "replace", "seq": 2, "events": [{"do": "play", "seat": 1, "card": "KD"}]}
    assert called(match, carry_out(match, events, token).events) == []


def test_V_12_a_card_that_moves_a_guessed_suit_is_called_as_a_card():
    match, events = told("0 deal 3")
    guess = enter_card(match, events, 1, "K")
    match, events = after(match, guess), [*events, *guess]
    taken = guess[0].card
    assert taken is not None
    made = enter_card(match, events, 0, "K", taken.suit)
    assert len(made) > 1
    assert called(match, made) == ["Spoiled. Bea leads."]


def test_an_undo_is_called_as_a_correction():
    match, events = told("0 deal 3", "1 play KS", "0 play 9H")
    undo = repairs.undo_last(match, events, "en")
    assert undo is not None
    made = by("Ana", carry_out(match, events, undo.fix.to_json()).events)
    assert called(match, made) == [
        "Corrected by Ana: “Ana plays 9♥” removed. Trick 1 is open again. Ana is on turn."
    ]


@pytest.mark.parametrize(
    ("token", "words"),
    [
        pytest.param(
            {"fix": "insert", "seq": 2, "events": [{"do": "raise", "seat": 1, "to": 2},
                                                   {"do": "accept", "seat": 0}]},
            "“Bea raises to 2, Ana accepts” added.", id="what was missed",
        ),
        pytest.param(
            {"fix": "undo", "seq": 2},
            "“Bea plays K♠, Ana plays 9♥, 1 more event” removed.", id="many are counted",
        ),
    ],
)  # fmt: skip
def test_a_correction_names_what_it_added_and_what_it_removed(token, words):
    match, events = told("0 deal 3", "1 play KS", "0 play 9H", "1 play 8S")
    made = by("Bea", carry_out(match, events, token).events)
    (said,) = called(match, made)
    assert said.startswith(f"Corrected by Bea: {words}")


def test_V_21_what_was_before_a_substitute_is_told_under_the_name_of_then():
    match, events = told("0 deal 3", "1 play KS", "0 player Carla")
    undo = repairs.undo_last(match, events, "en")
    assert undo is not None
    assert undo.label == "Undo: Carla takes over from Ana"
    token = {"fix": "insert", "seq": 3, "events": [{"do": "play", "seat": 0, "card": "9H"}]}
    made = agreed(carry_out(match, events, token), (0, 1))
    assert called(match, made) == [
        "Corrected by Carla & Bea: “Ana plays 9♥” added. Trick 1 for Bea. Bea leads."
    ]
    made = carry_out(match, events, undo.fix.to_json()).events
    assert called(match, made) == ["Corrected: “Carla takes over from Ana” removed."]
