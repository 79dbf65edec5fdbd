"""A drawn table for the tests of ``vision.evidence``: cards lie on it, are held, and are played."""

from __future__ import annotations

from types import MappingProxyType

import av
import cv2
import numpy as np

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.history.fixes import READINGS
from scorekeeper.storage.media import Kept, Pictures
from tests.scorekeeper.talk import NAMES, TRUT, event
from tests.vision.tabletop import corners, plane
from vision.belief.context import RefereeContext
from vision.belief.proposals import Proposal
from vision.capture.sources import Frame
from vision.detection.detections import Detection
from vision.evidence.recorder import Evidence
from vision.tracking.tracked_card import TrackedCard
from vision.watched_table import Appended

RATE = 15
MATCH = replay(Header(game=TRUT, seats=NAMES[:2]), [event("0 deal 3")])
PLANE = plane(2)
OUTSIDE, FELT, PLAYED, SECRET = (0, 0, 255), (40, 90, 30), (250, 120, 20), (255, 0, 255)
"""The colours (BGR) of what is outside the table, of its cloth, of played cards, and of cards that
nobody may see. Kept pictures may show only the second and the third."""


class Show:
    """Draws a table with cards, and shows the frames to ``Evidence``."""

    def __init__(self, pictures: Pictures) -> None:
        self.evidence = Evidence(pictures)
        self.evidence.begin(7)
        self.pictures = pictures
        self.at = 0.0
        self.cards: dict[int, TrackedCard] = {}
        self.held: list[Detection] = []
        self.played: set[int] = set()
        self.seq = 1

    def put(self, number: int, x: float, y: float, reading: str = "KS") -> None:
        quad = corners(x, y, 0.2)
        self.cards[number] = TrackedCard(
            id=number, place=(x, y), turn=0.2, came=(x, y), quad=quad, corners=quad,
            evidence={reading: 9.0}, detections=5, since=self.at, appeared=self.at,
            seen=self.at, missing=0.0,
        )  # fmt: skip

    def hold(self, x: float, y: float, reading: str = "7S") -> None:
        self.held.append(Detection(corners(x, y, 0.2), 0.9, ((reading, 0.9),)))

    def picture(self, played: set[int]) -> np.ndarray:
        drawn = np.full((720, 1280, 3), OUTSIDE, np.uint8)
        cv2.fillPoly(drawn, [np.round(PLANE.to_frame(PLANE.outline)).astype(np.int32)], FELT)
        for card in self.cards.values():
            colour = PLAYED if card.id in played or card.down else SECRET
            cv2.fillConvexPoly(drawn, np.round(card.corners).astype(np.int32), colour)
        for detection in self.held:
            cv2.fillConvexPoly(drawn, np.round(detection.corners).astype(np.int32), SECRET)
        return drawn

    def run(self, seconds: float, will_be_played: set[int] = frozenset()) -> None:
        """Shows frames for so many seconds.

        Args:
            seconds: How long.
            will_be_played: Numbers of cards that are played later: they may be seen already.
        """
        drawn = self.picture(self.played | will_be_played)
        for _ in range(round(seconds * RATE)):
            self.at += 1 / RATE
            self.evidence.see(
                Frame(drawn, self.at, 0), PLANE,
                cards=self.cards.values(), played=self.played, detections=self.held,
            )  # fmt: skip

    def play(self, number: int | None = None, ago: float = 0.0, **remarks: object) -> int:
        """Has ``Evidence`` keep an event.

        Args:
            number: The card that was played; None for an event without a card.
            ago: How many seconds ago it happened.
            **remarks: More remarks of the event.

        Returns:
            The number of the event.
        """
        self.seq += 1
        readings = [["KS", 0.9], ["JS", 0.1]]
        said = event("1 play KS")._replace(
            remarks=MappingProxyType({READINGS: readings, **remarks})
        )
        proposal = Proposal(said, number, "it lies there", 0.98765, self.at - ago)
        quad = None if number is None else self.cards[number].corners
        appended = Appended(self.seq, said, proposal, RefereeContext(MATCH, self.seq - 1))
        self.evidence.keep(appended, quad)
        self.played |= {number} if number is not None else set()
        return self.seq

    def kept(self, seq: int) -> Kept:
        self.evidence.close()
        kept = self.pictures.find(7, seq)
        assert kept is not None
        return kept


def still(kept: Kept) -> np.ndarray:
    assert kept.still is not None
    return cv2.imread(str(kept.still))


def film(kept: Kept) -> list[np.ndarray]:
    assert kept.clip is not None
    with av.open(str(kept.clip)) as film:
        return [frame.to_ndarray(format="bgr24") for frame in film.decode(video=0)]


def everything(kept: Kept) -> list[np.ndarray]:
    """The still picture, and all frames of the clip, scaled to its size."""
    one = still(kept)
    return [one, *(cv2.resize(each, one.shape[1::-1]) for each in film(kept))]


def is_like(pixels: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    low, high = ([max(0, min(each + far, 255)) for each in colour] for far in (-59, 59))
    return cv2.inRange(pixels, np.array(low), np.array(high)) > 0


def seen_at(pixels: np.ndarray, x: float, y: float) -> np.ndarray:
    """The pixels in the middle of a card that lies at a place."""
    quad = corners(x, y, 0.2)
    column, row = np.round(quad.mean(axis=0)).astype(int)
    return pixels[row - 8 : row + 8, column - 8 : column + 8]
