"""Laws that hold for every correction of every match."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay, undone
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError
from scorekeeper.history import corrections
from scorekeeper.history.corrections import Correction, standing
from tests.scorekeeper.playouts import HEADERS, any_event, playout, replayed, same_state


def any_correction(match: Match, events: Sequence[Event], chance: Random) -> Correction | None:
    """A random correction; None if the rules do not allow it."""
    stand = standing(events)
    if not stand:
        return None
    place = chance.randrange(len(stand))
    before = match
    for _ in stand[place:]:
        before = undone(before)
    new, seq = any_event(before, chance, operator=0), stand[place].seq
    kind = chance.randrange(4)
    made = corrections.groups(events)
    if kind == 3 and made:
        try:
            return corrections.take_back(match, events, chance.choice(made))
        except FormatError:
            return None
    if kind == 0 or new is None:
        return corrections.remove(match, events, seq)
    if kind == 1:
        return corrections.insert(match, events, seq, new)
    return corrections.replace(match, events, seq, new)


played = given(
    st.sampled_from(HEADERS),
    st.randoms(use_true_random=False),
    st.integers(min_value=1, max_value=60),
)


@played
def test_a_correction_equals_playing_it_right_from_the_start(
    header: Header, chance: Random, length: int
) -> None:
    events = playout(header, chance, length)
    match = replay(header, events)
    stand = standing(events)
    if not stand:
        return
    place = chance.randrange(len(stand))
    right = [one.event for one in stand]
    seq = stand[place].seq
    before = replay(header, right[:place])
    new = any_event(before, chance, operator=0)
    kind = chance.randrange(3) if new is not None else 0
    if kind == 0 or new is None:
        made, right[place : place + 1] = corrections.remove(match, events, seq), []
    elif kind == 1:
        made = corrections.insert(match, events, seq, new)
        right.insert(place, new)
    else:
        made = corrections.replace(match, events, seq, new)
        right[place] = new
    assert same_state(made.match, replayed(header, right))
    assert same_state(made.match, replay(header, [*events, *made.events]))
    stands = [one.event.bare() for one in standing([*events, *made.events])]
    assert len(stands) + len(made.left_out) == len(right)


@played
def test_taking_a_group_back_at_once_gives_the_state_before_it(
    header: Header, chance: Random, length: int
) -> None:
    events = playout(header, chance, length)
    for _ in range(3):
        match = replay(header, events)
        made = any_correction(match, events, chance)
        if made is None:
            continue
        corrected = [*events, *made.events]
        try:
            back = corrections.take_back(made.match, corrected, made.group)
        except FormatError:
            # If the correction only wrote the same events again, nothing remains of it.
            assert same_state(match, made.match)
        else:
            assert same_state(back.match, match)
            assert back.left_out == ()
        events = corrected


@played
def test_any_row_of_corrections_can_be_appended_and_replayed(
    header: Header, chance: Random, length: int
) -> None:
    events = playout(header, chance, length)
    for _ in range(6):
        match = replay(header, events)
        made = any_correction(match, events, chance)
        if made is not None and made.events:
            events += made.events
            assert same_state(made.match, replay(header, events))
        else:
            event = any_event(match, chance)
            events += [] if event is None else [event]
