"""The verb ``play``: a card on the table, which may also accept an offer (C-10, TS-13)."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.engine.calling import IN_PLAY, accepted
from scorekeeper.engine.events import Event
from scorekeeper.engine.outcome import end_hand
from scorekeeper.engine.packs import is_foreign
from scorekeeper.engine.state import End, Match, Phase
from scorekeeper.engine.verbs import Verb, refuse_phase, refuse_seat
from scorekeeper.errors import CardAlreadyPlayed, CardNotInPack, FormatError, NotYourTurn
from scorekeeper.games.cards import Card
from scorekeeper.games.tricks import VOID, Play, Trick, complete_trick, hand_result, side_of
from scorekeeper.messages import N_

WAITING_RULE = {
    Phase.REDEAL_ANSWER: "LT-4",
    Phase.ELEVEN: "TS-18",
    Phase.FORTIAL: "TR-19",
    Phase.FORTIAL_ANSWER: "TR-11",
    Phase.TRUT_ANSWER: "TR-11",
}
"""Phase to the id of the rule for which a card must wait; V-3 in all other phases."""


def _check_play(match: Match, event: Event) -> None:
    if event.card is not None:  # a proposal has none
        _check_suits(match, event.card)
    if match.phase is Phase.RAISE_ANSWER:
        _check_play_under_offer(match, event)
    elif match.phase not in IN_PLAY:
        refuse_phase(match, WAITING_RULE.get(match.phase, "V-3"))
    elif event.seat != match.current().turn:
        refuse_seat(match, "C-10")
    if event.card is not None:
        _check_card(match, event.card)


def _check_play_under_offer(match: Match, event: Event) -> None:
    hand, offer = match.current(), match.current().offer
    assert offer is not None
    if not match.rules.accept_by_card:
        refuse_phase(match, match.rules.cites["answer"])
    if event.seat != hand.turn or event.seat not in (offer.seat, *match.asked_seats()):
        refuse_phase(match, "TS-13")
    if event.seat == offer.seat and len(_trick_on_table(match).plays) + 1 == match.seats:
        raise NotYourTurn(
            "TS-13", N_("that card would complete the trick, so the answer comes first")
        )


def _check_suits(match: Match, card: Card) -> None:
    """Checks that the card has the same kind of suits as those before it: Spanish or French."""
    if match.spanish not in (None, card.spanish):
        raise FormatError(
            N_("one record uses one kind of suits, and {card} is of the other"), card=str(card)
        )


def _check_card(match: Match, card: Card) -> None:
    rules = match.rules
    counted = rules.counts_as(card)
    if counted.rank not in rules.strength:
        raise CardNotInPack("C-9", N_("{card} is not in this pack"), card=str(card))
    plays = [play for trick in match.current().tricks for play in trick.plays]
    cards = (
        [rules.counts_as(play.card) for play in plays] if rules.alias else [p.card for p in plays]
    )
    if counted in cards:
        seat = plays[cards.index(counted)].seat
        raise CardAlreadyPlayed(
            "V-2", N_("seat {seat} has played that card in this hand"), seat=seat
        )


def _trick_on_table(match: Match) -> Trick:
    hand = match.current()
    if hand.tricks and not hand.tricks[-1].complete:
        return hand.tricks[-1]
    assert hand.turn is not None
    return Trick(hand.turn)


def _play(match: Match, event: Event) -> Match:
    """Lays the card to the trick, after it has accepted an offer; the trick or the hand may end."""
    assert event.seat is not None
    assert event.card is not None
    offer = match.current().offer
    if offer is not None and event.seat != offer.seat:
        match, offer = accepted(match), None
    rules, hand = match.rules, match.current()
    trick = _trick_on_table(match)
    earlier = hand.tricks[:-1] if trick.plays else hand.tricks
    plays = (*trick.plays, Play(event.seat, event.card))
    if match.spanish is None and not is_foreign(rules, event.card):
        match = match._replace(spanish=event.card.spanish)
    if len(plays) < match.seats:
        tricks = (*earlier, Trick(trick.leader, plays))
        turn = match.after(event.seat)
        while any(play.seat == turn for play in plays):  # V-16: that seat has played out of turn
            turn = match.after(turn)
    else:
        trick = complete_trick(rules, trick.leader, plays)
        tricks = (*earlier, trick)
        result = hand_result(
            rules.hand_rule,
            [finished.winner for finished in tricks],
            total=hand.size,
            dealer_side=side_of(hand.dealer),
            third_spoiled=rules.third_spoiled,
        )
        if result is not None:
            tricks = (*earlier, trick._replace(next_leader=None))
            if result == VOID:
                return end_hand(match, End.VOID, tricks=tricks)
            return end_hand(match, End.DECIDED, result, tricks=tricks)
        assert trick.next_leader is not None
        turn = trick.next_leader
    had_its_offer = hand.raised and rules.offers_in_turn == "one"  # LT-12
    # A player whose own offer waits may call late, too, once it is answered: an answer is no call
    # (TS-11).
    may_call_late = rules.late_call and not had_its_offer
    return match.with_hand(
        phase=Phase.PLAY if offer is None else hand.phase,
        tricks=tricks,
        turn=turn,
        raised=False,
        late_caller=event.seat if may_call_late else None,
    )


VERBS: Mapping[str, Verb] = {"play": Verb(_check_play, _play)}
