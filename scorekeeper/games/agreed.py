"""Events that the table agrees on (V-15 … V-21): a row for each, with all texts about it.

Pages, the reader of records, the rulebook, the story, tables of figures and tests read ``AGREED``.
What these events check and do is in ``engine/agreeing.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.messages import N_

if TYPE_CHECKING:
    from scorekeeper.engine.events import Event

LONGEST_NOTE = 80
"""Most characters of a note, or of the name of a new player."""


def _both(event: Event) -> frozenset[int]:
    return frozenset((0, 1))


def _given(event: Event) -> frozenset[int]:
    """The side that loses by it: points are taken from it, or the other side gains; else both."""
    if event.side is None:
        return frozenset((0, 1))
    taken = (event.points or 0) < 0 or (event.smalls or 0) < 0
    return frozenset((event.side if taken else 1 - event.side,))


class Agreed(NamedTuple):
    """An event that the table agrees on.

    Attributes:
        rule: Id of the rule that allows it.
        label: Its name in the sentence that refuses it.
        button: The words on its button.
        phrase: It in a few words, for a list of events.
        sentence: The sentence on it in the story; empty if the end of the hand says it all.
        rulebook: What the rulebook says about it; empty if another row of the same rule says it.
        needs: Keys that the event must have.
        may: Keys that it may have.
        button_for_nobody: ``button`` for an event that names no side, though it may.
        sentence_for_nobody: ``sentence`` for an event that names no side, though it may.
        sides: Gives the sides that must agree to an event, because they may lose by it.
        missed: Whether a correction may insert it between two earlier events.
        listed: Whether pages offer it.
    """

    rule: str
    label: str
    button: str
    phrase: str
    sentence: str
    rulebook: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    button_for_nobody: str = ""
    sentence_for_nobody: str = ""
    sides: Callable[[Event], frozenset[int]] = _both
    missed: bool = False
    listed: bool = True


HEADINGS: Mapping[str, str] = {
    "V-16": N_("A card out of turn"),
    "V-17": N_("A wrong dealer"),
    "V-18": N_("A wrong deal"),
    "V-15": N_("The hand is given up"),
    "V-20": N_("A penalty, or points by agreement"),
    "V-19": N_("The game or the match ends here"),
    "V-21": N_("Another player"),
}
"""Rule to the heading under which pages list its events."""

AGREED: Mapping[str, Agreed] = {
    "turn": Agreed(
        rule="V-16",
        label=N_("a card out of turn"),
        button=N_("It counts: {who} plays"),
        phrase=N_("{who} plays out of turn"),
        sentence=N_("By agreement it is {who}'s turn."),
        rulebook=N_(
            "A card out of turn, or a wrong leader, may be accepted: then it is that player's "
            "turn, and those who have not played to the trick follow in order."
        ),
        needs=("seat",),
        missed=True,
    ),
    "dealer": Agreed(
        rule="V-17",
        label=N_("another dealer"),
        button=N_("It counts: {who} deals"),
        phrase=N_("{who} deals by agreement"),
        sentence=N_("By agreement {who} deals."),
        rulebook=N_(
            "A wrong dealer may be accepted before the first card is played; the deal passes on "
            "from there."
        ),
        needs=("seat",),
        missed=True,
    ),
    "deal_again": Agreed(
        rule="V-18",
        label=N_("a new deal by the same dealer"),
        button=N_("The same dealer deals again"),
        phrase=N_("the hand is dealt again"),
        sentence="",
        rulebook=N_(
            "A deal that is found to be wrong after a card was played is void: the same dealer "
            "deals again, or the deal passes, as the table agrees."
        ),
        missed=True,
    ),
    "void_hand": Agreed(
        rule="V-18",
        label=N_("a void hand"),
        button=N_("This hand is void: the deal passes"),
        phrase=N_("the hand is void"),
        sentence="",
        rulebook="",
        missed=True,
    ),
    "concede": Agreed(
        rule="V-15",
        label=N_("giving up the hand"),
        button=N_("The hand is given up by {side}"),
        phrase=N_("the hand is given up by {side}"),
        sentence="",
        rulebook=N_(
            "A side may give up a hand that is being played: the other side scores what is at "
            "stake."
        ),
        needs=("side",),
        sides=lambda event: frozenset((event.side or 0,)),
        missed=True,
    ),
    "adjust": Agreed(
        rule="V-20",
        label=N_("a change of the score"),
        button=N_("{side}: {amount}"),
        phrase=N_("{amount} by agreement for {side}"),
        sentence=N_("By agreement {amount} for {side}."),
        rulebook=N_(
            "Between hands the table may give or take points, as a penalty or to put a mistake "
            "right. The game may end by that, and one that is over may go on."
        ),
        needs=("side", "points"),
        may=("smalls", "note"),
        sides=_given,
    ),
    "award": Agreed(
        rule="V-20",
        label=N_("points by agreement"),
        button=N_("{side}: {amount}"),
        phrase=N_("{amount} by agreement for {side}"),
        sentence=N_("By agreement {amount} for {side}."),
        rulebook="",
        needs=("side", "points"),
        sides=_given,
        # Pages offer ``adjust`` instead. After the end of a game, that changes this game's score;
        # an award counts for the next game.
        listed=False,
    ),
    "end_game": Agreed(
        rule="V-19",
        label=N_("ending the game"),
        button=N_("The game goes to {side}"),
        phrase=N_("the game ends by agreement"),
        sentence=N_("By agreement the game ends here."),
        rulebook=N_(
            "A game or a match may end before it is won: for one side, or without a winner."
        ),
        may=("side", "note"),
        button_for_nobody=N_("The game ends without a winner"),
        sentence_for_nobody=N_("By agreement the game ends here, without a winner."),
        sides=_given,
    ),
    "end_match": Agreed(
        rule="V-19",
        label=N_("ending the match"),
        button=N_("The match goes to {side}"),
        phrase=N_("the match ends by agreement"),
        sentence=N_("By agreement the match ends here: it goes to {side}."),
        rulebook="",
        may=("side", "note"),
        button_for_nobody=N_("The match ends without a winner"),
        sentence_for_nobody=N_("By agreement the match ends here, without a winner."),
        sides=_given,
    ),
    "player": Agreed(
        rule="V-21",
        label=N_("another player"),
        button=N_("Takes over from {who}"),
        phrase=N_("{name} takes over from {who}"),
        sentence=N_("From here on {name} plays instead of {who}."),
        rulebook=N_(
            "Somebody else may take over a seat: the score stays, and each player keeps the hands "
            "that he or she has played."
        ),
        needs=("seat", "name"),
        sides=lambda event: frozenset(((event.seat or 0) % 2,)),
    ),
}
"""Verb to its row, in the order of pages and of the rulebook."""
