"""``trucam forget``: removes a match or a name from the ledger, or a learned deck, for good."""

from __future__ import annotations

import click

from scorekeeper.storage.ledger import Ledger
from webui.cli.ledger import MATCH_ID, listed
from webui.table.memory import forget_at_tables


@click.command()
@click.option("--match", "match_id", metavar="ID", type=MATCH_ID, help="Forget match ID.")
@click.option("--name", metavar="NAME", help="Take NAME out of every match.")
@click.option("--deck", metavar="NAME", help="Delete the learned deck NAME.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def forget(match_id: int | None, name: str | None, deck: str | None, yes: bool) -> None:
    """Take a match, or a person's name, out of the ledger for good; or delete a learned deck.

    A person's name becomes a number, such as Player 2. The matches stay, their pictures are
    deleted, and set-up does not suggest the name any more. Copies of the ledger, exported records
    and pictures on other machines are not changed.
    """
    if sum(each is not None for each in (match_id, name, deck)) != 1:
        raise click.UsageError("Say what to forget: --match ID, --name NAME, or --deck NAME.")
    if deck is not None:
        _forget_deck(deck, sure=yes)
        return
    with Ledger() as ledger:
        if match_id is not None:
            _forget_match(ledger, match_id, sure=yes)
        elif name is not None:
            _forget_name(ledger, name, sure=yes)


def _forget_deck(name: str, *, sure: bool) -> None:
    from vision.detection.deck_templates import deck_names, forget_deck  # late: it loads OpenCV

    if name in deck_names() and not sure:
        click.confirm(f"Delete the learned deck {name} for good?", abort=True)
    forget_deck(name)
    click.echo(f"The deck {name!r} is deleted.")


def _forget_match(ledger: Ledger, match_id: int, *, sure: bool) -> None:
    if match_id in ledger.ids() and not sure:
        what = ", ".join(filter(None, listed(ledger, match_id)[1:]))
        click.confirm(f"Forget match {match_id} for good ({what})?", abort=True)
    ledger.remove(match_id)
    click.echo(f"Match {match_id} is forgotten.")


def _forget_name(ledger: Ledger, name: str, *, sure: bool) -> None:
    name = name.strip()
    if not sure:
        click.confirm(f"Take the name {name} out of every match for good?", abort=True)
    at_tables = forget_at_tables(name)
    found = ledger.forget_name(name)
    if not found and at_tables:
        click.echo(f"{name} is forgotten at {at_tables} {'table' if at_tables == 1 else 'tables'}.")
    elif not found:
        raise click.ClickException(f"Nobody in the ledger {ledger} is called {name!r}.")
    else:
        click.echo(
            f"{name} is forgotten in {found} {'place' if found == 1 else 'places'} of the ledger."
        )
