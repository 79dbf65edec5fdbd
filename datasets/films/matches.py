"""Plays whole matches of any game at random, but sensibly; films are made from them.

Every player holds cards of one shuffled pack. A player beats a card with the cheapest card that
does it, or else lays the worst one. Players call more often the better their cards are. The same
seed gives the same match. Nothing here asks which game it is: the referee says what may be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, legal_events, start
from scorekeeper.engine.packs import suits_of
from scorekeeper.engine.state import Match
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.games.tricks import side_of

HANDS = "_hands"
"""Remark of a ``deal``: the cards that every seat was dealt. A table never knows them; a film does.
"""

NAMES = ("Ana", "Bea", "Carles", "Dani")

_EAGERNESS = {
    "raise": 0.07, "remainder": 0.05, "truc": 0.09, "retruc": 0.06, "trut": 0.05, "put": 0.06,
    "retrut": 0.06, "ask": 0.08,
    "i_play": 0.3, "tap": 0.3, "accept": 0.65, "reject": 0.35, "see": 0.6, "lie_down": 0.4,
    "grant": 0.6, "refuse": 0.4, "pass": 0.7, "play_on": 0.8, "decline": 0.2,
}  # fmt: skip
"""Weights by which one of the legal events is drawn; an event that is not named here has weight 1.
"""

_BOLD = frozenset(
    {"raise", "remainder", "truc", "retruc", "trut", "retrut", "put", "accept", "see", "play_on"}
)
"""Events that players choose more often the better their cards are."""

Hands = tuple[tuple[Card, ...], ...]
"""The cards that every seat was dealt, by seat."""


class MatchRecord(NamedTuple):
    """A match as its record has it; deals of a match that was played here have :data:`HANDS`."""

    header: Header
    events: tuple[Event, ...]


def pack_of(match: Match) -> list[Card]:
    """Every card of the pack that is played with."""
    return [Card(rank, suit) for suit in suits_of(match) for rank in match.rules.printed]


def play_match(header: Header, seed: int, hands: int, *, misdeals: float = 0.01) -> MatchRecord:
    """Plays a match.

    Args:
        header: Who plays what.
        seed: Decides everything.
        hands: How many hands at most; a match that is won ends earlier.
        misdeals: Share of deals in which a card is exposed, so that it is dealt again (V-7), 0–1.
    """
    rng = Random(f"match {seed}")
    match, events = start(header), []
    held: list[list[Card]] = []
    stock: list[Card] = []
    exposed = False  # whether a deal of this hand had an exposed card: that happens once at most
    while match.winner is None and (match.hand_number < hands or match.in_progress):
        legal = legal_events(match)
        if not legal:
            break
        fresh = match.event is not None and match.event.do == "deal" and not exposed
        if fresh and rng.random() < misdeals:
            event, exposed = Event("misdeal", match.dealer), True
        else:
            event = _choose(rng, match, legal, held)
        if event.do == "play" and event.seat is not None:
            card = _card(rng, match, event.seat, held[event.seat])
            held[event.seat].remove(card)
            event = event._replace(card=card)
        elif event.do == "deal":
            again = match.event is not None and match.event.do == "grant"
            if not again:  # granted cards come from the rest of the pack, unshuffled (LT-4)
                stock = pack_of(match)
                rng.shuffle(stock)
            held = [[stock.pop() for _ in range(event.cards or 0)] for _ in header.seats]
            dealt = [[str(card) for card in hand] for hand in held]
            event = event._replace(remarks=MappingProxyType({HANDS: dealt}))
        exposed = exposed and match.in_progress
        match = apply(match, event)
        events.append(event)
    return MatchRecord(header, tuple(events))


def strength(match: Match, card: Card) -> float:
    """How good a card is, 0–1: the best of the pack is 1, the worst 0."""
    last = len(match.rules.order) - 1
    return 1 - match.rules.strength[match.rules.counts_as(card).rank] / last


def _choose(
    rng: Random, match: Match, legal: Sequence[Event], held: Sequence[Sequence[Card]]
) -> Event:
    weights = []
    for event in legal:
        weight = _EAGERNESS.get(event.do, 1.0)
        weight /= sum(other.do == event.do for other in legal)  # one verb, many values or seats
        if event.do in _BOLD and held and event.seat is not None:
            cards = held[event.seat]
            good = sum(strength(match, card) for card in cards) / max(len(cards), 1)
            weight *= 0.4 + 1.2 * good
        weights.append(weight)
    return rng.choices(legal, weights)[0]


def _card(rng: Random, match: Match, seat: int, cards: Sequence[Card]) -> Card:
    """The card that a sensible player lays, or sometimes any card."""
    ordered = sorted(cards, key=lambda card: (strength(match, card), str(card)))
    tricks = match.current().tricks
    laid = tricks[-1].plays if tricks and not tricks[-1].complete else ()
    if rng.random() < 0.1:
        return rng.choice(ordered)
    if not laid:
        return ordered[-1] if rng.random() < 0.6 else rng.choice(ordered)
    best = max(strength(match, play.card) for play in laid)
    holders = {side_of(play.seat) for play in laid if strength(match, play.card) == best}
    if holders == {side_of(seat)}:
        return ordered[0]
    better = [card for card in ordered if strength(match, card) > best]
    equal = [card for card in ordered if strength(match, card) == best]
    return better[0] if better else equal[0] if equal else ordered[0]


def dealt_hands(header: Header, events: Iterable[Event], seed: int) -> dict[int, Hands]:
    """The cards that every seat was dealt, at every ``deal`` of a record.

    What the record does not say (cards that were never played) is drawn from the rest of the pack.

    Args:
        header: Who plays what.
        events: The events that stand, in order.
        seed: Draws the cards that the record does not name.

    Returns:
        Place of the ``deal`` among the events to the hands.
    """
    events = tuple(events)
    rng = Random(f"hands {seed}")
    dealt: dict[int, Hands] = {}
    match, deal = start(header), None
    spanish = next((event.card.spanish for event in events if event.card is not None), None)
    pack = pack_of(match._replace(spanish=spanish))
    played: list[list[Card]] = [[] for _ in header.seats]
    for place, event in enumerate((*events, None)):
        if event is None or event.do in ("deal", "cut", "tap"):
            if deal is not None:
                dealt[deal] = _completed(rng, events[deal], played, pack)
            deal, played = None, [[] for _ in header.seats]
        if event is None:
            break
        if event.do == "deal":
            deal = place
        elif event.do == "play" and event.card is not None and event.seat is not None:
            played[event.seat].append(event.card)
    return dealt


def _completed(rng: Random, deal: Event, played: list[list[Card]], pack: list[Card]) -> Hands:
    known = deal.remarks.get(HANDS)
    if known is not None:
        hands = tuple(tuple(parse_card(card) for card in hand) for hand in known)
        if all(set(own) <= set(hand) for own, hand in zip(played, hands, strict=True)):
            return hands
    used = {card for own in played for card in own}
    rest = [card for card in pack if card not in used]
    rng.shuffle(rest)
    return tuple(
        (*own, *(rest.pop() for _ in range(max((deal.cards or 0) - len(own), 0)))) for own in played
    )
