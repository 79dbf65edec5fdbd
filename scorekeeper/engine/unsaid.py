"""Words that people said aloud and did not tap (V-14, V-22).

By such a word a hand may be over that seems to go on, a card may be in its turn that seems to wait,
and an answer may be right that seems to answer nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, can, legal_events
from scorekeeper.engine.state import Match
from scorekeeper.games.tricks import side_of

MOST_WORDS = 3
"""Nobody forgets more words than these at once: an offer, and the answers of two opponents."""

_CARDS = frozenset({"play", "deal", "cut", "tap"})
_ANSWERS = frozenset(
    {"accept", "reject", "see", "lie_down", "pass", "grant", "refuse", "play_on", "decline"}
)
_ONE_IS_ENOUGH = frozenset({"see", "trut", "retrut"})
"""What one of a side says for both, whatever the other would have answered (TR-10, TR-19)."""


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
    for words, after in _spoken(match):
        if not after.in_progress and after.hand is not None and after.hand.winner is not None:
            found.setdefault(1 - after.hand.winner, words)
        if len(found) == 2:
            break
    for side in (0, 1):
        concede = Event("concede", side=side)
        if side not in found and can(match, concede):
            found[side] = (concede,)
    return dict(sorted(found.items()))


def words_before_a_card(match: Match) -> tuple[Event, ...]:
    """The fewest words after which a card may be played where an answer is awaited: a yes.

    Args:
        match: A match with a hand in progress, in which nobody may play a card now.

    Returns:
        The words, none where no word helps.
    """
    return _fewest(
        match, lambda after: not after.asked_seats() and bool(legal_events(after, "play"))
    )


def words_before(match: Match, wanted: Event) -> tuple[Event, ...]:
    """The fewest words that must have been said before a word that the rules do not allow yet.

    Args:
        match: The match.
        wanted: The word.

    Returns:
        The words: of an answer, the offer. None where no words help, or where the latest word was
        the same by the same side: it may only have been tapped once more. Nobody's answer is made
        out by what somebody else says, unless it does not matter: a side folds only if both of
        its players do (TR-10).
    """
    if wanted.seat is None or _is_latest_word(match, wanted, with_cards=True):
        return ()
    barred: frozenset[str] = frozenset() if wanted.do in _ONE_IS_ENOUGH else _ANSWERS
    return _fewest(match, lambda after: can(after, wanted), barred)


def is_repeated(match: Match, word: Event) -> bool:
    """Whether a side has just said the same; both of its players may tap it."""
    return _is_latest_word(match, word, with_cards=False)


def _is_latest_word(match: Match, word: Event, *, with_cards: bool) -> bool:
    """Whether the latest word was the same by the same side; cards may have come after it."""
    step = match.steps
    while with_cards and step is not None and step.event.do == "play":
        step = step.earlier
    if step is None or step.event.seat is None or word.seat is None:
        return False
    same = (step.event.do, step.event.to) == (word.do, word.to)
    return same and side_of(step.event.seat) == side_of(word.seat)


def _fewest(
    match: Match, reached: Callable[[Match], bool], barred: frozenset[str] = frozenset()
) -> tuple[Event, ...]:
    """The fewest words after which something is reached, in a hand that goes on; none if none.

    Args:
        match: The match.
        reached: Whether it is.
        barred: Verbs that cannot be among these words.
    """
    said = (
        words
        for words, after in _spoken(match)
        if after.in_progress and barred.isdisjoint(word.do for word in words) and reached(after)
    )
    return next(said, ())


def _spoken(match: Match) -> Iterator[tuple[tuple[Event, ...], Match]]:
    """What may have been said by now, the fewest words first, and the match after it."""
    spoken: list[tuple[tuple[Event, ...], Match]] = [((), match)]
    for _ in range(MOST_WORDS):
        longer = []
        for words, before in spoken:
            for event in _words(before):
                said = (*words, event), apply(before, event)
                yield said
                if said[1].in_progress:
                    longer.append(said)
        spoken = longer


def _words(match: Match) -> Iterator[Event]:
    """What may be said now; of offers by one seat the smallest, for none counts that is refused."""
    said = set()
    for event in legal_events(match):
        if event.do not in _CARDS and event[:2] not in said:
            said.add(event[:2])
            yield event
