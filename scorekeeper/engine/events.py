"""Events: what people did and said at the table (``docs/record-format.md``)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scorekeeper.errors import FormatError
from scorekeeper.games.agreed import AGREED, LONGEST_NOTE
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.games.rules import OPERATOR_VERBS
from scorekeeper.messages import N_, shown

NO_REMARKS: Mapping[str, Any] = MappingProxyType({})
LARGEST = 1_000_000
"""The largest number that a key of an event may have; the least is its negative."""
GROUP = "_group"
"""Remark that the events of one correction share; they were appended together."""


class Event(NamedTuple):
    """One thing that somebody did or said.

    Attributes:
        do: The verb.
        seat: Who; None only for the operator's verbs.
        card: ``play``: the card.
        to: ``raise``: the new value.
        cards: ``deal``: cards dealt to each player.
        side: ``award``, ``adjust``, ``concede``, ``end_game``, ``end_match``: the side, 0 or 1.
        points: ``award``: points, or Smalls; ``adjust``: points, or Longs. Negative ones are taken
            away.
        smalls: ``adjust``: Smalls; negative ones are taken away.
        name: ``player``: who takes over the seat.
        note: ``adjust``, ``end_game``, ``end_match``: what the table says about it.
        remarks: All other keys as they came; keys that start with ``_`` are reserved for remarks.
    """

    do: str
    seat: int | None = None
    card: Card | None = None
    to: int | None = None
    cards: int | None = None
    side: int | None = None
    points: int | None = None
    smalls: int | None = None
    name: str | None = None
    note: str | None = None
    remarks: Mapping[str, Any] = NO_REMARKS

    @property
    def group(self) -> str | None:
        """The id of the correction that this event is part of, or None."""
        group = self.remarks.get(GROUP)
        return group if isinstance(group, str) else None

    @property
    def agreed(self) -> bool:
        """Whether it is something that the table has to agree on (``AGREED``)."""
        return self.do in AGREED

    def bare(self) -> Event:
        """The event without its remarks, which tell who said it and when."""
        return self._replace(remarks=NO_REMARKS)

    def in_words(
        self, translate: Callable[[str], str] = str, named: Callable[[Card], str] = str
    ) -> str:
        """What is done, without who: ``play KS``, ``raise to 4``, ``deal 3``.

        Args:
            translate: Translates an English message, as gettext does.
            named: Gives the name of a card; by default as records write it.
        """
        if self.do in AGREED:
            return translate(AGREED[self.do].label)
        words = translate(self.do.replace("_", " "))
        if self.to is not None:
            return translate("{raise_} to {value}").format(raise_=words, value=self.to)
        card = None if self.card is None else named(self.card)
        details = (card, self.cards)
        return " ".join([words, *(str(detail) for detail in details if detail is not None)])

    def to_json(self) -> dict[str, Any]:
        """The event as an object of the record, with its remarks at the end."""
        data: dict[str, Any] = {"do": self.do}
        for key in _KEYS:
            value = getattr(self, key)
            if value is not None:
                data[key] = str(value) if key == "card" else value
        return {**data, **self.remarks}


_KEYS = ("seat", "card", "to", "cards", "side", "points", "smalls", "name", "note")


def is_whole(value: object) -> bool:
    """Whether a JSON value is a whole number; true and false are none."""
    return type(value) is int


def parse_event(data: object, *, verbs: Collection[str], seats: int) -> Event:
    """Reads one event of a record.

    Args:
        data: The JSON object.
        verbs: The verbs of the game; one of another game is refused.
        seats: How many seats the table has.

    Raises:
        FormatError: It is not an object, or its verb, its seat or what the verb needs is missing or
            impossible.
    """
    if not isinstance(data, dict):
        raise FormatError(N_("an event is a JSON object with the key do"))
    do = data.get("do")
    if not isinstance(do, str) or do not in verbs:
        raise FormatError(N_("there is no event {verb} in this game"), verb=shown(do))
    seat: Any = data.get("seat")
    there = is_whole(seat) and 0 <= seat < seats
    agreed = AGREED.get(do)
    if do in OPERATOR_VERBS and not (agreed and "seat" in agreed.needs):
        seat = seat if there else None
    elif not there:
        raise FormatError(
            N_("{verb} needs a seat from 0 to {last}, not {seat}"),
            verb=do,
            last=seats - 1,
            seat=shown(seat),
        )
    needs = _NEEDS.get(do, {})
    may = () if agreed is None else agreed.may
    values = {
        key: read(data.get(key), do, key)
        for key, read in needs.items()
        if key not in may or data.get(key) is not None
    }
    remarks = NO_REMARKS
    if len(data) > 2 + len(values) or "seat" not in data:
        known = {"do", "seat", *needs}
        remarks = {key: value for key, value in data.items() if key not in known} or NO_REMARKS
    return Event(do, seat, remarks=remarks, **values)


def _whole(value: object, do: str, key: str) -> int:
    if type(value) is not int or abs(value) > LARGEST:
        raise FormatError(
            N_("{verb} needs a whole number {key}, not {value}"),
            verb=do,
            key=key,
            value=shown(value),
        )
    return value


def _side(value: object, do: str, key: str) -> int:
    if _whole(value, do, key) not in (0, 1):
        raise FormatError(N_("there are two sides, 0 and 1, not {side}"), side=shown(value))
    return _whole(value, do, key)


def _card(value: object, do: str, key: str) -> Card:
    if value is None:
        raise FormatError(N_("{verb} needs a {key}"), verb=do, key=key)
    return parse_card(value)


def _text(value: object, do: str, key: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise FormatError(N_("{verb} needs a text {key}, not {value}"), verb=do, key=key,
                          value=shown(value))  # fmt: skip
    if len(value) > LONGEST_NOTE:
        raise FormatError(N_("{key} has at most {n} letters"), key=key, n=LONGEST_NOTE)
    return value


_KINDS: Mapping[str, Callable[[object, str, str], Any]] = {
    "side": _side,
    "points": _whole,
    "smalls": _whole,
    "name": _text,
    "note": _text,
}
"""Keys of events that a table agrees on, to the functions that read their values."""

_NEEDS: Mapping[str, Mapping[str, Callable[[object, str, str], Any]]] = {
    "play": {"card": _card},
    "raise": {"to": _whole},
    "deal": {"cards": _whole},
    **{
        do: {key: _KINDS[key] for key in (*agreed.needs, *agreed.may) if key in _KINDS}
        for do, agreed in AGREED.items()
    },
}
"""Verb to the keys that its events have beside the seat, and the functions that read them."""


def in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    """Sorts events as answers list them: by verb, seat, value and number of cards."""
    return tuple(
        sorted(events, key=lambda e: (e.do, _least(e.seat), _least(e.to), _least(e.cards)))
    )


def _least(number: int | None) -> int:
    return -1 if number is None else number
