"""Works out which words people have said aloud without tapping them (V-14, V-22).

A *word* is an event that is said: any event but a card, a cut, a tap or a deal. If a word is
missing, a hand seems to go on that is over, a card seems to come too early, or an answer seems to
answer nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, can, legal_events
from scorekeeper.engine.state import Match
from scorekeeper.games.tricks import side_of

MOST_WORDS = 3
"""At most so many words in a row are taken for said: an offer, and the answers of two opponents."""

_CARDS = frozenset({"play", "deal", "cut", "tap"})
_ANSWERS = frozenset(
    {"accept", "reject", "see", "lie_down", "pass", "grant", "refuse", "play_on", "decline"}
)
_ONE_IS_ENOUGH = frozenset({"see", "trut", "retrut"})
"""Words that one player says for a whole side, whatever the partner would say (TR-10, TR-19)."""


def lay_downs(match: Match) -> Mapping[int, tuple[Event, ...]]:
    """The words by which each side could have lain down by now.

    Args:
        match: A match with a hand in progress.

    Returns:
        Each side that may have lain down, to the fewest words by which it does so: the offer that
        it refuses, unless that was tapped, and its answers. If the rules allow no such offer, the
        side gave up the hand (V-15).
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
    """The fewest words after which a card may be played, such as a yes to the offer that waits.

    Args:
        match: A match with a hand in progress, in which nobody may play a card now.

    Returns:
        The words; empty if none help.
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
        The words, such as the offer before an answer. Empty if none help, or if the same side has
        said the same just before: then it was only tapped twice. An answer is not taken for said
        because of what another player says, for it may matter: a side folds only if both of its
        players do (TR-10).
    """
    if wanted.seat is None or _is_latest_word(match, wanted, with_cards=True):
        return ()
    barred: frozenset[str] = frozenset() if wanted.do in _ONE_IS_ENOUGH else _ANSWERS
    return _fewest(match, lambda after: can(after, wanted), barred)


def is_repeated(match: Match, word: Event) -> bool:
    """Whether the same side has just said the same word; both of its players may have tapped it."""
    return _is_latest_word(match, word, with_cards=False)


def _is_latest_word(match: Match, word: Event, *, with_cards: bool) -> bool:
    """Whether the latest event is the same word of the same side; see ``is_repeated``.

    Args:
        match: The match.
        word: The word.
        with_cards: Whether cards may have been played since.
    """
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
    """The fewest words after which ``reached`` holds and the hand goes on; empty if none help.

    Args:
        match: The match.
        reached: Whether a state is the wanted one.
        barred: Verbs that cannot be among these words.
    """
    said = (
        words
        for words, after in _spoken(match)
        if after.in_progress and barred.isdisjoint(word.do for word in words) and reached(after)
    )
    return next(said, ())


def _spoken(match: Match) -> Iterator[tuple[tuple[Event, ...], Match]]:
    """Series of up to ``MOST_WORDS`` words that the rules allow, and the match after each.

    The shortest come first.
    """
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
    """The words that the rules allow now; of one seat's raises only the smallest.

    It stands for all of them, for the value of an offer that is refused does not matter.
    """
    said = set()
    for event in legal_events(match):
        if event.do not in _CARDS and event[:2] not in said:
            said.add(event[:2])
            yield event
