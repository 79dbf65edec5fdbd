"""What is called after an append: an event that was said, or what a correction has changed."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.engine.events import NO_REMARKS, Event
from scorekeeper.engine.match import latest_events
from scorekeeper.engine.said import AGREED
from scorekeeper.engine.state import Match
from scorekeeper.text.announcer import Call, Crier, Sound, author


class Herald(Crier):
    """Calls out appends, each once, however many events it is made of."""

    def news(self, before: Match, events: Sequence[Event], after: Match) -> list[Call]:
        """What is called after an append.

        A card that gives an earlier, guessed one another suit is a card and no correction (V-12).

        Args:
            before: The match before it.
            events: All events of it, at least one, with their remarks.
            after: The match after it.
        """
        if len(events) == 1 and events[0].group is None:
            return self.calls(before, events[0], after)
        was, now = _said(before), _said(after)
        if was == now[:-1]:
            return self.calls(before, events[-1], after)
        return [] if was == now else [self.corrected(before, events, after)]

    def corrected(self, before: Match, events: Sequence[Event], after: Match) -> Call:
        """The one call of a correction; it names the author where nothing else is to be told."""
        who = self._authors(events[0])
        call = self.correction(before, after, who)
        if call is not None:
            return call
        if who is None:
            return Call(self.say("Corrected.").text, Sound.CORRECTION)
        return Call(self.say("Corrected by {who}.", who=who).text, Sound.CORRECTION)

    def _authors(self, event: Event) -> str | None:
        """Who corrected: the players of both sides that agreed, or the one who said it."""
        agreed = event.remarks.get(AGREED)
        if isinstance(agreed, list) and all(seat in range(len(self.names)) for seat in agreed):
            return " & ".join(self.names[seat] for seat in agreed) or None
        return author(event)


def _said(match: Match) -> list[Event]:
    """The events that stand, without remarks and suits: what a table would hear of them."""
    return [
        event._replace(
            remarks=NO_REMARKS,
            card=None if event.card is None else event.card._replace(suit=""),
        )
        for event in latest_events(match)
    ]
