"""Shows the host which letters the deck prints, and lets the host choose others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice
from scorekeeper.text.printings import FRENCH, PRINTING, PRINTINGS, printings_of


def printing_state(header: Header, seen: str | None, voice: Voice) -> dict[str, Any] | None:
    """The printing as the host's page shows it; None where the camera saw none.

    Args:
        header: The header that screens are drawn with; see ``webui.table.printed``.
        seen: The printing that the camera saw, by its name.
        voice: Says things in the language of the page.

    Returns:
        ``text``; and ``choices``, each with ``name``, ``label`` and whether it ``counts`` now.
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
