"""The picture that is shown with a question, so that people can answer at a glance.

A card that is asked about is shown as it lies; a trick that was taken away, as it lay before. Such
a picture is kept in memory only, while its question stands. It is black outside the table, as all
pictures that are kept, and where somebody holds cards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.belief.proposals import Question
from vision.capture.sources import Image
from vision.detection.detections import Detection
from vision.evidence.clips import Corners, wider
from vision.evidence.draw import SURE
from vision.evidence.recorder import FLICKER, faces_of
from vision.evidence.ring_buffer import QUALITY
from vision.geometry.table_plane import Plane
from vision.opencv import load_opencv
from vision.tracking.tracked_card import TrackedCard
from vision.watched_table import WatchingTable

OF_PLAYS = frozenset({"cleared", "unseen"})
"""Kinds of questions about a trick that is gone. Their picture shows only cards that were played,
so everybody may see it. The other kinds show a card that may not have been played yet."""

AROUND = 2.2
"""A card is shown in a square that reaches this many times as far from its middle as it does."""

WIDEST = 640
"""Greatest width of a picture, in pixels."""


@dataclass(frozen=True, eq=False)
class _View:
    """What one frame shows.

    Attributes:
        at: the frame's time, in seconds.
        picture: BGR, 8 bits.
        plane: where the table is in it.
        cards: the tracked cards.
        played: the numbers of those that are plays.
        detections: what was seen in the frame.
    """

    at: float
    picture: Image
    plane: Plane
    cards: Sequence[TrackedCard]
    played: frozenset[int]
    detections: Sequence[Detection]

    def hidden(self) -> Iterator[tuple[int | None, Corners]]:
        """The cards that show their faces and are no plays; those in a hand have no number."""
        return faces_of(tuple(self.cards), self.played, self.detections)


class Views:
    """Keeps what the pictures are made from: the last frames, and one that shows the last trick."""

    def __init__(self) -> None:
        self._last: deque[_View] = deque()
        self._trick: _View | None = None
        self._beside: list[_View] = []  # frames within ``FLICKER`` of that one
        self._shown = (0, 0)  # how many plays the hand had, and how many of their cards were seen

    def see(
        self, at: float, picture: Image, table: WatchingTable, detections: Sequence[Detection]
    ) -> None:
        """Takes in a frame in which cards were looked for, and what the table knows after it."""
        played = frozenset(table.belief.associations.cards())
        view = _View(at, picture, table.plane, table.cards, played, detections)
        self._last.append(view)
        while at - self._last[0].at > FLICKER:
            self._last.popleft()
        if self._trick is not None and at - self._trick.at <= FLICKER:
            self._beside.append(view)
        plays = len(table.belief.associations.plays)
        lying = sum(card.id in played and card.missing == 0 for card in table.cards)
        if (plays and (plays, lying) >= self._shown) or plays < self._shown[0]:
            self._trick, self._beside, self._shown = view, [*self._last], (plays, lying)

    def of(self, question: Question) -> bytes:
        """The picture for a question, a JPEG; empty where there is none."""
        of_plays = question.kind in OF_PLAYS
        view = self._trick if of_plays else self._last[-1] if self._last else None
        if view is None:
            return b""
        about = next((card for card in view.cards if card.id == question.card), None)
        hidden = [
            corners
            for each in (self._beside if of_plays else self._last)
            for number, corners in each.hidden()
            if number is None or (of_plays and each is view)
        ]
        return _drawn(view, hidden, None if about is None else about.corners)


def _drawn(view: _View, hidden: Sequence[Corners], about: Corners | None) -> bytes:
    """A JPEG of the table, or of the part around a card, which is outlined.

    Args:
        view: what the frame shows.
        hidden: corners of the cards that are blackened, each of shape (4, 2), in pixels.
        about: corners of the card that is asked about, likewise; None where it is the trick.
    """
    cv2: Any = load_opencv()
    picture = view.picture
    inside = np.zeros(picture.shape[:2], np.uint8)
    edge = np.floor(view.plane.to_frame(view.plane.outline)).astype(np.int32)
    cv2.fillPoly(inside, [edge], 255)
    for corners in hidden:
        cv2.fillConvexPoly(inside, wider(corners), 0)
    around: Any = edge if about is None else _around(about)
    if about is not None:
        cv2.fillConvexPoly(inside, np.round(about).astype(np.int32), 255)
    height, width = picture.shape[:2]
    (left, top), (right, bottom) = around.min(axis=0), around.max(axis=0)
    left, top = max(int(left), 0), max(int(top), 0)
    right, bottom = min(int(right) + 1, width), min(int(bottom) + 1, height)
    if right <= left or bottom <= top:  # the table is not in the picture
        return b""
    drawn = cv2.bitwise_and(picture, picture, mask=inside)
    if about is not None:
        thick = max(2, (right - left) // 120)
        cv2.polylines(drawn, [wider(about)], True, SURE, thick, cv2.LINE_AA)
    part = drawn[top:bottom, left:right]
    if part.shape[1] > WIDEST:
        size = (WIDEST, round(part.shape[0] * WIDEST / part.shape[1]))
        part = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    jpeg: bytes = data.tobytes()
    return jpeg


def _around(corners: Corners) -> Corners:
    """A square around a card: its upper left and lower right corner, shape (2, 2), in pixels."""
    middle = corners.mean(axis=0)
    side = float(np.abs(corners - middle).max()) * AROUND
    square: Corners = middle + np.array([[-side, -side], [side, side]])
    return square
