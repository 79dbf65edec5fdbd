"""What the host is told of the letters on the deck's cards, and may choose instead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice
from scorekeeper.text.printings import FRENCH, PRINTING, PRINTINGS, printings_of


def printing_state(header: Header, seen: str | None, voice: Voice) -> dict[str, Any] | None:
    """What the host may know and change of the printing; None where the camera saw none.

    Args:
        header: As screens say it.
        seen: What the camera saw.
        voice: The language.

    Returns:
        ``text``, and ``choices`` with their ``name``, ``label`` and whether one ``counts``.
    """
    suits = header.remarks.get(PACK_SUITS, FRENCH)
    if seen is None or PRINTINGS[seen].suits != suits:
        return None

    def label(name: str) -> str:
        remarks = {**header.remarks, PRINTING: name}
        drawn = Voice(replace(header, remarks=remarks), voice.code).drawn
        return " ".join(drawn(rank, suits) for rank in "AKQJ")

    now = voice.printing(suits).name
    return {
        "text": voice.say(N_("The deck prints {letters}."), letters=label(seen)).text,
        "choices": [
            {"name": one.name, "label": label(one.name), "counts": one.name == now}
            for one in printings_of(suits)
        ],
    }
