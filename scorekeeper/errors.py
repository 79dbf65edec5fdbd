"""The errors that the referee raises on purpose; their sentences are for the players.

A ``RuleError`` names the rule that forbids the event: an id of ``docs/rules.md``, or ``format``, or
``tournament``. It keeps its reason and the values in it apart, so that a screen can say it in
another language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.engine.events import Event

FORMAT = "format"
"""Takes the place of a rule id if a record, event or card is not written as the format asks."""

TOURNAMENT = "tournament"
"""Takes the place of a rule id if a tournament refuses something, and not a game."""


class ScorekeeperError(Exception):
    """Base of all errors that the referee raises on purpose; its text is one whole sentence."""


class RuleError(ScorekeeperError, ValueError):
    """An event that the rules do not allow now.

    Attributes:
        rule: Id of the rule that forbids it, such as ``"LT-11"``; ``FORMAT`` or ``TOURNAMENT``.
        reason: Why, in English, with a ``{name}`` for each field; also the key of its translations.
        fields: Name of each field in the reason, to its value.
        tried: The event that was refused; None if it could not even be read.
        legal: The events that were legal instead; empty if that is not known.
    """

    def __init__(self, rule: str, reason: str, **fields: object) -> None:
        super().__init__(rule, reason, fields)
        self.rule = rule
        self.reason = reason
        self.fields = fields
        self.tried: Event | None = None
        self.legal: Sequence[Event] = ()

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """Returns a sentence that says which event was refused and why.

        Args:
            translate: Translates an English message, as gettext does.
        """
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
    """The event does not fit the phase: something else is awaited, or nothing."""


class NotYourTurn(RuleError):
    """The seat is not the one that is awaited."""


class CardNotInPack(RuleError):
    """C-9: a card that is not in the pack on the table."""


class CardAlreadyPlayed(RuleError):
    """V-2: a card that was played in this hand already."""


class RaiseNotAllowed(RuleError):
    """A raise, truc, retruc or trut that the state of the hand or the score forbids."""


class TournamentError(RuleError):
    """Something that a tournament does not allow now."""

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(TOURNAMENT, reason, **fields)


class LedgerError(ScorekeeperError):
    """The ledger cannot be opened, read or written; a write that failed has changed nothing."""


class StaleAppend(ScorekeeperError):
    """An event was not appended, because the match has gone on since its sender looked.

    Attributes:
        seen: Sequence number of the last event that the sender knew.
        now: Sequence number of the last event of the match.
    """

    def __init__(self, *, seen: int, now: int) -> None:
        super().__init__(
            f"Somebody else was first: this was said after event {seen}, "
            f"and the match is at event {now} now; look at the table again."
        )
        self.seen = seen
        self.now = now
