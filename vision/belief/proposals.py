"""What the belief says: proposals, questions and hints; and the settings by which it decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.errors import RuleError
from vision.belief.costs import WRONG_SUIT, odds


@dataclass(frozen=True, kw_only=True)
class BeliefSettings:
    """By what the belief decides. Times are seconds, lengths centimetres.

    Attributes:
        suit_margin: natural logarithm of the odds between the best and the second best suit, below
            which the suit is marked as guessed (V-12); see ``vision.belief.costs``.
        border: a card this near to the border of two sectors is whoever's that is due (V-1).
        way_cm: a card that was seen to come from so far away was thrown from there.
        onto_cm: a card that lies within this of one that was laid may have been thrown onto it.
        ask_after: a card that cannot be told is asked about after so long.
        lay_for: a card that lay so long was laid, also where it is gone before it is made out.
        lead_quiet: the deal is over when a card has lain so long where the first one is due.
        lead_after: a card that lies so long where the first one is due, though no deal was seen,
            makes the table ask for the deal.
        nobody_after: a card that lies so long before anybody else makes it ask, too; and so does a
            card that is hardly read, while nothing else comes.
        at_once: between two hands, cards that come before one seat within this time were laid at
            once: nobody leads two cards.
        shown_within: two cards that come to lie beside one another within this time, before a seat
            that is not due, were shown at once (V-14).
        hint_after: a card before a seat that is not due is spoken of after so long.
        gathers: a card that comes so long after a trick was seen last is of the next trick.
        unseen_after: after so long a card is asked for that nobody saw in a trick taken away.
        beside_cm: cards that lie within this of one another lie beside one another.
        again_cm: what looks like a card that was taken away lies within this of it, if it is that.
        double_cm: what lies within this of a card may be another outline of it (V-2).
        nothing_cm: what is hardly read within this of where people said that no card lies, is none.
        by_hand_within: a play entered by hand is of a card that came to rest since then (V-11).
        pause: cards laid down so soon after the end of a hand are no new deal.
        stays: what lies face up for so long after the end of a hand is not waited for any more.
        quiet: the deal is over when no card came for so long.
        quiet_size: the same where more than one number of cards may have been dealt.
        quiet_alone: the same where only the pack was seen to move.
        pack_moves: a pack that moves further than this was used.
        words_wait: a word that the rules do not allow yet waits so long for the card before it.
        untold_after: and so long for the word before it, which was perhaps said and not tapped.
    """

    suit_margin: float = odds(WRONG_SUIT)
    border: float = 4.0
    way_cm: float = 12.0
    onto_cm: float = 6.0
    ask_after: float = 2.5
    lay_for: float = 0.5
    lead_quiet: float = 0.7
    lead_after: float = 6.0
    nobody_after: float = 12.0
    at_once: float = 2.0
    shown_within: float = 0.7
    hint_after: float = 0.7
    gathers: float = 1.0
    unseen_after: float = 1.6
    beside_cm: float = 8.0
    again_cm: float = 3.0
    double_cm: float = 3.0
    nothing_cm: float = 1.5
    by_hand_within: float = 8.0
    pause: float = 1.5
    stays: float = 8.0
    quiet: float = 1.2
    quiet_size: float = 2.5
    quiet_alone: float = 1.6
    pack_moves: float = 8.0
    words_wait: float = 3.0
    untold_after: float = 1.0


class Proposal(NamedTuple):
    """An event that the belief has made out.

    Attributes:
        event: what was done.
        seq_seen: number of the latest event when it was judged.
        card: number of the card that it is about, or None.
        why: the reason, in a sentence.
        chance: how likely it is right, 0–1.
        at: when the card came to rest, or the last one of a deal did.
        instead: whether it takes the place of the seat's latest play.
        before: what has to be said before it, and was not told yet.
    """

    event: Event
    seq_seen: int
    card: int | None
    why: str
    chance: float
    at: float
    instead: bool = False
    before: tuple[Event, ...] = ()


class Choice(NamedTuple):
    """One answer to a question.

    Attributes:
        word: ``play``, ``instead`` (of the latest play), ``hold``, ``drop``, ``deal``, a yes or no
            to an offer (``accept``, ``see``, ``refuse``, ``reject``, ``lie_down``), ``side`` (lay
            down), ``misdeal``, ``void``, ``revise`` (what was written), ``stay`` or ``no``.
        event: what is said by it, or None.
        chance: how likely it is right, 0–1; 0 where nothing tells.
        before: what has to be said before the event, and was not told yet.
        side: the side that the answer is about, or None.
    """

    word: str
    event: Event | None = None
    chance: float = 0.0
    before: tuple[Event, ...] = ()
    side: int | None = None

    @property
    def key(self) -> str:
        """Names it among the choices of its question, whatever their order: ``play K``."""
        said = self.event
        if self.side is not None:
            return f"{self.word} {self.side}"
        if said is None:
            return self.word
        about = said.card.rank if said.card is not None else said.cards
        return self.word if about is None else f"{self.word} {about}"


class Question(NamedTuple):
    """What the belief cannot decide.

    Attributes:
        id: its number.
        kind: ``cleared``: who lay down, for the table was cleared; ``thrown``: the same, for cards
            were thrown in (V-14); ``card``: which one it is; ``unseen``: what was laid to a trick
            that was taken away (V-13); ``early``: whether a card before a seat that is not due
            counts (V-1); ``too_many``: whether one of more cards than possible counts (V-6);
            ``exposed``: whether a card that was shown in dealing makes the deal void (V-7);
            ``deal``: whether a hand was dealt, and how many cards; ``answer``: whether a card that
            is laid means yes (V-22); ``reject``: whether cards laid down mean no; ``doubted``:
            which card was laid, for what was written is hardly believed (V-13).
        seat: whose card or answer it is.
        choices: the answers, the likeliest first.
        why: the reason, in a sentence.
        card: number of the card that it is about, or None.
        at: when it was asked.
        trick: of ``doubted``, the trick to which the seat laid the card, from 1; else None.
    """

    id: int
    kind: str
    seat: int | None
    choices: tuple[Choice, ...]
    why: str
    card: int | None
    at: float
    trick: int | None = None


class Hint(NamedTuple):
    """What people may want to know, and need not answer.

    Attributes:
        kind: ``not_due`` (V-1), ``exposed`` (V-7), ``too_many_backs``, ``too_few_backs``,
            ``wrong_pack`` (C-9), ``too_many`` (V-6) or ``refused``: a word against the rules.
        rule: id of the rule.
        seat: whose card it is, or None.
        text: the hint, in a sentence; where a word is refused, the reason with its ``{fields}``.
        card: number of the card, or None.
        event: what people may want to say, such as ``misdeal``; or what was refused.
        fields: what the fields of a refusal's reason stand for.
    """

    kind: str
    rule: str
    seat: int | None
    text: str
    card: int | None = None
    event: Event | None = None
    fields: Mapping[str, str] = MappingProxyType({})


def refused(error: RuleError, seat: int | None) -> Hint:
    """The hint that a word of a seat is against the rules."""
    fields = {name: str(value) for name, value in error.fields.items()}
    return Hint("refused", error.rule, seat, error.reason, event=error.tried, fields=fields)


class Decisions(NamedTuple):
    """What came of one look at the table.

    Attributes:
        proposals: at most one: after it the referee expects something else.
        asked: new questions.
        withdrawn: questions that have been cleared up.
        hints: new hints.
    """

    proposals: tuple[Proposal, ...] = ()
    asked: tuple[Question, ...] = ()
    withdrawn: tuple[Question, ...] = ()
    hints: tuple[Hint, ...] = ()
