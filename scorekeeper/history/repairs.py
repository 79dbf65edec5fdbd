"""What a correction page offers: people tap what is wrong, and then what is right.

Each offer says beforehand which later events would be left out, and what would change. The page
holds it as a small token. When it is tapped, ``fixes.carry_out`` computes the correction again from
the token. A phone also sends the sequence number that the match had when the page was drawn, so
that ``Table.say`` refuses a correction if the match has gone on.

Offers are tried out on a ``Course``; ``corrections`` computes what is appended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import zip_longest
from typing import Any, NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import agreements_on_offer, apply, can, legal_events
from scorekeeper.engine.packs import suits_of
from scorekeeper.engine.said import is_guessed
from scorekeeper.engine.state import Match, Phase
from scorekeeper.errors import CardAlreadyPlayed, FormatError, RuleError
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.games.rules import OPERATOR_VERBS
from scorekeeper.history import corrections
from scorekeeper.history.consequences import Consequences
from scorekeeper.history.corrections import Correction
from scorekeeper.history.course import NO_CHANGE, Course, Sequel
from scorekeeper.history.fixes import READINGS, Fix, parse_fix, suit_remark
from scorekeeper.history.suits import by_rank, cards, moved_guess, plays
from scorekeeper.history.timeline import Entry, entry
from scorekeeper.messages import N_

WAITING = frozenset(
    {
        Phase.RAISE_ANSWER,
        Phase.TRUT_ANSWER,
        Phase.FORTIAL_ANSWER,
        Phase.REDEAL_ANSWER,
        Phase.DEAL_SIZE,
        Phase.DEALING,
    }
)
"""Phases in which only an answer, or a deal, is legal."""
ANSWERS = frozenset({"accept", "reject", "see", "lie_down", "grant", "refuse", "deal"})


ASTRAY = N_("Now in a different hand: {events}.")


class Kind(StrEnum):
    """The kinds of repairs, by which a page groups them."""

    CARD = "card"
    RANK = "rank"
    SEAT = "seat"
    REMOVE = "remove"
    INSERT = "insert"
    UNDO = "undo"
    TAKE_BACK = "take_back"


class Repair(NamedTuple):
    """One correction that is offered.

    Attributes:
        kind: Its kind.
        fix: What it does; ``fix.to_json()`` is its token.
        label: It in a few words.
        left_out: The later events that would be left out; for an undo, all that it takes back.
        falls_away: ``left_out`` in words: the first events, and the number of the others.
        changes: What changes in the results, in short sentences.
        chance: How likely the camera read that card, 0–1; 0 if it did not.
        must_agree: The sides that must agree to it; see the function ``must_agree``.
    """

    kind: Kind
    fix: Fix
    label: str
    left_out: tuple[Event, ...]
    falls_away: tuple[str, ...]
    changes: tuple[str, ...]
    chance: float = 0.0
    must_agree: frozenset[int] = frozenset()


def repairs(match: Match, events: Sequence[Event], seq: int, code: str) -> list[Repair]:
    """The repairs of an event that was tapped.

    Cards come first: those that the camera read, and then all by rank, each rank alone before its
    four cards. Then come the other seats, and removing the event. If more has followed, there is
    also undoing everything from it on.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Number of an event that stands.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.

    Raises:
        FormatError: Nothing stands under that number.
    """
    offers = _Offers(match, events, code)
    return offers.about(offers.course.place(seq))


def insertions(match: Match, events: Sequence[Event], seq: int | None, code: str) -> list[Repair]:
    """What may have been missed before an event; first that for which fewest events are left out.

    Before an event, an offer, trut or request comes with its answers, because otherwise nothing
    later would be legal. At the end it comes alone, and is answered later. A card comes by rank.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        seq: Number of the event that follows what was missed; None for the end.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.

    Raises:
        FormatError: Nothing stands under that number.
    """
    offers = _Offers(match, events, code)
    return offers.missed(offers.course.place(seq))


def latest_of_seat(
    match: Match, events: Sequence[Event], seat: int, code: str
) -> tuple[Entry, list[Repair]] | None:
    """What a seat did last in the latest hand, and its repairs; None if it did nothing."""
    offers = _Offers(match, events, code)
    course = offers.course
    for place in reversed(course.hand(match.hand_number)):
        event = course.stand[place].event
        if event.seat == seat and event.do not in OPERATOR_VERBS:
            return entry(course, offers.voice, place), offers.about(place)
    return None


def undo_last(match: Match, events: Sequence[Event], code: str) -> Repair | None:
    """The repair that takes back the latest event; None if no event stands."""
    offers = _Offers(match, events, code)
    last = len(offers.course.stand) - 1
    return offers.undo(last) if last >= 0 else None


def take_back_latest(match: Match, events: Sequence[Event], code: str) -> Repair | None:
    """The repair that takes back the latest correction of which something still stands, or None."""
    for group in reversed(corrections.groups(events)):
        try:
            made = corrections.take_back(match, events, group)
        except FormatError:
            continue
        return _Offers(match, events, code).take_back(made, Fix("take_back", group=group))
    return None


def offered(
    match: Match, events: Sequence[Event], token: Mapping[str, Any], code: str
) -> Repair | None:
    """The offer of a token, with its consequences now; None if it is not offered any more.

    Args:
        match: The match as it is.
        events: All its events, ``undo`` ones too.
        token: What ``Fix.to_json`` gave.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    seq = token.get("seq")
    try:
        fix = parse_fix(match, token)
        if fix.do == "insert" and seq is None and fix.events[0].do in AGREED:
            return _Offers(match, events, code).added(fix)
        if token["fix"] == "take_back":
            found = [take_back_latest(match, events, code)]
        elif token["fix"] == "undo":
            offers = _Offers(match, events, code)
            found = [offers.undo(offers.course.place(int(seq or 0)))]
        elif token["fix"] == "insert":
            found = [*insertions(match, events, seq, code)]
        else:
            found = [*repairs(match, events, int(seq or 0), code)]
    except RuleError:
        return None
    return next((offer for offer in found if offer and offer.fix.to_json() == token), None)


def must_agree(side: int, fix: Fix, old: Match, new: Match) -> bool:
    """Whether a side must agree to a correction: it loses by it, or the rules say so (V-15 … V-21).

    If both sides had to agree to an event, both must agree to take it back.

    Args:
        side: 0 or 1.
        fix: The correction.
        old: The match as it is.
        new: The match after it.
    """
    agreed = (AGREED[event.do].sides(event) for event in fix.events if event.do in AGREED)
    taken_back = _agreed_by_both(old) - _agreed_by_both(new)
    return loses_by(side, old, new) or bool(taken_back) or any(side in each for each in agreed)


def _agreed_by_both(match: Match) -> Counter[tuple[object, ...]]:
    """Counts the events that stand and that both sides had to agree to, without their remarks."""
    found = Counter[tuple[object, ...]]()
    step = match.steps
    while step is not None:
        event = step.event
        if event.do in AGREED and len(AGREED[event.do].sides(event)) > 1:
            *said, _ = event
            found[tuple(said)] += 1
        step = step.earlier
    return found


def loses_by(side: int, old: Match, new: Match) -> bool:
    """Whether a correction changes the score, the games or the winner to a side's disadvantage.

    Args:
        side: 0 or 1.
        old: The match as it is.
        new: The match after the correction.
    """
    own, other = (
        [(m.winner == s, m.games_won[s], m.scores[s]) for m in (old, new)] for s in (side, 1 - side)
    )
    return own[1] < own[0] or other[1] > other[0]


class _Offers:
    """Makes the offers of one page."""

    def __init__(self, match: Match, events: Sequence[Event], code: str) -> None:
        self.match = match
        self.events = events
        self.course = Course(match, events)
        self.voice = Consequences(match.seated, code)
        self._hands = match.hands()

    def about(self, place: int) -> list[Repair]:
        """All repairs of the event at a place."""
        found = [] if self.course.stand[place].event.card is None else self._cards(place)
        # To undo the last event is to remove it.
        undo = [self.undo(place)] * (place < len(self.course.stand) - 1)
        return [*found, *self._seats(place), self._remove(place), *undo]

    def _cards(self, place: int) -> list[Repair]:
        """The repairs that name another card of a play, the likeliest by the camera first."""
        course, (seq, _, old) = self.course, self.course.stand[place]
        others = plays(course, course.hand(course.hand_number(place)), but=place)
        chances = _readings(old)
        found = []
        for event in _other_cards(self.match, old, others):
            assert event.card is not None
            kind, chance, moved = Kind.RANK, 0.0, NO_CHANGE
            if not is_guessed(event):
                kind, chance = Kind.CARD, chances.get(event.card, 0.0)
                try:
                    moved = moved_guess(self.match, event.card, others, instead_of=old)
                except CardAlreadyPlayed:
                    continue  # only the wrong card's suit would be left for the guess
            sequel = course.follow(place, (event,), drops=True, altered=moved)
            made = self._repair(kind, Fix("replace", seq, (event,)), place, sequel)
            found.append(made._replace(chance=chance))
        return sorted(found, key=lambda repair: -repair.chance)

    def _seats(self, place: int) -> Iterator[Repair]:
        seq, _, old = self.course.stand[place]
        if old.do in OPERATOR_VERBS:
            return
        for seat in range(self.match.seats):
            event = old._replace(seat=seat, remarks=suit_remark(old))
            if seat != old.seat and can(self.course.before(place), event):
                sequel = self.course.follow(place, (event,), drops=True)
                yield self._repair(Kind.SEAT, Fix("replace", seq, (event,)), place, sequel)

    def _remove(self, place: int) -> Repair:
        seq = self.course.stand[place].seq
        sequel = self.course.follow(place, (), drops=True)
        return self._repair(Kind.REMOVE, Fix("remove", seq), place, sequel)

    def undo(self, place: int) -> Repair:
        """The repair that takes back everything from a place on."""
        gone = tuple(one.event for one in self.course.stand[place:])
        before = self.course.before(place)
        fix = Fix("undo", self.course.stand[place].seq)
        return self._repair(Kind.UNDO, fix, place, Sequel(gone, (), before, before))

    def added(self, fix: Fix) -> Repair:
        """The repair that adds what the table agrees on at the end.

        Raises:
            RuleError: The rules do not allow it now.
        """
        place = len(self.course.stand)
        sequel = self.course.follow(place, fix.events, drops=False)
        return self._repair(Kind.INSERT, fix, place, sequel)

    def missed(self, place: int) -> list[Repair]:
        """Everything that may have been missed before a place."""
        course = self.course
        seq = None if place == len(course.stand) else course.stand[place].seq
        found = []
        for missed in self._choices(place):
            sequel = course.follow(place, missed, drops=False)
            found.append(self._repair(Kind.INSERT, Fix("insert", seq, missed), place, sequel))
        return sorted(found, key=lambda repair: len(repair.left_out))

    def _choices(self, place: int) -> Iterator[tuple[Event, ...]]:
        before = self.course.before(place)
        waited, at_end = before.phase in WAITING, place == len(self.course.stand)
        misdeal = [event for event in (Event("misdeal"),) if can(before, event)]
        agreed = [event for event in agreements_on_offer(before) if AGREED[event.do].missed]
        for event in (*legal_events(before), *misdeal, *agreed):
            if event.do == "play":
                yield from self._cards_missed(place, event)
                continue
            after = apply(before, event)
            waits = after.phase in WAITING
            if at_end or waited or not waits:
                yield (event,)
            if waits and not at_end:
                yield from _answered(after, (event,))

    def _cards_missed(self, place: int, play: Event) -> Iterator[tuple[Event, ...]]:
        hand = self.course.hand(self.course.before(place).hand_number)
        played = cards(plays(self.course, hand).values())
        for rank in self.match.rules.printed:
            try:
                yield (by_rank(self.match, play.seat, rank, played),)
            except CardAlreadyPlayed:
                continue

    def take_back(self, made: Correction, fix: Fix) -> Repair:
        """The repair that takes back a correction.

        Args:
            made: What would be appended for it.
            fix: What it does.
        """
        voice, now = self.voice, corrections.standing([*self.events, *made.events])
        stood, stands = ({one.first for one in stand} for stand in (self.course.stand, now))
        returns = [one.event for one in now if one.first not in stood]
        goes = [one.event for one in self.course.stand if one.first not in stands]
        goes = [event for event in goes if event not in made.left_out]
        told = (
            *voice.listed(N_("Restored: {events}."), returns),
            *voice.listed(N_("Removed again: {events}."), goes),
        )
        hands = list(zip_longest(self._hands, made.match.hands()))
        number = next((n for n, (old, new) in enumerate(hands, 1) if old != new), 0)
        old, new = hands[number - 1] if number else (None, None)
        changes = voice.changes(number, old, new, self.match, made.match)
        return Repair(
            Kind.TAKE_BACK,
            fix,
            voice.say("Take the correction back").text,
            made.left_out,
            voice.in_short(made.left_out),
            (*told, *changes),
            must_agree=self._who_must_agree(fix, made.match),
        )

    def _who_must_agree(self, fix: Fix, after: Match) -> frozenset[int]:
        return frozenset(side for side in (0, 1) if must_agree(side, fix, self.match, after))

    def _repair(self, kind: Kind, fix: Fix, place: int, sequel: Sequel) -> Repair:
        """The offer of a fix, with what ``sequel`` says that it would change."""
        before = self.course.before(place)
        if kind is not Kind.INSERT:
            number = self.course.hand_number(place)
        elif before.in_progress:
            number = before.hand_number
        else:  # an event that was missed between hands begins one
            number = before.hand_number + 1
        old = self._hands[number - 1] if 0 < number <= len(self._hands) else None
        new = sequel.hand_over.hand if sequel.hand_over.hand_number == number else None
        self.voice.name_players(before.seated)
        label, falls_away = self._label(kind, fix, place), self.voice.in_short(sequel.left_out)
        self.voice.name_players(self.match.seated)
        changes = self.voice.changes(number, old, new, self.match, sequel.match)
        return Repair(
            kind,
            fix,
            label,
            sequel.left_out,
            falls_away,
            (*self.voice.listed(ASTRAY, sequel.astray), *changes),
            must_agree=self._who_must_agree(fix, sequel.match),
        )

    def _label(self, kind: Kind, fix: Fix, place: int) -> str:
        voice, stand = self.voice, self.course.stand
        if fix.events:
            return voice.phrases(fix.events)
        event = voice.phrase(stand[place].event)
        if kind is Kind.REMOVE:
            return voice.say("Remove: {event}", event=event).text
        if place == len(stand) - 1:
            return voice.say("Undo: {event}", event=event).text
        return voice.say("Undo everything from here on: {event}", event=event).text


def _answered(match: Match, said: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """All ways to answer until nothing waits any more; each begins with the events so far."""
    if match.phase not in WAITING:
        yield said
        return
    for answer in legal_events(match):
        if answer.do in ANSWERS:
            yield from _answered(apply(match, answer), (*said, answer))


def _other_cards(match: Match, old: Event, others: Mapping[int, Event]) -> Iterator[Event]:
    """The plays that may be right instead of ``old``: each rank alone before its four cards.

    Args:
        match: The match as it is.
        old: The wrong play.
        others: The other plays of the hand, by place; their cards cannot be right.
    """
    counts_as = match.rules.counts_as
    known = {counts_as(card) for card in cards(e for e in others.values() if not is_guessed(e))}
    for rank in match.rules.printed:
        try:
            guess = by_rank(match, old.seat, rank, cards(others.values()))
        except CardAlreadyPlayed:
            continue
        if old.card is None or rank != old.card.rank:
            yield guess
        for suit in suits_of(match):
            card = Card(rank, suit)
            if counts_as(card) not in known and (card != old.card or is_guessed(old)):
                yield Event("play", old.seat, card=card)


def _readings(event: Event) -> dict[Card, float]:
    """The cards that the camera read, with probabilities, 0–1; skips what is not written so."""
    found = {}
    readings = event.remarks.get(READINGS)
    for reading in readings if isinstance(readings, list) else ():
        match reading:
            case [str(text), int() | float() as chance]:
                with suppress(FormatError):
                    found[parse_card(text)] = float(chance)
    return found
