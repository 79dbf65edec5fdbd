"""Cards entered by rank alone: suits decide nothing, so a free one is taken (V-12, C-7)."""

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
    """The cards from a pack that cannot play the game, each with the number of its event (C-9).

    Records from before such cards were refused may hold some; each of them counts by its rank.
    """
    return [
        (one.seq, card)
        for one in stand
        if (card := one.event.card) is not None and is_foreign(rules, card)
    ]


def by_rank(match: Match, seat: int | None, rank: str, played: Iterable[Card]) -> Event:
    """A play of which only the rank is known.

    Args:
        match: The match as it is.
        seat: Who plays.
        rank: The printed rank.
        played: The other cards of the hand, none of which it can be.

    Raises:
        CardAlreadyPlayed: All four cards of the rank are among them.
        CardNotInPack: C-9: no pack of that kind has such a rank.
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
    system = None
    if isinstance(suit, str) and suit:  # whoever sends it may send anything
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
    made = moving(
        match, events, moved, lambda m, e, group: corrections.insert(m, e, None, play, group=group)
    )
    return made.events
