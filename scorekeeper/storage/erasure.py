"""Takes a person's name out of the JSON of headers and events.

Names are compared as written, without the blanks around them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import count
from typing import Any

from scorekeeper.engine.events import GROUP
from scorekeeper.engine.limits import cut_to_limits
from scorekeeper.engine.said import AGAIN, AGREED_BY, AT, SOURCE, UTC_OFFSET, WHO

NAME = "name"
"""Key of an event ``player``: who takes over the seat."""
MOST_SEATS = 4
NAMELESS = frozenset(
    {"format", "game", "variants", "options", "seats", "first_dealer", "best_of"}
    | {"do", "seat", "card", "to", "cards", "side", "points", "smalls"}
    | {AT, UTC_OFFSET, SOURCE, AGAIN, AGREED_BY, GROUP}
)
"""Keys of headers and events whose values name nobody, but ``seats``, which is treated apart."""


def is_name(text: object, name: str) -> bool:
    """Whether a text is this name; an empty text never is."""
    return isinstance(text, str) and text.strip() == name.strip() != ""


def players_in(text: str) -> set[str]:
    """The players whom a header or an event names; empty if it cannot be read."""
    data: Any = None
    with suppress(ValueError, OverflowError, RecursionError):
        data = cut_to_limits(json.loads(text))
    if not isinstance(data, dict):
        return set()
    seats = data.get("seats")
    named = seats if isinstance(seats, list) else [data.get(NAME)]
    return {one for one in named if isinstance(one, str)}


def without_name_in_header(header: str, name: str, others: Collection[object] = ()) -> str:
    """A header without a name: its seats become "Player 1" and so on, and its remarks null.

    Args:
        header: The header.
        name: The name.
        others: The players whom the match's events name.

    Raises:
        ValueError: The name is in it, and it cannot be read.
    """

    def erased(data: dict[str, Any]) -> dict[str, Any]:
        seats = data.get("seats")
        new = _without(data, name)
        if isinstance(seats, list):
            taken = [one for one in (*seats, *others) if not is_name(one, name)]
            new["seats"] = [
                _numbered(seat, len(seats), taken) if is_name(text, name) else text
                for seat, text in enumerate(seats)
            ]
        return new

    return _erased(header, name, erased)


def without_name_in_event(event: str, name: str, others: Collection[object] = ()) -> str:
    """An event without a name: remarks become null, and the one on who said it is removed.

    Args:
        event: The event.
        name: The name.
        others: The players whom the match's header and events name.

    Raises:
        ValueError: The name is in it, and it cannot be read.
    """

    def erased(data: dict[str, Any]) -> dict[str, Any]:
        new = _without(data, name)
        if is_name(data.get(WHO), name):
            new.pop(WHO, None)
        if is_name(data.get(NAME), name) and data.get("do") == "player":  # V-21
            taken = [one for one in others if not is_name(one, name)]
            new[NAME] = _numbered(data.get("seat", 0), MOST_SEATS, taken)
        return new

    return _erased(event, name, erased)


def without_name_in_club_event(event: str, name: str) -> str:
    """A tournament's event without a name: a team's player becomes "Player 1" and so on.

    Raises:
        ValueError: The name is in it, and it cannot be read.
    """

    def erased(data: dict[str, Any]) -> dict[str, Any]:
        new = {key: "…" if is_name(value, name) else value for key, value in data.items()}
        names = data.get("names")
        if isinstance(names, list):
            size, team = len(names), data.get("team", 0)
            new["names"] = [
                f"Player {size * (team - 1) + position}" if is_name(one, name) else one
                for position, one in enumerate(names, 1)
            ]
        return new

    return _erased(event, name, erased)


def _erased(text: str, name: str, erased: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """The text of an object, without a name; the same text if the name is not in it.

    Args:
        text: JSON.
        name: The name.
        erased: Gives the object without the name.
    """
    name = name.strip()
    if json.dumps(name)[1:-1] not in text and name not in text:
        return text
    data = cut_to_limits(json.loads(text))
    if not isinstance(data, dict):
        raise ValueError("it is no object")
    new = erased(data)
    return text if new == data else json.dumps(new)


def _without(data: dict[str, Any], name: str) -> dict[str, Any]:
    """A header or an event with the name taken out of its remarks."""
    rules = {key: value for key, value in data.items() if key in NAMELESS}
    remarks = {key: value for key, value in data.items() if key not in NAMELESS}
    return {**rules, **_emptied(remarks, name)}


def _emptied(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {
            key: _emptied(inner, name) for key, inner in value.items() if not is_name(key, name)
        }
    if isinstance(value, list):
        return [_emptied(inner, name) for inner in value]
    return None if is_name(value, name) else value


def _numbered(seat: int, seats: int, others: Collection[object]) -> str:
    """A name like ``Player 2`` for a seat, which no other player of the match has or can get."""
    names = (f"Player {number}" for number in count(seat + 1, seats))
    return next(name for name in names if name not in others)
