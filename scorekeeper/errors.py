"""What can go wrong, as a small family of errors that a table can read.

Every error names the rule that it upholds (an id of the rules, or the word ``format``), and holds
its reason with the fields apart, so that a screen can say it in another language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.engine.events import Event

FORMAT = "format"
"""Stands for the rule id where the record's form is broken and no numbered rule."""

TOURNAMENT = "tournament"
"""Stands for the rule id where what is refused belongs to a tournament and not to a game."""


class ScorekeeperError(Exception):
    """Base of all errors that the referee raises on purpose; its text is one whole sentence."""


class RuleError(ScorekeeperError, ValueError):
    """An event that the rules do not allow now.

    Attributes:
        rule: Id of the rule that forbids it, such as ``"LT-11"``, or ``"format"``.
        reason: Why, in English, with ``{fields}``; also the key of its translations.
        fields: What the reason's fields stand for.
        tried: The event that was refused; None where it could not even be read.
        legal: What would have been legal instead.
    """

    def __init__(self, rule: str, reason: str, **fields: object) -> None:
        super().__init__(rule, reason, fields)
        self.rule = rule
        self.reason = reason
        self.fields = fields
        self.tried: Event | None = None
        self.legal: Sequence[Event] = ()

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """Returns what cannot be done, and why, in the language of ``translate`` (gettext)."""
        reason = translate(self.reason).format(**self.fields)
        if self.tried is None:
            return reason
        tried = self.tried.in_words(translate)
        if self.tried.seat is None or self.tried.agreed:
            return translate("{tried} is not possible now: {reason}").format(
                tried=tried, reason=reason
            )
        return translate("seat {seat} cannot {tried} now: {reason}").format(
            seat=self.tried.seat, tried=tried, reason=reason
        )

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence()}"


class FormatError(RuleError):
    """A record, an event or a card that is not written as the record format asks."""

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(FORMAT, reason, **fields)


class WrongPhase(RuleError):
    """The hand is at another point: nothing is asked, or something else is."""


class NotYourTurn(RuleError):
    """Somebody else is due."""


class CardNotInPack(RuleError):
    """C-9: a rank that this game's pack does not have."""


class CardAlreadyPlayed(RuleError):
    """V-2: each card once a hand."""


class RaiseNotAllowed(RuleError):
    """A raise, truc, retruc or trut that the state of the hand or the score forbids."""


class TournamentError(RuleError):
    """Something that a tournament does not allow now; its reason is a whole sentence's worth."""

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(TOURNAMENT, reason, **fields)


class LedgerError(ScorekeeperError):
    """The ledger cannot be opened, read or written; nothing was half-written."""


class StaleAppend(ScorekeeperError):
    """Somebody else's event came first: the append was judged at an old sequence number.

    Attributes:
        seen: The sequence number that the append named.
        now: The sequence number that the match has by now.
    """

    def __init__(self, *, seen: int, now: int) -> None:
        super().__init__(
            f"Somebody else was first: this was said after event {seen}, "
            f"and the match is at event {now} now; look at the table again."
        )
        self.seen = seen
        self.now = now
