"""Cards entered by rank alone: suits decide nothing, so the program guesses one (V-12, C-7).

A guessed suit is a free one: no other card of the hand has that rank and suit. If a later card
turns out to have them, the guess gets another suit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import verify
from scorekeeper.engine.packs import is_foreign, suit_systems_at, suits_of
from scorekeeper.engine.said import AGAIN, GUESSED, SUIT, is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.errors import CardAlreadyPlayed, CardNotInPack, FormatError
from scorekeeper.games.cards import RANKS, SUIT_SYSTEMS, Card, missing_ranks
from scorekeeper.games.rules import Rules
from scorekeeper.history import corrections
from scorekeeper.history.corrections import Correction, Standing, standing
from scorekeeper.history.course import Course
from scorekeeper.messages import N_, shown


def foreign(rules: Rules, stand: Iterable[Standing]) -> list[tuple[int, Card]]:
    """The cards from a kind of pack that lacks ranks of the game, with their events' numbers (C-9).

    Old records may hold some, because they were not always refused. They count by their ranks.
    """
    return [
        (one.seq, card)
        for one in stand
        if (card := one.event.card) is not None and is_foreign(rules, card)
    ]


def by_rank(match: Match, seat: int | None, rank: str, played: Iterable[Card]) -> Event:
    """A play of which only the rank is known, with a guessed suit.

    Args:
        match: The match as it is.
        seat: Who plays.
        rank: The printed rank.
        played: The other cards of the hand; it can be none of them.

    Raises:
        CardAlreadyPlayed: All four cards of the rank are among them.
        CardNotInPack: C-9: the pack on the table has no such rank.
    """
    if missing_ranks(suit_systems_at(match)[0], (rank,)):
        raise CardNotInPack("C-9", N_("{card} is not in this pack"), card=rank)
    taken = {match.rules.counts_as(card) for card in played}
    for suit in suits_of(match):
        card = Card(rank, suit)
        if match.rules.counts_as(card) not in taken:
            return Event("play", seat, card=card, remarks={SUIT: GUESSED})
    raise CardAlreadyPlayed(
        "V-2", N_("all four cards of the rank {rank} were played in this hand"), rank=rank
    )


def plays(course: Course, places: Collection[int], *, but: int | None = None) -> dict[int, Event]:
    """The plays among some places of a course, by place; without the one at ``but``."""
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
    """The play for which ``card`` was guessed, with another suit.

    Args:
        match: The match as it is.
        card: A card that was surely played by somebody else.
        others: The other plays of the hand, by place.
        instead_of: The play that ``card`` puts right; its wrong card is not free yet.

    Returns:
        The changed play by its place; empty if that card was not guessed.

    Raises:
        CardAlreadyPlayed: No other suit is free.
    """
    wanted = match.rules.counts_as(card)
    for place, play in others.items():
        if is_guessed(play) and play.card and match.rules.counts_as(play.card) == wanted:
            taken = [*others.values(), *([] if instead_of is None else [instead_of])]
            moved = by_rank(match, play.seat, play.card.rank, cards(taken))
            return {place: play._replace(card=moved.card)}
    return {}


def with_moved_guesses(
    match: Match,
    events: Sequence[Event],
    moved: Mapping[int, Event],
    correct: Callable[[Match, Sequence[Event], str | None], Correction],
) -> Correction:
    """Changes guessed suits, and then makes a correction; both are appended as one.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        moved: The plays that get another suit, by place.
        correct: Computes the correction after that. It is given the match and its events by then,
            and the group that it shall share; None for a new one.
    """
    said: tuple[Event, ...] = ()
    group = None
    for place, play in moved.items():
        seq = standing([*events, *said])[place].seq
        # The new play is another event than the old one, so it does not repeat any.
        play = play._replace(remarks={k: v for k, v in play.remarks.items() if k != AGAIN})
        made = corrections.replace(match, [*events, *said], seq, play, group=group)
        match, group, said = made.match, made.group, said + made.events
    made = correct(match, [*events, *said], group)
    return made._replace(seen=len(events), events=said + made.events)


def enter_card(
    match: Match, events: Sequence[Event], seat: int, rank: str, suit: str | None = None
) -> tuple[Event, ...]:
    """What to append, all at once, if somebody enters a card by hand.

    If that card was guessed for an earlier play of the hand, that play gets another suit (V-12).

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seat: Who played it.
        rank: Its rank, one of ``RANKS``.
        suit: Its suit, one of ``FRENCH_SUITS`` or ``SPANISH_SUITS``; None if only the rank is
            known.

    Raises:
        RuleError: There is no such card, the rules do not allow it now, or all four of its rank
            were played.
    """
    system = None
    if isinstance(suit, str) and suit:  # it comes from a request, and may be anything
        system = next((name for name, suits in SUIT_SYSTEMS.items() if suit in suits), None)
    if rank not in RANKS or (suit is not None and system is None):
        raise FormatError(
            N_("there is no card {card}; cards are written like KS, 10H or 12O"),
            card=shown(f"{rank}{suit or ''}"),
        )
    if system is not None and missing_ranks(system, (rank,)):
        raise CardNotInPack(
            "C-9", N_("no pack that has the suit {suit} has a {rank}"), suit=suit, rank=rank
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
    made = with_moved_guesses(
        match, events, moved, lambda m, e, group: corrections.insert(m, e, None, play, group=group)
    )
    return made.events
