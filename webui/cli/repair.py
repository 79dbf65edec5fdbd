"""``trucam repair``: removes from a match what cannot be read, and keeps a copy of the whole."""

from __future__ import annotations

from itertools import chain, count
from pathlib import Path

import click

from scorekeeper.storage.damage import Damage, find_damage, repair_match
from scorekeeper.storage.ledger import Ledger
from webui.cli.ledger import MATCH_ID

SHOWN = 10
"""At most so many events are listed one by one."""


@click.command()
@click.argument("match_id", metavar="ID", type=MATCH_ID)
@click.option("--copy", metavar="FILE", help="The copy. Default: a new file in this folder.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def repair(match_id: int, copy: str | None, yes: bool) -> None:
    """Remove from match ID what cannot be read; a copy of the whole match is saved first.

    All other events stay. A hand that cannot end without the removed events is void; enter its
    points on the page of corrections. First stop any program that plays the match.
    """
    with Ledger() as ledger:
        damage = find_damage(ledger, match_id)
        if not damage:
            click.echo(f"All of match {match_id} can be read: nothing is to be repaired.")
            return
        for line in _told(match_id, damage):
            click.echo(line)
        path = _new_file(match_id, copy)
        if not yes:
            click.confirm(f"Take it out, and keep a copy in {path}?", abort=True)
        repair_match(ledger, match_id, path)
    click.echo(f"Match {match_id} is repaired. What was there is in {path}.")


def _told(match_id: int, damage: Damage) -> list[str]:
    if damage.header is not None:
        return [f"Nothing of match {match_id} can be read, its header is damaged: {damage.header}."]
    lines = [f"Event {seq}: {reason}." for seq, reason in damage.lost.items()]
    if len(lines) > SHOWN:
        lines[SHOWN:] = [f"… and {len(lines) - SHOWN} more events."]
    lines += [f"Hand {number} is void then." for number in damage.void]
    return lines


def _new_file(match_id: int, name: str | None) -> Path:
    """A path for the copy: the one that was named, else a new file in the current folder.

    Raises:
        ClickException: The named file exists already, or no file can have this name.
    """
    if name is not None:
        if "\0" in name:
            raise click.ClickException(f"{name!r} cannot be a file's name.")
        path = Path(name)
        if path.exists():
            raise click.ClickException(f"{path} is there already: name a new file for the copy.")
        return path
    numbers = chain([""], map("-{}".format, count(2)))
    names = (f"match-{match_id}{number}.jsonl" for number in numbers)
    return next(path for path in map(Path, names) if not path.exists())
