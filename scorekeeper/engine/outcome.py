"""How a hand ends, and what that does to the game and the match."""

from __future__ import annotations

from scorekeeper.engine.state import Closed, End, Hand, Match, Phase
from scorekeeper.games.scoring import Award, PaidFor, Scores, award_by_agreement, winner_of
from scorekeeper.games.tricks import side_of


def end_hand(match: Match, end: End, winner: int | None = None, **changes: object) -> Match:
    """Ends the hand in progress, scores it, and passes the deal on (C-6, V-18).

    Args:
        match: A match with a hand in progress.
        end: Why the hand ends.
        winner: Side that scores, or None.
        **changes: Other fields of the hand that change with its last event.
    """
    hand = match.current()._replace(**changes)  # type: ignore[arg-type]
    scores, award = match.scores, None
    if winner is not None:
        scores, award = _score(match, hand, end, winner)
    hand = hand._replace(
        phase=Phase.HAND_OVER,
        end=end,
        winner=winner,
        award=award,
        turn=None,
        offer=None,
        late_caller=None,
    )
    dealer = hand.dealer if end is End.DEALT_AGAIN else match.after(hand.dealer)
    return settle(match._replace(hand=hand, dealer=dealer), scores)


def settle(match: Match, scores: Scores) -> Match:
    """The match with new scores; if these win the game, or even the match, it ends (LV-5)."""
    winner = winner_of(match.rules, scores)
    match = match._replace(scores=scores)
    return match if winner is None else close(match, Closed(winner, match.dealer))


def close(match: Match, closed: Closed) -> Match:
    """Ends the game, and the match if the game's winner has won enough games (LV-5)."""
    winner = closed.winner
    if winner is None:
        return match._replace(closed=closed)
    first, second = match.games_won
    games_won = (first + 1, second) if winner == 0 else (first, second + 1)
    won_match = games_won[winner] >= match.header.games_to_win
    return match._replace(
        dealer=_next_dealer(match, winner),
        games_won=games_won,
        closed=closed,
        winner=winner if won_match else None,
    )


def reopen(match: Match) -> Match:
    """Takes the end of the latest game back; its final score stays. Else changes nothing."""
    if match.closed is None:
        return match
    first, second = match.games_won
    lost = {0: (first - 1, second), 1: (first, second - 1)}
    return match._replace(
        dealer=match.closed.dealer,
        games_won=match.games_won if match.closed.winner is None else lost[match.closed.winner],
        closed=None,
        winner=None,
    )


def _next_dealer(match: Match, winner: int) -> int:
    """Who deals first in the next game; ``match.dealer`` is whom the deal has passed on to (A4)."""
    rule = match.rules.next_dealer
    if rule == "rotation":
        return match.dealer
    side = winner if rule == "winner" else 1 - winner
    return match.dealer if side_of(match.dealer) == side else match.after(match.dealer)


def give(match: Match, side: int, amount: int) -> Match:
    """Gives points or Smalls by agreement; after the end of a game they belong to the next one."""
    scores = award_by_agreement(match.rules, match.opening_scores, side, amount)
    return settle(match._replace(closed=None), scores)


PAID_FOR = {
    End.DECIDED: PaidFor.PLAYED,
    End.CONCEDED: PaidFor.PLAYED,  # who gives up loses what is played for
    End.RAISE_REJECTED: PaidFor.REFUSED,
    End.LAY_DOWN: PaidFor.REFUSED,
    End.FORTIAL_PASSED: PaidFor.REFUSED,
    End.FORTIAL_REFUSED: PaidFor.GAME,
    End.ELEVEN_DECLINED: PaidFor.DECLINED,
}
"""End of a hand to why it is paid; the other ends score nothing."""


def _score(match: Match, hand: Hand, end: End, winner: int) -> tuple[Scores, Award]:
    return match.rules.counting.pay(
        match.rules,
        match.scores,
        winner,
        PAID_FOR[end],
        value=hand.value,
        truts_seen=hand.truts_seen,
    )
