"""``trucam markers``: writes a sheet of markers and calling cards to print and cut out."""

from __future__ import annotations

from pathlib import Path

import click

from scorekeeper.engine.header import Header
from scorekeeper.games.rules import find_game
from scorekeeper.text.i18n import LANGUAGES, default_language
from webui.cli.rules import OPTION, PLAYERS, VARIANT, house_rule

PAPERS = ("a4", "letter")


@click.command()
@click.option("--game", "name", required=True, help="The game, such as trut.")
@PLAYERS
@VARIANT
@OPTION
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default=default_language, help="Language of the cards."
)
@click.option("--paper", type=click.Choice(PAPERS), default="a4", help="The size of the paper.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The PDF to write.",
)
def markers(
    name: str,
    players: str | None,
    variants: tuple[str, ...],
    options: tuple[str, ...],
    lang: str,
    paper: str,
    output: Path,
) -> None:
    """Write a sheet of markers to print: the table's corners, and calling cards for each seat.

    With markers at its corners, the camera finds the table by itself. A calling card on the table
    says what a camera cannot hear: a raise, an answer, a word before play.
    """
    game = find_game(name)
    seats = game.rules.players[0] if players is None else int(players)
    header = Header(
        game=game.id,
        seats=("",) * seats,
        variants=variants,
        options=dict(house_rule(option) for option in options),
    )
    from webui.presenters.marker_sheet import Sheet  # late: it loads OpenCV; the help needs none

    sheet = Sheet(header, lang, paper)
    output.write_bytes(sheet.draw())
    click.echo(f"{output}: {sheet.pages} pages; print them at 100%.")
