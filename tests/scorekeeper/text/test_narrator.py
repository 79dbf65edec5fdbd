"""The sentences about an event: as an explanation, or as the verdict of a dispute."""

from __future__ import annotations

import pytest

from scorekeeper.engine.match import apply
from scorekeeper.engine.state import Match
from scorekeeper.text.narrator import Narrator
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, event, say, table


def told(match: Match, text: str) -> list[str]:
    """The sentences about one more event, with their rules."""
    done = event(text)
    after = apply(match, done)
    return [str(told) for told in Narrator(after.seated, "en").tell(match, done, after)]


ELEVEN = table(LT_ACE, scores=(11, 0), options={"eleven": True})

CASES = {
    "V-20 a game that is open again is nobody's": (
        say(table(TRUC), "adjust 0 12"), "adjust 0 -1",
        "By agreement 1 point taken from Ana. [V-20]", "The game goes on. [V-20]",
        "Score: Ana 11 points; Bea 0 points.",
    ),
    "TS-18 new cards in a hand that was played on": (
        say(ELEVEN, "0 deal 3, 0 play_on, 1 ask, 0 grant"), "0 deal 3",
        "Ana deals 3 cards to everybody. [LT-2]",
    ),
    "TR-22": (
        table(TRUT, tokens=((6, 2), (6, 2))), "0 deal 3",
        "Ana deals 3 cards to everybody. [TR-2]",
        "Both sides are at fortial: whoever wins this hand wins the game. [TR-22]",
    ),
    "V-20 a Long and a Small given": (
        table(TRUT), "adjust 0 1 1",
        "By agreement 1 Long, 1 Small for Ana. [V-20]",
        "Score: Ana 1 Long, 1 Small; Bea 0 Longs, 0 Smalls.",
    ),
    "V-20 a Long and a Small taken, as far as there are any": (
        table(TRUT, tokens=((0, 2), (0, 0))), "adjust 0 -1 -1",
        "By agreement 1 Small taken from Ana. [V-20]",
        "Score: Ana 0 Longs, 1 Small; Bea 0 Longs, 0 Smalls.",
    ),
    "V-20 a Small that is the third": (
        table(TRUT, tokens=((0, 2), (0, 0))), "adjust 0 0 1",
        "By agreement 1 Small for Ana. [V-20]",
        "Score: Ana 1 Long, 0 Smalls; Bea 0 Longs, 0 Smalls.",
    ),
    "V-20 Longs that the game has no room for": (
        table(TRUT, tokens=((6, 1), (0, 0)), best_of=3), "adjust 0 3",
        "By agreement 1 Long for Ana. [V-20]",
        "Score: Ana 7 Longs, 1 Small; Bea 0 Longs, 0 Smalls.",
        "Game for Ana. [TR-17]", "Games: 1 to 0.",
    ),
    "V-20 points that are not there": (
        table(LT_ACE), "adjust 0 -2",
        "By agreement 0 points taken from Ana. [V-20]",
        "Score: Ana 0 points; Bea 0 points.",
    ),
    "V-19 a game that is given away is not won at the target": (
        table(TRUT, tokens=((0, 1), (0, 0))), "end_game 1",
        "By agreement the game ends here. [V-19]", "Game for Bea. [V-19]",
    ),
    "V-21 who leaves is named": (
        deal(table(LT_ACE)), "0 player Carla", "From here on Carla plays instead of Ana. [V-21]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_told(case):
    match, text, *expected = case
    assert told(match, text) == expected
