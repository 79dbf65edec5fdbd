"""What the deck on the table prints: as somebody chose it, or else as the camera sees it.

A header says what set-up settled, and stays as it is. Screens are drawn with another header, in
which the printing is the one that lies on the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.storage.table import Moment
from scorekeeper.text.printings import BY_HAND, FRENCH, PRINTING, PRINTINGS
from webui.table.memory import Memory, TableError

SEEN, CHOSEN = "printing_seen", "printing_chosen"


class Printed:
    """What a table remembers of its deck's printing.

    Args:
        memory: Where it is remembered.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def _named(self, key: str) -> str | None:
        name = self._memory.data.get(key)
        return name if isinstance(name, str) and name in PRINTINGS else None

    @property
    def seen(self) -> str | None:
        """The printing that the camera saw last, by its name; None where it saw none."""
        return self._named(SEEN)

    def see(self, name: str | None) -> None:
        """Takes what the camera sees; where it cannot be kept people read the letters of before."""
        if name is None or name not in PRINTINGS or name == self.seen:
            return
        with suppress(TableError), self._memory.changing() as data:
            data[SEEN] = name

    def choose(self, name: str | None) -> None:
        """Somebody says what this match's deck prints; None: what the camera sees.

        Raises:
            TableError: It could not be written.
        """
        with self._memory.changing() as data:
            data[CHOSEN] = name

    def of(self, header: Header) -> str | None:
        """The printing that counts in place of the header's; None where the header's does."""
        chosen = self._named(CHOSEN)
        name = self.seen if chosen is None and not header.remarks.get(BY_HAND) else chosen
        suits = header.remarks.get(PACK_SUITS, FRENCH)
        return name if name is not None and PRINTINGS[name].suits == suits else None

    def shown(self, header: Header) -> Header:
        """A header as screens say it."""
        name = self.of(header)
        if name is None or name == header.remarks.get(PRINTING):
            return header
        remarks: Mapping[str, Any] = {**header.remarks, PRINTING: name}
        return replace(header, remarks=MappingProxyType(remarks))

    def at(self, moment: Moment) -> Moment:
        """A moment of a match as screens say it."""
        match = moment.match
        return moment._replace(match=match._replace(header=self.shown(match.header)))
