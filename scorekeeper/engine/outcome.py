"""How a hand ends, and what that does to the game and the match."""

from __future__ import annotations

from scorekeeper.engine.state import End, Hand, Match, Phase
from scorekeeper.games.scoring import Award, Price, Scores, award_by_agreement, winner_of
from scorekeeper.games.tricks import side_of


def end_hand(match: Match, end: End, winner: int | None = None, **changes: object) -> Match:
    """Ends the hand in progress, scores it, and passes the deal on (C-6).

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
        phase=Phase.HAND_OVER, end=end, winner=winner, award=award, turn=None, offer=None, late=None
    )
    return settle(match._replace(hand=hand, dealer=match.after(hand.dealer)), scores)


def settle(match: Match, scores: Scores) -> Match:
    """Writes new scores down, and with them a game or a match that they win (LV-5)."""
    winner = winner_of(match.rules, scores)
    if winner is None:
        return match._replace(scores=scores)
    first, second = match.games_won
    games_won = (first + 1, second) if winner == 0 else (first, second + 1)
    won_match = games_won[winner] >= match.header.games_to_win
    return match._replace(
        dealer=_next_dealer(match, winner),
        scores=scores,
        games_won=games_won,
        game_over=True,
        winner=winner if won_match else None,
    )


def _next_dealer(match: Match, winner: int) -> int:
    """Who deals the game after one that a side has won; the deal has passed on already (A4)."""
    rule = match.rules.next_dealer
    if rule == "rotation":
        return match.dealer
    side = winner if rule == "winner" else 1 - winner
    return match.dealer if side_of(match.dealer) == side else match.after(match.dealer)


def give(match: Match, side: int, amount: int) -> Match:
    """Gives points or Smalls by agreement; after the end of a game they belong to the next one."""
    scores = award_by_agreement(match.rules, match.opening_scores, side, amount)
    return settle(match._replace(game_over=False), scores)


PRICES = {
    End.DECIDED: Price.PLAYED,
    End.CONCEDED: Price.PLAYED,  # who gives up loses what is played for
    End.RAISE_REJECTED: Price.REFUSED,
    End.LAY_DOWN: Price.REFUSED,
    End.FORTIAL_PASSED: Price.REFUSED,
    End.FORTIAL_REFUSED: Price.GAME,
    End.ELEVEN_DECLINED: Price.DECLINED,
}
"""What the loser pays for, by the end of the hand."""


def _score(match: Match, hand: Hand, end: End, winner: int) -> tuple[Scores, Award]:
    return match.rules.counting.pay(
        match.rules, match.scores, winner, PRICES[end], value=hand.value, seen=hand.seen
    )
