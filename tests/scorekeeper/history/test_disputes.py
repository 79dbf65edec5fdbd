"""What people may look at again during a match, and where its pictures are."""

from __future__ import annotations

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import GUESSED, SUIT
from scorekeeper.history.corrections import insert, remove, replace, take_back
from scorekeeper.history.disputes import may_be_shown, pictured
from scorekeeper.history.fixes import replaced
from tests.scorekeeper.talk import NAMES, TRUT, event

HEADER = Header(game=TRUT, seats=NAMES[:2])
HAND = ("0 deal 3", "1 play 8S", "0 play 7S", "0 play 9S", "1 play KS")
"""A hand: seat 0 wins the first trick and leads the second one."""


def said(*texts: str) -> list[Event]:
    return [event(text) for text in texts]


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (HAND[:1], ()),
        (HAND[:2], ()),
        (HAND[:3], (1, 2, 3)),
        (HAND[:4], (1, 2, 3)),
        ((*HAND[:3], "undo"), ()),
        ((*HAND[:2], "undo", "1 play 9S"), ()),
        ((*HAND[:2], "void_hand"), (1, 2, 3)),
        ((*HAND[:2], "void_hand", "undo"), ()),
        ((*HAND[:3], "void_hand", "1 deal 3", "0 play AH"), (1, 2, 3, 4)),
        ((*HAND[:2], "void_hand", "1 deal 3", "undo"), (1, 2, 3)),
    ],
)
def test_only_complete_tricks_may_be_shown(texts: tuple[str, ...], shown: tuple[int, ...]) -> None:
    assert sorted(may_be_shown(HEADER, said(*texts))) == list(shown)


def test_the_picture_of_a_card_said_again_is_hidden_with_it() -> None:
    events = said(*HAND[:4])
    late = insert(replay(HEADER, events), events, 2, event("0 trut"), event("1 see"))
    events += late.events
    shown = may_be_shown(HEADER, events)
    hidden = {seq for seq in pictured(events).values() if seq not in shown}
    assert [events[seq - 1].in_words() for seq in hidden] == ["play 9S"]


def test_the_picture_of_a_card_that_moved_into_the_open_trick_is_hidden() -> None:
    """The card was played to the first trick, moved into the second one, and then corrected."""
    events = said(*HAND[:3])
    events += insert(
        replay(HEADER, events), events, 2, event("1 play 7H"), event("0 play 9D")
    ).events
    events += said("undo")
    events += replace(replay(HEADER, events), events, len(events) - 2, event("1 play 8D")).events
    assert events[-1].in_words() == "play 8D"
    pictures, shown = pictured(events), may_be_shown(HEADER, events)
    assert pictures[len(events)] not in shown


STEPS = [
    (lambda m, e: replace(m, e, 3, event("0 play 7H")), {"play 8S": 2, "play 7H": 3}),
    (lambda m, e: replace(m, e, at(e, "play 7H"), event("0 play 7D")), {"play 7D": 3}),
    (lambda m, e: insert(m, e, 2, event("0 trut"), event("1 see")), {"play 8S": 2, "play 7D": 3}),
    (lambda m, e: remove(m, e, at(e, "play KS")), {"play 7D": 3, "play 9S": 4}),
    (lambda m, e: take_back(m, e, e[-1].group), {"play KS": 5, "play 7D": 3}),
]


@pytest.mark.parametrize("count", range(1, len(STEPS) + 1))
def test_a_picture_is_found_after_every_kind_of_correction(count: int) -> None:
    events = said(*HAND)
    for correct, _ in STEPS[:count]:
        events += correct(replay(HEADER, events), events).events
    found = pictured(events)
    for words, seq in STEPS[count - 1][1].items():
        assert found[at(events, words)] == seq
    own = {seq for seq in found.values() if seq > len(HAND)}
    assert {events[seq - 1].do for seq in own} <= {"trut", "see"}  # what was put in has its own


def test_V12_the_picture_of_a_card_put_right_is_found_where_a_guess_gives_way_to_it() -> None:
    events = said(*HAND)
    events[1] = events[1]._replace(remarks={SUIT: GUESSED})
    events += replaced(replay(HEADER, events), events, 3, event("0 play 8S")).events
    found = pictured(events)
    assert [found[at(events, words)] for words in ("play 8C", "play 8S", "play 9S")] == [2, 3, 4]


def at(events: list[Event], words: str) -> int:
    return max(seq for seq, each in enumerate(events, 1) if each.in_words() == words)
