"""The events that stand, each in a few words: what a correction page lists, and what is tapped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Match
from scorekeeper.history.course import Course
from scorekeeper.history.suits import is_guessed
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice

PHRASES: Mapping[str, str] = {
    "cut": N_("{who} cuts the pack"),
    "tap": N_("{who} taps the pack"),
    "deal": N_("{who} deals {cards}"),
    "misdeal": N_("the deal is void"),
    "i_play": N_("{who} plays with these cards"),
    "ask": N_("{who} asks for new cards"),
    "grant": N_("{who} grants new cards"),
    "refuse": N_("{who} refuses new cards"),
    "play": N_("{who} plays {card}"),
    "raise": N_("{who} raises to {value}"),
    "remainder": N_("{who} offers the remainder"),
    "truc": N_("{who} calls truc"),
    "retruc": N_("{who} calls retruc"),
    "accept": N_("{who} accepts"),
    "reject": N_("{who} refuses"),
    "trut": N_("{who} truts"),
    "see": N_("{who} sees"),
    "lie_down": N_("{who} folds"),
    "pass": N_("{who} passes"),
    "play_on": N_("{who} plays on"),
    "decline": N_("{who} declines"),
    "void_hand": N_("the hand is void"),
    "concede": N_("the hand is given up by {side}"),
    "award": N_("{points} by agreement for {side}"),
}
"""What is done, by verb: no sentence of its own, so that several can stand in a row."""


class Phrases(Voice):
    """Says events in a few words."""

    def phrase(self, event: Event) -> str:
        """An event that is no ``undo``: ``Bea plays K♠``, ``Ana raises to 4``.

        A card whose suit was guessed is named by its rank alone (V-12).
        """
        card = ""
        if event.card is not None:
            card = self.guessed(event.card) if is_guessed(event) else self.card(event.card)
        return self.say(
            PHRASES[event.do],
            who=self.name(event.seat) if event.do not in _NOBODYS else "",
            card=card,
            cards=self.cards(event.cards or 0),
            value=event.to,
            points=f"{event.points or 0:+}",
            side=self.side(event.side or 0),
        ).text

    def phrases(self, events: Iterable[Event]) -> str:
        """Several events in a row: ``Ana raises to 2, Bea accepts``."""
        return ", ".join(map(self.phrase, events))


_NOBODYS = frozenset({"misdeal", "void_hand", "concede", "award"})


class Entry(NamedTuple):
    """One event that stands, as a page lists it.

    Attributes:
        seq: Its sequence number, which names it in a repair.
        hand: Number of its hand, from 1; 0 before the first.
        trick: Number of the trick that was played or due, from 1; 0 where none was.
        event: The event; one with a card was a card on the table.
        words: What it was, in a few words.
    """

    seq: int
    hand: int
    trick: int
    event: Event
    words: str


def timeline(
    match: Match,
    events: Sequence[Event],
    code: str,
    *,
    hand: int | None = None,
    game: int | None = None,
) -> list[Entry]:
    """The events that stand, in order.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
        hand: Only this hand, from 1; ``match.hand_number`` is the latest.
        game: Only this game, from 1.
    """
    course, phrases = Course(match, events), Phrases(match.header, code)
    places = range(len(course.stand))
    if hand is not None:
        places = course.hand(hand)
    if game is not None:
        of_game = course.game(game)
        places = range(max(places.start, of_game.start), min(places.stop, of_game.stop))
    return [entry(course, phrases, place) for place in places]


def entry(course: Course, phrases: Phrases, place: int) -> Entry:
    """The entry of the event at a place."""
    before, one = course.before(place), course.stand[place]
    trick = 0
    if before.in_progress and before.current().turn is not None:
        trick = 1 + sum(trick.complete for trick in before.current().tricks)
    return Entry(one.seq, course.hand_number(place), trick, one.event, phrases.phrase(one.event))
