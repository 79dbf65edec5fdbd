"""What the table may agree on now, as pages list it: a form for each rule."""

from __future__ import annotations

from typing import Any

from scorekeeper.engine.match import agreements_on_offer
from scorekeeper.engine.state import Match
from scorekeeper.games.agreed import AGREED, HEADINGS
from scorekeeper.text.phrases import Voice
from webui.table.access import Grant


def agreed_state(match: Match, voice: Voice, grant: Grant) -> list[dict[str, Any]]:
    """What may be agreed on now, for those who sit at the table and for the host.

    Returns:
        For each rule: its id (``rule``), its ``heading``, the keys of the event that a person fills
        in (``fields``), and its ``buttons``, each with ``do``, ``words`` and ``event``.
    """
    if not grant.host and (grant.seat is None or grant.seat >= match.seats):
        return []
    groups: dict[str, dict[str, Any]] = {}
    for event in agreements_on_offer(match):
        row = AGREED[event.do]
        if not row.listed:
            continue
        heading = voice.say(HEADINGS[row.rule]).text
        group = groups.setdefault(
            row.rule, {"rule": row.rule, "heading": heading, "fields": [], "buttons": []}
        )
        filled = [key for key in (*row.needs, *row.may) if key in ("points", "name", "note")]
        group["fields"] += [key for key in filled if key not in group["fields"]]
        nobody = event.side is None and row.button_for_nobody
        words = voice.agreed(row.button_for_nobody if nobody else row.button, event)
        said = event._replace(name=None).to_json()
        group["buttons"].append({"do": event.do, "words": words, "event": said})
    return [groups[rule] for rule in HEADINGS if rule in groups]
