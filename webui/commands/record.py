"""``trucam score`` and ``trucam explain``: one record, counted and told."""

from __future__ import annotations

import gc
import json

import click

from scorekeeper.answer import answer
from scorekeeper.record import Reading, read_record


@click.command()
@click.argument("file", type=click.Path(dir_okay=True))
@click.option("--json", "as_json", is_flag=True, help="Print the whole state as one JSON object.")
def score(file: str, as_json: bool) -> None:
    """Score a record: FILE holds a match, one event a line."""
    match = _read(file).match
    if as_json:
        click.echo(json.dumps(answer(match), ensure_ascii=False))


def _read(file: str) -> Reading:
    # States hold no cycles, and looking for some in 100,000 of them takes half of the time.
    gc.disable()
    with open(file, "rb") as stream:
        reading = read_record(stream)
    if reading.warning is not None:
        click.echo(f"trucam: {reading.warning}", err=True)
    return reading
