"""The spoken call of a correction says once what has changed, and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, latest_events, replay
from scorekeeper.engine.state import Match, Phase
from scorekeeper.history import corrections
from scorekeeper.text.announcer import Announcer, Sound
from tests.scorekeeper.history.test_correction_laws import any_correction
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, event, ranks, say, table
from tests.scorekeeper.text.test_announcer import FORTIAL


def correction(match: Match, text: str, kind: str, seq: int, who: str | None = None) -> str | None:
    """What is called after a correction of the events of a match."""
    events = latest_events(match)
    if kind == "remove":
        made = corrections.remove(match, events, seq)
    elif kind == "insert":
        made = corrections.insert(match, events, seq or None, event(text))
    else:
        made = corrections.replace(match, events, seq, event(text))
    call = Announcer(match.header, "en").correction(match, made.match, who)
    return None if call is None else call.text


@pytest.mark.parametrize(
    ("match", "made", "expected"),
    [
        pytest.param(
            ranks(deal(table(LT_ACE)), "A K"), ("0 play AH", "replace", 3),
            "Corrected: Trick 1 is spoiled.",
            id="C-11-spoiled-and-the-same-leader",
        ),
        pytest.param(
            ranks(deal(table(TRUT)), "7 8"), ("0 play 7H", "replace", 3),
            "Corrected: Trick 1 is spoiled. Ana leads.",
            id="TR-6-spoiled-and-another-leader",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "K A"), ("0 play QS", "replace", 3),
            "Corrected: Trick 1 for Bea. Bea leads.",
            id="C-11-another-winner",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "A K"), ("0 play KD", "replace", 3), None,
            id="V-12-a-suit-alone-is-not-announced",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "A K"), ("0 play 7D", "replace", 3), None,
            id="a-rank-that-changes-nothing",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "A K"), ("", "remove", 3),
            "Corrected: Trick 1 is open again. Ana is on turn.",
            id="a-card-that-was-not-played",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "K"), ("0 play AS", "insert", 0),
            "Corrected: Trick 1 for Ana. Ana leads.",
            id="a-card-that-was-missed",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "K A A Q"), ("1 play QS", "remove", 5),
            "Corrected: Hand 1 is open again. Score: Ana 0, Bea 0. Bea is on turn.",
            id="a-hand-that-is-open-again",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "A K Q"), ("0 play 7S", "insert", 0),
            "Corrected: Trick 2 for Bea. Hand for Bea: 1 point. Score: Ana 0, Bea 1. Bea deals.",
            id="a-hand-that-is-over",
        ),
        pytest.param(
            deal(ranks(deal(table(TRUT)), "9 7 7 9")), ("1 play 8S", "replace", 2),
            None,
            id="an-earlier-hand-that-comes-to-the-same",
        ),
        pytest.param(
            deal(ranks(deal(table(TRUT)), "9 7 9 7 8 9")), ("0 play 7D", "replace", 7),
            "Corrected: Hand 1: A Small for Ana. Score: Ana 1 Small, Bea 0.",
            id="TR-13-an-earlier-hand",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "A A K K 8 7"), ("0 play 8D", "replace", 7),
            "Corrected: Trick 3 is spoiled. The hand is void: nobody scores. Score: Ana 0, Bea 0.",
            id="LT-8-void-after-all",
        ),
        pytest.param(
            say(ranks(deal(table(LT_ACE)), "A K"), "1 raise 2"), ("", "remove", 4),
            "Corrected: Bea leads.",
            id="LT-11-an-offer-that-was-not-made",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE)), "A K"), ("1 raise 2", "insert", 0),
            "Corrected: Bea raises to 2.",
            id="LT-11-an-offer-that-was-missed",
        ),
        pytest.param(
            say(deal(table(LT_ACE)), "1 raise 2, 0 accept, 1 play AS"), ("", "remove", 4),
            "Corrected: Bea leads.",
            id="the-raiser-has-not-played",
        ),
        pytest.param(
            say(deal(table(TRUT)), "1 play 9S, 0 trut, 1 see"), ("", "remove", 4),
            "Corrected: A Small is at stake. Ana truts. Bea has to answer.",
            id="TR-10-it-was-not-seen-yet",
        ),
        pytest.param(
            say(deal(table(TRUT)), "1 play 9S, 0 trut, 1 see"), ("", "remove", 3),
            "Corrected: A Small is at stake.",
            id="TR-14-there-was-no-trut",
        ),
        pytest.param(
            say(deal(table(TRUT, tokens=FORTIAL)), "0 trut"), ("", "remove", 6),
            "Corrected: Fortial for Ana: only Ana looks.",
            id="TR-19-asked-again",
        ),
        pytest.param(
            say(deal(table(LT_ACE)), "1 ask, 0 refuse"), ("", "remove", 3),
            "Corrected: New cards are asked for.",
            id="LT-4-not-answered-yet",
        ),
        pytest.param(
            say(deal(table(TRUC, 4, scores=(11, 4))), "0 play_on"), ("", "remove", 5),
            "Corrected: The hand is worth 1 point. Ana & Carles at 11: play or decline?",
            id="TS-18-not-decided-yet",
        ),
        pytest.param(
            say(table(LT_ACE, best_of=3), "award 0 12"), ("award 0 2", "replace", 1),
            "Corrected: The game is open again. Games: 0 to 0. Score: Ana 2, Bea 0.",
            id="LV-5-a-game-that-is-open-again",
        ),
        pytest.param(
            say(table(LT_ACE, best_of=3), "award 0 2"), ("award 1 12", "replace", 1),
            "Corrected: Game for Bea. Games: 0 to 1. Score: Ana 0, Bea 12.",
            id="LV-5-a-game-that-is-won",
        ),
        pytest.param(
            say(table(LT_ACE, best_of=3), "award 0 12, award 0 12"), ("award 0 1", "replace", 2),
            "Corrected: The match is open again. Games: 1 to 0. Score: Ana 1, Bea 0. Ana deals.",
            id="LV-5-a-match-that-is-open-again",
        ),
    ],
)  # fmt: skip
def test_a_correction_says_what_has_changed_and_nothing_else(match, made, expected):
    assert correction(match, *made) == expected


def test_a_correction_names_who_made_it():
    match = ranks(deal(table(LT_ACE)), "A K")
    told = correction(match, "0 play AH", "replace", 3, who="Bea's\nphone")
    assert told == r"Corrected by Bea's\nphone: Trick 1 is spoiled."


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        pytest.param(
            ranks(deal(table(LT_ACE)), "K A A Q"),
            "Hand 1 is open again. Score: Ana 0, Bea 0. Bea is on turn.",
            id="over-the-end-of-a-hand",
        ),
        pytest.param(
            ranks(deal(table(LT_ACE, scores=(11, 3))), "K A A Q"),
            "Hand 1 is open again. The game is open again. Score: Ana 11, Bea 3. Bea is on turn.",
            id="over-the-end-of-the-match",
        ),
        pytest.param(ranks(deal(table(LT_ACE)), "K"), "Bea leads.", id="a-card"),
    ],
)
def test_an_undo_is_a_correction(match, expected):
    undo = Event("undo", remarks={"_who": "Dani"})
    called = Announcer(match.header, "en").calls(match, undo, apply(match, undo))
    assert called == [(f"Corrected by Dani: {expected}", Sound.CORRECTION)]


@pytest.mark.parametrize(
    ("match", "undos"),
    [
        pytest.param(say(deal(table(LT_ACE)), "1 i_play"), 1, id="nobody-else-leads"),
        pytest.param(say(deal(table(LT_ACE)), "misdeal"), 2, id="nobody-else-deals"),
    ],
)
def test_an_undo_that_nobody_hears(match, undos):
    before = say(match, *["undo"] * undos)
    assert Announcer(match.header, "en").correction(match, before) is None


def test_LT_6_no_call_for_such_an_undo():
    match = say(deal(table(LT_ACE)), "1 i_play")
    assert Announcer(match.header, "en").calls(match, Event("undo"), say(match, "undo")) == []


def _audible(match: Match, number: int) -> tuple[object, ...]:
    """What is audible of a match: scores, ends, tricks of the hand, value, and whose turn it is."""
    hands = [(hand.winner, hand.award) for hand in match.hands() if hand.end is not None]
    value = match.current().value if match.in_progress else 1
    waiting = match.current().offer if match.in_progress else None
    due = match.dealer
    if match.phase in (Phase.PLAY, Phase.RAISE_ANSWER):
        due = match.turn
    elif match.phase is Phase.REDEAL_ASK:  # whoever may ask is the leader; nothing is said (LT-6)
        due = match.first_leader
    elif match.phase is Phase.MATCH_OVER:  # nobody deals any more
        due = None
    tricks = [trick for hand in match.hands()[number - 1 : number] for trick in hand.tricks]
    won = [trick.winner for trick in tricks if trick.complete]
    return match.scores, match.games_won, match.winner, hands, won, value, waiting, due


@given(
    st.sampled_from(HEADERS),
    st.randoms(use_true_random=False),
    st.integers(min_value=1, max_value=60),
)
def test_a_correction_is_called_exactly_where_something_audible_changed(
    header: Header, chance: Random, length: int
) -> None:
    announcer = Announcer(header, "en")
    events = playout(header, chance, length)
    match = replay(header, events)
    assert announcer.correction(match, match) is None
    made = any_correction(match, events, chance)
    if made is None:
        return
    call = announcer.correction(match, made.match)
    if call is None:
        number = made.match.hand_number
        assert _audible(made.match, number) == _audible(match, number)
    else:
        assert call.sound is Sound.CORRECTION
        assert made.match != match
    # If it is taken back, everything is as before, so nothing is announced.
    back = corrections.take_back(made.match, [*events, *made.events], made.group) if call else None
    assert back is None or announcer.correction(match, back.match) is None
