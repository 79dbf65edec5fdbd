"""Cards entered by rank alone: suits decide nothing, so a free one is taken (V-12, C-7)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from scorekeeper import corrections
from scorekeeper.cards import FRENCH_SUITS, RANKS, SPANISH_SUITS, Card
from scorekeeper.corrections import Correction, standing
from scorekeeper.course import Course
from scorekeeper.errors import CardAlreadyPlayed, FormatError
from scorekeeper.events import Event
from scorekeeper.match import verify
from scorekeeper.messages import N_, shown
from scorekeeper.rules import Rules
from scorekeeper.said import AGAIN
from scorekeeper.state import Match

SUIT = "_suit"
"""Remark of a ``play``: how the suit came about."""
PACK_SUITS = "_suits"
"""Remark of a header: which suits the pack has, ``french`` or ``spanish``."""
SPANISH = "spanish"
GUESSED = "guessed"
"""Value of ``SUIT`` where only the rank is known."""


def is_guessed(event: Event) -> bool:
    """Whether only the rank of the card is known."""
    return event.remarks.get(SUIT) == GUESSED


def suits_of(match: Match) -> str:
    """The suits of the pack: as the cards on the table have them, else as set-up has chosen."""
    spanish = match.spanish
    if spanish is None:
        spanish = match.header.remarks.get(PACK_SUITS) == SPANISH
    return SPANISH_SUITS if spanish else FRENCH_SUITS


def ranks_of(rules: Rules) -> list[str]:
    """The ranks that are printed on the cards of the pack, best first (C-8, C-9)."""
    printed = {rank: alias for alias, rank in rules.alias.items()}
    return [printed.get(rank, rank) for rank in rules.order]


def by_rank(match: Match, seat: int | None, rank: str, played: Iterable[Card]) -> Event:
    """A play of which only the rank is known.

    Args:
        match: The match as it is.
        seat: Who plays.
        rank: The printed rank.
        played: The other cards of the hand, none of which it can be.

    Raises:
        CardAlreadyPlayed: All four cards of the rank are among them.
    """
    taken = {match.rules.counts_as(card) for card in played}
    for suit in suits_of(match):
        card = Card(rank, suit)
        if match.rules.counts_as(card) not in taken:
            return Event("play", seat, card=card, remarks={SUIT: GUESSED})
    raise CardAlreadyPlayed(
        "V-2", N_("all four cards of the rank {rank} were played in this hand"), rank=rank
    )


def plays(course: Course, places: Collection[int], *, but: int | None = None) -> dict[int, Event]:
    """The plays among some places, by place, one of them left out if wanted."""
    return {
        place: course.stand[place].event
        for place in places
        if place != but and course.stand[place].event.do == "play"
    }


def cards(events: Iterable[Event]) -> list[Card]:
    """The cards of plays."""
    return [event.card for event in events if event.card is not None]


def moved_guess(
    match: Match, card: Card, others: Mapping[int, Event], *, instead_of: Event | None = None
) -> dict[int, Event]:
    """The play that guessed a card which now turns out to be another one's, with a free suit.

    Args:
        match: The match as it is.
        card: The card that is known now.
        others: The other plays of the hand, by place.
        instead_of: The play that the card puts right; its old card is not free before that.

    Returns:
        The play by its place; empty where nobody guessed that card.

    Raises:
        CardAlreadyPlayed: No suit is free for it.
    """
    wanted = match.rules.counts_as(card)
    for place, play in others.items():
        if is_guessed(play) and play.card and match.rules.counts_as(play.card) == wanted:
            taken = [*others.values(), *([] if instead_of is None else [instead_of])]
            moved = by_rank(match, play.seat, play.card.rank, cards(taken))
            return {place: play._replace(card=moved.card)}
    return {}


def moving(
    match: Match,
    events: Sequence[Event],
    moved: Mapping[int, Event],
    correct: Callable[[Match, Sequence[Event], str | None], Correction],
) -> Correction:
    """A correction, after guessed cards have got the suits that it leaves them; both in one.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        moved: The plays that get another suit, by place.
        correct: Computes the correction after that, with the mark of its group.
    """
    said: tuple[Event, ...] = ()
    group = None
    for place, play in moved.items():
        seq = standing([*events, *said])[place].seq
        # It is still the same card of the same moment, and no saying again.
        play = play._replace(remarks={k: v for k, v in play.remarks.items() if k != AGAIN})
        made = corrections.replace(match, [*events, *said], seq, play, group=group)
        match, group, said = made.match, made.group, said + made.events
    made = correct(match, [*events, *said], group)
    return made._replace(seen=len(events), events=said + made.events)


def place(
    match: Match, events: Sequence[Event], seat: int, rank: str, suit: str | None = None
) -> tuple[Event, ...]:
    """What to append, all at once, where somebody enters a card by hand.

    An exact card that was guessed earlier in the hand is taken for what it is now, and the guess
    gets another suit without a word (V-12).

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seat: Who played it.
        rank: Its rank, one of ``RANKS``.
        suit: Its suit, one of ``FRENCH_SUITS`` or ``SPANISH_SUITS``; None where only the rank is
            known.

    Raises:
        RuleError: The rules do not allow the card now, or all four of its rank were played.
    """
    if rank not in RANKS or suit not in (None, *FRENCH_SUITS, *SPANISH_SUITS):
        raise FormatError(
            N_("there is no card {card}; cards are written like KS, 10H or 12O"),
            card=shown(f"{rank}{suit or ''}"),
        )
    verify(match, Event("play", seat))
    course = Course(match, events)
    others = plays(course, course.hand(match.hand_number))
    if suit is None:
        play, moved = by_rank(match, seat, rank, cards(others.values())), {}
    else:
        card = Card(rank, suit)
        play, moved = Event("play", seat, card=card), moved_guess(match, card, others)
    if not moved:
        verify(match, play)
        return (play,)
    made = moving(
        match, events, moved, lambda m, e, group: corrections.insert(m, e, None, play, group=group)
    )
    return made.events
