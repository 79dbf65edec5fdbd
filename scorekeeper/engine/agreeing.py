"""What the events that a table agrees on check and do; ``games/agreed.py`` has their texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from scorekeeper.engine.events import Event
from scorekeeper.engine.outcome import close, end_hand, give, reopen, settle
from scorekeeper.engine.state import Closed, End, Match, Phase
from scorekeeper.engine.verbs import Verb, every_seat, refuse_phase
from scorekeeper.errors import FormatError, WrongPhase
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.scoring import NO_SCORE
from scorekeeper.messages import N_

OPENERS = frozenset({"cut", "tap", "deal", "award"})
"""Verbs that begin the next game after one has ended."""


def opens_a_game(before: Match, event: Event) -> bool:
    """Whether an event is the first one of the next game."""
    return before.game_over and event.do in OPENERS


def _rule(event: Event) -> str:
    return AGREED[event.do].rule


def _refuse_over(match: Match, event: Event) -> None:
    if match.over:
        raise WrongPhase(_rule(event), N_("the match is over"))


def _either_side(match: Match, do: str) -> Iterable[Event]:
    return (Event(do, side=side) for side in (0, 1))


def _alone(match: Match, do: str) -> Iterable[Event]:
    return (Event(do),)


# --- the hand (V-15, V-18) ---


def _check_hand(match: Match, event: Event) -> None:
    if not match.in_progress:
        raise FormatError(N_("no hand is in progress that could be void"))


def _void_hand(match: Match, event: Event) -> Match:
    return end_hand(match, End.VOID_HAND)


def _check_deal_again(match: Match, event: Event) -> None:
    if not match.in_progress or match.current().size == 0:
        raise WrongPhase(_rule(event), N_("no hand is dealt that could be dealt again"))


def _deal_again(match: Match, event: Event) -> Match:
    return end_hand(match, End.DEALT_AGAIN)


def _check_concede(match: Match, event: Event) -> None:
    if not match.in_progress or match.current().turn is None:
        raise WrongPhase(_rule(event), N_("no hand is being played that could be given up"))


def _concede(match: Match, event: Event) -> Match:
    assert event.side is not None
    return end_hand(match, End.CONCEDED, 1 - event.side)


# --- whose turn it is, and who deals (V-16, V-17) ---


def _check_turn(match: Match, event: Event) -> None:
    if match.phase not in (Phase.PLAY, Phase.REDEAL_ASK):
        refuse_phase(match, _rule(event))
    hand = match.current()
    trick = hand.tricks[-1] if hand.tricks else None
    if event.seat == hand.turn:
        raise WrongPhase(_rule(event), N_("seat {seat} is on turn already"), seat=event.seat)
    if trick and not trick.complete and any(play.seat == event.seat for play in trick.plays):
        raise WrongPhase(
            _rule(event), N_("seat {seat} has played to this trick already"), seat=event.seat
        )


def _turn(match: Match, event: Event) -> Match:
    return match.with_hand(phase=Phase.PLAY, turn=event.seat, raised=False)


_BEFORE_CARDS = (Phase.CUT, Phase.DEAL_SIZE, Phase.DEALING, Phase.REDEAL_ASK, Phase.PLAY)


def _check_dealer(match: Match, event: Event) -> None:
    _refuse_over(match, event)
    if match.in_progress and match.phase not in _BEFORE_CARDS:
        refuse_phase(match, _rule(event))
    if match.in_progress and match.current().tricks:
        raise WrongPhase(
            _rule(event), N_("a card was played: say after this hand who deals the next one")
        )
    if event.seat == match.dealer:
        raise WrongPhase(_rule(event), N_("seat {seat} deals already"), seat=event.seat)


def _dealer(match: Match, event: Event) -> Match:
    assert event.seat is not None
    match = match._replace(dealer=event.seat)
    if match.closed is not None:
        return match._replace(closed=match.closed._replace(dealer=event.seat))
    if not match.in_progress:
        return match
    hand = match.current()._replace(dealer=event.seat)
    if hand.before_deal is not None:
        hand = hand._replace(before_deal=hand.before_deal._replace(dealer=event.seat))
    return match._replace(
        hand=hand if hand.turn is None else hand._replace(turn=match.first_leader, raised=False)
    )


# --- the score (V-20) ---


def _check_score(match: Match, event: Event) -> None:
    if match.in_progress:
        raise FormatError(N_("points are given between hands, not while one is in progress"))


def _check_award(match: Match, event: Event) -> None:
    _check_score(match, event)
    if match.over:
        raise FormatError(N_("the match is over: no points can be given"))


def _award(match: Match, event: Event) -> Match:
    assert event.side is not None
    assert event.points is not None
    return give(match, event.side, event.points)


def _propose_award(match: Match, do: str) -> Iterable[Event]:
    return (Event(do, side=side, points=points) for side in (0, 1) for points in (1, -1))


def _check_adjust(match: Match, event: Event) -> None:
    _check_score(match, event)
    if match.closed is not None and match.closed.agreed:
        raise WrongPhase(
            _rule(event), N_("the game ended by agreement: undo that before its score changes")
        )
    if event.smalls and len(match.rules.counting.columns) == 1:
        raise WrongPhase(_rule(event), N_("there are no Smalls in this game"))
    changes = (event.points or 0, event.smalls or 0)
    if not any(changes) or min(changes) < 0 < max(changes):
        raise WrongPhase(_rule(event), N_("say how much one side is given, or how much is taken"))


def _adjust(match: Match, event: Event) -> Match:
    assert event.side is not None
    before, match = match, reopen(match)
    scores = match.rules.counting.change(
        match.rules, match.scores, event.side, event.points or 0, event.smalls or 0
    )
    after = settle(match, scores)
    if before.closed is None or after.closed is None:
        return after
    if before.closed.winner != after.closed.winner:
        return after
    return after._replace(dealer=before.dealer)  # the table may have agreed on another one (V-17)


def _propose_adjust(match: Match, do: str) -> Iterator[Event]:
    for side in (0, 1):
        for sign in (1, -1):
            yield Event(do, side=side, points=sign)
            if len(match.rules.counting.columns) > 1:
                yield Event(do, side=side, points=0, smalls=sign)


# --- the end of a game and of the match (V-19) ---


def _check_end_game(match: Match, event: Event) -> None:
    _refuse_over(match, event)
    if match.game_over or (match.hand is None and match.scores == NO_SCORE):
        raise WrongPhase(_rule(event), N_("no game is being played"))


def _end_game(match: Match, event: Event) -> Match:
    if match.in_progress:
        match = end_hand(match, End.ABANDONED)
    return close(match, Closed(event.side, match.dealer, agreed=True))


def _end_match(match: Match, event: Event) -> Match:
    if match.in_progress:
        match = end_hand(match, End.ABANDONED)
    game = match.closed or Closed(None, match.dealer)
    return match._replace(closed=game._replace(agreed=True, over=True), winner=event.side)


def _either_or_nobody(match: Match, do: str) -> Iterable[Event]:
    return (Event(do, side=side) for side in (0, 1, None))


# --- players (V-21) ---


def _player(match: Match, event: Event) -> Match:
    assert event.seat is not None
    assert event.name is not None
    names = list(match.seated.seats)
    names[event.seat] = event.name
    return match._replace(named=replace(match.header, seats=tuple(names)))


def _propose_player(match: Match, do: str) -> Iterable[Event]:
    return (Event(do, seat, name=name) for seat, name in enumerate(match.seated.seats))


VERBS: Mapping[str, Verb] = {
    "turn": Verb(_check_turn, _turn, every_seat),
    "dealer": Verb(_check_dealer, _dealer, every_seat),
    "deal_again": Verb(_check_deal_again, _deal_again, _alone),
    "void_hand": Verb(_check_hand, _void_hand, _alone),
    "concede": Verb(_check_concede, _concede, _either_side),
    "adjust": Verb(_check_adjust, _adjust, _propose_adjust),
    "award": Verb(_check_award, _award, _propose_award),
    "end_game": Verb(_check_end_game, _end_game, _either_or_nobody),
    "end_match": Verb(_refuse_over, _end_match, _either_or_nobody),
    "player": Verb(_refuse_over, _player, _propose_player),
}
