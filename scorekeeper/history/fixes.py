"""A repair as a small JSON token, and the events to append when somebody confirms it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorekeeper.engine.events import NO_REMARKS, Event, is_whole, parse_event
from scorekeeper.engine.said import GUESSED, SUIT, is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError
from scorekeeper.history import corrections
from scorekeeper.history.corrections import Correction
from scorekeeper.history.course import NO_CHANGE, Course
from scorekeeper.history.suits import moved_guess, plays, with_moved_guesses
from scorekeeper.messages import N_, shown

READINGS = "_readings"
"""Remark of a ``play`` that was seen: a list of [card, probability]."""


class Fix(NamedTuple):
    """What a repair does; its token holds the same.

    Attributes:
        do: ``replace``, ``remove``, ``insert``, ``undo`` or ``take_back``.
        seq: Sequence number of the event that is replaced or removed, or before which events are
            inserted (None: at the end), or that is undone with everything after it.
        events: ``replace``: the right event; ``insert``: the missed ones.
        group: ``take_back``: the group of the correction.
    """

    do: str
    seq: int | None = None
    events: tuple[Event, ...] = ()
    group: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The token that a phone sends back."""
        if self.do == "take_back":
            return {"fix": self.do, "group": self.group}
        token: dict[str, Any] = {"fix": self.do, "seq": self.seq}
        if self.events:
            token["events"] = [event.to_json() for event in self.events]
        return token


def carry_out(match: Match, events: Sequence[Event], token: object) -> Correction:
    """Computes what to append for a repair, from its token.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        token: What ``Fix.to_json`` gave, as a phone sent it back.

    Raises:
        FormatError: It is no token, or no event stands under its sequence number.
        RuleError: The rules do not allow it.
    """
    fix = parse_fix(match, token)
    match fix:
        case Fix("take_back", group=str(group)):
            return corrections.take_back(match, events, group)
        case Fix("insert"):
            return corrections.insert(match, events, fix.seq, *fix.events)
        case Fix("remove", seq=int(seq)):
            return corrections.remove(match, events, seq)
        case Fix("undo", seq=int(seq)):
            return corrections.undo_to(match, events, seq)
        case Fix("replace", seq=int(seq)):
            return replaced(match, events, seq, fix.events[0])
    raise AssertionError(fix)


def replaced(match: Match, events: Sequence[Event], seq: int, event: Event) -> Correction:
    """Computes what to append to replace an event that stands.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Sequence number of the wrong event.
        event: The right one. If another play has guessed its card, that play gets another suit
            (V-12).

    Raises:
        RuleError: The rules do not allow it there.
    """
    course = Course(match, events)
    place = course.place(seq)
    old = course.stand[place].event
    if event.card is not None and READINGS in old.remarks:  # a later correction may need them
        event = event._replace(remarks={READINGS: old.remarks[READINGS], **event.remarks})
    moved: Mapping[int, Event] = NO_CHANGE
    if event.card is not None:
        others = plays(course, course.hand(course.hand_number(place)), but=place)
        moved = moved_guess(match, event.card, others, instead_of=old)
    return with_moved_guesses(
        match,
        events,
        moved,
        lambda now, said, group: corrections.replace(
            now, said, corrections.standing(said)[place].seq, event, group=group
        ),
    )


def suit_remark(event: Event) -> Mapping[str, Any]:
    """The only remark that an event of a repair keeps: that its suit is guessed."""
    return {SUIT: GUESSED} if is_guessed(event) else NO_REMARKS


def parse_fix(match: Match, token: object) -> Fix:
    """Reads a token.

    Raises:
        FormatError: It is no token.
    """
    if not isinstance(token, Mapping):
        raise FormatError(N_("a repair is a JSON object with the key fix"))
    do, seq, group = token.get("fix"), token.get("seq"), token.get("group")
    listed = token.get("events", [])
    said = []
    for data in listed if isinstance(listed, list) else ():
        event = parse_event(data, verbs=match.header.verbs - {"undo"}, seats=match.seats)
        said.append(event._replace(remarks=suit_remark(event)))
    n = len(said)
    whole = is_whole(seq)
    match do:
        case "take_back":
            complete = isinstance(group, str)
        case "insert":
            complete = n > 0 and (whole or seq is None)
        case "replace":
            complete = n == 1 and whole
        case "remove" | "undo":
            complete = n == 0 and whole
        case _:
            raise FormatError(N_("there is no repair {do}"), do=shown(do))
    if not complete:
        raise FormatError(N_("something is missing in the repair {do}"), do=do)
    return Fix(do, seq, tuple(said), group)
