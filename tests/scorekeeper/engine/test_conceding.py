"""V-15: a side gives up the hand, and the other side scores what is at stake."""

from __future__ import annotations

import pytest

from scorekeeper.engine.events import parse_event
from scorekeeper.engine.match import latest_events, undone
from scorekeeper.errors import RuleError
from scorekeeper.reports.explain import explain
from scorekeeper.text.i18n import LANGUAGES
from scorekeeper.text.phrases import Voice
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, say, table

FORTIAL = ((6, 2), (6, 2))
CONCEDED = [
    (table(LT_ACE), "0 deal 3, concede 0", 1, ("points", 1)),
    (table(LT_ACE), "0 deal 3, concede 1", 0, ("points", 1)),
    (table(LT_ACE), "0 deal 3, 1 raise 2, concede 1", 0, ("points", 1)),
    (table(LT_ACE), "0 deal 3, 1 raise 2, 0 accept, concede 0", 1, ("points", 2)),
    (table(LT_ACE), "0 deal 3, 1 ask, concede 1", 0, ("points", 1)),
    (table(LT_ACE, scores=(5, 9)), "0 deal 3, 1 raise 2, 0 accept, 1 play KS, 0 remainder, "
     "1 accept, concede 1", 0, ("points", 7)),
    (table(LT_ACE, scores=(11, 0)), "0 deal 3, concede 1", 0, ("points", 1)),
    (table(TRUC, scores=(11, 3)), "1 cut, 0 deal 3, 0 play_on, concede 0", 1, ("points", 3)),
    (table(TRUC, 4), "1 cut, 0 deal 3, 3 truc, 2 accept, 3 play 3O, concede 0", 1, ("points", 2)),
    (table(TRUT), "0 deal 3, concede 1", 0, ("small", 1)),
    (table(TRUT), "0 deal 3, 0 trut, concede 1", 0, ("small", 1)),
    (table(TRUT), "0 deal 3, 0 trut, 1 see, concede 0", 1, ("long", 1)),
    (table(TRUT, tokens=FORTIAL), "0 deal 3, concede 1", 0, ("game", 1)),
]  # fmt: skip
"""A match, the events, the side that scores, and what it scores."""


@pytest.mark.parametrize(("match", "said", "winner", "award"), CONCEDED)
def test_what_the_other_side_scores(match, said, winner, award) -> None:
    match = say(match, said)
    assert (match.hand.end, match.hand.winner, match.hand.award) == ("conceded", winner, award)
    before = undone(match)
    assert before.in_progress
    assert match.dealer == before.after(before.dealer)


TOO_EARLY = [
    (table(LT_ACE), ""),
    (table(TRUC), "1 cut"),
    (table(LT_ACE), "0 deal 3, 1 ask, 0 grant"),
    (table(LT_ACE), "0 deal 3, misdeal"),
    (table(TRUC, scores=(11, 3)), "1 cut, 0 deal 3"),
    (table(TRUT, tokens=((6, 2), (0, 0))), "0 deal 3"),
    (table(LT_ACE), "0 deal 3, concede 1"),
]
"""A match and events after which no hand can be given up."""


@pytest.mark.parametrize(("match", "said"), TOO_EARLY)
def test_only_a_hand_that_is_played_is_given_up(match, said) -> None:
    with pytest.raises(RuleError, match="V-15"):
        say(match, said, "concede 0")


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_is_told_and_written(code) -> None:
    match = say(deal(table(LT_ACE, 4)), "concede 0")
    told = "\n".join(str(line) for line in explain(match, code))
    assert "V-15" in told
    assert Voice(match.header, code).side(0) in told
    (event,) = latest_events(match, 1)
    assert event.to_json() == {"do": "concede", "side": 0}
    assert parse_event(event.to_json(), verbs=match.header.verbs, seats=4) == event
