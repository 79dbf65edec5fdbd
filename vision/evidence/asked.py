"""The picture of what a question is about: people answer what they see at a glance.

A card that is asked about is shown as it lies; a trick that was taken away as it lay before. Such a
picture is kept in memory alone, while its question stands. What lies outside the table is black, as
in all that is kept, and so are the faces of cards that somebody holds.
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
"""Kinds of questions about a trick that is gone: their picture shows what was played alone, and so
everybody may see it. The others show a card that may not be played yet."""

AROUND = 2.2
"""So much larger than a card is what is shown around it, on each side of its middle."""

WIDEST = 640
"""Pixels that a picture is wide at most."""


@dataclass(frozen=True, eq=False)
class _View:
    """What one frame shows."""

    at: float
    picture: Image
    plane: Plane
    cards: Sequence[TrackedCard]
    played: frozenset[int]
    detections: Sequence[Detection]

    def hidden(self) -> Iterator[tuple[int | None, Corners]]:
        """The cards that show their faces and are no plays; without a number those in a hand."""
        return faces_of(tuple(self.cards), self.played, self.detections)


class Views:
    """Keeps what pictures are made of: the last frames, and the one that shows the last trick."""

    def __init__(self) -> None:
        self._last: deque[_View] = deque()
        self._trick: _View | None = None
        self._beside: list[_View] = []  # frames within ``FLICKER`` of that one
        self._shown = (0, 0)  # plays of the hand, and how many cards of them lay in the picture

    def see(
        self, at: float, picture: Image, table: WatchingTable, detections: Sequence[Detection]
    ) -> None:
        """Takes in a frame that was looked at."""
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
    """The table, or the part of it around a card, with faces hidden and the card outlined."""
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
    """A square around a card."""
    middle = corners.mean(axis=0)
    side = float(np.abs(corners - middle).max()) * AROUND
    square: Corners = middle + np.array([[-side, -side], [side, side]])
    return square
