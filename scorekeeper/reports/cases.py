"""What people may disagree about: completed tricks and calls, with what the referee says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import replay, start
from scorekeeper.engine.said import AGAIN, AGREED_BY, is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.games.tricks import Trick, side_of
from scorekeeper.history.corrections import Correction, first_seq, groups, standing
from scorekeeper.history.disputes import may_be_shown, pictured
from scorekeeper.messages import N_
from scorekeeper.reports.explain import Happening, happenings
from scorekeeper.reports.statistics import OFFERS, TRUTS, answered
from scorekeeper.text.event_phrases import Phrases
from scorekeeper.text.narrator import Narrator
from scorekeeper.text.phrases import Sentence

CALLS = OFFERS | TRUTS
ANSWERS = frozenset({"accept", "reject", "see", "lie_down"})


class Kind(StrEnum):
    """What a case is about."""

    TRICK = "trick"
    CALL = "call"


class Exhibit(NamedTuple):
    """One event of a case.

    Attributes:
        seq: Its sequence number, which names it in repairs.
        picture: Sequence number of the event under which its picture is kept. Links use it, because
            it stays the same if the event is corrected.
        event: The event.
        words: The event in a few words.
    """

    seq: int
    picture: int
    event: Event
    words: str

    @property
    def suit(self) -> str | None:
        """The suit of its card; None if it has no card, or if only the rank is known (V-12)."""
        card = self.event.card
        return None if card is None or is_guessed(self.event) else card.suit


class Case(NamedTuple):
    """A completed trick, or a call with its answers.

    Attributes:
        kind: Which of the two.
        hand: Number of its hand, from 1.
        number: Number of the trick, or of the trick in which the call was made, from 1; 0 for a
            call outside play.
        exhibits: Its events, in order.
        verdict: What the referee says of it, with the rules.
        trick: The trick; None for a call.
    """

    kind: Kind
    hand: int
    number: int
    exhibits: tuple[Exhibit, ...]
    verdict: tuple[Sentence, ...]
    trick: Trick | None = None

    @property
    def seqs(self) -> tuple[int, ...]:
        """The sequence numbers of its events."""
        return tuple(exhibit.seq for exhibit in self.exhibits)

    def exhibit(self, number: int) -> Exhibit | None:
        """The event with this sequence number, or with this picture; None if it has none."""
        found = (each for each in self.exhibits if number in (each.seq, each.picture))
        return next(found, None)


def cases(match: Match, events: Sequence[Event], code: str) -> list[Case]:
    """Everything that may be disputed by now, in order.

    Args:
        match: The match.
        events: All its events, ``undo`` ones too.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    shown = may_be_shown(match.header, events)
    found = (case for case in _all(match, events, code) if shown.issuperset(case.seqs))
    return sorted(found, key=lambda case: case.seqs)


def _all(match: Match, events: Sequence[Event], code: str) -> Iterator[Case]:
    """All cases of a match: a trick once it is complete, a call once nobody can answer it more."""
    narrator, phrases = Narrator(match.seated, code), Phrases(match.seated, code)
    pictures = pictured(events)
    laid: list[Exhibit] = []
    call: Case | None = None
    before = start(match.header)
    for one, told in zip(standing(events), happenings(match, narrator), strict=True):
        phrases.name_players(told.after.seated)
        exhibit = Exhibit(one.seq, pictures[one.seq], one.event, phrases.phrase(one.event))
        do = one.event.do
        if call is not None and (do in CALLS or not (_waits(told) or do in ANSWERS | {"play"})):
            yield call
            call = None
        if do == "play":
            if call is not None and answered(before, one.event) is not None:  # TS-13
                yield _with(call, exhibit, told.sentences[:2])
                call = None
            laid.append(exhibit)
            if (case := _trick(narrator, told, laid)) is not None:
                yield case
                laid = []
        elif do in CALLS:
            call = Case(Kind.CALL, told.hand, told.trick, (exhibit,), tuple(told.sentences))
        elif call is not None and do in ANSWERS:
            call = _with(call, exhibit, told.sentences)
        if not told.after.in_progress:
            laid = []
        before = told.after
    if call is not None:
        yield call


def _waits(told: Happening) -> bool:
    """Whether a call waits for its answer; also if the event was another one (V-21)."""
    after = told.after
    return after.in_progress and after.rules.raising.offer(after.current()) is not None


def _with(call: Case, answer: Exhibit, sentences: Sequence[Sentence]) -> Case:
    """A call with one more answer."""
    return call._replace(exhibits=(*call.exhibits, answer), verdict=(*call.verdict, *sentences))


def _trick(narrator: Narrator, told: Happening, laid: Sequence[Exhibit]) -> Case | None:
    """The case of the trick that a play has completed; None if the trick goes on."""
    hand = told.after.hand
    if hand is None or not hand.tricks[-1].complete:
        return None
    verdict = tuple(narrator.trick_end(hand))
    return Case(Kind.TRICK, told.hand, told.trick, tuple(laid), verdict, hand.tricks[-1])


def agreed(made: Correction, seats: Sequence[int]) -> tuple[Event, ...]:
    """The events of a correction, with the remark that these seats agreed on it."""
    remark = {AGREED_BY: list(seats)}
    return tuple(
        event if AGAIN in event.remarks else event._replace(remarks={**event.remarks, **remark})
        for event in made.events
    )


class Agreement(NamedTuple):
    """A correction that both sides agreed on.

    Attributes:
        put_in: The events that it put in, by the sequence numbers at which they were appended
            first.
        text: A sentence that says what was agreed.
    """

    put_in: frozenset[int]
    text: str


def agreements(match: Match, events: Sequence[Event], code: str) -> list[Agreement]:
    """The corrections that both sides agreed on, in order, including those that were taken back.

    Args:
        match: The match.
        events: All its events, ``undo`` ones too.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    phrases = Phrases(match.seated, code)
    found = []
    for group in groups(events):
        places = [n for n, event in enumerate(events) if event.group == group]
        seats = next(
            (_seats(match, events[n]) for n in places if AGREED_BY in events[n].remarks), ()
        )
        if not seats:
            continue
        before, after = standing(events[: places[0]]), standing(events[: places[-1] + 1])
        phrases.name_players(replay(match.header, events[: places[0]]).seated)
        had, has = ({one.first for one in stand} for stand in (before, after))
        was = phrases.phrases(one.event for one in before if one.first not in has)
        now = phrases.phrases(one.event for one in after if one.first not in had)
        if was and now:
            told = N_("Agreed by {who}: {now}; not: {was}.")
        else:
            told = (
                N_("Agreed by {who}, added: {now}.")
                if now
                else N_("Agreed by {who}, removed: {was}.")
            )
        who = phrases.together(seats)
        text = phrases.say(told, who=who, now=now, was=was).text
        found.append(Agreement(frozenset(has - had), text))
    return found


def concerning(case: Case, events: Sequence[Event], found: Sequence[Agreement]) -> list[Agreement]:
    """The agreements that put in one of the events of a case."""
    firsts = {first_seq(events, seq) for seq in case.seqs}
    return [agreement for agreement in found if agreement.put_in & firsts]


def _seats(match: Match, event: Event) -> tuple[int, ...]:
    """The seats in the remark, one of each side; empty if it holds anything else."""
    seats = event.remarks[AGREED_BY]
    if not isinstance(seats, list) or not all(type(seat) is int for seat in seats):
        return ()
    sides = [side_of(seat) for seat in seats if 0 <= seat < match.seats]
    return tuple(seats) if sorted(sides) == [0, 1] and len(seats) == 2 else ()
