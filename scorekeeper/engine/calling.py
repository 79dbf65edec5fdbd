"""The verbs of raising: offers, calls of one value each, the trut, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

from scorekeeper.engine.dealing import before_play
from scorekeeper.engine.events import Event
from scorekeeper.engine.outcome import end_hand
from scorekeeper.engine.state import End, Hand, Match, Phase
from scorekeeper.engine.verbs import Verb, refuse_phase, refuse_seat
from scorekeeper.errors import NotYourTurn, RaiseNotAllowed
from scorekeeper.games.raises import REMAINDER, Call, Offer, RaiseLimits, Value, raise_limits
from scorekeeper.games.rules import GAMES
from scorekeeper.games.scoring import one_short
from scorekeeper.games.tricks import side_of
from scorekeeper.messages import N_

IN_PLAY = (Phase.PLAY, Phase.REDEAL_ASK)  # an offer or a card ends the asking phase (LT-6)
ONLY_CAPTAINS = N_("only the dealer and the leader speak for their sides")


def _seat(event: Event) -> int:
    assert event.seat is not None
    return event.seat


def _may_reraise(match: Match, seat: int) -> bool:
    """Whether a seat may answer the offer that waits with a higher one (TS-16)."""
    if seat not in match.asked_seats() or match.rules.reraise_as_answer == "never":
        return False
    return match.rules.reraise_as_answer == "always" or match.current().turn == seat


def _refuse_reraise(match: Match, event: Event, rule: str) -> NoReturn:
    """Refuses an offer that was made while another one waits."""
    if event.seat in match.asked_seats():
        if match.rules.reraise_as_answer == "never":
            raise RaiseNotAllowed(rule, N_("the answer is yes or no, and no other offer"))
        if match.current().turn != event.seat:
            raise RaiseNotAllowed(rule, N_("only who is on turn may raise back in answering"))
    refuse_phase(match, rule)


def _may_call_now(hand: Hand, seat: int) -> bool:
    """Whether a seat is on turn, or has just played and may call late (LT-11, TS-10)."""
    return seat in (hand.turn, hand.late_caller)


def accepted(match: Match) -> Match:
    """The match after a yes to the offer that waits (LT-15, TS-13)."""
    hand = match.current()
    assert hand.offer is not None
    return match.with_hand(
        phase=Phase.PLAY,
        value=hand.offer.value,
        offer=None,
        raised=hand.raised or hand.offer.seat == hand.turn,
        last_raiser=side_of(hand.offer.seat),
    )


def _offered(match: Match, event: Event, value: Value) -> Match:
    if match.phase is Phase.RAISE_ANSWER:
        match = accepted(match)
    offer = Offer(event.do, _seat(event), value)
    return match.with_hand(phase=Phase.RAISE_ANSWER, offer=offer, late_caller=None)


# --- the ladder (LT-10 … LT-17) ---


def limits(match: Match, seat: int) -> RaiseLimits:
    """What a seat may offer by score and value, whoever is on turn (section 3).

    While an offer waits, a seat raises from its value: a higher offer accepts it.
    """
    hand, side = match.current(), side_of(seat)
    value = hand.value if hand.offer is None else hand.offer.value
    if isinstance(value, str):
        return RaiseLimits((), remainder=False)
    own, other = match.scores[side].points, match.scores[1 - side].points
    return raise_limits(match.rules, own=own, other=other, value=value)


def _check_ladder(match: Match, event: Event) -> None:
    """Checks who may make an offer on the ladder, and when; not how much it may offer."""
    seat = _seat(event)
    if match.phase is Phase.RAISE_ANSWER:
        if not _may_reraise(match, seat):
            _refuse_reraise(match, event, "LT-14")
    elif match.phase is Phase.REDEAL_ANSWER:
        refuse_phase(match, "LT-4")
    elif match.phase is Phase.ELEVEN:
        refuse_phase(match, "TS-18")
    elif match.phase not in IN_PLAY:
        refuse_phase(match, "LT-11")
    elif not _may_call_now(match.current(), seat):
        refuse_seat(match, "LT-11")
    hand = match.current()
    standing = hand.value if hand.offer is None else hand.offer.value
    if standing == REMAINDER:
        raise RaiseNotAllowed("LT-17", N_("the hand is played for the remainder: no further raise"))
    if hand.calls_off is not None:
        raise RaiseNotAllowed(hand.calls_off, N_("there are no calls in this hand"))
    if not match.may_speak(seat):
        raise RaiseNotAllowed("L4-4", ONLY_CAPTAINS)
    one = match.rules.offers_in_turn == "one"
    if one and hand.offer is None and hand.raised and seat == hand.turn:
        raise RaiseNotAllowed("LT-12", N_("one offer a turn: a card is due after an accepted one"))
    last = hand.last_raiser if hand.offer is None else side_of(hand.offer.seat)
    if match.rules.reraise == "alternate" and last == side_of(seat):
        raise RaiseNotAllowed(
            "LT-13", N_("the side whose offer was accepted last cannot make the next one")
        )


def _check_raise(match: Match, event: Event) -> None:
    _check_ladder(match, event)
    allowed = limits(match, _seat(event))
    if event.to in allowed.values:
        return
    if allowed.values:
        raise RaiseNotAllowed(
            "LT-16",
            N_("score and value allow {values}"),
            values=", ".join(map(str, allowed.values)),
        )
    if allowed.remainder:
        raise RaiseNotAllowed("LT-16", N_("score and value allow only the remainder"))
    raise RaiseNotAllowed("LT-16", N_("score and value allow no raise"))


def _check_remainder(match: Match, event: Event) -> None:
    _check_ladder(match, event)
    allowed = limits(match, _seat(event))
    if allowed.remainder:
        return
    if match.rules.remainder == "off":
        raise RaiseNotAllowed("LT-17", N_("the remainder is not played at this table"))
    if allowed.values and match.rules.remainder == "when_blocked":
        raise RaiseNotAllowed(
            "LT-17", N_("the remainder may be offered only when no ordinary raise is possible")
        )
    raise RaiseNotAllowed(
        "LT-17", N_("the missing points are not more than the hand is worth already")
    )


def _raise(match: Match, event: Event) -> Match:
    assert event.to is not None
    return _offered(match, event, event.to)


def _remainder(match: Match, event: Event) -> Match:
    return _offered(match, event, REMAINDER)


def _propose_raises(match: Match, do: str) -> Iterable[Event]:
    if not match.in_progress:
        return
    for seat in range(match.seats):
        for value in limits(match, seat).values:
            yield Event(do, seat, to=value)


# --- calls of one value each (TS-10 … TS-17) ---


def _check_call(match: Match, event: Event) -> None:
    calls = match.rules.raising.calls
    place = [call.do for call in calls].index(event.do)
    call, before = calls[place], calls[place - 1] if place else None
    if before is not None and match.phase is Phase.RAISE_ANSWER:
        _check_counter(match, event, before)
        return
    _check_call_phase(match, call)
    hand = match.current()
    out_of_order = hand.last_raiser is not None if before is None else hand.value != before.value
    if out_of_order:
        raise RaiseNotAllowed(call.rule, call.refusal)
    alternate = before is not None and match.rules.reraise == "alternate"
    if alternate and hand.last_raiser == side_of(_seat(event)):
        raise RaiseNotAllowed(call.rule, call.alternates)
    _check_call_time(match, event, call.rule)


def _check_counter(match: Match, event: Event, before: Call) -> None:
    """Checks a call that accepts the one before it (TS-16)."""
    offer = match.current().offer
    if offer is None or offer.do != before.do or not _may_reraise(match, _seat(event)):
        _refuse_reraise(match, event, match.rules.cites["counter"])


def _check_call_phase(match: Match, call: Call) -> None:
    if match.phase is Phase.ELEVEN:
        refuse_phase(match, "TS-18")
    if match.in_progress and match.current().calls_off is not None:
        raise RaiseNotAllowed(str(match.current().calls_off), N_("there are no calls in this hand"))
    if match.phase not in IN_PLAY:
        refuse_phase(match, call.rule)


CALL_AT: Mapping[str, tuple[Callable[[Hand], bool], str]] = {
    "turn": (lambda hand: True, ""),
    "lead": (
        lambda hand: not hand.tricks or hand.tricks[-1].complete,
        N_("only who leads a trick may call, before the card"),
    ),
    "first": (lambda hand: not hand.tricks, N_("calls come before the first card of the hand")),
}
"""``Rules.call_at`` to whether a player on turn may call now, and the reason if not (PU-5)."""


def _check_call_time(match: Match, event: Event, rule: str) -> None:
    hand, seat = match.current(), _seat(event)
    if _may_call_now(hand, seat):
        allowed, refusal = CALL_AT[match.rules.call_at]
        if not allowed(hand):
            raise RaiseNotAllowed(rule, refusal)
        return
    latest = [trick for trick in hand.tricks[-2:] if trick.plays]
    shown = latest[-1].plays if latest else ()
    if any(play.seat == seat for play in shown):
        rule = match.rules.cites["too late"]
        raise NotYourTurn(rule, N_("it is too late to call after one's own card"))
    refuse_seat(match, rule)


def _call(match: Match, event: Event) -> Match:
    value = match.rules.raising.value_of(event.do)
    assert value is not None
    return _offered(match, event, value)


# --- yes and no to an offer ---


def _check_answer(match: Match, event: Event) -> None:
    rule = match.rules.cites["answer"]
    if match.phase is not Phase.RAISE_ANSWER:
        refuse_phase(match, rule)
    if event.seat not in match.asked_seats():
        offer = match.current().offer
        opponent = offer is not None and side_of(_seat(event)) != side_of(offer.seat)
        if opponent and match.rules.speakers == "captains":
            raise NotYourTurn("L4-4", ONLY_CAPTAINS)
        refuse_seat(match, rule)


def _accept(match: Match, event: Event) -> Match:
    return accepted(match)


def _reject(match: Match, event: Event) -> Match:
    offer = match.current().offer
    assert offer is not None
    return end_hand(match, End.RAISE_REJECTED, side_of(offer.seat))


# --- trut (TR-8 … TR-12, TR-19, TR-20, TR-24) ---


def cards_left(hand: Hand, seat: int) -> int:
    """Cards that a seat has not played yet; 0 before the deal."""
    return hand.size - sum(play.seat == seat for trick in hand.tricks for play in trick.plays)


def _check_trut(match: Match, event: Event) -> None:
    seat = _seat(event)
    if match.phase in (Phase.TRUT_ANSWER, Phase.FORTIAL_ANSWER):
        refuse_phase(match, "TR-9")
    if match.phase is Phase.FORTIAL:
        if seat not in match.asked_seats():
            refuse_seat(match, "TR-19")
        return
    if match.phase not in IN_PLAY:
        refuse_phase(match, "TR-8")
    hand = match.current()
    if hand.calls_off is not None:
        raise RaiseNotAllowed(
            hand.calls_off, N_("both sides are at fortial, so a trut changes nothing")
        )
    if hand.trut is not None:
        raise RaiseNotAllowed("TR-9", N_("there is one trut a hand"))
    _check_card_in_hand(hand, seat)


def _check_card_in_hand(hand: Hand, seat: int) -> None:
    if cards_left(hand, seat) == 0:
        raise RaiseNotAllowed("TR-8", N_("only a player with a card in hand can trut"))


def _trut(match: Match, event: Event) -> Match:
    fortial = match.phase is Phase.FORTIAL
    return match.with_hand(
        phase=Phase.FORTIAL_ANSWER if fortial else Phase.TRUT_ANSWER, trut=event.seat, answered=0
    )


def _check_retrut(match: Match, event: Event) -> None:
    seat = _seat(event)
    if match.phase in (Phase.FORTIAL, Phase.FORTIAL_ANSWER):
        refuse_phase(match, "TR-24")
    answers = match.phase is Phase.TRUT_ANSWER
    if not answers and match.phase not in IN_PLAY:
        refuse_phase(match, "TR-24")
    hand = match.current()
    if match.rules.fortial and one_short(match.rules, match.scores):
        raise RaiseNotAllowed("TR-24", N_("there is no retrut in a hand that begins at fortial"))
    if hand.retrut or hand.trut is None:
        raise RaiseNotAllowed("TR-24", N_("a retrut follows a trut, once a hand"))
    if side_of(seat) == side_of(hand.trut):
        raise RaiseNotAllowed("TR-24", N_("the retrut is for the opponents of the one who truted"))
    if answers and seat not in match.asked_seats():
        refuse_seat(match, "TR-10")
    _check_card_in_hand(hand, seat)


def _retrut(match: Match, event: Event) -> Match:
    # In place of an answer, a retrut also sees the trut; so one trut is seen in any case.
    return match.with_hand(
        phase=Phase.TRUT_ANSWER, trut=event.seat, retrut=True, truts_seen=1, answered=0
    )


def _check_trut_answer(match: Match, event: Event) -> None:
    if match.phase not in (Phase.TRUT_ANSWER, Phase.FORTIAL_ANSWER):
        refuse_phase(match, "TR-10")
    if event.seat not in match.asked_seats():
        refuse_seat(match, "TR-10")


def _see(match: Match, event: Event) -> Match:
    if match.phase is Phase.FORTIAL_ANSWER:
        return before_play(match.with_hand(truts_seen=1, questions_done=True))
    return match.with_hand(phase=Phase.PLAY, truts_seen=match.current().truts_seen + 1)


def _lie_down(match: Match, event: Event) -> Match:
    hand = match.current()
    assert hand.trut is not None
    if hand.answered + 1 < len(match.trut_answerers(hand.trut)):
        return match.with_hand(answered=hand.answered + 1)
    fortial = hand.phase is Phase.FORTIAL_ANSWER
    return end_hand(match, End.FORTIAL_REFUSED if fortial else End.LAY_DOWN, side_of(hand.trut))


VERBS: Mapping[str, Verb] = {
    "raise": Verb(_check_raise, _raise, _propose_raises),
    "remainder": Verb(_check_remainder, _remainder),
    **{
        call.do: Verb(_check_call, _call)
        for game in GAMES.values()
        for call in game.rules.raising.calls
    },
    "accept": Verb(_check_answer, _accept),
    "reject": Verb(_check_answer, _reject),
    "trut": Verb(_check_trut, _trut),
    "retrut": Verb(_check_retrut, _retrut),
    "see": Verb(_check_trut_answer, _see),
    "lie_down": Verb(_check_trut_answer, _lie_down),
}
