"""The printing of the deck on the table (R or K on its kings): as a person chose, or as it is seen.

The header of a match keeps the printing of set-up. Screens are drawn with a copy of the header that
has the printing of the deck that lies there.
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
    """The printing of a table's deck.

    Args:
        memory: The table's memory.
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
        """Keeps what the camera sees; None while it sees none."""
        if name is None or name not in PRINTINGS or name == self.seen:
            return
        # Where it cannot be written, screens keep the letters that they have.
        with suppress(TableError), self._memory.changing() as data:
            data[SEEN] = name

    def choose(self, name: str | None) -> None:
        """Keeps the printing that a person chose for this match; None: what the camera sees counts.

        Raises:
            TableError: It could not be written.
        """
        with self._memory.changing() as data:
            data[CHOSEN] = name

    def _instead(self, header: Header) -> str | None:
        """The printing that counts instead of the header's; None where the header's counts."""
        chosen = self._named(CHOSEN)
        name = self.seen if chosen is None and not header.remarks.get(BY_HAND) else chosen
        suits = header.remarks.get(PACK_SUITS, FRENCH)
        return name if name is not None and PRINTINGS[name].suits == suits else None

    def shown(self, header: Header) -> Header:
        """The header that screens are drawn with."""
        name = self._instead(header)
        if name is None or name == header.remarks.get(PRINTING):
            return header
        remarks: Mapping[str, Any] = {**header.remarks, PRINTING: name}
        return replace(header, remarks=MappingProxyType(remarks))

    def at(self, moment: Moment) -> Moment:
        """The moment of a match that screens are drawn with."""
        match = moment.match
        return moment._replace(match=match._replace(header=self.shown(match.header)))
