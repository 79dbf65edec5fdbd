"""The state of a match as one JSON object, as ``trucam score --json`` prints it."""

from __future__ import annotations

from typing import Any

from scorekeeper.engine.match import legal_events
from scorekeeper.engine.state import Hand, Match
from scorekeeper.games.tricks import Trick


def answer(match: Match) -> dict[str, Any]:
    """The state of a match, with the names of the record format."""
    return {
        "game": match.header.game,
        "phase": match.phase.value,
        "turn": match.turn,
        "dealer": match.header.first_dealer if match.hand is None else match.hand.dealer,
        "value": 1 if match.hand is None else match.hand.value,
        "legal": [event.to_json() for event in legal_events(match)],
        "score": [match.rules.counting.to_json(score) for score in match.scores],
        "games_won": list(match.games_won),
        "winner": match.winner,
        "hands": [hand_to_json(hand) for hand in match.hands()],
    }


def hand_to_json(hand: Hand) -> dict[str, Any]:
    """One hand with its tricks; ``end`` is None while it is in progress."""
    return {
        "dealer": hand.dealer,
        "end": None if hand.end is None else hand.end.value,
        "winner": hand.winner,
        "award": None if hand.award is None else hand.award._asdict(),
        "tricks": [trick_to_json(trick) for trick in hand.tricks],
    }


def trick_to_json(trick: Trick) -> dict[str, Any]:
    """One trick; it may not be complete."""
    return {
        "leader": trick.leader,
        "cards": [{"seat": play.seat, "card": str(play.card)} for play in trick.plays],
        "winner": trick.winner,
        "next_leader": trick.next_leader,
    }
