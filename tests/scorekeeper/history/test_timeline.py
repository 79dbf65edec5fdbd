"""The list of events on a page of corrections."""

from __future__ import annotations

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.games.agreed import AGREED
from scorekeeper.history.timeline import timeline
from scorekeeper.text.event_phrases import PHRASES
from tests.scorekeeper.talk import LT_ACE, NAMES, PUT, TRUC, TRUT, event

TEXTS = {
    LT_ACE: "0 deal 3, misdeal, 0 deal 3, 1 ask, 0 grant, 0 deal 3, 1 play KS, 0 play QS, undo, "
    "0 raise 2, 1 accept, 0 play 9H, 1 raise 4, 0 reject, award 1 -2, "
    "1 deal 3, 0 ask, 1 refuse, 0 play 10D, void_hand, 0 deal 3, 1 i_play",
    TRUT: "0 deal 3, 1 trut, 0 see, 1 play KS",
    TRUC: "1 tap, 0 deal 1, 1 play 4S, 1 truc, 0 retruc, 1 reject",
    PUT: "0 deal 3, 1 put, 0 accept",
}

LISTED = {
    LT_ACE: [
        "1 1 0 Ana deals 3 cards",
        "2 1 1 the deal is void",
        "3 1 0 Ana deals 3 cards",
        "4 1 1 Bea asks for new cards",
        "5 1 1 Ana grants new cards",
        "6 1 0 Ana deals 3 cards",
        "7 1 1 Bea plays K♠",
        "10 1 1 Ana raises to 2",
        "11 1 1 Bea accepts",
        "12 1 1 Ana plays 9♥",
        "13 1 2 Bea raises to 4",
        "14 1 2 Ana refuses",
        "15 1 0 -2 points by agreement for Bea",
        "16 2 0 Bea deals 3 cards",
        "17 2 1 Ana asks for new cards",
        "18 2 1 Bea refuses new cards",
        "19 2 1 Ana plays 10♦",
        "20 2 1 the hand is void",
        "21 3 0 Ana deals 3 cards",
        "22 3 1 Bea plays with these cards",
    ],
    TRUT: ["1 1 0 Ana deals 3 cards", "2 1 1 Bea truts", "3 1 1 Ana sees", "4 1 1 Bea plays K♠"],
    TRUC: [
        "1 1 0 Bea taps the pack",
        "2 1 0 Ana deals 1 card",
        "3 1 1 Bea plays 4♠",
        "4 1 1 Bea calls truc",
        "5 1 1 Ana calls retruc",
        "6 1 1 Bea refuses",
    ],
    PUT: ["1 1 0 Ana deals 3 cards", "2 1 1 Bea puts", "3 1 1 Ana accepts"],
}


@pytest.mark.parametrize("game", TEXTS)
def test_each_event_is_listed_with_its_number_hand_and_trick_in_a_few_words(game: str) -> None:
    header = Header(game=game, seats=NAMES[:2])
    events = [event(text.strip()) for text in TEXTS[game].split(",")]
    entries = timeline(replay(header, events), events, "en")
    assert [f"{e.seq} {e.hand} {e.trick} {e.words}" for e in entries] == LISTED[game]


def test_a_hand_is_listed_alone() -> None:
    header = Header(game=LT_ACE, seats=NAMES[:2], best_of=3)
    texts = (
        "award 0 11, 0 deal 3, 1 remainder, 0 accept, 1 play KS, 0 play AS, 0 play AD, 1 play 7D"
    )
    events = [event(text.strip()) for text in f"{texts}, award 1 3, 1 deal 3".split(",")]
    match = replay(header, events)
    assert match.games_won == (1, 0)

    def seqs(hand: int) -> list[int]:
        return [entry.seq for entry in timeline(match, events, "en", hand=hand)]

    assert [seqs(hand) for hand in range(4)] == [[1], [2, 3, 4, 5, 6, 7, 8, 9], [10], []]


def test_V_12_a_guessed_card_is_named_by_its_rank_alone() -> None:
    header = Header(game=TRUC, seats=NAMES[:2])
    events = [event("1 cut"), event("0 deal 3"), event("1 play 12O")]
    events[-1] = events[-1]._replace(remarks={"_suit": "guessed"})
    assert timeline(replay(header, events), events, "en")[-1].words == "Bea plays 12"


def test_V_21_what_was_before_a_substitute_is_listed_under_the_name_of_then() -> None:
    header = Header(game=LT_ACE, seats=NAMES[:2])
    events = [event(text) for text in ("0 deal 3", "0 player Eva", "1 play KS", "0 play QS")]
    assert [entry.words for entry in timeline(replay(header, events), events, "en")] == [
        "Ana deals 3 cards", "Eva takes over from Ana", "Bea plays K♠", "Eva plays Q♠",
    ]  # fmt: skip


def test_every_verb_but_undo_has_its_words() -> None:
    headers = [Header(game=game, seats=NAMES[:2]) for game in TEXTS]
    headers.append(Header(game=TRUT, seats=NAMES[:2], options={"retrut": "two_longs"}))
    verbs = set().union(*(header.verbs for header in headers))
    assert set(PHRASES) | set(AGREED) == verbs - {"undo"}
