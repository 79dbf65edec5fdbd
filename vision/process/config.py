"""Which camera is watched and how, as a person set it; makes the observer for it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from vision.capture.films import Pace
from vision.capture.frames import open_source
from vision.capture.phone_feed import FeedAddress
from vision.capture.sources import FrameSource
from vision.detection.deck_templates import KnownDeck, open_deck
from vision.detection.reader import CardReader
from vision.detection.speed import open_reader
from vision.evidence.recorder import Evidence
from vision.evidence.take_keeper import TakeKeeper
from vision.geometry.calibration import open_plane
from vision.geometry.mirror import Mirror
from vision.geometry.placing import Placing
from vision.geometry.table_plane import Plane, from_clicks
from vision.occlusion.cover import Cover
from vision.opencv import load_opencv
from vision.pipeline import Observer
from vision.watched_table import Log

WEIGHTS = Path(str(files("vision"))) / "weights"
"""The models that ship."""

LONGEST = 448
"""Longer side of the finder's input, in pixels, the same on all machines: a larger input takes half
as long again and finds more that is no card. The watching table was measured with this size."""


@dataclass(frozen=True, kw_only=True)
class CameraConfig:
    """What a person sets for a camera.

    Attributes:
        source: a camera's number or name, a video file, a folder of pictures, a stream's address,
            or ``phone`` for a phone's browser.
        seats: two or four.
        turn: by how many quarters of a turn the first seat sits further, clockwise.
        corners: the table's corners in the picture, clockwise from the upper left, in pixels; None
            if markers show them, if the camera looks straight down, or if they are kept in a file.
        deck: name of the deck on the table, if it was learned before.
        pace: how fast files and folders are played; see ``vision.capture.films.Pace``.
        feed: where the pictures of a phone's browser come from.
        take: the file in which what the table is given is kept, or None; see
            ``vision.evidence.takes``.
    """

    source: str
    seats: int
    turn: int = 0
    corners: tuple[tuple[float, float], ...] | None = None
    deck: str | None = None
    pace: Pace = "real"
    feed: FeedAddress | None = None
    take: str | None = None

    def to_json(self) -> dict[str, Any]:
        """All of it as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> CameraConfig:
        """Reads what ``to_json`` made."""
        corners, feed = data.get("corners"), data.get("feed")
        return cls(
            **{
                **data,
                "corners": corners and tuple(map(tuple, corners)),
                "feed": feed and FeedAddress(*feed),
            }
        )

    def plane(self) -> Plane | None:
        """Where the table is, if a person set it or it is kept in a file; else None.

        Raises:
            PlaneError: the table cannot be where it was set.
        """
        if self.corners is not None:
            return from_clicks(np.array(self.corners), self.seats, turn=self.turn)
        kept = open_plane(self.source)
        return None if kept is None else replace(kept, seats=self.seats)

    def open(self) -> FrameSource:
        """Opens the source.

        Raises:
            SourceError: there is no source of this name.
        """
        load_opencv()
        return open_source(self.source, pace=self.pace, feed=self.feed)

    def known_deck(self) -> KnownDeck | None:
        """Opens the deck on the table; None if it was not learned.

        Raises:
            DeckError: no deck is kept under its name, or its pictures are damaged.
        """
        return None if self.deck is None else open_deck(self.deck)

    def keeper(self) -> TakeKeeper | None:
        """Makes what keeps a take of the evening; None if no take is to be kept."""
        return (
            None if self.take is None else TakeKeeper(Path(self.take), deck=self.deck is not None)
        )

    def observer(
        self,
        log: Log,
        deck: KnownDeck | None,
        evidence: Evidence | None = None,
        take: TakeKeeper | None = None,
    ) -> Observer:
        """Makes the observer that watches the table, and reads with a deck.

        Raises:
            ModelError: the models are missing, damaged, or of another version.
            PlaneError: the table cannot be where it was set.
        """
        load_opencv().setNumThreads(1)  # more would leave no time for the screens
        reader: CardReader = open_reader(WEIGHTS, longest=LONGEST)
        placing = Placing(self.seats, turn=self.turn, plane=self.plane())
        mirror = Mirror(reader)
        return Observer(
            reader, log, placing,
            deck=deck, cover=Cover(), mirror=mirror, evidence=evidence, take=take,
        )  # fmt: skip
