"""Adds up the statistics of many matches, by evening and by player."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import evening_of
from scorekeeper.engine.state import Match
from scorekeeper.games.scoring import Scores
from scorekeeper.games.tricks import side_of
from scorekeeper.reports.statistics import Calls, Chronicle, PlayedGame, chronicle, player_of
from scorekeeper.storage.ledger import Ledger, MatchEntry


class Played(NamedTuple):
    """One match of the ledger, with its statistics.

    Attributes:
        entry: Its number, header and beginning.
        match: Its state.
        chronicle: Its statistics.
        tallies: Each player's name to the player's figures. Names are compared as written, without
            blanks around them. Seats without a name are left out; two seats of one name add up.
    """

    entry: MatchEntry
    match: Match
    chronicle: Chronicle
    tallies: Mapping[str, Tally] = {}

    @property
    def evening(self) -> date:
        """The evening on which it was begun; an evening ends at 06:00 by the table's clock."""
        return evening(self.entry.begun)


class Summary(NamedTuple):
    """What pages on many matches need of each one; a ``Played`` would take much more memory.

    Attributes:
        entry: Its number, header and beginning.
        seated: Its header with the names of those who play now.
        scores: The scores of the latest game.
        games_won: Games won by each side.
        over: Whether the match has ended.
        winner: Side that won the match, or None.
        tallies: As in ``Played``.
    """

    entry: MatchEntry
    seated: Header
    scores: Scores
    games_won: tuple[int, int]
    over: bool
    winner: int | None
    tallies: Mapping[str, Tally]

    @property
    def evening(self) -> date:
        """As in ``Played``."""
        return evening(self.entry.begun)


class Shelf(NamedTuple):
    """All matches of a ledger.

    Attributes:
        played: Those that can be read, the latest last.
        unread: Number of each other match, to the sentence that says why it cannot be read.
    """

    played: tuple[Summary, ...]
    unread: Mapping[int, str]


class Tally(NamedTuple):
    """A player's figures. Games and hands that are over count, even if the match is not.

    Attributes:
        matches: Matches that a side has won, and that the player played to their end.
        matches_won: Those of them that the player's side won.
        games: Games that a side has won, and that the player played to their end.
        games_won: Those of them that the player's side won.
        hands: Hands that have ended, including void ones.
        hands_won: Those of them in which the player's side scored.
        points: Points of the player's side, in games of points.
        longs: Longs of the player's side, in games of Smalls and Longs (TR-4).
        raises: The player's own raises, remainders, trucs, retrucs and puts.
        truts: The player's own truts and retruts.
        raises_answered: Raises, remainders, trucs, retrucs and puts that the player answered.
        truts_answered: Truts and retruts that the player answered.
        tricks_won: Tricks won by the player's own card.
        tricks_spoiled: Tricks that the player spoiled.
        tricks_claimed: Spoiled tricks that the player claimed by winning one.
        smalls: Hands in which the player's side scored a Small (TR-13).
        points_lost: Points of the other side in the same games.
        longs_lost: Longs of the other side in the same games.
        smalls_lost: Hands in which the other side scored a Small.
    """

    matches: int = 0
    matches_won: int = 0
    games: int = 0
    games_won: int = 0
    hands: int = 0
    hands_won: int = 0
    points: int = 0
    longs: int = 0
    raises: Calls = Calls()
    truts: Calls = Calls()
    raises_answered: Calls = Calls()
    truts_answered: Calls = Calls()
    tricks_won: int = 0
    tricks_spoiled: int = 0
    tricks_claimed: int = 0
    smalls: int = 0
    points_lost: int = 0
    longs_lost: int = 0
    smalls_lost: int = 0

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        pairs: Iterable[tuple[Any, Any]] = zip(self, other, strict=True)
        return Tally(*(one + two for one, two in pairs))


def evening(begun: datetime) -> date:
    """The evening of a match; on the calendar's first day, which has none before it, that day."""
    try:
        return evening_of(begun)
    except OverflowError:
        return begun.date()


def read_match(ledger: Ledger, match_id: int) -> Played:
    """Reads one match of a ledger, and makes its statistics.

    Raises:
        LedgerError: There is no such match, or it cannot be read.
        RuleError: An event in it is not legal by the rules of this program.
    """
    entry = ledger.match(match_id)
    match = replay(entry.header, (event.marked for event in ledger.read(entry)))
    return tell(entry, match)


def tell(entry: MatchEntry, match: Match) -> Played:
    """Makes the statistics of a match that was read."""
    played = Played(entry, match, chronicle(match))
    tallies: dict[str, Tally] = {}
    for seat in range(match.seats):
        for written in dict.fromkeys(_names_at(played, seat)):
            if name := written.strip():
                tallies[name] = tallies.get(name, Tally()) + tally(played, seat, written)
    return played._replace(tallies=tallies)


def summary(played: Played) -> Summary:
    """The part of a match's statistics that is kept in memory."""
    match = played.match
    return Summary(
        played.entry,
        match.seated,
        match.scores,
        match.games_won,
        match.over,
        match.winner,
        played.tallies,
    )


def by_player(played: Iterable[Played | Summary]) -> dict[str, Tally]:
    """The tally of each player, in alphabetical order: accents and capitals do not matter."""
    tallies: dict[str, Tally] = {}
    for one in played:
        for name, found in one.tallies.items():
            tallies[name] = tallies.get(name, Tally()) + found
    return {name: tallies[name] for name in in_order(tallies)}


def names(played: Iterable[Played | Summary]) -> list[str]:
    """Everybody who has played in these matches, in alphabetical order."""
    return in_order({name for one in played for name in one.tallies})


def in_order(found: Iterable[str]) -> list[str]:
    """Names in alphabetical order, whatever their accents: ``Ana``, ``Àngels``, ``Bea``."""
    return sorted(found, key=lambda name: (_letters(name), name))


def _letters(name: str) -> str:
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def by_evening(played: Iterable[Played | Summary]) -> dict[date, dict[str, Tally]]:
    """The tally of each player on each evening, the latest evening last."""
    evenings: dict[date, list[Played | Summary]] = {}
    for one in played:
        evenings.setdefault(one.evening, []).append(one)
    return {day: by_player(evenings[day]) for day in sorted(evenings)}


def career(played: Iterable[Played | Summary], name: str) -> dict[tuple[date, str], Tally]:
    """One player's figures by evening and game, the latest evening last.

    Args:
        played: The matches.
        name: The player's name.

    Returns:
        Evening and id of the game, to the figures.
    """
    tallies: dict[tuple[date, str], Tally] = {}
    for one in played:
        if name in one.tallies:
            key = one.evening, one.entry.header.game
            tallies[key] = tallies.get(key, Tally()) + one.tallies[name]
    return {key: tallies[key] for key in sorted(tallies)}


def at_seats(played: Played) -> list[tuple[str, Tally]]:
    """The figures of everybody who has played or plays now, in the order of the seats.

    A player who took over a seat comes after the one who left it; each has only the own hands
    (V-21).
    """
    now, hands = played.match.seated.seats, played.chronicle.hands
    return [
        (name, tally(played, seat, name))
        for seat in range(played.match.seats)
        for name in dict.fromkeys((*(hand.players[seat] for hand in hands), now[seat]))
    ]


def _names_at(played: Played, seat: int) -> tuple[str, ...]:
    """Names of all who had a seat: at the beginning, at the end of hands and games, and now."""
    told = played.chronicle
    hands, games = (
        (hand.players[seat] for hand in told.hands),
        (game.players[seat] for game in told.games),
    )
    return (played.entry.header.seats[seat], *hands, *games, played.match.seated.seats[seat])


def tally(played: Played, seat: int, name: str) -> Tally:
    """A player's figures at one seat in one match: those of the hands that the player has played.

    A game and a match count for the player who has the seat at their end (V-21).
    """
    match, told, side = played.match, played.chronicle, side_of(seat)
    counted = [game for game in told.games if _counts(game)]
    games = [game for game in counted if game.players[seat] == name]
    hands = [hand for hand in told.hands if hand.players[seat] == name]
    did = player_of(match.rules, seat, hands)
    ends = match.winner is not None and match.seated.seats[seat] == name
    counted_in, *_ = match.rules.counting.columns
    own, other = (sum(game.scores[one].points for game in games) for one in (side, 1 - side))
    scored, lost = {counted_in: own}, {counted_in: other}
    smalls = [h.winner == side for h in hands if h.award is not None and h.award.kind == "small"]
    return Tally(
        matches=int(ends),
        matches_won=int(ends and match.winner == side),
        games=sum(game.winner is not None for game in games),
        games_won=sum(game.winner == side for game in games),
        hands=sum(hand.end is not None for hand in hands),
        hands_won=sum(hand.winner == side for hand in hands),
        points=scored.get("points", 0),
        longs=scored.get("longs", 0),
        raises=did.raises,
        truts=did.truts,
        raises_answered=did.raises_answered,
        truts_answered=did.truts_answered,
        tricks_won=did.tricks_won,
        tricks_spoiled=did.tricks_spoiled,
        tricks_claimed=did.tricks_claimed,
        smalls=smalls.count(True),
        points_lost=lost.get("points", 0),
        longs_lost=lost.get("longs", 0),
        smalls_lost=smalls.count(False),
    )


def _counts(game: PlayedGame) -> bool:
    return bool(game.hands) or game.winner is not None
