"""What may be disputed, and what both sides agreed on."""

from __future__ import annotations

from random import Random

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import AGAIN, AGREED_BY
from scorekeeper.games.rules import GAMES
from scorekeeper.history.corrections import insert, remove, replace, take_back
from scorekeeper.reports.cases import Kind, agreed, agreements, cases, concerning
from tests.scorekeeper.playouts import playout
from tests.scorekeeper.talk import LT_ACE, NAMES, TABLES, TRUC, TRUT, event

HAND = ("0 deal 3", "1 play KS", "0 play KH", "1 play 9H")


def said(*texts: str) -> list[Event]:
    return [event(text) for text in texts]


def header(game: str, seats: int = 2) -> Header:
    return Header(game=game, seats=NAMES[:seats])


@pytest.mark.parametrize(
    ("game", "texts", "expected"),
    [
        (LT_ACE, HAND[:2], []),
        (LT_ACE, HAND, [(Kind.TRICK, 1, 1, (2, 3))]),
        (LT_ACE, ("0 deal 3", "1 raise 2", "0 accept", "1 play KS"), []),
        (
            LT_ACE,
            ("0 deal 3", "1 raise 2", "0 accept", *HAND[1:3]),
            [(Kind.CALL, 1, 1, (2, 3)), (Kind.TRICK, 1, 1, (4, 5))],
        ),
        (LT_ACE, ("0 deal 3", "1 raise 2", "0 reject"), [(Kind.CALL, 1, 1, (2, 3))]),
        (
            LT_ACE,
            ("0 deal 3", "1 raise 2", "0 player Dan", "0 reject"),  # who takes over answers
            [(Kind.CALL, 1, 1, (2, 4))],
        ),
        (TRUT, ("0 deal 3", "1 trut", "0 player Dan", "0 lie_down"), [(Kind.CALL, 1, 1, (2, 4))]),
        (
            TRUC,
            ("1 cut", "0 deal 3", "1 truc", "1 play 6C", "0 player Dan", "0 play 4C"),
            [(Kind.CALL, 1, 1, (3, 6)), (Kind.TRICK, 1, 1, (4, 6))],
        ),
        (
            TRUC,
            ("1 cut", "0 deal 3", "1 play 3S", "1 truc", "0 retruc", "1 reject"),
            [(Kind.CALL, 1, 1, (4,)), (Kind.CALL, 1, 1, (5, 6))],
        ),
        (
            TRUC,
            ("1 cut", "0 deal 3", "1 truc", "0 accept", "1 play 3S", "0 play 2S"),
            [(Kind.CALL, 1, 1, (3, 4)), (Kind.TRICK, 1, 1, (5, 6))],
        ),
        (
            TRUC,
            ("1 cut", "0 deal 3", "1 truc", "1 play 6C", "0 play 4C"),
            [(Kind.CALL, 1, 1, (3, 5)), (Kind.TRICK, 1, 1, (4, 5))],
        ),
        (TRUC, ("1 cut", "0 deal 3", "1 truc", "1 play 6C"), []),
        (
            TRUC,
            ("1 cut", "0 deal 3", "1 play 6C", "0 play 4C", "1 truc", "1 play 5C"),
            [(Kind.TRICK, 1, 1, (3, 4))],
        ),
        (
            TRUC,
            ("1 cut", "0 deal 3", "1 play 6C", "0 play 4C", "1 play 7C", "1 truc", "0 play 5C"),
            [(Kind.TRICK, 1, 1, (3, 4)), (Kind.TRICK, 1, 2, (5, 7)), (Kind.CALL, 1, 2, (6, 7))],
        ),
        (TRUT, ("0 deal 3", "1 trut", "0 lie_down"), [(Kind.CALL, 1, 1, (2, 3))]),
        (LT_ACE, (*HAND[:2], "void_hand"), []),
        (
            LT_ACE,
            (*HAND[:2], "void_hand", "1 deal 3", "0 play AS", "1 play QS"),
            [(Kind.TRICK, 2, 1, (5, 6))],
        ),
    ],
)
def test_completed_tricks_and_answered_calls_can_be_disputed(game, texts, expected) -> None:
    events = said(*texts)
    found = cases(replay(header(game), events), events, "en")
    assert [(case.kind, case.hand, case.number, case.seqs) for case in found] == expected


def test_TS_13_a_card_that_accepts_a_call_answers_it() -> None:
    events = said("1 cut", "0 deal 3", "1 truc", "1 play 6C", "0 play 4C", "1 play 5C")
    call, _ = cases(replay(header(TRUC), events), events, "en")
    assert [each.words for each in call.exhibits] == ["Bea calls truc", "Ana plays 4♣"]
    assert [str(sentence) for sentence in call.verdict] == [
        "Bea calls truc: 2 points. [TS-10]",
        "Ana plays 4♣.",
        "That accepts the offer: the hand is worth 2 points. [TS-13]",
    ]


def test_a_spoiled_trick_has_its_sentence_and_its_rule() -> None:
    events = said(*HAND)
    (case,) = cases(replay(header(LT_ACE), events), events, "en")
    assert str(case.verdict[0]) == "Spoiled: K♠ (Bea), K♥ (Ana) tie for the top. [C-11]"
    assert case.trick is not None
    assert case.trick.spoiled


def test_a_link_to_a_card_stays_when_it_is_put_right() -> None:
    events = said(*HAND)
    match = replay(header(LT_ACE), events)
    events += replace(match, events, 3, event("0 play QH")).events
    (case,) = cases(replay(header(LT_ACE), events), events, "en")
    exhibit = case.exhibit(3)
    assert exhibit is not None
    assert (exhibit.words, exhibit.picture, case.exhibit(exhibit.seq)) == (
        "Ana plays Q♥", 3, exhibit,
    )  # fmt: skip


CORRECTIONS = [
    (
        lambda m, e: replace(m, e, 3, event("0 play QH")),
        "Agreed by Ana & Bea: Ana plays Q♥; not: Ana plays K♥.",
        True,
    ),
    (
        lambda m, e: insert(m, e, 2, event("1 raise 2"), event("0 accept")),
        "Agreed by Ana & Bea, added: Bea raises to 2, Ana accepts.",
        False,
    ),
    (
        lambda m, e: remove(m, e, 4),
        "Agreed by Ana & Bea, removed: Bea plays 9♥.",
        False,
    ),
]


@pytest.mark.parametrize(("correct", "text", "here"), CORRECTIONS)
def test_it_is_recorded_that_both_sides_agreed(correct, text, here) -> None:
    events = said(*HAND)
    made = correct(replay(header(LT_ACE), events), events)
    assert agreements(made.match, [*events, *made.events], "en") == []
    events += agreed(made, (0, 1))
    match = replay(header(LT_ACE), events)
    assert match.hands() == made.match.hands()
    found = agreements(match, events, "en")
    assert [agreement.text for agreement in found] == [text]
    trick = next(c for c in cases(match, events, "en") if c.kind is Kind.TRICK)
    assert bool(concerning(trick, events, found)) == here
    assert all((AGREED_BY in e.remarks) != (AGAIN in e.remarks) for e in events[len(HAND) :])


def test_what_was_taken_back_concerns_a_trick_no_more() -> None:
    events = said(*HAND)
    made = replace(replay(header(LT_ACE), events), events, 3, event("0 play QH"))
    events += agreed(made, (0, 1))
    events += take_back(made.match, events, made.group).events
    match = replay(header(LT_ACE), events)
    found = agreements(match, events, "en")
    (case,) = cases(match, events, "en")
    assert len(found) == 1
    assert concerning(case, events, found) == []


def test_V_21_what_was_before_a_substitute_is_told_under_the_name_of_then() -> None:
    events = said(*HAND)
    made = replace(replay(header(LT_ACE), events), events, 3, event("0 play QH"))
    events = [*events, *agreed(made, (0, 1)), event("0 player Eva")]
    match = replay(header(LT_ACE), events)
    (case,) = cases(match, events, "en")
    assert [each.words for each in case.exhibits] == ["Bea plays K♠", "Ana plays Q♥"]
    (agreement,) = agreements(match, events, "en")
    assert agreement.text == "Agreed by Ana & Bea: Ana plays Q♥; not: Ana plays K♥."


@pytest.mark.parametrize("remark", [None, 1, "Ana", [], [0], [0, 2], [0, 1, 1], [0, 9], [True, 1]])
def test_a_remark_that_is_none_is_passed_by(remark) -> None:
    events = said(*HAND)
    made = remove(replay(header(LT_ACE), events), events, 4)
    events += [e._replace(remarks={**e.remarks, AGREED_BY: remark}) for e in made.events]
    assert agreements(made.match, events, "en") == []


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_disputed_before_the_first_event(game) -> None:
    assert cases(replay(header(game), []), [], "en") == []


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_complete_trick_of_a_match_is_one_case(game, seats) -> None:
    said_all = playout(header(game, seats), Random(f"{game} {seats} cases"), 200)
    for length in range(0, len(said_all), 20):
        events = list(said_all[:length])
        match = replay(header(game, seats), events)
        found = cases(match, events, "en")
        tricks = [case.trick for case in found if case.kind is Kind.TRICK]
        played = [trick for hand in match.hands() for trick in hand.tricks if trick.complete]
        assert tricks == played
        for case in found:
            if case.trick is not None:
                cards = [play.card for play in case.trick.plays]
                assert [exhibit.event.card for exhibit in case.exhibits] == cards
            assert case.verdict
            assert all(case.exhibit(each.picture) == each for each in case.exhibits)
