"""Corrections of events further back than the latest one; each is appended as a whole.

The record format says how: first an ``undo`` for each event down to the wrong place, then what is
right there, and then the later events again. All have the same ``_group``. Later events that are no
longer legal are left out; people see which before they confirm. The functions here only compute
what to append; ``Table.say`` appends it, if the match is still at the number ``Correction.seen``.

An event that is repeated so has the remark ``_again``: the sequence number at which it was appended
first. By that a correction can be taken back exactly, even after further events and corrections,
and the event's picture is found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorekeeper.engine.events import GROUP, Event
from scorekeeper.engine.match import apply, apply_if_legal, undone
from scorekeeper.engine.said import AGAIN
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError
from scorekeeper.messages import N_, shown


class Standing(NamedTuple):
    """An event that stands: it was not undone.

    Attributes:
        seq: Its sequence number, which names it in corrections.
        first: The sequence number at which it was appended first; less than ``seq`` if a correction
            has repeated it.
        event: The event.
    """

    seq: int
    first: int
    event: Event


class Correction(NamedTuple):
    """A correction that was computed and not appended yet.

    Attributes:
        seen: Sequence number of the last event when it was computed.
        group: The id that its events share as ``_group``.
        events: What to append, all at once.
        match: The match after it.
        left_out: Later events that the rules no longer allow after it.
    """

    seen: int
    group: str
    events: tuple[Event, ...]
    match: Match
    left_out: tuple[Event, ...]


def standing(events: Sequence[Event]) -> list[Standing]:
    """The events that stand, in order, out of all events of a match.

    Args:
        events: All events, ``undo`` ones too, as the referee accepted them.
    """
    stand: list[Standing] = []
    for seq, event in enumerate(events, 1):
        if event.do == "undo":
            stand.pop()
        else:
            stand.append(Standing(seq, first_seq(events, seq), event))
    return stand


def replace(
    match: Match, events: Sequence[Event], seq: int, event: Event, *, group: str | None = None
) -> Correction:
    """Puts another event in the place of one that stands.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Sequence number of the wrong event.
        event: What was really done or said.
        group: Id of another correction that is appended just before, together with it.

    Raises:
        RuleError: The rules do not allow it there, or nothing stands under that number.
    """
    stand = standing(events)
    place = _place(stand, seq)
    return _correct(match, events, stand, place, [event, *stand[place + 1 :]], group)


def insert(
    match: Match,
    events: Sequence[Event],
    seq: int | None,
    *missed: Event,
    group: str | None = None,
) -> Correction:
    """Inserts one or several missed events before one that stands, such as a raise and its answer.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Sequence number of the event before which it belongs; None for the end.
        *missed: What was missed.
        group: Id of another correction that is appended just before, together with it.

    Raises:
        RuleError: The rules do not allow it there, or nothing stands under that number.
    """
    stand = standing(events)
    place = len(stand) if seq is None else _place(stand, seq)
    return _correct(match, events, stand, place, [*missed, *stand[place:]], group)


def remove(match: Match, events: Sequence[Event], seq: int) -> Correction:
    """Removes an event that stands, but never happened.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Sequence number of the event.

    Raises:
        RuleError: Nothing stands under that number.
    """
    stand = standing(events)
    place = _place(stand, seq)
    return _correct(match, events, stand, place, stand[place + 1 :])


def rewrite(match: Match, events: Sequence[Event], seq: int, wanted: Sequence[Event]) -> Correction:
    """Replaces an event that stands, and all after it.

    If one of the new events is the same as an old one, that is repeated, with its remarks.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Sequence number of the first event that is replaced.
        wanted: What was really done and said from there on.

    Raises:
        RuleError: The rules do not allow it there, or nothing stands under that number.
    """
    stand = standing(events)
    place = _place(stand, seq)
    left = stand[place:]
    said: list[Event | Standing] = []
    for event in wanted:
        same = next((one for one in left if one.event.bare() == event.bare()), None)
        if same is not None:
            left.remove(same)
        said.append(event if same is None else same)
    return _correct(match, events, stand, place, said)


def undo_to(match: Match, events: Sequence[Event], seq: int) -> Correction:
    """Undoes an event and everything after it; ``left_out`` holds all of that.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Sequence number of the first event that is undone.

    Raises:
        FormatError: Nothing stands under that number.
    """
    stand = standing(events)
    place = _place(stand, seq)
    made = _correct(match, events, stand, place, [])
    return made._replace(left_out=tuple(one.event for one in stand[place:]))


def groups(events: Iterable[Event]) -> list[str]:
    """The ids of all corrections in a list of events, in the order in which each began."""
    return list(dict.fromkeys(event.group for event in events if event.group is not None))


def take_back(match: Match, events: Sequence[Event], group: str) -> Correction:
    """Takes a whole correction back, and keeps what was said and corrected since.

    Events that the correction put in are removed, and those that it removed return to their places.
    This is a correction itself, and may be taken back.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        group: The id of the correction.

    Raises:
        FormatError: There is no such correction, or nothing of it stands any more.
    """
    start, end = _span(events, group)
    old, new, now = standing(events[:start]), standing(events[:end]), standing(events)
    had = {stand.first for stand in old}
    has = {stand.first for stand in new}
    stands = {stand.first for stand in now}
    put_in, took_out = has - had, had - has
    gone = put_in and not put_in & stands
    if gone or not (put_in & stands or took_out - stands):
        raise FormatError(N_("nothing of that correction stands any more"))
    order = _merged(old, new)
    wanted = now
    for place, stand in enumerate(order):
        if stand.first in took_out - stands:
            wanted = _put_back(wanted, order, place)
    wanted = [stand for stand in wanted if stand.first not in put_in]
    same = 0
    while same < min(len(now), len(wanted)) and now[same] == wanted[same]:
        same += 1
    return _correct(match, events, now, same, wanted[same:])


def first_seq(events: Sequence[Event], seq: int) -> int:
    """The sequence number at which an event was appended first.

    Its remark ``_again`` counts only if it names an earlier event that is the same.
    """
    event = events[seq - 1]
    first = event.remarks.get(AGAIN)
    if type(first) is int and 0 < first < seq and events[first - 1].bare() == event.bare():
        return first
    return seq


def _place(stand: Sequence[Standing], seq: int) -> int:
    for place, one in enumerate(stand):
        if one.seq == seq:
            return place
    raise FormatError(N_("no event number {seq} stands in this match"), seq=seq)


def _correct(
    match: Match,
    events: Sequence[Event],
    stand: Sequence[Standing],
    place: int,
    then: Iterable[Event | Standing],
    group: str | None = None,
) -> Correction:
    """Undoes all events from a place on, and then appends others.

    Args:
        match: The match as it is.
        events: All its events.
        stand: Those that stand.
        place: Index in ``stand`` of the first event that is undone.
        then: New events, which must be legal, and old ones to repeat if they are still legal.
        group: The id of the correction; a new one if None.
    """
    group = _new_group(events) if group is None else group
    mark = {GROUP: group}
    said = [Event("undo", remarks=mark)] * (len(stand) - place)
    match = undone(match, len(said))
    left_out = []
    for one in then:
        if isinstance(one, Event):
            event = one._replace(remarks={**one.remarks, **mark})
            match = apply(match, event)
            said.append(event)
            continue
        again = one.event._replace(remarks={**one.event.remarks, **mark, AGAIN: one.first})
        after = apply_if_legal(match, again)
        if after is None:
            left_out.append(one.event)
        else:
            match = after
            said.append(again)
    return Correction(len(events), group, tuple(said), match, tuple(left_out))


def _new_group(events: Sequence[Event]) -> str:
    """An id that no correction of the match has yet: the number of its first event."""
    taken = set(groups(events))
    group = str(len(events) + 1)
    while group in taken:
        group += "'"
    return group


def _span(events: Sequence[Event], group: str) -> tuple[int, int]:
    """The latest run of events of a group: index of its first event, and of the one after it."""
    end = len(events)
    while end > 0 and events[end - 1].group != group:
        end -= 1
    if end == 0:
        raise FormatError(N_("there is no correction {group} in this match"), group=shown(group))
    start = end
    while start > 0 and events[start - 1].group == group:
        start -= 1
    return start, end


def _merged(old: Sequence[Standing], new: Sequence[Standing]) -> list[Standing]:
    """All events that stood before a correction or after it; at the same place, old ones first."""
    common = {stand.first for stand in old} & {stand.first for stand in new}
    merged: list[Standing] = []
    rest = deque(old)
    for stand in new:
        while rest and rest[0].first not in common:
            merged.append(rest.popleft())
        if rest and stand.first in common:
            rest.popleft()
        merged.append(stand)
    return [*merged, *rest]


def _put_back(now: Sequence[Standing], order: Sequence[Standing], place: int) -> list[Standing]:
    """Puts the event at a place of ``order`` among those that stand now.

    It comes before the nearest event that followed it and still stands, or else after the nearest
    one before it.
    """
    index = {stand.first: number for number, stand in enumerate(now)}
    following = (index[stand.first] for stand in order[place + 1 :] if stand.first in index)
    preceding = (index[stand.first] for stand in order[:place][::-1] if stand.first in index)
    where = next(following, None)
    if where is None:
        where = next(preceding, -1) + 1
    return [*now[:where], order[place], *now[where:]]
