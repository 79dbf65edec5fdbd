"""Everything that screens show, at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.engine.cutting import Cutting
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.state import Match
from scorekeeper.storage.courier import ClubView
from scorekeeper.storage.table import Moment, News
from webui.table.proposals import Proposal

if TYPE_CHECKING:
    from webui.camera.view import CameraView  # it is large, and many tables have none


class Heard(NamedTuple):
    """News with a number that grows, so that a screen announces each only once."""

    number: int
    at: float
    news: News


class Snapshot(NamedTuple):
    """Everything that screens show, at one moment; a value that never changes.

    Attributes:
        number: The number of the latest change; see ``Channel``.
        draft: The header of a match that waits for its first dealer, or None.
        cutting: Cutting for the first deal of that match, or None.
        match_id: The match's number, or None where none is played.
        moment: The match and its sequence number, or None. Its header, and the draft, have the
            printing of the deck on the table; see ``Printed``.
        events: All its events, ``undo`` ones too.
        held: Whether each seat is held by a phone.
        heard: The latest news, for calls and sounds.
        camera: What there is to show of the camera, or None where there is none.
        proposed: The correction that waits for the other side's answer, or None.
        refused: The correction that the other side has just refused, or None.
        printing: The name of the printing that the camera saw last, or None.
        club: How the table stands with its club, or None where it plays for none.
    """

    number: int
    draft: Header | None
    cutting: Cutting | None
    match_id: int | None
    moment: Moment | None
    events: tuple[Event, ...]
    held: tuple[bool, ...]
    heard: tuple[Heard, ...]
    camera: CameraView | None = None
    proposed: Proposal | None = None
    refused: Proposal | None = None
    printing: str | None = None
    club: ClubView | None = None

    @property
    def match(self) -> Match | None:
        """The match that is played, or None."""
        return None if self.moment is None else self.moment.match

    @property
    def header(self) -> Header | None:
        """Who plays what: of the match, or of the one that is about to begin."""
        return self.draft if self.moment is None else self.moment.match.seated
