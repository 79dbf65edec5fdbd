"""Words that people said aloud and did not tap: by which a hand may be over that seems to go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, can, legal_events
from scorekeeper.engine.state import Match

MOST_WORDS = 3
"""More words than these never end a hand: an offer, and the answers of two opponents."""

_CARDS = frozenset({"play", "deal", "cut", "tap"})


def lay_downs(match: Match) -> Mapping[int, tuple[Event, ...]]:
    """How each side could have lain down by now.

    Args:
        match: A match with a hand in progress.

    Returns:
        Each side that may have lain down, with the fewest words by which it does: of the offer that
        it turns down, if nobody has told of that one yet, and of its answers. Where the rules allow
        no such offer, it gave the hand up (V-15).
    """
    found: dict[int, tuple[Event, ...]] = {}
    spoken: list[tuple[Match, tuple[Event, ...]]] = [(match, ())]
    for _ in range(MOST_WORDS):
        longer = []
        for before, words in spoken:
            for event in _words(before):
                after = apply(before, event)
                if after.in_progress:
                    longer.append((after, (*words, event)))
                elif after.hand is not None and after.hand.winner is not None:
                    found.setdefault(1 - after.hand.winner, (*words, event))
        if len(found) == 2:
            break
        spoken = longer
    for side in (0, 1):
        concede = Event("concede", side=side)
        if side not in found and can(match, concede):
            found[side] = (concede,)
    return dict(sorted(found.items()))


def _words(match: Match) -> Iterator[Event]:
    """What may be said now; of offers by one seat the smallest, for none counts that is refused."""
    said = set()
    for event in legal_events(match):
        if event.do not in _CARDS and event[:2] not in said:
            said.add(event[:2])
            yield event
