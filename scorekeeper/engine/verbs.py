"""What a verb checks and does, and how an event is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn

from scorekeeper.engine.events import Event
from scorekeeper.engine.state import Match, Phase
from scorekeeper.errors import NotYourTurn, WrongPhase
from scorekeeper.messages import N_


def every_seat(match: Match, do: str) -> Iterable[Event]:
    """Proposes the verb once for each seat."""
    return (Event(do, seat) for seat in range(match.seats))


class Verb(NamedTuple):
    """What one verb of the record checks and does.

    The legal events are the proposed ones that pass the check, so both always agree.

    Attributes:
        check: Raises a ``RuleError`` if the rules do not allow the event now.
        move: Gives the match after an event that passed the check.
        propose: Given the match and the verb, gives all events that may be legal. A ``play`` comes
            without its card; amounts and names of what a table agrees on are only examples.
    """

    check: Callable[[Match, Event], None]
    move: Callable[[Match, Event], Match]
    propose: Callable[[Match, str], Iterable[Event]] = every_seat


def refuse_phase(match: Match, rule: str) -> NoReturn:
    """Refuses an event that does not fit the phase.

    Raises:
        WrongPhase: Always; its sentence says what is awaited instead.
    """
    raise WrongPhase(rule, AWAITED[match.phase])


def refuse_seat(match: Match, rule: str) -> NoReturn:
    """Refuses an event of a seat that is not awaited.

    Raises:
        NotYourTurn: Always; its sentence says which seat is.
    """
    if match.phase in (Phase.PLAY, Phase.REDEAL_ASK):
        raise NotYourTurn(rule, N_("seat {turn} is on turn"), turn=match.turn)
    raise NotYourTurn(
        rule, N_("it is for seat {seats}"), seats=" / ".join(map(str, match.asked_seats()))
    )


AWAITED = {
    Phase.CUT: N_("the pack is not cut yet"),
    Phase.DEAL_SIZE: N_("the dealer chooses how many cards to deal"),
    Phase.DEALING: N_("the cards are not dealt yet"),
    Phase.REDEAL_ASK: N_("the leader may still ask for new cards"),
    Phase.REDEAL_ANSWER: N_("new cards were asked for, and the dealer has not answered"),
    Phase.ELEVEN: N_("the side that needs one point says first whether it plays"),
    Phase.FORTIAL: N_("a side is at fortial and says first whether it truts"),
    Phase.FORTIAL_ANSWER: N_("a trut waits for its answer"),
    Phase.PLAY: N_("a card is due"),
    Phase.RAISE_ANSWER: N_("an offer waits for its answer"),
    Phase.TRUT_ANSWER: N_("a trut waits for its answer"),
    Phase.HAND_OVER: N_("the hand is over"),
    Phase.MATCH_OVER: N_("the match is over"),
}
"""Phase to what is awaited, as the second half of a sentence."""

VERB_WORDS = (
    N_("cut"),
    N_("tap"),
    N_("deal"),
    N_("misdeal"),
    N_("i play"),
    N_("ask"),
    N_("grant"),
    N_("refuse"),
    N_("play"),
    N_("raise"),
    N_("remainder"),
    N_("truc"),
    N_("retruc"),
    N_("put"),
    N_("accept"),
    N_("reject"),
    N_("trut"),
    N_("retrut"),
    N_("see"),
    N_("lie down"),
    N_("pass"),
    N_("play on"),
    N_("decline"),
    N_("undo"),
)
"""The verbs for the catalogues, with a blank for an underscore; others have a label in ``AGREED``.

Nothing else reads this: ``Event.in_words`` makes the same words.
"""
