"""Who wins a trick, and who wins the hand by its tricks (sections 1.4 to 2 of the rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from scorekeeper.games.cards import Card
from scorekeeper.games.rules import Rules


def side_of(seat: int) -> int:
    """The side of a seat, 0 or 1 (C-3)."""
    return seat % 2


class Play(NamedTuple):
    """One card that a seat laid face up."""

    seat: int
    card: Card


class Trick(NamedTuple):
    """One card of every player, in the order of play (C-10).

    Attributes:
        leader: Seat that leads.
        plays: The cards so far.
        complete: Whether every player has played.
        winner: Side that won; None if it is spoiled or not complete (C-11).
        next_leader: Seat that leads the next trick; None if this one is not complete, or if it
            decided the hand (C-12).
    """

    leader: int
    plays: tuple[Play, ...] = ()
    complete: bool = False
    winner: int | None = None
    next_leader: int | None = None

    @property
    def spoiled(self) -> bool:
        """Whether the trick is complete and nobody won it."""
        return self.complete and self.winner is None


def top_plays(rules: Rules, plays: Sequence[Play]) -> list[Play]:
    """The plays of the best rank present, in the order of play (C-8)."""
    strengths = [rules.strength[rules.counts_as(play.card).rank] for play in plays]
    best = min(strengths)
    return [play for play, strength in zip(plays, strengths, strict=True) if strength == best]


def complete_trick(rules: Rules, leader: int, plays: tuple[Play, ...]) -> Trick:
    """The trick of these plays, with its winner and who leads next (C-11, C-12, 1.5).

    Args:
        rules: The rules that are played.
        leader: Seat that led.
        plays: One card of every player, in the order of play.
    """
    top = top_plays(rules, plays)
    sides = {side_of(play.seat) for play in top}
    if len(sides) == 1 and (len(top) == 1 or rules.partner_tie == "side"):
        return Trick(leader, plays, True, sides.pop(), top[0].seat)
    seat = {
        "leader": leader,
        "last_player": plays[-1].seat,
        "spoiler": top[-1].seat,
        "first_tied": top[0].seat,
    }[rules.lead_after_spoiled]
    return Trick(leader, plays, True, None, seat)


VOID = -1
"""Result of a hand that nobody won."""


def hand_result(
    hand_rule: str,
    winners: Sequence[int | None],
    *,
    total: int,
    dealer_side: int,
    third_spoiled: str = "hand_rule",
) -> int | None:
    """The result of a hand after these tricks (C-13, C-14).

    Args:
        hand_rule: ``claim``, ``majority``, ``next_winner``, ``first_trick`` or ``trick_and_tie``.
        winners: Winning side of each finished trick, None for a spoiled one.
        total: Tricks of the whole hand, 3 or 1.
        dealer_side: Side of the dealer; under ``majority``, an equal count goes to the other side.
        third_spoiled: See ``Rules``.

    Returns:
        The winning side, ``VOID``, or None while it is undecided: the hand ends as soon as every
        way to finish it gives the same result.
    """
    return _hand_result(hand_rule, tuple(winners), total, dealer_side, third_spoiled)


@cache
def _hand_result(
    hand_rule: str,
    winners: tuple[int | None, ...],
    total: int,
    dealer_side: int,
    third_spoiled: str,
) -> int | None:
    ways = ((*winners, *way) for way in product((0, 1, None), repeat=total - len(winners)))
    results = {
        VOID
        if third_spoiled == "void" and one_each_and_spoiled(way)
        else _FINISHED[hand_rule](way, 1 - dealer_side)
        for way in ways
    }
    return results.pop() if len(results) == 1 else None


def one_each_and_spoiled(winners: Sequence[int | None]) -> bool:
    """Whether each side has won one trick, and the third was spoiled."""
    return len(winners) == 3 and winners[2] is None and set(winners[:2]) == {0, 1}


def first_to_win(winners: Sequence[int | None]) -> int | None:
    """The side that won the first trick that was not spoiled; None if all were."""
    return next((winner for winner in winners if winner is not None), None)


def claims(hand_rule: str, winners: Sequence[int | None]) -> dict[int, int]:
    """Says which spoiled tricks of a finished hand count for a side, and by which won trick.

    Args:
        hand_rule: As for ``hand_result``.
        winners: Side that won each trick, None for a spoiled one.

    Returns:
        Place in ``winners`` of each spoiled trick that counts for a side, to the place of the trick
        that this side won and that makes it count.
    """
    won = [place for place, winner in enumerate(winners) if winner is not None]
    spoiled = [place for place, winner in enumerate(winners) if winner is None]
    if not won or hand_rule in SPOILED_FOR_NOBODY:
        return {}
    if hand_rule == "claim":
        return dict.fromkeys(spoiled, won[0])
    return {place: next((later for later in won if later > place), won[0]) for place in spoiled}


def _by_claim(winners: tuple[int | None, ...], _even: int) -> int:
    """A spoiled trick counts for the first side in the hand to win one."""
    return _by_owners(winners, claims("claim", winners))


def _by_owners(winners: tuple[int | None, ...], claimed: Mapping[int, int]) -> int:
    owned = [winners[claimed.get(place, place)] for place in range(len(winners))]
    if owned[0] is None:
        return VOID
    return 0 if 2 * owned.count(0) > len(owned) else 1


def _by_majority(winners: tuple[int | None, ...], even: int) -> int:
    """Spoiled tricks count for nobody; ``even`` is the result of an equal count."""
    ahead = winners.count(0) - winners.count(1)
    return even if ahead == 0 else 0 if ahead > 0 else 1


def _by_next_winner(winners: tuple[int | None, ...], _even: int) -> int:
    """A spoiled trick goes to the next side that wins one, trailing ones to the first winner."""
    return _by_owners(winners, claims("next_winner", winners))


def _by_first_trick(winners: tuple[int | None, ...], even: int) -> int:
    """Majority, but an equal count goes to the side that won the first decided trick."""
    first = first_to_win(winners)
    return _by_majority(winners, even if first is None else first)


def _by_trick_and_tie(winners: tuple[int | None, ...], _even: int) -> int:
    """Majority, but an equal count makes the hand void (PU-4)."""
    return _by_majority(winners, VOID)


SPOILED_FOR_NOBODY = frozenset({"majority", "first_trick", "trick_and_tie"})
"""The rules by which a spoiled trick counts for nobody."""

_FINISHED = {
    "claim": _by_claim,
    "majority": _by_majority,
    "next_winner": _by_next_winner,
    "first_trick": _by_first_trick,
    "trick_and_tie": _by_trick_and_tie,
}
"""Hand rule to the function that gives a finished hand's result.

It is given the winner of each trick, and the side of the dealer's opponents.
"""
