"""What the camera saw of an event, and who entered it: sentences for people who disagree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from scorekeeper.engine.events import Event, is_whole
from scorekeeper.engine.said import HOST, SOURCE, WHO, Source, is_guessed, said_at
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice

MOST_READINGS = 3
"""At most so many readings are named."""
LEAST_CHANCE = 0.01
"""Readings with a lower probability are not named."""

CHANGES: Mapping[str | None, str] = {
    None: N_("The course of the hand did not change this reading."),
    "rank": N_("The course of the hand changed this reading: by the picture alone it was {card}."),
    "suit": N_("The course of the hand changed the suit: by the picture alone it was {card}."),
}

SOURCES: Mapping[str, str] = {
    Source.CAMERA: N_("Seen by the camera"),
    Source.PHONE: N_("Entered on a phone by {who}"),
    Source.MARKER: N_("Said with a calling card"),
    Source.OPERATOR: N_("Entered by the host"),
    Source.IMPORT: N_("From a record"),
}


class Reading(NamedTuple):
    """A card that the camera may have seen.

    Attributes:
        name: The card as people write it.
        chance: Its probability by the picture alone, 0–1.
    """

    name: str
    chance: float

    @property
    def percent(self) -> int:
        """The probability in percent, 1 to 99: no reading is certain."""
        return min(99, max(1, round(100 * self.chance)))


class Provenance(Voice):
    """Says what was seen of an event.

    What is kept of it was written by another process, so every value is checked.
    """

    def readings(self, about: Mapping[str, Any]) -> list[Reading]:
        """The likeliest readings by the picture alone, the likeliest first.

        Args:
            about: What is kept of an event; see ``vision.evidence.recorder``.
        """
        pairs = about.get("readings")
        found = []
        for pair in pairs if isinstance(pairs, list) else ():
            match pair:
                case [str(text), int() | float() as chance]:
                    card = _card(text)
                    if card is not None and LEAST_CHANCE <= chance <= 1:
                        found.append(Reading(self.card(card), float(chance)))
        return found[:MOST_READINGS]

    def sentences(self, event: Event, about: Mapping[str, Any]) -> Iterator[str]:
        """What was read, what was expected, and whether that changed the reading.

        Args:
            event: The event as it stands.
            about: What is kept of it; see ``vision.evidence.recorder``.
        """
        readings, taken = self.readings(about), _card(about.get("card"))
        if readings:
            listed = ", ".join(f"{one.name} {self.percent(one.percent)}" for one in readings)
            yield self.say("The camera read {readings}.", readings=listed).text
        yield from self._expected(about)
        if readings and taken is not None:
            changed = about.get("changed")
            told = CHANGES.get(changed if isinstance(changed, str) else None, CHANGES[None])
            yield self.say(told, card=readings[0].name).text
        chance = about.get("chance")
        if taken is not None and isinstance(chance, int | float) and 0 < chance <= 1:
            sure = Reading(self.card(taken), chance)
            share = self.percent(sure.percent)
            yield self.say("Taken as {card}, {share} sure.", card=sure.name, share=share).text
        if None not in (taken, event.card) and taken != event.card and not is_guessed(event):
            assert event.card is not None
            yield self.say("Corrected since: {card}.", card=self.card(event.card)).text

    def _expected(self, about: Mapping[str, Any]) -> Iterator[str]:
        expected = about.get("expected")
        if not isinstance(expected, dict):
            return
        due, possible = expected.get("due"), expected.get("possible")
        seats = [s for s in due if is_whole(s) and 0 <= s < len(self.names)] if isinstance(
            due, list
        ) else []  # fmt: skip
        if seats:
            who = " / ".join(map(self.name, seats))
            yield self.say("{who} was expected to play.", who=who).text
        if isinstance(possible, list) and possible and about.get("card") is not None:
            yield self.count(
                "{n} card was still possible.", "{n} cards were still possible.", len(possible)
            )

    def entered(self, event: Event) -> str:
        """A sentence that says where an event came from, from whom and when; empty if not known."""
        source, who, at = event.remarks.get(SOURCE), event.remarks.get(WHO), said_at(event)
        if source == Source.PHONE and who == HOST:
            source = Source.OPERATOR
        told = SOURCES.get(source) if isinstance(source, str) else None
        if told is None or (source == Source.PHONE and not isinstance(who, str)):
            return ""
        text = self.say(told, who=who).text
        return f"{text}, {at:%H:%M:%S}." if at is not None else f"{text}."


def _card(text: object) -> Card | None:
    with suppress(FormatError):
        return parse_card(text)
    return None
