"""``trucam matches``, ``export`` and ``import``: list, save and load the matches of the ledger."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

import click

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import Said, Source, said_at
from scorekeeper.engine.state import Match, Phase
from scorekeeper.errors import LedgerError, RuleError
from scorekeeper.files import written_whole
from scorekeeper.history.record import write_record
from scorekeeper.messages import one_line
from scorekeeper.reports.spreadsheets import match_sheet
from scorekeeper.reports.tallies import evening
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.sqlite import is_database
from scorekeeper.text.phrases import Voice
from webui.cli.record import read_file

WIDEST = 80
"""A longer cell of the list is cut to so many characters."""
MATCH_ID = click.IntRange(1, 2**31 - 1)  # the numbers that SQLite and PostgreSQL can both hold


@click.command()
@click.option("--last", type=click.IntRange(min=1), help="Show only so many of the latest ones.")
def matches(last: int | None) -> None:
    """List the matches of the ledger: number, evening, game, players, score."""
    with Ledger() as ledger:
        rows = [listed(ledger, match_id) for match_id in ledger.ids()[-last if last else 0 :]]
    if not rows:
        click.echo("There are no matches in the ledger yet.", err=True)
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


@click.command()
@click.argument("match_id", metavar="ID", type=MATCH_ID)
@click.option(
    "--format",
    "form",
    type=click.Choice(["record", "csv"]),
    default="record",
    help="The record, which trucam reads again, or a table of the hands for a spreadsheet.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE.")
def export(match_id: int, form: str, output: str | None) -> None:
    """Write match ID to standard output, or to a file."""
    with Ledger() as ledger:
        entry = ledger.match(match_id)
        events = [event.marked for event in ledger.read(entry)]
    if form == "record":
        text = write_record(entry.header, events)
    else:
        # The byte order mark tells spreadsheets that this is UTF-8: else é comes out as two signs.
        text = chain(["\ufeff"], match_sheet(replay(entry.header, events)))
    lines = (line.encode() for line in text)
    if output is None or output == "-":
        sys.stdout.buffer.writelines(lines)
    else:
        _write_whole(Path(output), lines)


@click.command("import")
@click.argument("file", type=click.Path())
def import_(file: str) -> None:
    """Add the record FILE to the ledger as a new match: all of it, or nothing."""
    reading = read_file(file)
    said = Said.now(Source.IMPORT)
    begun = next(filter(None, map(said_at, reading.events)), said.at)
    with Ledger() as ledger:
        match_id = ledger.add(reading.match.header, reading.events, said, begun)
    click.echo(f"match {match_id}")


def listed(ledger: Ledger, match_id: int) -> tuple[str, ...]:
    """The line of a match in the list: number, evening, game, players, score.

    If the match cannot be read, the last cell says why.
    """
    try:
        entry = ledger.match(match_id)
    except LedgerError as error:
        return (str(match_id), "", "", "", _one_cell(str(error)))
    header = entry.header
    sides = _sides(header)
    try:
        match = replay(header, (event.marked for event in ledger.read(entry)))
        sides = _sides(match.seated)  # another player may have taken over a seat (V-21)
        result = _result(match, sides)
    except (RuleError, LedgerError) as error:
        result = str(error)  # the other matches are listed all the same
    day = evening(entry.begun).isoformat()
    cells = (str(entry.id), day, header.game, " – ".join(sides), result)
    return tuple(map(_one_cell, cells))


def _sides(header: Header) -> list[str]:
    voice = Voice(header, "en")
    return [voice.side(side) for side in (0, 1)]


def _one_cell(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _result(match: Match, sides: list[str]) -> str:
    if match.event is None:
        return "not begun"
    score = " – ".join(_score(match.rules.counting.to_json(score)) for score in match.scores)
    if match.header.best_of > 1:
        score += f" (games {match.games_won[0]} – {match.games_won[1]})"
    if match.phase is Phase.MATCH_OVER and match.winner is not None:
        return f"{score}, {sides[match.winner]} won"
    return f"{score}, {'no winner' if match.over else 'in play'}"


def _score(score: Mapping[str, int]) -> str:
    """A score in short: ``7``, or ``3 L 1 S`` (Longs and Smalls)."""
    if len(score) == 1:
        return str(*score.values())
    return " ".join(f"{n} {unit[0].upper()}" for unit, n in score.items())


def _write_whole(path: Path, lines: Iterable[bytes]) -> None:
    """Writes a file whole, or leaves the old one as it was.

    The text is written to a temporary file beside it, which then takes its place.

    Raises:
        ClickException: It cannot be written, or another file would be lost.
    """
    if "\0" in str(path):
        raise click.ClickException(f"{str(path)!r} cannot be a file's name.")
    try:
        path = path.resolve()  # writes the file that a link leads to, and keeps the link
    except (OSError, RuntimeError):
        raise click.ClickException(f"{path} is a link that leads nowhere.") from None
    if not path.parent.is_dir():
        raise click.ClickException(f"{path} cannot be written: its folder does not exist.")
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise click.ClickException(f"{path} is not a file that could be written.")
    if path.exists() and not os.access(path, os.W_OK):
        raise click.ClickException(f"{path} may not be written: it is left as it is.")
    if path.exists() and is_database(path):
        raise click.ClickException(f"{path} is a database, perhaps a ledger: it is left as it is.")
    mode = path.stat().st_mode if path.exists() else 0o666 & ~_umask()
    try:
        with written_whole(path, mode=mode) as file:
            file.writelines(lines)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
