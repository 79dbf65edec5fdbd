"""How well each explanation of a card fits what was seen of it: small pure functions.

Unless another unit is given, values are nats: natural logarithms of probabilities, or of how many
times as likely something is as the usual case, which has 0. Their sum is the logarithm of a
hypothesis (``vision.belief.hypotheses``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from vision.packs import BACK


class Side(StrEnum):
    """Where a card lies, or came from, as one seat sees it."""

    THROWN = "thrown"
    """It was seen to come from this seat."""

    OWN = "own"
    """It lies clearly before this seat, which reached for it, or nobody is known to have."""

    REACHED = "reached"
    """Only this seat reached over the table when it came, and it does not lie clearly before it."""

    MIDDLE = "middle"
    """It lies clearly before no seat, and nobody is known to have reached for it. Or several seats
    reached for it, this one among them, and it does not lie clearly before this one."""

    ONTO = "onto"
    """As ``OTHER``, but it may have been thrown onto a card that was played before it."""

    REACHED_BY_ANOTHER = "reached by another"
    """Others reached over the table when it came, and this seat did not, wherever the card lies."""

    OTHER = "other"
    """It lies clearly before another seat, and nobody is known to have reached for it."""

    THROWN_BY_ANOTHER = "thrown by another"
    """It was seen to come from another seat."""


CLEARLY_OWN = (Side.THROWN, Side.OWN, Side.REACHED)
"""Sides of a card that is clearly this seat's."""

ANOTHERS = (Side.OTHER, Side.THROWN_BY_ANOTHER, Side.REACHED_BY_ANOTHER)
"""Sides of a card that is rather another seat's."""


@dataclass(frozen=True, kw_only=True)
class Likelihoods:
    """The parameters, in nats unless another unit is given.

    Their values, each with its unit, its source and how often it was counted, are in
    ``likelihoods.json``; ``datasets.benchmarks.fit`` fits them and writes that file.

    Attributes:
        misread: the share of cards at rest, 0–1, of which the pictures say nothing: each may be any
            card of the pack. Readings err alike from picture to picture, so even many pictures make
            a reading no surer than this allows.
        trust: a factor for the evidence of the pictures; 1 if readings are right as often as they
            claim.
        unread: the evidence that a card cannot be read at all; its readings compete with this.
        another_suit: a card that looks like a laid one is another card of the same rank.
        early: a card is laid before its seat is due, and waits; once more if that seat then plays
            another card first, which came later.
        nothing: what was outlined as a card is none, though the finder was sure.
        doubted: the same, if the finder was not sure.
        foreign: the card is of another pack.
        at_once: a seat lays a card at once after another one (``hypotheses.AT_ONCE``); cards that
            are shown after the end come so more often, and it is the logarithm of that ratio.
        shown: a card that comes after the end of the hand is shown, and is no play. Where it lies
            counts as it does for the seat that most likely played it.
        late: a card is shown long after another one (``explainer.PAUSE``); cards that are laid come
            so more often, and it is the logarithm of that ratio.
        untapped: the hand ended, and nobody has tapped how.
        again: an object is a card that was laid before, which is not seen any more where it lay, or
            was lost and lies there again.
        twice: the same, while both are seen: one card has two outlines.
        taken_back: the same, after the card had been taken away.
        pushed: an object that nobody saw come is the laid card close to it, pushed a little: both
            are turned alike.
        part: an object close to a laid card is an outline of a part of it. If both are turned alike
            and the object was seen briefly or badly, its readings do not count.
        overlooked: a card was laid, and nobody saw it.
        unheard: a word that people said is left out, for the rules did not allow it.
        sides: for each ``Side`` on which a card is for the seat that laid it.
        right: for each such side, the share of written plays that are right, 0–1; see ``stated``.
    """

    misread: float
    trust: float
    unread: float
    another_suit: float
    early: float
    nothing: float
    doubted: float
    foreign: float
    at_once: float
    shown: float
    late: float
    untapped: float
    again: float
    twice: float
    taken_back: float
    pushed: float
    part: float
    overlooked: float
    unheard: float
    sides: Mapping[Side, float]
    right: Mapping[Side, float]

    def values(self) -> dict[str, float]:
        """The parameters by name; those of a side are named like ``side own`` and ``right own``."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)[:-2]}
        sides = {f"side {side}": value for side, value in self.sides.items()}
        return {**plain, **sides, **{f"right {side}": value for side, value in self.right.items()}}


def likelihoods_of(values: Mapping[str, float]) -> Likelihoods:
    """The parameters from their values by name; see ``Likelihoods.values``."""
    plain = {name: value for name, value in values.items() if " " not in name}
    return Likelihoods(
        **plain,
        sides={side: values[f"side {side}"] for side in Side},
        right={side: values[f"right {side}"] for side in Side},
    )


PARAMETERS = Path(__file__).with_name("likelihoods.json")
"""The file with the values in use."""

USUAL = likelihoods_of(
    {name: told["value"] for name, told in json.loads(PARAMETERS.read_text("utf-8")).items()}
)
"""The parameters that are in use."""

NEVER = 1e-9
"""How likely a card is a back, or of another pack, if no picture looked like that; 0–1."""


class BeliefTerm(NamedTuple):
    """A part of a hypothesis: what it says of one object, or of what nobody saw or heard.

    By its terms a hypothesis can be weighed anew with other parameters.

    Attributes:
        kind: ``play``, ``another_suit``, ``early``, ``at_once``, ``none``, ``left`` (it waited for
            its turn, and that never came: half of ``none``), ``untapped``, ``shown``, ``late``,
            ``again``, ``twice``, ``taken_back``, ``pushed``, ``part``, ``moved`` (a card that was
            laid before was seen to come from a seat, though no seat laid it now), ``overlooked`` or
            ``unheard``. Most are named after their parameter, see ``Likelihoods``.
        object: number of the object, or None.
        card: what the object looks like; empty if that does not matter.
        side: where the object lies, as the seat that laid it sees it; None if that does not matter.
        share: of ``overlooked``: how many of the cards that are left have its rank, 0–1.
        same: number of the object that was laid before, if it is the same card.
    """

    kind: str
    object: int | None = None
    card: str = ""
    side: Side | None = None
    share: float = 1.0
    same: int | None = None


@dataclass(frozen=True)
class Reading:
    """How likely a card is each of the things it can be, by its pictures alone; in nats.

    Attributes:
        names: for each card of the pack, that it is that one.
        back: that it lies face down.
        foreign: that it is of another pack.
    """

    names: Mapping[str, float]
    back: float
    foreign: float


def reading(
    evidence: Mapping[str, float], pack: frozenset[str], likelihoods: Likelihoods
) -> Reading:
    """Weighs the pictures of a card; see ``Likelihoods.misread``.

    Args:
        evidence: log-likelihoods by name, see ``vision.tracking.tracked_card.TrackedCard``.
        pack: the plain names of the cards that there can be.
        likelihoods: the parameters.
    """
    trust = likelihoods.trust
    top = max(0.0, *evidence.values()) * trust if evidence else 0.0
    weights = {name: math.exp(value * trust - top) for name, value in evidence.items()}
    whole = sum(weights.values()) + math.exp(likelihoods.unread - top)
    by_chance = likelihoods.misread / len(pack)
    trusted = 1 - likelihoods.misread
    others = sum(weight for name, weight in weights.items() if name not in pack and name != BACK)
    return Reading(
        {name: math.log(trusted * weights.get(name, 0.0) / whole + by_chance) for name in pack},
        math.log(trusted * weights.get(BACK, 0.0) / whole + NEVER),
        math.log(trusted * others / whole + NEVER) + likelihoods.foreign,
    )


def stated(read: float, side: Side, likelihoods: Likelihoods) -> float:
    """How likely a written play is right, 0–1: this is what screens and records state.

    Args:
        read: how likely its card is what it is written as, by its pictures alone, 0–1.
        side: where it lies, or came from, as its seat sees it.
        likelihoods: the parameters.
    """
    return read * likelihoods.right[side]


def onto(side: Side, upon: Collection[int], played: Collection[int | None]) -> Side:
    """Where a card lies as a seat sees it, once it is known what was played before it.

    Args:
        side: where it lies by itself.
        upon: numbers of what it may have been thrown onto.
        played: numbers of what was played before it.
    """
    return Side.ONTO if side is Side.OTHER and not set(upon).isdisjoint(played) else side


def side_of(
    seat: int, *, thrower: int | None, before: int | None, reachers: Collection[int]
) -> Side:
    """Where a card lies, or came from, as a seat sees it.

    Args:
        seat: the seat.
        thrower: the seat that it was seen to come from, or None.
        before: the seat that it lies clearly before, or None.
        reachers: the seats that reached over the table when it came; empty if that is not known.
    """
    if thrower is not None:
        return Side.THROWN if thrower == seat else Side.THROWN_BY_ANOTHER
    if reachers and seat not in reachers:
        return Side.REACHED_BY_ANOTHER
    if before == seat:
        return Side.OWN
    if len(reachers) == 1:
        return Side.REACHED
    return Side.OTHER if before is not None and not reachers else Side.MIDDLE
