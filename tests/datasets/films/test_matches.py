"""The matches from which films are made."""

from collections import Counter

import pytest

from datasets.films.matches import HANDS, NAMES, dealt_hands, pack_of, play_match
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay, start
from scorekeeper.games.cards import parse_card
from scorekeeper.games.rules import GAMES

TABLES = [(game, seats) for game in GAMES for seats in GAMES[game].rules.players]


def header(game: str, seats: int) -> Header:
    return Header(game=game, seats=NAMES[:seats], best_of=5)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_rules_allow_all_of_it_and_every_hand_is_finished(game: str, seats: int) -> None:
    record = play_match(header(game, seats), 3, 12)
    match = replay(record.header, record.events)
    assert not match.in_progress
    assert match.hand_number == 12 or match.winner is not None


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_players_play_what_they_were_dealt_of_one_pack(game: str, seats: int) -> None:
    record = play_match(header(game, seats), 5, 12)
    pack = {str(card) for card in pack_of(start(record.header))}
    held: list[set[str]] = []
    for event in record.events:
        if event.do == "deal":
            hands = event.remarks[HANDS]
            dealt = [card for hand in hands for card in hand]
            assert len(set(dealt)) == len(dealt) == event.cards * seats
            assert set(dealt) <= pack
            held = [set(hand) for hand in hands]
        elif event.do == "play":
            held[event.seat].remove(str(event.card))


def test_the_same_seed_plays_the_same_match_and_another_one_another() -> None:
    one, same, other = (play_match(header("trut", 4), seed, 5) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_calls_are_made_and_answered_both_ways() -> None:
    done: Counter[str] = Counter()
    for game, seats in TABLES:
        for seed in range(4):
            done.update(e.do for e in play_match(header(game, seats), seed, 20).events)
    assert {"raise", "accept", "reject", "truc", "trut", "see", "lie_down", "ask"} <= set(done)


def test_C_10_leaders_lead_better_cards_than_a_random_player_would() -> None:
    """Simulated players play sensibly: they mostly beat the first card of a trick if they can."""
    beaten = could = 0
    for seed in range(20):
        record = play_match(header("le_truc_ace", 2), seed, 15)
        strength = record.header.rules.strength
        held: list[list[str]] = []
        lead = None
        for event in record.events:
            if event.do == "deal":
                held, lead = [list(hand) for hand in event.remarks[HANDS]], None
            elif event.do == "play":
                mine = strength[event.card.rank]
                if lead is not None:
                    able = [c for c in held[event.seat] if strength[parse_card(c).rank] < lead]
                    could += bool(able)
                    beaten += bool(able) and mine < lead
                lead = mine if lead is None else None
                held[event.seat].remove(str(event.card))
    assert could > 100
    assert beaten / could > 0.85


def test_hands_that_a_record_does_not_tell_are_filled_up_from_the_rest_of_the_pack() -> None:
    record = play_match(header("truc_spain", 4), 2, 8)
    bare = tuple(event.bare() for event in record.events)
    dealt = dealt_hands(record.header, bare, 1)
    assert [place for place, event in enumerate(bare) if event.do == "deal"] == list(dealt)
    for place, hands in dealt.items():
        assert [len(hand) for hand in hands] == [bare[place].cards] * 4
        cards = [card for hand in hands for card in hand]
        assert len(set(cards)) == len(cards)
    known = dealt_hands(record.header, record.events, 1)
    place = next(iter(known))
    assert [[str(c) for c in hand] for hand in known[place]] == bare_hands(record.events[place])


def bare_hands(deal: object) -> list[list[str]]:
    return deal.remarks[HANDS]  # type: ignore[attr-defined]
