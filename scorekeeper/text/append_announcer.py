"""What is called out after an append: its events, or what a correction has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorekeeper.engine.events import NO_REMARKS, Event
from scorekeeper.engine.match import apply, latest_events, undone
from scorekeeper.engine.said import AGREED_BY
from scorekeeper.engine.state import Match
from scorekeeper.messages import N_
from scorekeeper.text.announcer import Announcer, Call, author
from scorekeeper.text.event_phrases import Phrases

BOTH = N_("“{now}”, not “{was}”.")
ADDED = N_("“{now}” added.")
REMOVED = N_("“{was}” removed.")
WORDED = 2
"""At most so many events of a correction are named; the others are counted."""
CALLED = 4
"""At most so many events that came together are called out, the latest ones: nobody wants to hear
all that a table has brought after its network was gone. Words that nobody tapped, and the event
that shows them, are no more (V-22)."""


class Ended(NamedTuple):
    """What has just ended.

    Attributes:
        what: ``match``, else ``game``, else ``hand``.
        side: The side that won it, or None.
        words: A sentence that says so.
    """

    what: str
    side: int | None
    words: str


ENDED = {
    ("match", True): N_("The match goes to {side}."),
    ("match", False): N_("The match is over, without a winner."),
    ("game", True): N_("Game for {side}."),
    ("game", False): N_("The game ended without a winner."),
}
"""What has ended, and whether somebody has won it, to the sentence that says so."""


class AppendAnnouncer(Announcer, Phrases):
    """Calls out what each append has changed, however many events it has."""

    def ended(self, match: Match) -> Ended | None:
        """What has just ended: the match, a game or a hand; None while a hand is in progress."""
        if match.closed is not None:
            what, side = ("match", match.winner) if match.over else ("game", match.closed.winner)
            name = "" if side is None else self.side(side)
            return Ended(what, side, self.say(ENDED[what, side is not None], side=name).text)
        if match.hand is None or match.hand.end is None:
            return None
        return Ended("hand", match.hand.winner, self.result(match.hand))

    def news(self, before: Match, events: Sequence[Event], after: Match) -> list[Call]:
        """What is called out after an append.

        Several events are a correction if they share a group, or take something back. But if a
        card only changes the suit of an earlier guess, it is called as a card (V-12).

        Args:
            before: The match before it.
            events: All its events, at least one, with their remarks.
            after: The match after it.
        """
        if all(event.group is None and event.do != "undo" for event in events):
            return self._in_turn(before, events, after)
        was, now = _said(before), _said(after)
        if was == now[:-1]:
            return self.calls(before, events[-1], after)
        return [] if was == now else [self.corrected(before, events, after)]

    def _in_turn(self, before: Match, events: Sequence[Event], after: Match) -> list[Call]:
        """The calls of events of which none corrects another; see ``CALLED``."""
        latest, called = events[-CALLED:], list[Call]()
        now = before if len(latest) == len(events) else undone(after, len(latest))
        for event in latest:
            was, now = now, apply(now, event, kept=True)
            called += self.calls(was, event, now)
        return called

    def corrected(self, before: Match, events: Sequence[Event], after: Match) -> Call:
        """What is called out after a correction: who corrected what, and what else has changed."""
        self.name_players(before.seated)
        who = self._authors(events[0])
        difference = self._difference(before, after)
        self.name_players(after.seated)
        return self.corrected_by(who, f"{difference} {self.changed(before, after)}".rstrip())

    def _authors(self, event: Event) -> str | None:
        """Who corrected: the players of both sides who agreed, or the one who said it."""
        agreed = event.remarks.get(AGREED_BY)
        seats = range(len(self.names))
        if isinstance(agreed, list) and agreed and all(seat in seats for seat in agreed):
            return self.together(agreed)
        return author(event)

    def _difference(self, before: Match, after: Match) -> str:
        """Which events stand now and did not before, and the other way round."""
        was, now = latest_events(before), latest_events(after)
        start, end = _same(_said(before), _said(after))
        self.name_players(undone(after, len(now) - start).seated)
        gone, new = (self._listed(events[start : len(events) - end]) for events in (was, now))
        message = BOTH if gone and new else ADDED if new else REMOVED
        return self.say(message, was=gone, now=new).text

    def _listed(self, events: Sequence[Event]) -> str:
        """Events in words: the first ones, and the number of the others."""
        told = [self.phrases(events[:WORDED])] * bool(events)
        more = len(events) - WORDED
        if more > 0:
            told.append(self.count("{n} more event", "{n} more events", more))
        return ", ".join(told)


def _same(was: Sequence[Event], now: Sequence[Event]) -> tuple[int, int]:
    """How many events are the same at the beginning, and how many of the others at the end."""
    most = min(len(was), len(now))
    start = next((n for n in range(most) if was[n] != now[n]), most)
    most -= start
    end = next((n for n in range(most) if was[-1 - n] != now[-1 - n]), most)
    return start, end


def _said(match: Match) -> list[Event]:
    """The events that stand, without remarks and suits, which are not called out."""
    return [
        event._replace(
            remarks=NO_REMARKS,
            card=None if event.card is None else event.card._replace(suit=""),
        )
        for event in latest_events(match)
    ]
