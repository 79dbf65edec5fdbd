"""What comes of the belief: proposals, questions and hints."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.errors import RuleError


class Proposal(NamedTuple):
    """An event that is to be written.

    Attributes:
        event: what was done.
        card: number of the card that it is about, or None.
        why: the reason, in a sentence.
        chance: how likely it is right, 0–1.
        at: when the card came to rest, the last card of a deal did, or the word was said; in
            seconds.
        instead: whether it takes the place of the seat's latest play.
        before: the words that have to be written before it, as nobody has tapped them (V-22).
    """

    event: Event
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
        event: what is written if it is chosen, or None.
        chance: how likely it is right, 0–1; 0 if that is not known.
        before: the words that have to be written before the event, as nobody has tapped them.
        side: the side that the answer is about, or None.
    """

    word: str
    event: Event | None = None
    chance: float = 0.0
    before: tuple[Event, ...] = ()
    side: int | None = None

    @property
    def key(self) -> str:
        """Its name among the choices of its question, whatever their order, such as ``play K``."""
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
        kind: ``cleared``: who folded, for the table was cleared; ``thrown``: the same, for cards
            were thrown in (V-14); ``card``: which card it is (V-13); ``unseen``: which card was
            laid to a trick that was taken away (V-13); ``early``: whether a card before a seat that
            is not due counts (V-1); ``too_many``: whether a card counts if there are more than can
            be played (V-6);
            ``exposed``: whether a card that was shown in dealing makes the deal void (V-7);
            ``deal``: whether a hand was dealt, and how many cards; ``answer``: whether a card that
            is laid means yes (V-22); ``reject``: whether cards laid down mean no; ``doubted``:
            which card was laid, for what was written is hardly believed (V-13).
        seat: whose card or answer it is about; None if it is about no seat alone.
        choices: the answers, the likeliest first.
        card: number of the card that it is about, or None.
        at: when it was asked, in seconds.
        trick: of ``doubted``, the trick to which the seat laid the card, from 1; else None.
    """

    id: int
    kind: str
    seat: int | None
    choices: tuple[Choice, ...]
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
        card: number of the card, or None.
        event: what people may want to say, such as ``misdeal``; or what was refused.
        reason: of ``refused``, why the rules do not allow it, a sentence with ``{fields}``.
        fields: what the fields of that sentence stand for.
    """

    kind: str
    rule: str
    seat: int | None
    card: int | None = None
    event: Event | None = None
    reason: str = ""
    fields: Mapping[str, str] = MappingProxyType({})


def refused(error: RuleError, seat: int | None) -> Hint:
    """The hint that a seat's word is against the rules."""
    fields = {name: str(value) for name, value in error.fields.items()}
    return Hint("refused", error.rule, seat, None, error.tried, error.reason, fields)
