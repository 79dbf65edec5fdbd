"""``trucam rules``: prints the rules of a game as this program applies them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import click

from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.games.rules import Game, find_game
from scorekeeper.text.glossary import OURS, Term
from scorekeeper.text.house_rules import VARIANTS, options_of
from scorekeeper.text.i18n import LANGUAGES, default_language
from scorekeeper.text.printings import usual_suits
from scorekeeper.text.rulebook import Rulebook

WIDTH = 80


PLAYERS = click.option(
    "--players", type=click.Choice(["2", "4"]), help="How many play; else as many as usually do."
)
VARIANT = click.option(
    "--variant",
    "variants",
    multiple=True,
    help="A variant of the game, such as to_16; again for another. trucam rules GAME lists them.",
)
OPTION = click.option(
    "--option",
    "options",
    multiple=True,
    help="A house rule, such as target=5; again for another. trucam rules GAME lists them.",
)


@click.command()
@click.argument("game")
@PLAYERS
@VARIANT
@OPTION
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default=default_language, help="Language of the answer."
)
def rules(
    game: str, players: str | None, variants: tuple[str, ...], options: tuple[str, ...], lang: str
) -> None:
    """Print the rules of GAME (le_truc_ace, le_truc_seven, trut, truc_spain, put).

    The sentences are made from the same data that the referee uses.
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
        _list(heading, map(str, sentences))
    say = book.catalogue.gettext
    _list(say("Words"), (_word(term, book) for term in book.words()))
    _list("--variant, --option", _written(found, say))


def _list(heading: str, lines: Iterable[str]) -> None:
    click.echo(f"\n{heading}")
    for text in lines:
        for line in textwrap.wrap(text, WIDTH, initial_indent="  • ", subsequent_indent="    "):
            click.echo(line)


def _word(term: Term, book: Rulebook) -> str:
    """A line about a word of the game: what it means, and its source."""
    source = term.source(book.code)
    meaning = book.catalogue.gettext(term.meaning)
    told = book.say("{who}: {words}", who=term.say(book.catalogue), words=meaning).text
    return told if source == OURS else f"{told} [{source}]"


def _written(game: Game, say: Callable[[str], str]) -> Iterator[str]:
    """Yields how each variant and option is written on the command line, and what it means."""
    for name in game.variants:
        yield f"{name}: {say(VARIANTS[name])}"
    for option in options_of(game):
        values = [f"{text} = {say(label.words)}" for text, label in option.labels.items()]
        allowed = game.options[option.name]
        if isinstance(allowed, range):
            values = [f"{allowed[0]} … {allowed[-1]}"]
        yield f"{option.name}: {say('; ').join(values)}"


def house_rule(text: str) -> tuple[str, object]:
    """Reads ``name=value``. The value is JSON if it can be read as such, else a text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter("an option is written name=value, such as target=5")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value
