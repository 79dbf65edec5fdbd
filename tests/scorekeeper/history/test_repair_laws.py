"""Laws that hold for every correction that is offered, in every match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.packs import suits_of
from scorekeeper.engine.said import GUESSED, SUIT, is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.games.cards import Card
from scorekeeper.history.corrections import standing
from scorekeeper.history.fixes import carry_out
from scorekeeper.history.repairs import (
    Kind,
    Repair,
    insertions,
    latest_of_seat,
    repairs,
    take_back_latest,
)
from scorekeeper.history.suits import enter_card
from scorekeeper.history.timeline import timeline
from scorekeeper.text.phrases import Voice
from tests.scorekeeper.playouts import HEADERS, any_event, bare, playout, same_state
from tests.scorekeeper.talk import event

played = given(
    st.sampled_from(HEADERS),
    st.randoms(use_true_random=False),
    st.integers(min_value=1, max_value=60),
)


def some_guessed(events: Sequence[Event], chance: Random) -> list[Event]:
    """The events; some cards are entered by rank alone."""
    return [
        event._replace(remarks={SUIT: GUESSED})
        if event.do == "play" and chance.random() < 0.4
        else event
        for event in events
    ]


def what_stands(events: Sequence[Event]) -> list[tuple[Event, bool]]:
    """The events that are not taken back; of their remarks, only guessed suits are left."""
    return [(one.event.bare(), is_guessed(one.event)) for one in standing(events)]


def some_offers(match: Match, events: Sequence[Event], chance: Random) -> list[Repair]:
    """A few offers of each kind for an event."""
    stand = standing(events)
    seq = chance.choice(stand).seq
    before = None if chance.random() < 0.2 else chance.choice(stand).seq
    offers = repairs(match, events, seq, "en") + insertions(match, events, before, "en")
    mine = latest_of_seat(match, events, chance.randrange(match.seats), "en")
    offers += mine[1] if mine else []
    return chance.sample(offers, min(4, len(offers)))


def sent(repair: Repair) -> object:
    """The token as it comes back from a phone."""
    return json.loads(json.dumps(repair.fix.to_json()))


@played
def test_what_is_announced_is_what_happens_also_after_other_repairs(
    header: Header, chance: Random, length: int
) -> None:
    events = some_guessed(playout(header, chance, length), chance)
    for _ in range(2):
        match, repaired = replay(header, events), events
        if not standing(events):
            return
        for offer in some_offers(match, events, chance):
            made = carry_out(match, events, sent(offer))
            repaired = [*events, *made.events]
            after = replay(header, repaired)
            assert same_state(after, made.match)
            assert bare(list(made.left_out)) == bare(list(offer.left_out))
            score = Voice(match.seated, "en").standings(after).text
            assert (score in offer.changes) == (after.scores != match.scores)
            fallen = len(standing(events)) - len(standing(repaired))
            replaced, put_in = offer.fix.do in ("replace", "remove"), len(offer.fix.events)
            assert fallen == len(offer.left_out) + replaced - put_in
        events = repaired


@played
def test_a_repair_that_is_taken_back_leaves_what_stood(
    header: Header, chance: Random, length: int
) -> None:
    events = some_guessed(playout(header, chance, length), chance)
    match = replay(header, events)
    if not standing(events):
        return
    for offer in some_offers(match, events, chance):
        made = carry_out(match, events, sent(offer))
        repaired = [*events, *made.events]
        back = take_back_latest(made.match, repaired, "en")
        assert back is not None
        assert back.kind is Kind.TAKE_BACK
        assert back.left_out == ()
        undone = carry_out(made.match, repaired, sent(back))
        assert what_stands([*repaired, *undone.events]) == what_stands(events)


@played
def test_V_2_offered_cards_are_those_of_the_pack_that_nobody_is_known_to_have_played(
    header: Header, chance: Random, length: int
) -> None:
    events = some_guessed(playout(header, chance, length), chance)
    match = replay(header, events)
    hand = timeline(match, events, "en", hand=match.hand_number)
    plays = [entry for entry in hand if entry.event.card is not None]
    for entry in plays:
        others = [other.event for other in plays if other is not entry]
        known = {event.card for event in others if not is_guessed(event)}
        offers = repairs(match, events, entry.seq, "en")
        exact = [offer.fix.events[0].card for offer in offers if offer.kind is Kind.CARD]
        by_rank = [offer.fix.events[0].card for offer in offers if offer.kind is Kind.RANK]
        assert len(exact) == len(set(exact))
        assert not known & set(exact)
        assert not {event.card for event in others} & set(by_rank)
        if len(others) < 3:  # too few cards to use up a rank
            own = set() if is_guessed(entry.event) else {entry.event.card}
            assert len(set(exact) | known | own) == match.rules.pack_size
            assert len(by_rank) == len(match.rules.order) - 1


@played
def test_the_timeline_has_every_event_that_stands_in_the_hand_that_it_belongs_to(
    header: Header, chance: Random, length: int
) -> None:
    events = playout(header, chance, length)
    match = replay(header, events)
    whole = timeline(match, events, "en")
    assert [(e.seq, e.event) for e in whole] == [(s.seq, s.event) for s in standing(events)]
    for hand in range(match.hand_number + 2):
        assert timeline(match, events, "en", hand=hand) == [e for e in whole if e.hand == hand]


@played
def test_V_12_a_guessed_suit_never_stands_in_the_way(
    header: Header, chance: Random, length: int
) -> None:
    match, events = replay(header, ()), list[Event]()
    for _ in range(length):
        event = any_event(match, chance, operator=0)
        if event is None:
            break
        if event.card is None or event.seat is None:
            events.append(event)
            match = replay(header, events)
            continue
        entries = timeline(match, events, "en", hand=match.hand_number)
        known = {e.event.card for e in entries if not is_guessed(e.event)}
        before = [(e.do, e.seat, e.card and e.card.rank) for e, _ in what_stands(events)]
        suits = [suit for suit in suits_of(match) if Card(event.card.rank, suit) not in known]
        suit = chance.choice([None, *suits])  # perhaps one that was guessed for another card
        events += enter_card(match, events, event.seat, event.card.rank, suit)
        match = replay(header, events)
        *earlier, (latest, guessed) = what_stands(events)
        assert [(e.do, e.seat, e.card and e.card.rank) for e, _ in earlier] == before
        assert latest.card is not None
        assert (latest.seat, latest.card.rank) == (event.seat, event.card.rank)
        assert guessed if suit is None else latest.card.suit == suit


def test_of_a_game_that_never_began_its_end_is_announced_as_left_out() -> None:
    header = Header(game="trut", seats=("Ana", "Bea"))
    said = ("0 deal 3", "void_hand", "adjust 0 1", "adjust 0 -1", "end_game 0")
    events = list(map(event, said))
    match = replay(header, events)
    offers = insertions(match, events, 1, "en")
    assert events[-1] in [each for offer in offers for each in offer.left_out]
    for offer in offers:
        made = carry_out(match, events, sent(offer))
        assert bare(list(made.left_out)) == bare(list(offer.left_out))
