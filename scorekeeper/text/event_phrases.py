"""Events in a few words, so that several can stand in a row: ``Bea plays K♠, Ana folds``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import is_guessed
from scorekeeper.games.agreed import AGREED
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice

PHRASES: Mapping[str, str] = {
    "cut": N_("{who} cuts the pack"),
    "tap": N_("{who} taps the pack"),
    "deal": N_("{who} deals {cards}"),
    "misdeal": N_("the deal is void"),
    "i_play": N_("{who} plays with these cards"),
    "ask": N_("{who} asks for new cards"),
    "grant": N_("{who} grants new cards"),
    "refuse": N_("{who} refuses new cards"),
    "play": N_("{who} plays {card}"),
    "raise": N_("{who} raises to {value}"),
    "remainder": N_("{who} offers the remainder"),
    "truc": N_("{who} calls truc"),
    "retruc": N_("{who} calls retruc"),
    "put": N_("{who} puts"),
    "accept": N_("{who} accepts"),
    "reject": N_("{who} refuses"),
    "trut": N_("{who} truts"),
    "retrut": N_("{who} retruts"),
    "see": N_("{who} sees"),
    "lie_down": N_("{who} folds"),
    "pass": N_("{who} passes"),
    "play_on": N_("{who} plays on"),
    "decline": N_("{who} declines"),
}
"""Verb to what is done; not a whole sentence, so that several can stand in a row."""


class Phrases(Voice):
    """Says events in a few words."""

    def phrase(self, event: Event) -> str:
        """An event in a few words: ``Bea plays K♠``, ``Ana raises to 4``; never an ``undo``.

        A card whose suit was guessed is named by its rank alone (V-12).
        """
        if event.agreed:
            return self.agreed(AGREED[event.do].phrase, event)
        card = ""
        if event.card is not None:
            card = self.guessed(event.card) if is_guessed(event) else self.card(event.card)
        return self.say(
            PHRASES[event.do],
            who="" if event.do == "misdeal" else self.name(event.seat),
            card=card,
            cards=self.cards(event.cards or 0),
            value=event.to,
        ).text

    def phrases(self, events: Iterable[Event]) -> str:
        """Several events in a row: ``Ana raises to 2, Bea accepts``."""
        return ", ".join(map(self.phrase, events))
