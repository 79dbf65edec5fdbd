"""The verbs before play: cut, deal, new cards, and the questions at eleven and at fortial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scorekeeper.engine.events import Event
from scorekeeper.engine.outcome import end_hand
from scorekeeper.engine.state import End, Hand, Match, Past, Phase
from scorekeeper.engine.verbs import Verb, refuse_phase, refuse_seat
from scorekeeper.errors import NotYourTurn, RuleError, WrongPhase
from scorekeeper.games.scoring import one_short
from scorekeeper.games.tricks import side_of
from scorekeeper.messages import N_


def open_hand(match: Match, phase: Phase) -> Match:
    """Begins a hand, and with it the next game if one has ended."""
    past = match.past if match.hand is None else Past(match.hand, match.past)
    return match._replace(
        scores=match.opening_scores,
        closed=None,
        hand=Hand(match.dealer, phase),
        past=past,
        hand_number=match.hand_number + 1,
    )


def _between_hands(match: Match) -> bool:
    return not match.in_progress and not match.over


# --- cut and tap (TS-3, TS-4) ---


def _check_cut(match: Match, event: Event) -> None:
    if not (_between_hands(match) and match.rules.asks_cut):
        refuse_phase(match, "TS-3")
    if event.seat != match.cutter:
        raise NotYourTurn("TS-3", N_("seat {cutter} cuts"), cutter=match.cutter)


def _check_tap(match: Match, event: Event) -> None:
    _check_cut(match, event)
    if not match.rules.tap_allowed:
        raise RuleError("TS-3", N_("tapping is not allowed at this table"))
    if any(score.points == match.rules.target - 1 for score in match.opening_scores):
        raise RuleError("TS-4", N_("a side needs one point, so the pack must be cut"))


def _cut(match: Match, event: Event) -> Match:
    return open_hand(match, Phase.DEALING)


def _tap(match: Match, event: Event) -> Match:
    return open_hand(match, Phase.DEAL_SIZE)


# --- deal and misdeal ---


def deal_sizes(match: Match) -> tuple[int, ...]:
    """How many cards each player may be dealt now; empty if nobody may deal."""
    sizes = match.rules.hand_sizes
    if match.in_progress:
        hand = match.current()
        if hand.phase is Phase.DEAL_SIZE:
            return sizes
        if hand.phase is Phase.DEALING:
            return (hand.size or sizes[0],)
        return ()
    return sizes[:1] if _between_hands(match) and not match.rules.asks_cut else ()


def _check_deal(match: Match, event: Event) -> None:
    rule = match.rules.cites["deal"]
    sizes = deal_sizes(match)
    if not sizes:
        refuse_phase(match, rule)
    if event.seat != match.dealer:
        raise NotYourTurn("C-6", N_("seat {dealer} deals"), dealer=match.dealer)
    if event.cards not in sizes:
        raise RuleError(
            rule,
            N_("everybody is dealt {sizes} cards"),
            sizes=" / ".join(map(str, sizes)),
        )


def _propose_deals(match: Match, do: str) -> Iterable[Event]:
    return (Event(do, match.dealer, cards=size) for size in deal_sizes(match))


def _deal(match: Match, event: Event) -> Match:
    if not match.in_progress:
        match = open_hand(match, Phase.DEALING)
    hand = match.current()
    return before_play(match.with_hand(size=event.cards, before_deal=hand))


def before_play(match: Match) -> Match:
    """Goes on to the next question before play, or to play itself (TS-18, TR-18, LT-4)."""
    rules, hand = match.rules, match.current()
    changes: dict[str, object] = {"turn": match.first_leader, "questions_done": True}
    if not hand.questions_done:
        short = one_short(rules, match.scores)
        if len(short) == 1 and (rules.eleven or rules.fortial):
            return match.with_hand(phase=Phase.ELEVEN if rules.eleven else Phase.FORTIAL)
        if len(short) == 2 and rules.fortial:
            changes["calls_off"] = "TR-22"
    asks = hand.asked < rules.new_cards(match.seats)
    return match.with_hand(phase=Phase.REDEAL_ASK if asks else Phase.PLAY, **changes)


def _check_misdeal(match: Match, event: Event) -> None:
    if not match.in_progress or match.current().before_deal is None:
        raise WrongPhase("V-7", N_("there is no deal to be void"))
    if match.current().tricks:
        raise WrongPhase("V-7", N_("a card was played, so it is too late for a misdeal"))


def _misdeal(match: Match, event: Event) -> Match:
    before = match.current().before_deal
    assert before is not None
    return match._replace(hand=before._replace(before_deal=None))


# --- new cards (LT-4 … LT-6) ---


def _check_i_play(match: Match, event: Event) -> None:
    if match.phase is not Phase.REDEAL_ASK:
        refuse_phase(match, "LT-6")
    if event.seat != match.first_leader:
        refuse_seat(match, "LT-6")


def _check_ask(match: Match, event: Event) -> None:
    if match.phase is not Phase.REDEAL_ASK:
        if match.in_progress and match.current().asked >= match.rules.new_cards(match.seats) > 0:
            if match.current().asked > 1:
                raise WrongPhase("LT-5", N_("new cards were asked for often enough in this hand"))
            raise WrongPhase("LT-5", N_("new cards were asked for once in this hand"))
        refuse_phase(match, "LT-4")
    if event.seat == match.dealer:
        raise WrongPhase("LT-5", N_("the dealer never asks for new cards"))
    if event.seat != match.first_leader:
        refuse_seat(match, "LT-4")


def _check_redeal_answer(match: Match, event: Event) -> None:
    if match.phase is not Phase.REDEAL_ANSWER:
        refuse_phase(match, "LT-4")
    if event.seat != match.dealer:
        refuse_seat(match, "LT-4")


def _to_play(match: Match, event: Event) -> Match:
    return match.with_hand(phase=Phase.PLAY)


def _ask(match: Match, event: Event) -> Match:
    return match.with_hand(phase=Phase.REDEAL_ANSWER, asked=match.current().asked + 1)


def _grant(match: Match, event: Event) -> Match:
    return match.with_hand(phase=Phase.DEALING, turn=None, before_deal=None)


# --- eleven (TS-18) and fortial (TR-19, TR-21) ---


def _check_eleven(match: Match, event: Event) -> None:
    if match.phase is not Phase.ELEVEN:
        refuse_phase(match, "TS-18")
    if event.seat not in match.asked_seats():
        refuse_seat(match, "TS-18")


def _play_on(match: Match, event: Event) -> Match:
    value = match.rules.eleven_value
    return before_play(match.with_hand(value=value, calls_off="TS-18", questions_done=True))


def _decline(match: Match, event: Event) -> Match:
    assert event.seat is not None
    return end_hand(match, End.ELEVEN_DECLINED, 1 - side_of(event.seat))


def _check_pass(match: Match, event: Event) -> None:
    if match.phase is not Phase.FORTIAL:
        refuse_phase(match, "TR-19")
    if event.seat not in match.asked_seats():
        refuse_seat(match, "TR-19")


def _pass(match: Match, event: Event) -> Match:
    assert event.seat is not None
    answered = match.current().answered + 1
    if answered < len(match.fortial_members()):
        return match.with_hand(answered=answered)
    return end_hand(match, End.FORTIAL_PASSED, 1 - side_of(event.seat))


VERBS: Mapping[str, Verb] = {
    "cut": Verb(_check_cut, _cut),
    "tap": Verb(_check_tap, _tap),
    "deal": Verb(_check_deal, _deal, _propose_deals),
    "misdeal": Verb(_check_misdeal, _misdeal),
    "i_play": Verb(_check_i_play, _to_play),
    "ask": Verb(_check_ask, _ask),
    "grant": Verb(_check_redeal_answer, _grant),
    "refuse": Verb(_check_redeal_answer, _to_play),
    "play_on": Verb(_check_eleven, _play_on),
    "decline": Verb(_check_eleven, _decline),
    "pass": Verb(_check_pass, _pass),
}
