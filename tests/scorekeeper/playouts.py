"""Matches that are played at random, by the rules, for tests that hold for any match."""

from __future__ import annotations

from random import Random

from scorekeeper.cards import FRENCH_SUITS, Card
from scorekeeper.events import Event
from scorekeeper.header import Header
from scorekeeper.match import apply, can, fold, legal_events, operator_events, start
from scorekeeper.rules import GAMES
from scorekeeper.state import Match
from tests.scorekeeper.talk import NAMES

HEADERS = tuple(
    Header(game=game, seats=NAMES[:seats], best_of=best_of)
    for game in GAMES
    for seats, best_of in ((2, 3), (4, 5))
)


def long_match(events: int, seed: int = 1) -> tuple[Header, list[Event]]:
    """A match of Le Truc that is kept open, and its first so many events."""
    header = Header(game="le_truc_ace", seats=NAMES[:2], options={"target": 999})
    return header, playout(header, Random(seed), events, operator=0)


def playout(header: Header, chance: Random, length: int, operator: float = 0.1) -> list[Event]:
    """So many events of a match, or fewer where it ends before.

    Args:
        header: Who plays what.
        chance: Decides everything.
        length: Number of events, ``undo`` ones too.
        operator: How likely an event is the operator's, where one is possible.
    """
    match, events = start(header), []
    for _ in range(length):
        event = any_event(match, chance, operator)
        if event is None:
            break
        match = apply(match, event)
        events.append(event)
    return events


def any_event(match: Match, chance: Random, operator: float = 0.1) -> Event | None:
    """An event that is legal now, or None where the match is over."""
    said = operator_events(match)
    if said and chance.random() < operator:
        do = chance.choice(said)
        return Event(do, side=1, points=2) if do == "award" else Event(do)
    legal = legal_events(match)
    if not legal:
        return None
    event = chance.choice(legal)
    return _with_card(match, event, chance) if event.do == "play" else event


def _with_card(match: Match, event: Event, chance: Random) -> Event:
    cards = [Card(rank, suit) for rank in match.rules.order for suit in FRENCH_SUITS]
    plays = [event._replace(card=card) for card in cards]
    return chance.choice([play for play in plays if can(match, play)])


def same_state(one: Match, other: Match) -> bool:
    """Whether two matches are the same, and came about by the same events, remarks aside."""
    return _bare(one) == _bare(other)


def _bare(match: Match) -> list[tuple[object, ...]]:
    steps = []
    step: Match | None = match
    while step is not None:
        event = None if step.event is None else step.event.bare()
        steps.append(tuple(step._replace(before=None, event=event)))
        step = step.before
    return steps


def bare(events: list[Event]) -> list[Event]:
    """The events without their remarks."""
    return [event.bare() for event in events]


def folded(header: Header, events: list[Event]) -> Match:
    """The fold of events, those left out that the rules do not allow."""
    match = fold(header, ())
    for event in events:
        if can(match, event):
            match = apply(match, event)
    return match
