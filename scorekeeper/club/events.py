"""The events of a tournament, as the ledger keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scorekeeper.engine.events import LARGEST, is_whole
from scorekeeper.errors import FormatError
from scorekeeper.messages import N_, shown

LONGEST_NAME = 40
"""Most characters of a player's name."""
LONGEST_REASON = 200
"""Most characters of a note."""
MOST_TEAMS = 500


class ClubEvent(NamedTuple):
    """One thing that the host said, or that a table's match has decided.

    Attributes:
        do: ``enter``, ``rename``, ``check_in``, ``check_out``, ``withdraw``, ``draw``,
            ``cancel_draw``, ``result``, ``retract``, ``correct``, ``close`` or ``reopen``.
        team: Number of the team, from 1.
        names: ``enter``, ``rename``: the team's players.
        round: Number of the round, from 1.
        table: ``result``, ``retract``, ``correct``: number of the table, from 1.
        pairs: ``draw``: the two teams at table 1, 2, …; the first of a pair is side 0.
        byes: ``draw``: the teams that sit out this round.
        seed: ``draw``: the seed of its random numbers.
        score: ``result``, ``correct``: points of each side; games, if a match has several.
        winner: ``result``, ``correct``: the side that won, 0 or 1; None for a match without a
            winner.
        match: ``result``, ``retract``: number of the ledger's match that decides it; None if the
            host entered it.
        note: ``correct``, ``withdraw``, ``cancel_draw``, ``reopen``: the host's reason.
    """

    do: str
    team: int | None = None
    names: tuple[str, ...] | None = None
    round: int | None = None
    table: int | None = None
    pairs: tuple[tuple[int, int], ...] | None = None
    byes: tuple[int, ...] | None = None
    seed: int | None = None
    score: tuple[int, int] | None = None
    winner: int | None = None
    match: int | None = None
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The event as an object, without the keys that are None."""
        found = {key: value for key, value in self._asdict().items() if value is not None}
        return {key: _listed(value) for key, value in found.items()}


def _listed(value: object) -> object:
    return [_listed(one) for one in value] if isinstance(value, tuple) else value


def parse_club_event(data: object) -> ClubEvent:
    """Reads one event.

    Raises:
        FormatError: It is no event, or a key that its verb needs is missing or impossible.
    """
    if not isinstance(data, dict):
        raise FormatError(N_("an event is a JSON object with the key do"))
    do = data.get("do")
    if not isinstance(do, str) or do not in NEEDS:
        raise FormatError(N_("there is no event {verb} in a tournament"), verb=shown(do))
    values: dict[str, Any] = {}
    for key in NEEDS[do]:
        may = key in MAY
        if may and data.get(key) is None:
            continue
        values[key] = _KINDS[key](data.get(key), do, key)
    return ClubEvent(do, **values)


def _number(value: object, do: str, key: str) -> int:
    if not is_whole(value) or not 1 <= value <= LARGEST:  # type: ignore[operator]
        raise _bad(value, do, key)
    assert isinstance(value, int)
    return value


def _seed(value: object, do: str, key: str) -> int:
    if not is_whole(value) or not 0 <= value <= LARGEST:  # type: ignore[operator]
        raise _bad(value, do, key)
    assert isinstance(value, int)
    return value


def _side(value: object, do: str, key: str) -> int:
    if not is_whole(value) or value not in (0, 1):
        raise _bad(value, do, key)
    assert isinstance(value, int)
    return value


def _text(value: object, do: str, key: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise FormatError(N_("say why: a reason is needed"))
    if len(value) > LONGEST_REASON:
        raise FormatError(N_("{key} has at most {n} letters"), key=key, n=LONGEST_REASON)
    return value


def _names(value: object, do: str, key: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise FormatError(N_("write the names of the players"))
    for name in value:
        if not isinstance(name, str) or not name.strip():
            raise FormatError(N_("write the names of the players"))
        if len(name) > LONGEST_NAME:
            raise FormatError(N_("{key} has at most {n} letters"), key="name", n=LONGEST_NAME)
    return tuple(value)


def _score(value: object, do: str, key: str) -> tuple[int, int]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise _bad(value, do, key)
    first, second = (_seed(one, do, key) for one in value)
    return first, second


def _pairs(value: object, do: str, key: str) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_TEAMS:
        raise _bad(value, do, key)
    pairs = []
    for pair in value:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise _bad(value, do, key)
        pairs.append((_number(pair[0], do, key), _number(pair[1], do, key)))
    return tuple(pairs)


def _numbers(value: object, do: str, key: str) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_TEAMS:
        raise _bad(value, do, key)
    return tuple(_number(one, do, key) for one in value)


def _bad(value: object, do: str, key: str) -> FormatError:
    return FormatError(
        N_("{verb} needs another {key} than {value}"), verb=do, key=key, value=shown(value)
    )


_KINDS: Mapping[str, Callable[[object, str, str], Any]] = {
    "team": _number,
    "names": _names,
    "round": _number,
    "table": _number,
    "pairs": _pairs,
    "byes": _numbers,
    "seed": _seed,
    "score": _score,
    "winner": _side,
    "match": _number,
    "note": _text,
}
"""Key to the function that reads its value."""
MAY = frozenset({"winner", "match"})
"""Keys that may be missing, though ``NEEDS`` lists them."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "enter": ("team", "names"),
    "rename": ("team", "names"),
    "check_in": ("team",),
    "check_out": ("team",),
    "withdraw": ("team", "note"),
    "draw": ("round", "pairs", "byes", "seed"),
    "cancel_draw": ("round", "note"),
    "result": ("round", "table", "score", "winner", "match"),
    "retract": ("round", "table", "match"),
    "correct": ("round", "table", "score", "winner", "note"),
    "close": (),
    "reopen": ("note",),
}
"""Verb to the keys of its events."""
