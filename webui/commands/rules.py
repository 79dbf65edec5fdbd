"""``trucam rules``: the rules of a game as this program applies them."""

from __future__ import annotations

import json
import textwrap
from dataclasses import replace

import click

from scorekeeper.header import Header
from scorekeeper.language import LANGUAGES, default_language
from scorekeeper.packs import PACK_SUITS
from scorekeeper.printings import usual_suits
from scorekeeper.rulebook import Rulebook
from scorekeeper.rules import find_game

WIDTH = 80


@click.command()
@click.argument("game")
@click.option("--players", type=click.Choice(["2", "4"]), help="How many play.")
@click.option("--variant", "variants", multiple=True, help="A named variant, such as to_16.")
@click.option("--option", "options", multiple=True, help="A house rule, such as target=5.")
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default=default_language, help="Language of the answer."
)
def rules(
    game: str, players: str | None, variants: tuple[str, ...], options: tuple[str, ...], lang: str
) -> None:
    """Print the rules of GAME (le_truc_ace, le_truc_seven, trut, truc_spain).

    They are put into words from the same data that the referee goes by.
    """
    found = find_game(game)
    seats = found.rules.players[0] if players is None else int(players)
    header = Header(
        game=found.id,
        seats=("",) * seats,
        variants=variants,
        options=dict(house_rule(option) for option in options),
    )
    header = replace(header, remarks={PACK_SUITS: usual_suits(header.rules)})
    book = Rulebook(header, lang)
    click.echo(book.title())
    for heading, sentences in book.sections():
        click.echo(f"\n{heading}")
        for sentence in sentences:
            for line in textwrap.wrap(
                str(sentence), WIDTH, initial_indent="  • ", subsequent_indent="    "
            ):
                click.echo(line)


def house_rule(text: str) -> tuple[str, object]:
    """Reads ``name=value``; the value is JSON where it can be, else the text itself."""
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter("an option is written name=value, such as target=5")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value
