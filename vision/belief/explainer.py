"""The likeliest hypotheses of a hand: a beam search over what was seen and said.

``Explainer`` takes the objects and the words of a hand in the order in which they came, extends
each hypothesis by all explanations of the next one, and keeps the likeliest few. Its terms are in
``vision.belief.likelihoods``.

``vision.belief.next_play`` uses it to write the next play, while all that is written stands.
``vision.belief.review`` uses it to compare what is written with other courses of the whole hand.
``datasets.benchmarks.hindsight`` measures what it says of hands that are over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter, itemgetter
from typing import Literal

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import legal_events
from scorekeeper.engine.state import Match
from vision.belief.context import pack_of
from vision.belief.hypotheses import HandObject, Hypothesis, Play, Word
from vision.belief.likelihoods import (
    ANOTHERS,
    CLEARLY_OWN,
    USUAL,
    BeliefTerm,
    Likelihoods,
    Reading,
    Side,
    reading,
)

BEAM = 24
"""At most so many hypotheses are kept."""

TRIED = 3 * BEAM
"""For each new object at most so many extensions of them are made, the likeliest first."""

SPAN = 10.0
"""A hypothesis that is less likely than the best by more than this, in nats, is given up."""

RANKS = 3
"""So many ranks are tried for each card that is played, the likeliest ones."""

APART = 0.5
"""If two objects are seen at the same time for longer than this, in seconds, both lie there: a card
has not just moved from one place to the other."""

TAPPED_LATE = 0.3
"""People tap a word about so many seconds after they said it."""

PAUSE = 2.0
"""Whoever shows the rest of his hand rarely waits longer between two cards, in seconds."""


Option = tuple[float, Callable[[], Iterable[Hypothesis]]]
"""A way to extend a hypothesis: an upper bound of how likely it is then, in nats, and the function
that extends it. The rules are asked only about options whose bound is high enough."""


class Explainer:
    """Explains the objects and words of one hand.

    Args:
        start: the match when the cards had been dealt.
        objects: what was seen since.
        certain: seat and rank of the first plays, as far as people have said them.
        unseen: the places, from 0, of those plays that people named because nobody saw the card.
        likelihoods: the parameters.
        not_ended_before: before this time, in seconds, the hand surely did not end without a word.
    """

    def __init__(
        self, start: Match, objects: Iterable[HandObject],
        certain: Sequence[tuple[int, str]] = (), likelihoods: Likelihoods = USUAL,
        not_ended_before: float = -math.inf, unseen: Collection[int] = (),
    ) -> None:  # fmt: skip
        self._start, self._certain, self._likelihoods = start, certain, likelihoods
        self._not_ended_before, self._unseen = not_ended_before, unseen
        self._objects = {each.id: each for each in objects}
        self._pack = pack_of(start)
        self._readings: dict[int, Reading] = {
            each.id: reading(each.evidence, self._pack, likelihoods)
            for each in self._objects.values()
        }
        self._dues: dict[int, tuple[Match, int | None]] = {}

    @property
    def upper_bound(self) -> float:
        """No hypothesis is likelier than this, in nats: each object by what explains it best."""
        likelihoods, bound = self._likelihoods, 0.0
        for each in self._objects.values():
            name = max(self._readings[each.id].names.values())
            sides = [each.side(seat, each.upon) for seat in range(len(each.sides))]
            side = max(likelihoods.sides[side] for side in sides)
            again = max(likelihoods.again, likelihoods.twice, likelihoods.taken_back)
            none = max(self._is_nothing(each), likelihoods.shown)
            if each.beside:
                again, none = again + likelihoods.pushed, max(none, likelihoods.part)
            bound += max(none, name + max(side, again))
        return bound

    def lower_bound(self, plays: Sequence[tuple[int, str, int]], over: float) -> float:
        """The best hypothesis is no less likely than this, in nats: these plays, by these objects.

        All other objects are no cards, or cards that were shown after the end.

        Args:
            plays: seat, rank and number of the object of each play, in order.
            over: when the hand was over, in seconds; infinity while it is not.

        Returns:
            The bound; minus infinity if one of the objects is not known.
        """
        likelihoods = self._likelihoods
        left, nats, found = dict(self._objects), 0.0, list[HandObject]()
        for seat, rank, number in plays:
            laid = left.pop(number, None)
            if laid is None:
                return -math.inf
            nats += likelihoods.at_once * any(laid.is_at_once_after(each) for each in found)
            nats += likelihoods.at_once * any(each.is_at_once_after(laid) for each in found)
            nats += likelihoods.early * sum(each.came > laid.came for each in found)
            found.append(laid)
            names = self._readings[number].names.items()
            nats += max(value for name, value in names if name[:-1] == rank)
            nats += likelihoods.sides[laid.side(seat, [each.id for each in found])]
        shown = math.inf  # when the latest card was shown
        for each in sorted(left.values(), key=attrgetter("came")):
            none = self._is_nothing(each)
            if each.came > over:
                none = max(none, self._is_shown(each))
                none += likelihoods.late * (each.came - shown > PAUSE)
                shown = each.came
            nats += none
        return nats

    def explain(self, words: Sequence[Word]) -> list[Hypothesis]:
        """The likeliest hypotheses, the likeliest first; none if ``certain`` cannot be true.

        Args:
            words: what people said since the cards were dealt.
        """
        news: list[tuple[float, HandObject | Event]] = [
            *((each.came, each) for each in self._objects.values()),
            *((word.at - TAPPED_LATE, word.event) for word in words),
        ]
        beam = self._extended([Hypothesis(self._start)], news)
        while missing := [each for each in beam if len(each.plays) < len(self._certain)]:
            beam = [each for each in beam if len(each.plays) >= len(self._certain)]
            beam += (after for each in missing for after in self._overlooked(each))
        return sorted(map(self._closed, beam), key=attrgetter("log_likelihood"), reverse=True)

    def follow(self, written: Sequence[Play], new: Collection[int]) -> list[Hypothesis]:
        """The likeliest hypotheses that keep what is written, and explain only the new objects.

        Args:
            written: the plays that are written; ``start`` has them already.
            new: numbers of the objects that are still to be explained.

        Returns:
            Hypotheses, the likeliest first.
        """
        beam = [Hypothesis(self._start, plays=tuple(written))]
        news = ((each.came, each) for each in self._objects.values() if each.id in new)
        return [
            each.also(sum(self._looks_alone(each, one) for one in each.waiting))
            for each in self._extended(beam, news)
        ]

    def _all_known(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis once all cards are known that came while nobody watched.

        Whatever comes next comes after them. So those that wait are early, or were shown if the
        hand is over.
        """
        for each in [each for each in hypothesis.waiting if not each.watched]:
            if hypothesis.goes_on:
                hypothesis = hypothesis.also(self._likelihoods.early, BeliefTerm("early"))
            else:
                hypothesis = self._shown(hypothesis.without_waiting(each), each)
        return hypothesis

    def _looks_alone(self, hypothesis: Hypothesis, waits: HandObject) -> float:
        """How well a waiting card is read as what it looks like most, in nats.

        If it looks like a laid card, it counts as another card of that rank, which is rare.
        """
        looks, another = hypothesis.looks, self._likelihoods.another_suit
        names = self._readings[waits.id].names.items()
        return max(nats + another * (name in looks) for name, nats in names)

    def _extended(
        self, beam: list[Hypothesis], news: Iterable[tuple[float, HandObject | Event]]
    ) -> list[Hypothesis]:
        """Extends hypotheses by what was seen or said since, in order of time."""
        unordered = False  # whether the latest cards came while nobody watched
        for _, new in sorted(news, key=itemgetter(0)):
            if isinstance(new, Event):
                longer = [each._replace(words=(*each.words, new)).say() for each in beam]
            else:
                if unordered and new.watched:
                    beam = list(map(self._all_known, beam))
                unordered = not new.watched
                longer = _likeliest(option for each in beam for option in self._options(each, new))
            beam = self._pruned(longer) if longer else []
        return list(map(self._all_known, beam)) if unordered else beam

    def _closed(self, hypothesis: Hypothesis) -> Hypothesis:
        """Ends a hypothesis: cards whose turn never came and words not allowed count against it."""
        waiting = sum(self._is_nothing(each) for each in hypothesis.waiting) / 2
        unheard = self._likelihoods.unheard * len(hypothesis.words)
        left = [BeliefTerm("left", each.id) for each in hypothesis.waiting]
        return hypothesis.also(
            waiting + unheard, *left, *[BeliefTerm("unheard")] * len(hypothesis.words)
        )

    def _pruned(self, hypotheses: list[Hypothesis]) -> list[Hypothesis]:
        """Plays waiting cards whose turn has come, then keeps the likeliest hypotheses.

        Of hypotheses that differ in nothing which matters from here on, the likeliest stays.
        """
        left = list(hypotheses)
        least = max(each.log_likelihood for each in hypotheses) - SPAN
        best: dict[object, Hypothesis] = {}
        while left:
            each = left.pop()
            key = (
                tuple(play[:3] for play in each.plays),
                tuple(waits.id for waits in each.waiting),
                len(each.words),
                each.ended,
            )
            if key not in best or best[key].log_likelihood < each.log_likelihood:
                best[key] = each
            for waits in each.waiting if each.goes_on else ():
                left += _likeliest(self._played(each.without_waiting(waits), waits), least)
        order = sorted(best.values(), key=attrgetter("log_likelihood"), reverse=True)
        return [
            each for each in order[:BEAM] if each.log_likelihood > order[0].log_likelihood - SPAN
        ]

    def _options(self, before: Hypothesis, new: HandObject) -> Iterator[Option]:
        """All explanations of a new object."""
        # It is no card; or the hand is over, and it is a card that somebody shows.
        if before.goes_on:
            yield _ready(before.also(self._is_nothing(new), BeliefTerm("none", new.id)))
            if new.came > self._not_ended_before and len(before.plays) >= len(self._certain):
                ended = self._with_pace(before, new)
                ended = ended.also(self._likelihoods.untapped, BeliefTerm("untapped"))
                yield _ready(self._shown(ended._replace(ended=True), new))
        else:
            yield _ready(self._shown(before, new))
        # It was laid before.
        for play in before.plays:
            if play.object in self._objects:
                yield _ready(self._seen_again(before, new, play))
        if not before.goes_on:
            return
        before, seat = self._with_pace(before, new), self._due(before.match)
        # It waits for its turn; it is the next play; or the one after a play that nobody saw.
        waits = before._replace(waiting=(*before.waiting, new))
        if not new.watched:  # it may have come after others that lay there as well
            yield _ready(waits)
        elif seat is None or before.match.asked_seats() or new.sides[seat] not in CLEARLY_OWN:
            yield _ready(waits.also(self._likelihoods.early, BeliefTerm("early")))
        yield from self._played(before, new)
        if seat is not None and (before.side(new, seat) in ANOTHERS or self._certain_next(before)):
            overlooked = 0.0 if self._is_told(before) else self._likelihoods.overlooked
            yield (
                before.log_likelihood + overlooked,
                partial(self._played_after_overlooked, before, new),
            )

    def _played_after_overlooked(self, before: Hypothesis, new: HandObject) -> Iterator[Hypothesis]:
        """Explains an object as a play after one that nobody saw, or several if people said so."""
        for missed in self._overlooked(before):
            yield from _likeliest(self._played(missed, new))
            if self._is_told(missed):
                yield from self._played_after_overlooked(missed, new)

    def _seen_again(self, before: Hypothesis, new: HandObject, play: Play) -> Hypothesis:
        """Explains an object as a card that was laid before, or a part of one."""
        likelihoods, laid = self._likelihoods, self._objects[play.object or 0]
        kind, looks = self._kind_of_again(new, laid), play.looks or play.card
        names = self._readings[new.id].names
        read = names.get(looks, min(names.values()))
        nats = read + getattr(likelihoods, kind)
        again = before.also(nats, BeliefTerm(kind, new.id, looks, same=laid.id))
        if Side.THROWN in new.sides:  # it seems to come from a seat, and no seat laid it now
            nats = likelihoods.sides[Side.THROWN_BY_ANOTHER]
            return again.also(nats, BeliefTerm("moved", side=Side.THROWN_BY_ANOTHER))
        turned_as_it = new.beside.get(laid.id)
        if turned_as_it is None:
            return again
        found = [again.also(likelihoods.pushed, BeliefTerm("pushed"))] if turned_as_it else [again]
        lay = laid.gone is None or new.came < laid.gone
        if lay and (not new.sure or new.seen < laid.seen - APART):
            short = not new.sure or new.seen - new.came < APART
            nats = likelihoods.part + (0.0 if turned_as_it and short else read)
            found.append(before.also(nats, BeliefTerm("part", new.id)))
        return max(found, key=attrgetter("log_likelihood"))

    def _shown(self, before: Hypothesis, new: HandObject) -> Hypothesis:
        """Explains an object as a card shown after the end of the hand, or as no card."""
        nats = max(self._is_nothing(new), self._is_shown(new))
        after = before.also(nats, BeliefTerm("shown", new.id))
        shown = (each.object for each in reversed(before.terms) if each.kind == "shown")
        last = next(shown, None)
        if last is None or new.came - self._objects[last].came <= PAUSE:
            return after
        return after.also(self._likelihoods.late, BeliefTerm("late"))

    def _is_shown(self, new: HandObject) -> float:
        """How likely an object is a card that some seat shows after the end, in nats."""
        return self._likelihoods.shown + max(self._likelihoods.sides[side] for side in new.sides)

    def _with_pace(self, before: Hypothesis, new: HandObject) -> Hypothesis:
        """The hypothesis, less likely if an object came at once after a card of the same seat."""
        played = (self._objects[each.object] for each in before.plays if each.object is not None)
        if any(new.is_at_once_after(each) for each in (*played, *before.waiting)):
            return before.also(self._likelihoods.at_once, BeliefTerm("at_once"))
        return before

    def _certain_next(self, before: Hypothesis) -> tuple[int, str] | None:
        """Seat and rank of the next play, if people have said it; else None."""
        place = len(before.plays)
        return self._certain[place] if place < len(self._certain) else None

    def _is_told(self, before: Hypothesis) -> bool:
        """Whether people have named the next card, for nobody saw it."""
        return len(before.plays) in self._unseen

    def _is_nothing(self, each: HandObject) -> float:
        """How likely an object is no card face up of this pack, in nats."""
        read, likelihoods = self._readings[each.id], self._likelihoods
        nothing = likelihoods.nothing if each.sure else likelihoods.doubted
        return max(nothing, read.back, read.foreign)

    def _kind_of_again(
        self, new: HandObject, laid: HandObject
    ) -> Literal["again", "twice", "taken_back"]:
        """The kind of the term by which an object is a card that was laid before."""
        if laid.gone is not None and new.came >= laid.gone:
            return "again" if new.beside.get(laid.id) else "taken_back"
        both = min(new.seen, laid.seen) - max(new.came, laid.came)
        return "twice" if both > APART else "again"

    def _due(self, match: Match) -> int | None:
        """The seat that lays the next card now; None while everybody has to wait."""
        known = self._dues.get(id(match))
        if known is None:
            seat = None
            if match.in_progress:
                seat = next((event.seat for event in legal_events(match, "play")), None)
            known = self._dues[id(match)] = match, seat
        return known[1]

    def _played(self, before: Hypothesis, new: HandObject) -> Iterator[Option]:
        """Explains an object as the card that is due now, by each of its likeliest ranks."""
        seat = self._due(before.match)
        if seat is None:
            return
        side = before.side(new, seat)
        place = self._likelihoods.sides[side]
        for each in before.waiting:
            if each.watched and each.came < new.came and each.sides[seat] in CLEARLY_OWN:
                # This seat has laid it before, so it is early once more.
                before = before.also(self._likelihoods.early, BeliefTerm("early"))
        names = self._readings[new.id].names
        if (known := self._certain_next(before)) is not None:
            names = {name: nats for name, nats in names.items() if (seat, name[:-1]) == known}
        laid, looks_of = {play.card for play in before.plays}, before.looks
        found: dict[str, tuple[float, str]] = {}  # by rank: the card that it looks like
        left: dict[str, tuple[float, str]] = {}  # by rank: the card of it that can still be laid
        for name, nats in names.items():
            rank = name[:-1]
            as_it = nats + self._likelihoods.another_suit * (name in looks_of), name
            found[rank] = max(found.get(rank, as_it), as_it)
            if name not in laid:
                left[rank] = max(left.get(rank, (nats, name)), (nats, name))
        likeliest = sorted((found[rank] for rank in left), reverse=True)
        for nats, looks in likeliest[:RANKS]:
            name = left[looks[:-1]][1] if looks in laid else looks
            terms = [BeliefTerm("play", new.id, looks, side)]
            if looks in looks_of:
                terms.append(BeliefTerm("another_suit"))
            yield (
                before.log_likelihood + nats + place,
                partial(before.lay, Play(seat, name, new.id, nats + place, looks), terms),
            )

    def _overlooked(self, before: Hypothesis) -> Iterator[Hypothesis]:
        """Extends a hypothesis by a play that nobody saw: one card of each rank."""
        seat, known = self._due(before.match), self._certain_next(before)
        if seat is None:
            return
        laid = {play.card for play in before.plays}
        left: dict[str, list[str]] = {}
        for name in sorted(self._pack - laid):
            left.setdefault(name[:-1], []).append(name)
        count = sum(map(len, left.values()))
        for rank, names in left.items():
            if known not in (None, (seat, rank)):
                continue
            nats, terms = 0.0, list[BeliefTerm]()
            if not self._is_told(before):
                share = len(names) / count
                nats = self._likelihoods.overlooked + math.log(share)
                terms = [BeliefTerm("overlooked", share=share)]
            yield from before.lay(Play(seat, names[0], None, nats), terms)


def _ready(after: Hypothesis) -> Option:
    """An option whose hypothesis is made already."""
    return after.log_likelihood, lambda: (after,)


def _likeliest(options: Iterable[Option], least: float = -math.inf) -> list[Hypothesis]:
    """The hypotheses that the likeliest options make; the rules are asked about no others."""
    found: list[Hypothesis] = []
    for nats, made in sorted(options, key=lambda option: -option[0]):
        if len(found) >= TRIED or nats < least:
            break
        found += made()
        if found:
            least = max(least, found[0].log_likelihood - SPAN)
    return found
