"""``trucam score`` and ``trucam explain``: the score of a record, and its story in sentences."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager

import click

from scorekeeper.engine.state import Match
from scorekeeper.history.record import Reading, RecordError, read_record
from scorekeeper.reports.answer import answer
from scorekeeper.reports.explain import explain as tell
from scorekeeper.reports.explain import now, title
from scorekeeper.text.i18n import LANGUAGES, default_language
from scorekeeper.text.narrator import Narrator

LANGUAGE = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=default_language,
    help="Language of the answer. Default: this computer's language, if trucam has it.",
)


@click.command()
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the whole state as one JSON object.")
@LANGUAGE
def score(file: str, as_json: bool, lang: str) -> None:
    """Score a record: FILE holds a match, one event a line."""
    with _match(file) as match:
        if as_json:
            click.echo(json.dumps(answer(match), ensure_ascii=False))
            return
        narrator = Narrator(match.seated, lang)
        for line in (*title(narrator), *now(match, narrator)):
            click.echo(line)


@click.command()
@click.argument("file", type=click.Path())
@click.option("--hand", type=int, help="Only this hand, from 1.")
@click.option("--trick", type=int, help="Only this trick of a hand, from 1.")
@LANGUAGE
def explain(file: str, hand: int | None, trick: int | None, lang: str) -> None:
    """Tell the match of a record in sentences, each with the rule that decides it."""
    with _match(file) as match:
        for line in tell(match, lang, hand=hand, trick=trick):
            click.echo(line)


@contextmanager
def _match(file: str) -> Iterator[Match]:
    """Reads a record, and prints warnings about it.

    Meanwhile the garbage collector is off. The states of a match contain no reference cycles, and
    to look for cycles in 100,000 states would take half of the time.
    """
    gc.disable()
    try:
        yield read_file(file).match
    finally:
        gc.enable()


def read_file(file: str) -> Reading:
    """Reads a record, and prints warnings about it.

    Args:
        file: Name of the file; ``-`` for the standard input.

    Raises:
        ClickException: It is no record, or an event in it is against the rules.
    """
    try:
        with click.open_file(file, "rb") as stream:
            reading = read_record(stream)
    except RecordError as error:
        name = "standard input" if file == "-" else file
        hint = ". A record is a file that trucam export writes." if error.line == 1 else ""
        raise click.ClickException(f"{name}, {error}{hint}") from None
    for warning in reading.warnings:
        click.echo(warning, err=True)
    return reading
