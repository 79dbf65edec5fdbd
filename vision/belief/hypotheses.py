"""Hypotheses: complete explanations of what was seen and said in one hand, and how likely each is.

A hypothesis is a referee's state and one explanation for each object: it is a play, a card that
waits for its turn, a card that was laid before, or no card. ``vision.belief.explainer`` finds the
likeliest hypotheses.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply_if_legal
from scorekeeper.engine.state import Match
from scorekeeper.games.cards import parse_card
from vision.belief.likelihoods import CLEARLY_OWN, BeliefTerm, Side, onto

AT_ONCE = 0.7
"""If one seat lays two cards within this time, in seconds, it laid them at once."""


class HandObject(NamedTuple):
    """Something that was seen on the table during one hand, and looks like a card face up.

    Attributes:
        id: its number.
        evidence: log-likelihoods by name; see ``vision.tracking.tracked_card.TrackedCard``.
        sure: whether the finder was sure that it is a card.
        came: when it came to rest, in seconds.
        seen: when it was seen last, in seconds.
        sides: for each seat, where it lies or came from as that seat sees it.
        beside: the laid cards of which it may be a second outline: number of each, to whether both
            are turned alike.
        gone: when it was found to lie there no more, in seconds; None while it may lie there.
        upon: numbers of the objects that it may have been thrown onto, for they lay near it when it
            came.
        watched: whether the table was watched when it came; see ``TrackedCard``.
    """

    id: int
    evidence: Mapping[str, float]
    sure: bool
    came: float
    seen: float
    sides: tuple[Side, ...]
    beside: Mapping[int, bool] = MappingProxyType({})
    gone: float | None = None
    upon: frozenset[int] = frozenset()
    watched: bool = True

    def side(self, seat: int, played: Collection[int | None]) -> Side:
        """Where it lies or came from, as a seat sees it.

        Args:
            seat: the seat.
            played: numbers of the objects that were played before it.
        """
        return onto(self.sides[seat], self.upon, played)

    def has_owner_of(self, other: HandObject) -> bool:
        """Whether one seat has clearly laid both."""
        both = zip(self.sides, other.sides, strict=True)
        return any(a in CLEARLY_OWN and b in CLEARLY_OWN for a, b in both)

    def is_at_once_after(self, other: HandObject) -> bool:
        """Whether one seat has clearly laid both, this one at once after the other one."""
        watched = self.watched and other.watched  # else it is not known when they came
        return watched and 0 <= self.came - other.came < AT_ONCE and self.has_owner_of(other)


class Word(NamedTuple):
    """What people said.

    Attributes:
        at: when it was told, in seconds.
        event: the event.
    """

    at: float
    event: Event


class Play(NamedTuple):
    """A play of a hypothesis.

    Attributes:
        seat: who laid it.
        card: its plain name.
        object: number of the object; None if the card was not seen.
        log_likelihood: how well that explains what was seen, in nats, 0 at best.
        looks: the card that its object looks like, perhaps one of another suit; empty stands for
            ``card`` itself.
        guessed: whether only its rank is known (V-12).
    """

    seat: int
    card: str
    object: int | None
    log_likelihood: float
    looks: str = ""
    guessed: bool = False


class Hypothesis(NamedTuple):
    """One explanation of the hand so far.

    Attributes:
        match: what the referee would know then.
        log_likelihood: natural logarithm of how likely it is, up to a constant.
        plays: the plays, in order.
        waiting: objects that were laid before their seats were due.
        words: what people said that the rules do not allow yet.
        terms: the parts of which that logarithm is the sum.
        ended: whether the hand is over, and nobody has said how (V-14).
    """

    match: Match
    log_likelihood: float = 0.0
    plays: tuple[Play, ...] = ()
    waiting: tuple[HandObject, ...] = ()
    words: tuple[Event, ...] = ()
    terms: tuple[BeliefTerm, ...] = ()
    ended: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether a card may still be laid."""
        return self.match.in_progress and not self.ended

    @property
    def looks(self) -> set[str]:
        """What the laid cards look like, except those with a guessed suit."""
        return {play.looks or play.card for play in self.plays if not play.guessed}

    def side(self, new: HandObject, seat: int) -> Side:
        """Where an object that came after these plays lies, or came from, as a seat sees it."""
        return new.side(seat, [play.object for play in self.plays])

    def also(self, nats: float, *terms: BeliefTerm) -> Hypothesis:
        """The hypothesis with one more thing explained.

        Args:
            nats: how likely that is, in nats.
            terms: the parts of the explanation.
        """
        return self._replace(log_likelihood=self.log_likelihood + nats, terms=(*self.terms, *terms))

    def without_waiting(self, turned: HandObject) -> Hypothesis:
        """The hypothesis without a waiting object, which is explained otherwise now."""
        return self._replace(waiting=tuple(each for each in self.waiting if each is not turned))

    def lay(self, play: Play, terms: Iterable[BeliefTerm]) -> Iterator[Hypothesis]:
        """Yields the hypothesis after a play; nothing if the rules do not allow that play."""
        card = parse_card(play.card)
        match = apply_if_legal(self.match, Event("play", play.seat, card=card))
        if match is not None:
            after = self.also(play.log_likelihood, *terms)
            yield after._replace(match=match, plays=(*self.plays, play)).say()

    def say(self) -> Hypothesis:
        """The hypothesis after those of its waiting words that the rules allow by now, in order."""
        match, words = self.match, self.words
        while words and (after := apply_if_legal(match, words[0])) is not None:
            match, words = after, words[1:]
        return self if words is self.words else self._replace(match=match, words=words)


def shares(hypotheses: Sequence[Hypothesis]) -> list[float]:
    """How likely each of some hypotheses is, 0–1, if one of them is true."""
    top = max((each.log_likelihood for each in hypotheses), default=0.0)
    weights = [math.exp(each.log_likelihood - top) for each in hypotheses]
    whole = sum(weights)
    return [weight / whole for weight in weights]


class Outlook(NamedTuple):
    """What the cards mean that are not written yet. Cards go by number, probabilities are 0–1.

    Attributes:
        ranks: for each card, how likely it is the next play with each rank.
        meanings: for each card, how likely each meaning is: ``next`` (it is the next play),
            ``waits`` (for its turn), or the kind of the ``BeliefTerm`` that explains it.
        same: for each card, how likely it is a card that was laid before, by that one's number.
        unseen: how likely it is that the next card was laid, and nobody saw it.
    """

    ranks: Mapping[int, Mapping[str, float]]
    meanings: Mapping[int, Mapping[str, float]]
    same: Mapping[int, Mapping[int, float]]
    unseen: float = 0.0

    def chance(self, number: int, *meanings: str) -> float:
        """How likely a card has one of these meanings, 0–1; ``play`` is one after ``next``."""
        here = self.meanings.get(number, {})
        return sum(here.get(each, 0.0) for each in meanings)


def outlook(hypotheses: Sequence[Hypothesis], written: int) -> Outlook:
    """Sums up what the hypotheses say of cards that are not written yet.

    Args:
        hypotheses: of the hand, at least one; they begin with the plays that are written.
        written: how many plays these are.
    """
    ranks: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    meanings: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    same: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    unseen = 0.0
    for each, share in zip(hypotheses, shares(hypotheses), strict=True):
        first = None
        if len(each.plays) > written:
            _, card, first, *_ = each.plays[written]
            if first is None:
                unseen += share
            else:
                ranks[first][card[:-1]] += share
                meanings[first]["next"] += share
        for waits in each.waiting:
            meanings[waits.id]["waits"] += share
        for term in each.terms:
            if term.object is None or term.object == first:
                continue
            meanings[term.object][term.kind] += share
            if term.same is not None:
                same[term.object][term.same] += share
    return Outlook(ranks, meanings, same, unseen)
