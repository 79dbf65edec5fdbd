"""Who may do what: the keys in the links, and the phones that opened these links.

Everybody may look. The key in a seat's QR code gives a phone that seat. Only the screen of the
computer itself shows the host's key. A phone is known by a random name in its signed cookie.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from webui.table.memory import Memory

SEATS = 4
KEY_BYTES = 16


class Grant(NamedTuple):
    """What one phone, or one program with a key, may do.

    Attributes:
        seat: The seat that it holds, or None.
        host: Whether it holds the host's key.
        phone: The phone's name; empty for programs, and for a phone that has no cookie yet.
    """

    seat: int | None = None
    host: bool = False
    phone: str = ""

    @property
    def scores(self) -> bool:
        """Whether it may correct what others entered."""
        return self.host or self.seat is not None

    def speaks_for(self, seat: int | None) -> bool:
        """Whether it may say the events of a seat; None stands for those that only a host says."""
        return self.host or (seat is not None and seat == self.seat)

    @property
    def actor(self) -> str:
        """Whose writes a limit counts together. Never an address: a whole club may share one."""
        return self.phone or ("host" if self.host else f"seat {self.seat}")


VIEWER = Grant()


class Access:
    """The keys and phones of one table, kept in its memory. May be used by several threads.

    Args:
        memory: The table's memory; keys that it lacks are made.

    Raises:
        TableError: The memory holds something else than keys, or it cannot be written.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        with memory.changing() as remembered:
            data = remembered.setdefault("access", {})
            if not isinstance(data, dict):
                raise memory.damaged()
            data.setdefault("cookie_secret", secrets.token_hex(32))
            data.setdefault("host_key", _new_key())
            data.setdefault("seat_keys", [_new_key() for _ in range(SEATS)])
            data.setdefault("camera_key", _new_key())
            data.setdefault("phones", {})
            if not _is_sound(data):
                raise memory.damaged()

    @property
    def _data(self) -> dict[str, Any]:
        found: dict[str, Any] = self._memory.data["access"]
        return found

    @property
    def cookie_secret(self) -> str:
        """Signs the cookies."""
        return str(self._data["cookie_secret"])

    @property
    def host_key(self) -> str:
        """The key of the host's link."""
        return str(self._data["host_key"])

    def seat_key(self, seat: int) -> str:
        """The key of a seat's link."""
        return str(self._data["seat_keys"][seat])

    @property
    def camera_key(self) -> str:
        """The key with which a phone's browser may be the camera."""
        return str(self._data["camera_key"])

    def grant(self, phone: str) -> Grant:
        """What a phone may do now."""
        known = self._data["phones"].get(phone)
        if known is None:
            return VIEWER._replace(phone=phone)
        return Grant(known.get("seat"), bool(known.get("host")), phone)

    def grant_of_key(self, key: str) -> Grant:
        """What a program may do that sends a key, and no cookie."""
        if _same(key, self.host_key):
            return Grant(host=True)
        for seat in range(SEATS):
            if _same(key, self.seat_key(seat)):
                return Grant(seat=seat)
        return VIEWER

    def opens_host(self, key: str) -> bool:
        """Whether this is the host's key."""
        return _same(key, self.host_key)

    def opens_seat(self, key: str, seat: int) -> bool:
        """Whether this is a seat's key."""
        return 0 <= seat < SEATS and _same(key, self.seat_key(seat))

    def opens_camera(self, key: str) -> bool:
        """Whether this is the camera's key."""
        return _same(key, self.camera_key)

    def holder(self, seat: int) -> str | None:
        """The phone that holds a seat."""
        for phone, known in self._data["phones"].items():
            if known.get("seat") == seat:
                return str(phone)
        return None

    def become_host(self, phone: str) -> None:
        """Gives a phone the host's rights."""
        with self._changing() as data:
            _known(data, phone)["host"] = True

    def sit_down(self, phone: str, seat: int) -> None:
        """Gives a phone a seat; another phone that held it may only look from now on."""
        with self._changing() as data:
            _leave(data, seat)
            _known(data, phone)["seat"] = seat

    def stand_up(self, phone: str) -> None:
        """Gives a phone's seat back."""
        with self._changing() as data:
            _known(data, phone).pop("seat", None)

    def move_seats(self, moves: Mapping[int, int]) -> None:
        """Moves phones and links along with players who change seats.

        Args:
            moves: The old seat of each player who stays, by the new seat. A seat that is not in it
                gets a new link, and no phone holds it.
        """
        with self._changing() as data:
            now = {before: seat for seat, before in moves.items()}  # the new seat, by the old one
            for known in data["phones"].values():
                if "seat" in known:
                    known["seat"] = now.get(known["seat"])
            keys = data["seat_keys"]
            data["seat_keys"] = [
                keys[moves[seat]] if seat in moves else _new_key() for seat in range(SEATS)
            ]

    def revoke_seat(self, seat: int) -> None:
        """Gives a seat a new link; the old one opens nothing, and no phone holds the seat."""
        with self._changing() as data:
            _leave(data, seat)
            data["seat_keys"][seat] = _new_key()

    def revoke_host(self, keeper: str) -> None:
        """Gives the host a new link, and takes the host's rights from all phones but one."""
        with self._changing() as data:
            data["host_key"] = _new_key()
            for phone, known in data["phones"].items():
                if phone != keeper:
                    known.pop("host", None)

    def revoke_camera(self) -> None:
        """Gives the camera a new link; the old one opens nothing."""
        with self._changing() as data:
            data["camera_key"] = _new_key()

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Any]]:
        """Yields keys and phones to be changed, and keeps them.

        Phones that may only look are dropped: nothing has to be remembered of them.
        """
        with self._memory.changing() as remembered:
            data = remembered["access"]
            yield data
            data["phones"] = {
                phone: known
                for phone, known in data["phones"].items()
                if known.get("host") or known.get("seat") is not None
            }


def _known(data: dict[str, Any], phone: str) -> dict[str, Any]:
    known: dict[str, Any] = data["phones"].setdefault(phone, {})
    return known


def _leave(data: dict[str, Any], seat: int) -> None:
    for known in data["phones"].values():
        if known.get("seat") == seat:
            del known["seat"]


def _is_sound(data: dict[str, Any]) -> bool:
    """Whether these are keys and phones, as this program writes them."""
    keys, phones = data["seat_keys"], data["phones"]
    return (
        isinstance(keys, list)
        and len(keys) == SEATS
        and all(
            isinstance(key, str) and key for key in (*keys, data["host_key"], data["camera_key"])
        )
        and isinstance(data["cookie_secret"], str)
        and len(data["cookie_secret"]) > KEY_BYTES
        and isinstance(phones, dict)
        and all(isinstance(known, dict) for known in phones.values())
    )


def new_phone() -> str:
    """A random name for a phone that has none."""
    return secrets.token_hex(8)


def _new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def _same(one: str, other: str) -> bool:
    """Compares keys; the time that it takes tells nothing about them."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())
