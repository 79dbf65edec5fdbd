"""Laws that hold for every match, tested by random matches; and full counts of a small pack."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import (
    apply,
    can,
    latest_events,
    legal_events,
    moments,
    replay,
    start,
    undone,
)
from scorekeeper.engine.state import Phase
from scorekeeper.errors import RuleError
from scorekeeper.games.cards import Card
from scorekeeper.games.rules import GAMES, OPERATOR_VERBS
from scorekeeper.games.scoring import IN_TOKENS
from scorekeeper.games.tricks import VOID, Play, complete_trick, hand_result
from scorekeeper.reports.answer import answer
from tests.scorekeeper.playouts import a_card, playout
from tests.scorekeeper.talk import NAMES


@st.composite
def headers(draw: st.DrawFn) -> Header:
    """Any header: game, seats, compatible variants, and any options."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    steps = [name for name, fields in game.variants.items() if "step" in fields]
    others = [name for name in game.variants if name not in steps]
    variants = draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    variants += draw(st.lists(st.sampled_from(steps), max_size=1)) if steps else []
    names = draw(st.lists(st.sampled_from(sorted(game.options)), max_size=4, unique=True))
    options = {name: draw(st.sampled_from([*game.options[name]][:24])) for name in names}
    seats = draw(st.sampled_from(game.rules.players))
    return Header(
        game=game.id,
        seats=NAMES[:seats],
        variants=tuple(variants),
        options=options,
        first_dealer=draw(st.integers(0, seats - 1)),
        best_of=draw(st.sampled_from((1, 3))),
    )


TABLES = given(header=headers(), seed=st.integers(0, 2**32))


def play_out(header: Header, seed: int, length: int = 120) -> list[Event]:
    return playout(header, random.Random(seed), length)


@settings(max_examples=25)
@TABLES
def test_every_legal_event_applies_and_every_other_is_refused(header, seed):
    rng = random.Random(seed)
    match = start(header)
    for event in play_out(header, seed, 40):
        match = apply(match, event)
        legal = legal_events(match)
        assert legal or match.phase is Phase.MATCH_OVER
        for do in header.verbs - OPERATOR_VERBS - {"play"}:
            for seat in range(match.seats):
                for number in (None, 1, 2, 3, 4, 8) if do in ("raise", "deal") else (None,):
                    key = {"raise": "to", "deal": "cards"}.get(do)
                    tried = Event(do, seat, **({key: number} if key else {}))
                    assert can(match, tried) == (tried in legal)
        for seat in range(match.seats):
            tried = Event("play", seat)
            assert can(match, tried) == (tried in legal)
            if tried in legal:
                apply(match, tried._replace(card=a_card(match, rng)))


@TABLES
def test_replay_equals_state_and_undo_equals_a_shorter_record(header, seed):
    events = play_out(header, seed)
    match = replay(header, events)
    assert match == replay(header, latest_events(match))
    for before, after in pairwise(moments(match)):
        assert undone(after) == before


def rotated(events: list[Event], by: int, seats: int) -> list[Event]:
    def turn(event: Event) -> Event:
        seat = None if event.seat is None else (event.seat + by) % seats
        side = None if event.side is None else (event.side + by) % 2
        return event._replace(seat=seat, side=side)

    return [turn(event) for event in events]


def rotate_answer(state: dict, by: int, seats: int) -> dict:
    def seat(value):
        return value if value is None else (value + by) % seats

    def side(value):
        return value if value is None else (value + by) % 2

    def pair(values):
        return values[::-1] if by % 2 else values

    hands = [
        {
            **hand,
            "dealer": seat(hand["dealer"]),
            "winner": side(hand["winner"]),
            "tricks": [
                {
                    "leader": seat(trick["leader"]),
                    "cards": [{**card, "seat": seat(card["seat"])} for card in trick["cards"]],
                    "winner": side(trick["winner"]),
                    "next_leader": seat(trick["next_leader"]),
                }
                for trick in hand["tricks"]
            ],
        }
        for hand in state["hands"]
    ]
    legal = [{**event, "seat": seat(event["seat"])} for event in state["legal"]]
    return {
        **state,
        "turn": seat(state["turn"]),
        "dealer": seat(state["dealer"]),
        "legal": sorted(legal, key=repr),
        "score": pair(state["score"]),
        "games_won": pair(state["games_won"]),
        "winner": side(state["winner"]),
        "hands": hands,
    }


@TABLES
def test_rotating_all_seats_rotates_the_answer(header, seed):
    events, seats = play_out(header, seed), len(header.seats)
    for by in range(1, seats):
        other = Header(
            game=header.game,
            seats=header.seats,
            variants=header.variants,
            options=header.options,
            best_of=header.best_of,
            first_dealer=(header.first_dealer + by) % seats,
        )
        expected = rotate_answer(answer(replay(header, events)), by, seats)
        got = answer(replay(other, rotated(events, by, seats)))
        assert {**got, "legal": sorted(got["legal"], key=repr)} == expected


@TABLES
def test_values_rise_and_scores_fall_only_where_the_rules_take_away(header, seed):
    steps = moments(replay(header, play_out(header, seed)))
    for before, after in pairwise(steps):
        same_hand = before.hand_number == after.hand_number and before.in_progress
        if same_hand and after.event.do != "misdeal":
            assert isinstance(after.hand.value, str) or before.hand.value <= after.hand.value
        for side in (0, 1):
            was, now = before.scores[side], after.scores[side]
            assert now.points >= 0
            assert 0 <= now.smalls <= 2
            if header.rules.clamp or header.rules.counting is IN_TOKENS:
                assert now.points <= header.rules.target
            opens_a_game = before.game_over and not after.game_over
            if after.event.do not in ("award", "adjust") and not opens_a_game:
                assert now.points >= was.points
                lost = now.points == was.points and now.smalls < was.smalls
                assert not lost or after.scores[1 - side].points > before.scores[1 - side].points


@TABLES
def test_a_wrong_event_changes_nothing(header, seed):
    match = replay(header, play_out(header, seed, 30))
    for event in (Event("play", 0, card=Card("K", "O")), Event("deal", 0, cards=9)):
        before = answer(match)
        with pytest.raises(RuleError) as caught:
            apply(match, event)
        assert caught.value.sentence()
        assert answer(match) == before


@pytest.mark.parametrize(
    ("hand_rule", "expected"),
    [
        ("claim", {0: 9984, 1: 9984, VOID: 192}),
        ("majority", {0: 8544, 1: 11616}),
        ("next_winner", {0: 9984, 1: 9984, VOID: 192}),
        ("first_trick", {0: 9984, 1: 10176}),
    ],
)
def test_all_plays_of_eight_cards_by_two(hand_rule, expected):
    """Plays every order in which six of eight cards (four ranks, two suits) can be laid.

    The expected numbers were counted from the table of 27 outcomes, without this code.
    """
    rules = Header(game="le_truc_ace", seats=("a", "b"), options={"hand_rule": hand_rule}).rules
    pack = [Card(rank, suit) for rank in rules.order[:4] for suit in "SH"]
    results: Counter[int] = Counter()
    for cards in permutations(pack, 6):
        leader, winners = 1, []
        for first, second in zip(cards[::2], cards[1::2], strict=True):
            trick = complete_trick(rules, leader, (Play(leader, first), Play(1 - leader, second)))
            winners.append(trick.winner)
            leader = trick.next_leader
            result = hand_result(hand_rule, winners, total=3, dealer_side=0)
            if result is not None:
                break
        results[result] += 1
    assert dict(results) == expected
