"""How likely what was seen of a card is under each explanation of it: small pure functions.

All values are nats: natural logarithms of probabilities, or of how a probability compares with that
of the usual case, which is 0. They add up to the logarithm of a hypothesis
(``vision.belief.hypotheses``).
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
    """This seat alone reached over the table when it came, and it lies elsewhere."""

    MIDDLE = "middle"
    """It lies in the middle, and nobody is known to have reached for it; or several seats did, this
    one among them."""

    ONTO = "onto"
    """It lies on a card of the hand, before another seat."""

    REACHED_BY_ANOTHER = "reached by another"
    """Others reached over the table when it came, and this seat did not; wherever it lies."""

    OTHER = "other"
    """It lies clearly before another seat, and nobody is known to have reached for it."""

    THROWN_BY_ANOTHER = "thrown by another"
    """It was seen to come from another seat."""


ANOTHERS = (Side.OTHER, Side.THROWN_BY_ANOTHER, Side.REACHED_BY_ANOTHER)
"""Sides of a card that is rather another seat's."""


@dataclass(frozen=True, kw_only=True)
class Likelihoods:
    """The parameters: nats, where nothing else is said.

    Their values, each with its unit, its source and how often it was counted, are in
    ``likelihoods.json``; ``datasets.benchmarks.fit`` fits them and writes that file.

    Attributes:
        misread: the share of cards at rest of which the pictures say nothing, 0–1: they may be any
            one of the pack. Errors are alike from picture to picture, so many pictures make no
            reading surer than this allows.
        trust: what the pictures say is multiplied by this; 1 where readings are as sure as right.
        unread: the evidence that a card cannot be read: against this its readings are weighed.
        another_suit: a card that looks like one that lies elsewhere is another one of its rank.
        early: a card is laid before its seat is due, and waits.
        nothing: what was outlined as a card is none, where the finder was sure.
        doubted: the same, where it was not.
        foreign: the card is of another pack.
        at_once: a card is laid at once with the one before it; against cards that are shown.
        shown: a card that comes after the end of the hand is shown, and is no play.
        late: a card is shown long after the one before it; against cards that are laid.
        unsaid: the hand ended, and nobody has tapped how.
        again: a card was laid before, and is seen elsewhere, and no more where it lay; or it was
            lost, and lies where it lay.
        twice: the same, while both are seen.
        taken_back: the same, after it had been taken away.
        pushed: what nobody saw come, and lies just as a laid card beside it, is that one, pushed.
        part: what was seen shortly or badly beside a laid card is a part of that one, whatever it
            looks like. Where it is turned otherwise its outline takes in another card, too, and it
            looks like one.
        overlooked: a card was laid, and nobody saw it.
        unheard: a word that people said is left out, for the rules did not allow it.
        sides: for each side, as the seat that laid the card sees it.
        right: for each side, the share of the plays that the table writes which are true, 0–1.
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
    unsaid: float
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
        """The parameters by name; ``side own`` and ``right own`` are those of a side."""
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
"""The file that they are in."""

USUAL = likelihoods_of(
    {name: told["value"] for name, told in json.loads(PARAMETERS.read_text("utf-8")).items()}
)
"""The parameters that are in use."""

NEVER = 1e-9
"""How likely a card is a back, or of another pack, where no picture looked like that."""


class BeliefTerm(NamedTuple):
    """A part of a hypothesis: what it says of one object, or of what nobody saw or heard.

    By its terms a hypothesis can be weighed anew with other parameters.

    Attributes:
        kind: ``play``, ``another_suit``, ``early``, ``at_once``, ``none``, ``left`` (it waited for
            its turn, and that never came: half of ``none``), ``unsaid``, ``shown``, ``late``,
            ``again``, ``twice``, ``taken_back``, ``pushed``, ``part``, ``moved`` (by nobody, and
            was seen to come from a seat), ``overlooked`` or ``unheard``.
        object: number of the object, or None.
        card: what it looks like.
        side: where it lies, as the seat that laid it sees it.
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
    """How likely a card is what, by its pictures, as far as these can be trusted; in nats.

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
    """How likely a play is true that the watching table writes, 0–1: what screens and records say.

    Args:
        read: how likely its card is what it is read as, by its pictures alone, 0–1.
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
        reachers: the seats that reached over the table when it came; empty where nobody can say.
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
