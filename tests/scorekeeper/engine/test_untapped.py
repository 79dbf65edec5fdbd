"""V-14: the ways in which a hand may have ended by calls that nobody tapped."""

from random import Random

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, moments, replay
from scorekeeper.engine.untapped import lay_downs
from tests.scorekeeper.playouts import HEADERS, playout, replayed
from tests.scorekeeper.talk import LT_ACE, NAMES, TRUC, TRUT, event

GIVE_UP = "giving up the hand"


def told(game: str, seats: int, said: str) -> dict[int, str]:
    match = replay(Header(game=game, seats=NAMES[:seats]), map(event, said.split(", ")))
    return {
        side: ", ".join(
            f"{'' if word.seat is None else word.seat} {word.in_words()}".strip() for word in words
        )
        for side, words in lay_downs(match).items()
    }


@pytest.mark.parametrize(
    ("game", "seats", "said", "sides"),
    [
        (TRUT, 2, "0 deal 3, 1 play 10H", {0: "1 trut, 0 lie down", 1: "0 trut, 1 lie down"}),
        (TRUT, 2, "0 deal 3, 1 play 10H, 1 trut", {0: "0 lie down", 1: GIVE_UP}),
        (TRUT, 2, "0 deal 3, 1 play 10H, 1 trut, 0 see", {0: GIVE_UP, 1: GIVE_UP}),
        (
            TRUT, 4, "0 deal 3, 1 play 10H",
            {0: "1 trut, 2 lie down, 0 lie down", 1: "0 trut, 1 lie down, 3 lie down"},
        ),
        (TRUT, 4, "0 deal 3, 1 play 10H, 1 trut, 2 lie_down", {0: "0 lie down", 1: GIVE_UP}),
        # Bea may not raise: Ana gave up without an offer, for what the hand was worth.
        (
            LT_ACE, 2, "0 deal 3, 1 play KS",
            {0: GIVE_UP, 1: "0 raise to 2, 1 reject"},
        ),
        (
            LT_ACE, 2, "0 deal 3, 1 raise 2, 0 accept, 1 play KS, 0 play AS",
            {0: GIVE_UP, 1: "0 raise to 4, 1 reject"},
        ),
        (LT_ACE, 2, "0 deal 3, 1 raise 2", {0: "0 reject", 1: GIVE_UP}),
        (
            TRUC, 4, "1 cut, 0 deal 3, 3 play 3O, 2 play 4O, 2 truc",
            {0: "1 retruc, 0 reject", 1: "1 reject"},
        ),
    ],
)  # fmt: skip
def test_a_side_lies_down_by_the_fewest_words(game, seats, said, sides):
    assert told(game, seats, said) == sides


@pytest.mark.parametrize("header", HEADERS, ids=str)
def test_whoever_lies_down_ends_the_hand_and_only_the_others_score(header):
    for match in moments(replayed(header, playout(header, Random(3), 40))):
        for side, words in lay_downs(match).items() if match.in_progress else ():
            after = match
            for word in words:
                after = apply(after, word)
            assert not after.in_progress
            assert after.scores[1 - side] != match.scores[1 - side]
