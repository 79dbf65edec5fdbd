"""CSV files for spreadsheets: the hands of a match, figures of players, tournaments.

Columns and words are those of the record format, the same in every language, so that programs can
read them, too. The sides are 0 and 1.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction

from scorekeeper.club.standing import standing
from scorekeeper.club.state import Result, Tournament
from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Match
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.scoring import NO_SCORE, Counting
from scorekeeper.reports.statistics import Call, Calls, PlayedGame, PlayedHand, chronicle
from scorekeeper.reports.tallies import Tally

_FORMULA = re.compile(r"(?:^|(?<=[;,|\t\r\n]))(?=\s*[=+\-@＝＋－＠]|[\t\r\n])")
"""Places at which a spreadsheet may find a formula, which it would compute.

These are the beginning of a cell, and what follows a separator: in some countries spreadsheets
split lines at other characters than commas, even inside quotes.
"""

HAND_COLUMNS = (
    *("game", "hand", "side_0", "side_1", "dealer", "calls"),
    *("tricks_0", "tricks_1", "spoiled", "end", "winner", "value", "award", "amount"),
)
COUNTS = ("made", "refused", "won", "lost")
TALLY_COLUMNS = tuple(
    column
    for field, count in Tally()._asdict().items()
    for column in ([f"{field}_{part}" for part in COUNTS] if isinstance(count, Calls) else [field])
)
STANDING_COLUMNS = (
    *("place", "team", "names", "won", "drawn", "lost", "byes"),
    *("points", "rivals_points", "direct_points", "difference"),
)
ROUND_COLUMNS = (
    *("round", "table", "side_0", "side_1", "score_0", "score_1", "winner", "how", "seed"),
)

Cell = str | int | None


def match_sheet(match: Match) -> Iterator[str]:
    """Yields the lines of a match's sheet: a heading, then one line for each hand.

    Scores are those of the game after the hand. Points that were given by agreement between hands
    are in the scores of the next hand; after the last hand of a game they have their own line.
    """
    counting = match.rules.counting
    columns = [f"{column}_{side}" for side in (0, 1) for column in counting.columns]
    yield _line((*HAND_COLUMNS, *columns, "agreed"))
    for game in chronicle(match).games:
        for hand in game.hands:
            sides = [" & ".join(hand.players[side::2]) for side in (0, 1)]
            yield _line(
                (
                    game.number,
                    hand.number,
                    *sides,
                    hand.dealt_by,
                    "; ".join(map(_call, hand.calls)),
                    hand.tricks_won(0),
                    hand.tricks_won(1),
                    hand.tricks_spoiled,
                    hand.end,
                    None if hand.winner is None else sides[hand.winner],
                    hand.value,
                    *_award(hand),
                    *(n for score in hand.scores for n in counting.to_json(score).values()),
                    "; ".join(_agreed(*agreement) for agreement in hand.agreed),
                )
            )
        if game.scores != (game.hands[-1].scores if game.hands else NO_SCORE):
            yield _line(_settled(game, counting))


def _settled(game: PlayedGame, counting: Counting) -> Iterator[Cell]:
    """The line of a game whose score has changed by agreement after its last hand."""
    sides = [" & ".join(game.players[side::2]) for side in (0, 1)]
    winner = None if game.winner is None else sides[game.winner]
    told: dict[str, Cell] = {"game": game.number, "end": "agreed", "winner": winner}
    told |= {"side_0": sides[0], "side_1": sides[1]}
    yield from (told.get(column) for column in HAND_COLUMNS)
    yield from (n for score in game.scores for n in counting.to_json(score).values())
    yield None


def tallies_sheet(evenings: Mapping[date, Mapping[str, Tally]]) -> Iterator[str]:
    """Yields a heading, then one line for each evening and player."""
    yield _line(("evening", "player", *TALLY_COLUMNS))
    for evening, players in evenings.items():
        for name, tally in players.items():
            yield _line((evening.isoformat(), name, *_flat(tally)))


def careers_sheet(careers: Mapping[str, Mapping[tuple[date, str], Tally]]) -> Iterator[str]:
    """Yields a heading, then one line for each player, evening and game.

    Args:
        careers: Each player's name, to what ``tallies.career`` gives.
    """
    yield _line(("player", "evening", "game", *TALLY_COLUMNS))
    for name, evenings in careers.items():
        for (evening, game), tally in evenings.items():
            yield _line((name, evening.isoformat(), game, *_flat(tally)))


def standing_sheet(tournament: Tournament) -> Iterator[str]:
    """Yields the lines of a tournament's standing: a heading, then one line for each team."""
    yield _line(STANDING_COLUMNS)
    for row in standing(tournament):
        names = tournament.team(row.team).name
        counts = (row.won, row.drawn, row.lost, row.byes)
        points = (_halved(Fraction(row.points)), _halved(row.rivals), _halved(Fraction(row.direct)))
        yield _line((row.place, row.team, names, *counts, *points, row.difference))


def rounds_sheet(tournament: Tournament) -> Iterator[str]:
    """Yields the lines of all rounds: a heading, then one line for each meeting and each bye."""
    yield _line(ROUND_COLUMNS)
    for round_ in tournament.rounds:
        for one in round_.meetings:
            names = [tournament.team(team).name for team in one.teams]
            result = one.result
            score = (None, None) if result is None else result.score
            winner = None if result is None or result.winner is None else names[result.winner]
            how = _how(result)
            yield _line((round_.number, one.table, *names, *score, winner, how, round_.seed))
        for team in round_.byes:
            name = tournament.team(team).name
            yield _line((round_.number, None, name, None, None, None, name, "bye", round_.seed))


def _how(result: Result | None) -> str | None:
    if result is None:
        return None
    if result.walkover:
        return "walkover"
    return "table" if result.reason is None else f"corrected: {result.reason}"


def _halved(points: Fraction) -> str:
    """Half of the points, for the standing doubles them: ``3``, ``2.5``, ``1.25``."""
    return f"{float(points / 2):g}"


def _flat(tally: Tally) -> Iterator[int]:
    for value in tally:
        yield from value if isinstance(value, Calls) else (value,)


def _call(call: Call) -> str:
    value = "" if call.value is None else f" {call.value}"
    words = call.do if call.do == call.value else f"{call.do}{value}"
    return f"{call.who}: {words}, {call.fate}"


def _agreed(event: Event, seats: tuple[str, ...]) -> str:
    """An event in the words of the record: ``turn Bea``, ``adjust Ana -1, late``."""
    # In other events the seat is only that of who said it.
    who = seats[event.seat] if event.seat is not None and "seat" in AGREED[event.do].needs else None
    side = None if event.side is None else " & ".join(seats[event.side :: 2])
    words = (event.do, who, event.name, side, event.points, event.smalls)
    told = " ".join(str(word) for word in words if word is not None)
    return told if event.note is None else f"{told}, {event.note}"


def _award(hand: PlayedHand) -> tuple[Cell, Cell]:
    return (None, None) if hand.award is None else (hand.award.kind, hand.award.amount)


def _line(cells: Iterable[Cell]) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerow([_harmless(cell) for cell in cells])
    return stream.getvalue()


def _harmless(cell: Cell) -> Cell:
    """The cell, with an apostrophe before what a spreadsheet would take for a formula."""
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell
