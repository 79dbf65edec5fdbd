"""The form in which people choose a game and its house rules: for a table, and for a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.engine.header import Header
from scorekeeper.games.rules import GAMES
from scorekeeper.text.choices import header_from
from scorekeeper.text.house_rules import as_text


def last_fields(last: Header | None) -> dict[str, Any]:
    """What was played last, as ``_game_choices.html`` fills it in."""
    options = {} if last is None else {n: as_text(v) for n, v in last.options.items()}
    return {"last": last, "last_options": options}


def chosen_header(form: MultiDict[str, str], names: Sequence[str], code: str) -> Header:
    """The header that a form asks for.

    Args:
        form: ``game``, ``players``, ``best_of``; and for each game ``GAME.variants`` and
            ``GAME.option.OPTION``, of which those of the chosen game count.
        names: The names of four players; where two play, they are the first and the third.
        code: The language of the names that players without a name are given.

    Raises:
        FormatError: The choices are impossible.
    """
    game = form.get("game", "")
    players = 4 if form.get("players") == "4" else 2
    allowed = GAMES[game].rules.players if game in GAMES else (players,)
    players = players if players in allowed else allowed[0]
    choices: dict[str, str | list[str]] = {
        "game": game,
        "names": list(names) if players == len(names) else [names[0], names[2]],
        "variants": form.getlist(f"{game}.variants"),
        "best_of": form.get("best_of", ""),
    }
    prefix = f"{game}.option."
    choices |= {
        key.removeprefix(prefix): value for key, value in form.items() if key.startswith(prefix)
    }
    return header_from(choices, code)
