"""The state of a table, as one JSON object: the API sends it, and all screens are drawn from it.

``state`` makes it for a role and a language. Nobody's hidden cards are in it, as the referee never
knows them.
"""

from __future__ import annotations

from scorekeeper.engine.cutting import Cutting
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import start
from scorekeeper.engine.packs import suit_systems_at
from scorekeeper.games.tricks import side_of
from scorekeeper.storage.tournaments import place_of
from scorekeeper.text.assistant import Assistant
from scorekeeper.text.narrator import Narrator
from scorekeeper.text.printings import PRINTING
from webui.presenters.club_state import club_state
from webui.presenters.match_state import MatchView, State, step_state
from webui.presenters.proposal_state import proposal_state, refusal
from webui.table.access import Grant
from webui.table.snapshot import Snapshot


def state(snapshot: Snapshot, grant: Grant, code: str) -> State:
    """The table as one role may see it.

    Args:
        snapshot: The table at one moment.
        grant: Who looks: a viewer, a seat, the host.
        code: Language of the sentences in it.

    Returns:
        An object whose ``stage`` is ``setup``, ``cutting`` or ``match``. Its keys and values are
        those of the record format, where that has them.
    """
    header = snapshot.header
    stage = "setup" if header is None else "cutting" if snapshot.match is None else "match"
    found: State = {
        "stage": stage,
        "role": {"seat": grant.seat, "host": grant.host},
        "seq": 0 if snapshot.moment is None else snapshot.moment.seq,
        "match": snapshot.match_id,
    }
    found["with_club"] = club_state(snapshot, code) if grant.host else None
    if header is None:
        return found
    found |= _table(header, snapshot, code)
    if snapshot.match is not None:
        found |= MatchView(snapshot.match, code, snapshot.events).whole(grant)
        found["refused"] = refusal(snapshot.refused, snapshot.match, grant)
        proposal = proposal_state(snapshot.proposed, snapshot.match, snapshot.events, grant, code)
        found["proposal"] = proposal if grant.scores else None
        found["proposer"] = None if proposal is None else proposal["name"]
    elif snapshot.cutting is not None:
        found |= _cutting(header, snapshot.cutting, code)
    found["camera"] = None
    if snapshot.camera is not None:
        from webui.presenters.camera_state import seen_by_camera  # late, as the camera itself

        found |= seen_by_camera(snapshot, grant, Narrator(header, code))
    return found


def _cutting(header: Header, cutting: Cutting, code: str) -> State:
    """Cutting for the first deal, before the match begins."""
    assistant = Assistant(header, code)
    return {
        "deal": [step_state(step) for step in assistant.first_deal(cutting)],
        "cuts_due": list(cutting.due),
        "cuts_seen": [],
        "first_dealer": cutting.dealer,
        "cut_ranks": [
            {"rank": rank, "printed": assistant.drawn(rank)} for rank in header.rules.cut_order
            if rank in header.rules.order or rank in header.rules.alias
        ],
    }  # fmt: skip


def _table(header: Header, snapshot: Snapshot, code: str) -> State:
    """What stays the same during a match: the game, and who plays."""
    narrator = Narrator(header, code)
    title, *house = narrator.game_and_house_rules()
    rules = header.rules
    suits = suit_systems_at(snapshot.match or start(header))[0]
    printing = narrator.printing(suits).name
    place = place_of(header)
    return {
        "game": {
            "id": header.game,
            "title": title,
            "house": house,
            "order": list(rules.order),
            "target": rules.target,
            "unit": rules.counting.unit,
            "suits": suits,
            "printing": printing if printing == header.remarks.get(PRINTING) else None,
        },
        "best_of": header.best_of,
        "club": None if place is None else {"round": place.round, "table": place.table},
        "seats": [
            {"seat": seat, "name": name, "side": side_of(seat), "held": snapshot.held[seat]}
            for seat, name in enumerate(narrator.names)
        ],
    }
