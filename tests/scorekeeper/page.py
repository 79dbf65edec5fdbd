"""A page of corrections for tests: tap an event, look at the offers, tap one of them."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.state import Match
from scorekeeper.history.corrections import Correction, standing
from scorekeeper.history.fixes import carry_out
from scorekeeper.history.repairs import Kind, Repair, insertions, repairs
from tests.scorekeeper.playouts import bare
from tests.scorekeeper.talk import NAMES, event

HAND = "0 deal 3, 1 play KS, 0 play 9H, 1 play 8C, 0 play AD, 0 play JD, 1 play QC"


def said(texts: str) -> list[Event]:
    """Events as text, written as for ``talk.event``, with commas between them."""
    return [event(text.strip()) for text in texts.split(",") if text.strip()]


class Page:
    """A match and its page of corrections."""

    def __init__(self, game: str, texts: str, seats: int = 2, **header: object) -> None:
        self.header = Header(game=game, seats=NAMES[:seats], **header)  # type: ignore[arg-type]
        self.events = said(texts)

    @property
    def match(self) -> Match:
        """The match after all events."""
        return replay(self.header, self.events)

    @property
    def stands(self) -> list[Event]:
        """The events that are not taken back, without remarks."""
        return bare([one.event for one in standing(self.events)])

    def seq(self, text: str) -> int:
        """The number of the latest such event that is not taken back."""
        return next(s.seq for s in standing(self.events)[::-1] if s.event.bare() == event(text))

    def tap(self, text: str, kind: Kind | None = None) -> list[Repair]:
        """Taps an event; returns the corrections that are offered."""
        found = repairs(self.match, self.events, self.seq(text), "en")
        return [repair for repair in found if kind in (None, repair.kind)]

    def gap(self, text: str | None) -> list[Repair]:
        """Taps the gap before an event; returns the missed events that are offered."""
        seq = None if text is None else self.seq(text)
        return insertions(self.match, self.events, seq, "en")

    def make(self, repair: Repair) -> Correction:
        """Taps an offer, which makes the correction."""
        made = carry_out(self.match, self.events, repair.fix.to_json())
        assert made.seen == len(self.events)
        self.events += made.events
        return made


def labelled(offers: Sequence[Repair], label: str) -> Repair:
    """The offer with this label."""
    return next(offer for offer in offers if offer.label == label)
