"""Changes JSON and bytes at random, thousands of times a second. A seed decides all changes.

Hypothesis finds the smallest example of an error, but tries only some hundred a second. So
``tests.fuzz.many`` uses this instead.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

KEYS = (
    "do", "seat", "card", "to", "cards", "side", "points", "name", "note", "format", "game",
    "variants", "options", "seats", "first_dealer", "best_of", "_at", "_utc_offset", "_source",
    "_who", "_group", "_again", "_agreed", "_readings", "_suit", "_suits", "_printing", "fix",
    "seq", "events", "group", "rank", "suit", "seen", "match", "event", "repair", "question",
    "answer", "corners",
)  # fmt: skip
"""The keys of the JSON objects in records and requests."""
TEXTS = (
    "", " ", "\0", "\ud800", "A\udfff", "Ana", "Bea", "Ana's phone", "é\u0301", "👩🏽", "\u202e",
    "<b>&amp;", "';--", '=HYPERLINK("http://e")', "x;=1+1", "{n}", "%s", "{0.__class__}", "../..",
    "a\r\nb", "x" * 41, "x" * 9_000, "KS", "10H", "1C", "7", "K", "QX", "0", "-1", "1e9", "NaN",
    "host", "camera", "phone", "trut", "le_truc_ace", "play", "deal", "undo", "accept", "raise",
    "2026-11-25T20:00:00Z", "9999-12-31T23:59:59+23:59", "1.1.7", "play K", "no",
)  # fmt: skip
NUMBERS = (
    0, 1, 2, 3, 4, 5, -1, 7, 12, 40, 255, 1000, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63, 10**30,
    -(2**63), 0.0, -0.0, 0.5, 1.0, 1e-300, 1e300, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
DEEPEST = 700
"""How deep JSON is nested at most. Much deeper, Python's own reader raises RecursionError."""


class Logged(Exception):
    """An error that was logged. Its message is the last lines of the log entry."""

    def __init__(self, told: str) -> None:
        super().__init__("\n".join(told.splitlines()[-9:]))


class Mutator:
    """Makes odd values, and puts them into JSON or bytes at random places.

    Args:
        chance: Decides all that is random.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def value(self, depth: int = 0) -> Any:
        """A random JSON value: usual or odd."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.3:
            return chance.choice(NUMBERS)
        if kind < 0.6:
            return self.text()
        if kind < 0.7:
            return chance.choice((None, True, False))
        if kind < 0.71 and not depth:
            return self._deep()
        if depth > 2:
            return []
        if kind < 0.85:
            return [self.value(depth + 1) for _ in range(chance.randrange(4))]
        return {self._key(): self.value(depth + 1) for _ in range(chance.randrange(4))}

    def text(self) -> str:
        """A random text: one that has a meaning somewhere, or any characters."""
        chance = self.chance
        if chance.random() < 0.8:
            return chance.choice(TEXTS)
        return "".join(chr(chance.randrange(0x3000)) for _ in range(chance.randrange(12)))

    def _key(self) -> str:
        return self.chance.choice(KEYS) if self.chance.random() < 0.8 else self.text()

    def _deep(self) -> Any:
        value: Any = 1
        for _ in range(self.chance.randrange(2, DEEPEST)):
            value = [value] if self.chance.random() < 0.7 else {"x": value}
        return value

    def json(self, data: Any) -> Any:
        """A copy of some JSON with one random change."""
        made = json.loads(json.dumps(data))
        place: Any = made
        while True:  # goes down to a random list or object
            inner = [one for one in _values(place) if isinstance(one, dict | list) and one]
            if not inner or self.chance.random() < 0.5:
                break
            place = self.chance.choice(inner)
        if isinstance(place, dict):
            self._change_object(place)
        elif isinstance(place, list):
            self._change_list(place)
        else:
            return self.value()
        return made

    def _change_object(self, place: dict[str, Any]) -> None:
        key = self.chance.choice(list(place)) if place else self._key()
        what = self.chance.random()
        if what < 0.5:
            place[key] = self.value()
        elif what < 0.6:
            place.pop(key, None)
        elif what < 0.7 and key in place:
            place[key] = self._near(place[key])
        elif what < 0.75 and key in place:
            place[self._key()] = place.pop(key)
        else:
            place[self._key()] = self.value()

    def _change_list(self, place: list[Any]) -> None:
        where = self.chance.randrange(len(place) + 1)
        what = self.chance.random()
        if what < 0.4 and where < len(place):
            place[where] = self.value()
        elif what < 0.6 and where < len(place):
            place[where] = self._near(place[where])
        elif what < 0.8 and where < len(place):
            del place[where]
        else:
            place.insert(where, self.value())

    def _near(self, value: Any) -> Any:
        """A value that differs a little."""
        chance = self.chance
        if isinstance(value, bool) or value is None:
            return chance.choice((0, 1, "", [], not value))
        if isinstance(value, int | float):
            return chance.choice((value + 1, value - 1, -value, float(value), str(value), [value]))
        if isinstance(value, str):
            changed = (value.upper(), value + " ", value[:-1], value[::-1], value * 3, [value])
            return chance.choice(changed)
        return self.value()

    def bytes(self, data: bytes) -> bytes:
        """A copy of some bytes, of which a few are changed, missing, doubled or added."""
        chance, made = self.chance, bytearray(data)
        for _ in range(chance.choice((1, 1, 1, 2, 3, 8, 30))):
            if not made:
                break
            where, what = chance.randrange(len(made)), chance.random()
            if what < 0.5:
                made[where] = chance.randrange(256)
            elif what < 0.7:
                made[where] ^= 1 << chance.randrange(8)
            elif what < 0.8:
                del made[where : where + chance.choice((1, 2, 4, 50))]
            elif what < 0.9:
                made[where:where] = made[where : where + chance.choice((1, 4, 50))]
            elif what < 0.95:
                made[where : where + 4] = chance.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff"))
            else:
                del made[where:]
        return bytes(made)


def _values(place: object) -> Sequence[Any]:
    if isinstance(place, dict):
        return list(place.values())
    return place if isinstance(place, list) else ()


def as_json(data: object) -> bytes:
    """Writes JSON as another program might; also values that JSON does not have, such as NaN."""
    return json.dumps(data).encode()
