"""The retrut, an option of Trut that is in no source (TR-24; vectors V43 … V45 of the rules)."""

from __future__ import annotations

import pytest

from scorekeeper.errors import RuleError
from scorekeeper.text.narrator import Narrator
from tests.scorekeeper.talk import TRUT, deal, legal, ranks, say, table

RETRUT = {"retrut": "two_longs"}
RETRUTS = [
    ({}, "0 trut", ["1 lie_down", "1 see"]),
    (RETRUT, "", ["1 play", "0 trut", "1 trut"]),
    (RETRUT, "0 trut", ["1 lie_down", "1 retrut", "1 see"]),
    (RETRUT, "0 trut, 1 see", ["1 play", "1 retrut"]),
    (RETRUT, "1 trut, 0 see", ["1 play", "0 retrut"]),
    (RETRUT, "0 trut, 1 retrut", ["0 lie_down", "0 see"]),
    (RETRUT, "0 trut, 1 see, 1 play 9S, 0 play 7S, 1 retrut", ["0 lie_down", "0 see"]),
    (RETRUT, "0 trut, 1 retrut, 0 see", ["1 play"]),
]
"""Options, the events after seat 0 has dealt, and what is legal then."""


@pytest.mark.parametrize(("options", "said", "expected"), RETRUTS)
def test_TR24_who_may_retrut(options, said, expected) -> None:
    assert legal(say(deal(table(TRUT, options=options)), said)) == expected


RETRUTS_OF_FOUR = [
    ("2 trut", ["3 lie_down", "3 retrut", "3 see"]),
    ("2 trut, 3 lie_down", ["1 lie_down", "1 retrut", "1 see"]),
    ("2 trut, 3 see", ["1 play", "1 retrut", "3 retrut"]),
    ("2 trut, 3 see, 1 retrut", ["2 lie_down", "2 see"]),
    ("2 trut, 3 retrut, 0 lie_down", ["2 lie_down", "2 see"]),
]


@pytest.mark.parametrize(("said", "expected"), RETRUTS_OF_FOUR)
def test_TR24_who_may_retrut_of_four(said, expected) -> None:
    assert legal(say(deal(table(TRUT, 4, options=RETRUT)), said)) == expected


RETRUT_SCORES = [
    (((0, 0), (0, 0)), "0 trut, 1 retrut, 0 lie_down", ((0, 0), (1, 0))),
    (((0, 2), (0, 1)), "0 trut, 1 see, 1 retrut, 0 lie_down", ((0, 0), (1, 1))),
    (((0, 1), (3, 2)), "0 trut, 1 retrut, 0 see", ((2, 1), (3, 0))),
    (((0, 1), (3, 2)), "1 trut, 0 retrut, 1 see", ((2, 1), (3, 0))),
    (((0, 1), (3, 2)), "0 trut, 1 see", ((1, 1), (3, 0))),
    (((6, 0), (3, 2)), "0 trut, 1 retrut, 0 see", ((7, 0), (3, 0))),
    (((0, 0), (0, 0)), "0 trut, 1 retrut, concede 1", ((1, 0), (0, 0))),
    (((0, 0), (0, 0)), "0 trut, 1 retrut, 0 see, concede 1", ((2, 0), (0, 0))),
]
"""Scores before, the events, and scores after them; if the hand goes on, seat 0 wins it."""


@pytest.mark.parametrize(("tokens", "said", "expected"), RETRUT_SCORES)
def test_TR24_what_a_retrut_is_worth(tokens, said, expected) -> None:
    match = say(deal(table(TRUT, tokens=tokens, options=RETRUT)), said)
    if match.in_progress:
        match = ranks(match, "9 7 7 9")
    assert tuple(map(tuple, match.scores)) == expected


REFUSED_RETRUTS = [
    ({}, "", "1 retrut", "follows a trut"),
    ({}, "0 trut", "0 retrut", "for the opponents"),
    ({}, "0 trut, 1 retrut, 0 see", "0 retrut", "once a hand"),
    ({}, "1 play 7S, 0 play 9S, 1 play 9H, 0 play 7H, 0 play 9D, 1 trut", "0 retrut", "a card in"),
    ({"tokens": ((6, 2), (0, 0))}, "0 trut, 1 see", "1 retrut", "begins at fortial"),
    ({"tokens": ((6, 2), (0, 0))}, "0 trut", "1 retrut", "waits for its answer"),
]
"""More fields of the table, the events, the event that is refused, and a part of the reason."""


@pytest.mark.parametrize(("more", "said", "refused", "why"), REFUSED_RETRUTS)
def test_TR24_when_there_is_no_retrut(more, said, refused, why) -> None:
    match = say(deal(table(TRUT, options=RETRUT, **more)), said)
    with pytest.raises(RuleError, match=why):
        say(match, refused)


TOLD_OF_RETRUT = [
    ("0 trut, 1 retrut", "Bea sees the trut and retruts."),
    ("0 trut, 1 see, 1 retrut", "Bea retruts."),
    ("0 trut, 1 retrut, 0 see", "Ana sees: two Longs are at stake."),
    ("0 trut, 1 retrut, 0 lie_down", "Nobody sees the retrut: the hand is over."),
    ("0 trut, 1 retrut, 0 lie_down", "A Long for Bea, because a trut was seen."),
    ("0 trut, 1 retrut, 0 see, concede 0", "Two Longs for Bea, because a retrut was seen."),
]


@pytest.mark.parametrize(("said", "sentence"), TOLD_OF_RETRUT)
def test_TR24_what_is_told_of_a_retrut(said, sentence) -> None:
    before = deal(table(TRUT, options=RETRUT))
    *earlier, last = said.split(", ")
    before = say(before, *earlier)
    after = say(before, last)
    told = Narrator(after.header, "en").tell(before, after.event, after)
    assert sentence in [one.text for one in told]
