"""Which events players may look at again while a match goes on, and where their pictures are."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, start
from scorekeeper.engine.state import Match
from scorekeeper.history.corrections import first_seq, standing


def may_be_shown(header: Header, events: Sequence[Event]) -> frozenset[int]:
    """The sequence numbers of the events that may be shown: those whose trick is complete.

    What was said before the first card belongs to the first trick. An event that was undone belongs
    to the trick in which it was said.

    Args:
        header: Who plays what.
        events: All events, ``undo`` ones too, as the referee accepted them.
    """
    match, places = start(header), []
    for event in events:
        places.append(_place(match))
        match = apply(match, event, kept=True)
    now = _place(match)
    hidden = {seq for seq, place in enumerate(places, 1) if place >= now}
    pictures = pictured(events)
    for one in standing(events):
        if one.seq in hidden:
            hidden |= {one.first, pictures[one.seq]}
    return frozenset(range(1, len(events) + 1)) - hidden


def _place(match: Match) -> tuple[int, int]:
    """The number of the hand, and how many of its tricks are complete; between hands, the next."""
    if match.hand is None or not match.in_progress:
        return match.hand_number + 1, 0
    return match.hand_number, sum(trick.complete for trick in match.hand.tricks)


def pictured(events: Sequence[Event]) -> dict[int, int]:
    """Finds the picture of each event that stands.

    It was taken when the event was appended first. If a correction has replaced a card, it was
    taken with the wrong card.

    Args:
        events: All events, ``undo`` ones too, as the referee accepted them.

    Returns:
        The sequence number of each event that stands, to the one under which its picture is kept.
    """
    again = _kept(events)
    stand: list[int] = []
    found: dict[int, int] = {}
    back: dict[int, int] = {}  # place to the number of the event that the correction undid there
    group: str | None = None
    for seq, event in enumerate(events, 1):
        if event.group != group:
            back, group = {}, event.group
        if event.do == "undo":
            old = stand.pop()
            back[len(stand)] = old
            continue
        first = first_seq(events, seq)
        old = back.get(len(stand), seq)
        was = events[old - 1]
        stays = (group, first_seq(events, old)) in again
        if group and first == seq and not stays and (was.do, was.seat) == (event.do, event.seat):
            first = old
        found[seq] = found.get(first, seq)
        stand.append(seq)
    return {seq: found[seq] for seq in stand}


def _kept(events: Sequence[Event]) -> set[tuple[str, int]]:
    """The id of each correction, with the first number of each event that it has left standing.

    A correction may undo some of its own events: a guess gets another suit before a card is
    replaced (``suits.with_moved_guesses``).
    """
    stand: list[int] = []
    kept: set[tuple[str, int]] = set()
    for seq, event in enumerate(events, 1):
        said = seq
        if event.do == "undo":
            said = stand.pop()
        else:
            stand.append(seq)
        if event.group is None or events[said - 1].group != event.group:
            continue
        one = event.group, first_seq(events, said)
        if event.do == "undo":
            kept.discard(one)
        else:
            kept.add(one)
    return kept
