"""Random matches by the rules, for tests of laws that hold for any match."""

from __future__ import annotations

from random import Random

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import (
    agreements_on_offer,
    apply,
    can,
    legal_events,
    moments,
    replay,
    start,
)
from scorekeeper.engine.state import Match
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.cards import FRENCH_SUITS, SPANISH_SUITS, Card
from scorekeeper.games.rules import GAMES
from tests.scorekeeper.talk import NAMES

HEADERS = tuple(
    Header(game=game, seats=NAMES[:seats], best_of=best_of)
    for game, known in GAMES.items()
    for seats, best_of in ((2, 3), (4, 5))
    if seats in known.rules.players
)


ENDINGS = ("end_game", "end_match")
"""Events of the operator that are rarely chosen, for they would end most matches early."""


def operator_events(match: Match) -> tuple[str, ...]:
    """The verbs of the operator that are legal now, in alphabetical order."""
    possible = {event.do for event in agreements_on_offer(match)}
    possible |= {do for do in ("undo", "misdeal") if can(match, Event(do))}
    return tuple(sorted(possible))


def long_match(events: int, seed: int = 1) -> tuple[Header, list[Event]]:
    """A match of Le Truc that does not end, and its first so many events."""
    header = Header(game="le_truc_ace", seats=NAMES[:2], options={"target": 999})
    return header, playout(header, Random(seed), events, operator=0)


def playout(header: Header, chance: Random, length: int, operator: float = 0.1) -> list[Event]:
    """The events of a random match; so many, or fewer if it ends before.

    Args:
        header: Who plays what.
        chance: Decides all that is random.
        length: The number of events, with each ``undo``.
        operator: The probability of an event of the operator, if one is legal.
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
    """A random legal event; None if the match is over."""
    if chance.random() < operator:
        said = operators(match, chance)
        if said is not None:
            return said
    legal = legal_events(match)
    if not legal:
        return None
    event = chance.choice(legal)
    return event._replace(card=a_card(match, chance)) if event.do == "play" else event


def operators(match: Match, chance: Random) -> Event | None:
    """A random event of the operator. Each verb is equally likely, except those in ``ENDINGS``."""
    verbs = [do for do in operator_events(match) if do not in ENDINGS or chance.random() < 0.1]
    if not verbs:
        return None
    do = chance.choice(verbs)
    samples = [event for event in agreements_on_offer(match) if event.do == do]
    event = chance.choice(samples or [Event(do)])
    times = chance.choice((1, 2, 3, max(1, match.rules.target - 1)))
    if event.points is not None:
        event = event._replace(points=event.points * times)
    if event.name is not None:
        event = event._replace(name=chance.choice(("Eva", "Fina", *NAMES)))
    if "note" in AGREED.get(do, AGREED["turn"]).may and chance.random() < 0.5:
        event = event._replace(note="late")
    return event


def a_card(match: Match, chance: Random) -> Card:
    """A random card that may be played; mostly of few ranks, so that tricks are often spoiled."""
    order = match.rules.order
    ranks = order[:3] if chance.random() < 0.5 else order
    suits = SPANISH_SUITS if match.spanish else FRENCH_SUITS
    cards = [Card(rank, suit) for rank in ranks for suit in suits]
    play = Event("play", match.current().turn)
    return chance.choice([card for card in cards if can(match, play._replace(card=card))])


def same_state(one: Match, other: Match) -> bool:
    """Whether two matches are equal and have the same events, apart from remarks."""
    return _bare(one) == _bare(other)


def _bare(match: Match) -> list[tuple[Event | None, Match]]:
    return [
        (None if moment.event is None else moment.event.bare(),
         moment._replace(steps=None, checkpoint=None, since=0))
        for moment in moments(match)
    ]  # fmt: skip


def bare(events: list[Event]) -> list[Event]:
    """The events without their remarks."""
    return [event.bare() for event in events]


def replayed(header: Header, events: list[Event]) -> Match:
    """The match after some events, without those that the rules do not allow."""
    match = replay(header, ())
    for event in events:
        if can(match, event):
            match = apply(match, event)
    return match
