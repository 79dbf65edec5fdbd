"""Short notations for tests: to make a match, and to write events such as ``1 play KS``."""

from __future__ import annotations

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, legal_events, start
from scorekeeper.engine.state import Match
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.games.rules import GAMES

NAMES = ("Ana", "Bea", "Carles", "Dani")
LT_ACE, LT_SEVEN, TRUT, TRUC = "le_truc_ace", "le_truc_seven", "trut", "truc_spain"
PUT = "put"
TABLES = [(game, seats) for game in GAMES for seats in GAMES[game].rules.players]
"""All pairs of a game and a number of players."""


def table(
    game: str,
    seats: int = 2,
    *,
    scores: tuple[int, int] | None = None,
    tokens: tuple[tuple[int, int], tuple[int, int]] | None = None,
    **header: object,
) -> Match:
    """A new match of so many players. ``scores`` are points, ``tokens`` are (Longs, Smalls)."""
    match = start(Header(game=game, seats=NAMES[:seats], **header))  # type: ignore[arg-type]
    for side, points in enumerate(scores or ()):
        match = apply(match, Event("award", side=side, points=points))
    for side, (longs, _) in enumerate(tokens or ()):
        match = apply(match, Event("award", side=side, points=match.rules.counting.parts * longs))
    for side, (_, smalls) in enumerate(tokens or ()):
        match = apply(match, Event("award", side=side, points=smalls))
    return match


def event(text: str) -> Event:
    """Reads an event: ``1 play KS``, ``0 raise 4``, ``2 deal 3``, ``undo`` (without a seat)."""
    words = text.split()
    seat = int(words.pop(0)) if words[0].isdigit() else None
    do, *rest = words
    if do == "play":
        return Event(do, seat, card=parse_card(rest[0]))
    if do in ("award", "adjust"):
        smalls = int(rest[2]) if len(rest) > 2 else None
        return Event(do, seat, side=int(rest[0]), points=int(rest[1]), smalls=smalls)
    if do == "player":
        return Event(do, seat, name=" ".join(rest))
    if do.startswith("end_"):
        return Event(do, seat, side=int(rest[0]) if rest else None)
    key = {"raise": "to", "deal": "cards", "concede": "side"}.get(do)
    return Event(do, seat, **({key: int(rest[0])} if key else {}))


def say(match: Match, *texts: str) -> Match:
    """The match after some events. A text may have several events, with commas between them."""
    for text in ",".join(texts).split(","):
        if text.strip():
            match = apply(match, event(text))
    return match


def deal(match: Match, cards: int = 3) -> Match:
    """The match after a deal, and after a cut or tap if that is needed first."""
    if match.rules.asks_cut and not match.in_progress:
        match = say(match, f"{match.cutter} {'cut' if cards == 3 else 'tap'}")
    return say(match, f"{match.dealer} deal {cards}")


def ranks(match: Match, text: str) -> Match:
    """The match after these ranks were played in turn, each in the first suit that is left."""
    for rank in text.split():
        used = [] if match.hand is None else [p.card for t in match.hand.tricks for p in t.plays]
        card = next(Card(rank, suit) for suit in "SHDC" if Card(rank, suit) not in used)
        match = apply(match, Event("play", match.current().turn, card=card))
    return match


def legal(match: Match) -> list[str]:
    """The legal events, written as for ``event``, without cards."""
    return [
        " ".join(str(part) for part in (e.seat, e.do, e.to, e.cards) if part is not None)
        for e in legal_events(match)
    ]
