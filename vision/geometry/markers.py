"""Printed markers: the corners of the table, and calling cards that say what a camera cannot see.

All are AprilTags of the family 36h11. A marker's number says everything: which corner it is, or
whose calling card and what it says. A calling card may therefore lie anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import legal_events, verify
from scorekeeper.engine.state import Match
from scorekeeper.games.rules import Rules
from vision.opencv import load_opencv

Region = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in its pixels."""

CORNER_IDS = (0, 1, 2, 3)
"""The corners of the table, clockwise from the far left as the first seat sees it."""
FIRST_CALL = 16
CALLS_A_SEAT = 16
MOST_SEATS = 4

CORNER_CM = 6.0
CALL_CM = 4.8
"""Length of a printed marker's black side."""

CALL_NUMBERS: Mapping[str, int] = {
    "raise": 0,
    "remainder": 1,
    "accept": 2,
    "see": 2,
    "reject": 3,
    "lie_down": 3,
    "ask": 4,
    "i_play": 5,
    "grant": 6,
    "refuse": 7,
    "truc": 8,
    "retruc": 9,
    "retrut": 9,
    "trut": 10,
    "put": 10,
    "pass": 11,
    "play_on": 12,
    "decline": 13,
    "cut": 14,
    "tap": 15,
}
"""What is said by a calling card to its number; yes and no have one number each in all games.

No game has two verbs of one number, because kinds of raises exclude each other. What is not here
the camera sees (``play``, ``deal``), or only the operator says.
"""

CORRECTED_BITS = 0.6
"""Share of the family's error correction that is used: three wrong bits of 36.

With one bit a tenth fewer are read from 160 cm; with three, 446 photographs of real cards without
any marker held none.
"""
CELL_PIXELS, CELL_MARGIN = 8, 0.25
"""How finely a marker's squares are looked at, and what is left out at their edges."""

REST = 0.5
"""Seconds at rest from which a calling card counts."""
GONE = 2.0
"""Seconds out of sight, in clear view, after which it counts anew."""
SLACK = 0.25
"""What a marker may move and still be at rest, in parts of its side."""
LONGEST_STEP = 0.5
"""Seconds between two frames that count as seen; during a longer gap nobody was looking."""
SEEN = 3
"""Frames in which a calling card must have been read."""

WINDOWS = (5, 15)
"""Sides of the two neighbourhoods, in pixels, in which dark is told from light; OpenCV's own three
take longer and find no more.
"""

SMALLEST = 38
"""Pixels round a marker, at least: what OpenCV asks for in a picture of 720 lines. It measures by
the part that it is given, and would try to read every speck of a small one.
"""

WHOLE_EVERY = 1.0
"""Markers are looked for in all of the picture so often, in seconds, ..."""
AROUND = 0.08
"""... else so far around what moved, in parts of the picture's width: a marker is smaller."""
MOST = 0.6
"""Parts that make up more of the picture than this are not worth it."""

Image = NDArray[np.uint8]
Corners = NDArray[np.float32]


@dataclass(frozen=True)
class Marker:
    """A marker that was found.

    Attributes:
        id: Its number in the family.
        corners: Shape (4, 2), pixels, clockwise from the marker's own upper left.
    """

    id: int
    corners: Corners

    @property
    def side(self) -> float:
        """The mean length of its sides, in pixels."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1).mean())


@cache
def _detector() -> Any:
    aruco: Any = load_opencv().aruco
    parameters = aruco.DetectorParameters()
    parameters.errorCorrectionRate = CORRECTED_BITS
    parameters.perspectiveRemovePixelPerCell = CELL_PIXELS
    parameters.perspectiveRemoveIgnoredMarginPerCell = CELL_MARGIN
    parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = WINDOWS
    parameters.adaptiveThreshWinSizeStep = WINDOWS[1] - WINDOWS[0]
    parameters.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
    family = aruco.getPredefinedDictionary(aruco.DICT_APRILTAG_36h11)
    return aruco.ArucoDetector(family, parameters)


def is_used(number: int) -> bool:
    """Whether a marker of this number is ever printed."""
    return number in CORNER_IDS or FIRST_CALL <= number < FIRST_CALL + MOST_SEATS * CALLS_A_SEAT


def find_markers(frame: Image, region: Region | None = None) -> list[Marker]:
    """Finds the markers of a frame that trucam prints, by number.

    Args:
        frame: BGR, 8 bits.
        region: the part of the frame in which they are looked for.

    Returns:
        The markers; a number that is there twice comes twice.
    """
    cv2: Any = load_opencv()
    left, top, right, bottom = region or (0, 0, frame.shape[1], frame.shape[0])
    grey = cv2.cvtColor(frame[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    detector = _detector()
    parameters = detector.getDetectorParameters()
    parameters.minMarkerPerimeterRate = SMALLEST / max(grey.shape)
    detector.setDetectorParameters(parameters)
    corners, ids, _ = detector.detectMarkers(grey)
    if ids is None:
        return []
    # The middle of a picture's first pixel is (0.5, 0.5), as everywhere in vision.
    first = np.array([left + 0.5, top + 0.5], np.float32)
    found = [
        Marker(int(number), np.asarray(quad, np.float32).reshape(4, 2) + first)
        for number, quad in zip(ids.ravel(), corners, strict=True)
        if is_used(int(number))
    ]
    return sorted(found, key=lambda marker: marker.id)


class MarkerSearch:
    """Keeps the markers of a picture in mind: only where something moves can they be others."""

    def __init__(self) -> None:
        self.markers: list[Marker] = []
        self._whole = -np.inf

    def look(self, at: float, frame: Image, moved: Sequence[Region] | None) -> list[Marker]:
        """Looks at one more frame.

        Args:
            at: its time, in seconds.
            frame: BGR, 8 bits.
            moved: where something moved since the look before; None where nobody can say.

        Returns:
            The markers that are there by now.
        """
        by = round(AROUND * frame.shape[1])
        regions = [_grown(box, by, frame) for box in moved or ()]
        many = sum(_area(box) for box in regions) > MOST * frame.shape[0] * frame.shape[1]
        if moved is None or many or at - self._whole >= WHOLE_EVERY:
            self._whole = at
            self.markers = find_markers(frame)
            return self.markers
        inner = [_grown(box, by // 2, frame) for box in moved]
        kept = [each for each in self.markers if not any(_is_in(each, box) for box in inner)]
        for region in regions:
            for marker in find_markers(frame, region):
                if not any(_is_same(marker, other) for other in kept):
                    kept.append(marker)
        self.markers = sorted(kept, key=lambda marker: marker.id)
        return self.markers


def _grown(box: Region, by: int, frame: Image) -> Region:
    return (
        max(box[0] - by, 0), max(box[1] - by, 0),
        min(box[2] + by, frame.shape[1]), min(box[3] + by, frame.shape[0]),
    )  # fmt: skip


def _area(box: Region) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _is_in(marker: Marker, box: Region) -> bool:
    x, y = marker.corners.mean(axis=0)
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _is_same(marker: Marker, other: Marker) -> bool:
    apart = np.abs(marker.corners.mean(axis=0) - other.corners.mean(axis=0)).max()
    return bool(marker.id == other.id and apart < marker.side / 2)


def call_id(do: str, seat: int) -> int:
    """The number of the calling card by which a seat says a verb."""
    return FIRST_CALL + seat * CALLS_A_SEAT + CALL_NUMBERS[do]


def calls_of(rules: Rules) -> tuple[str, ...]:
    """The verbs of a game that calling cards say, in the order of their numbers."""
    return tuple(sorted(rules.verbs & CALL_NUMBERS.keys(), key=CALL_NUMBERS.__getitem__))


def call_of(number: int, rules: Rules, seats: int) -> tuple[int, str] | None:
    """Whose calling card a marker is and what it says; None where it is none of this game."""
    seat, call = divmod(number - FIRST_CALL, CALLS_A_SEAT)
    if not 0 <= seat < seats:
        return None
    for do in calls_of(rules):
        if CALL_NUMBERS[do] == call:
            return seat, do
    return None


@dataclass(frozen=True)
class Declared:
    """Something that a seat said by laying a calling card.

    Attributes:
        seat: Who.
        do: The verb.
        at: When the card came to rest, in seconds of the source's clock.
    """

    seat: int
    do: str
    at: float


def event_of(match: Match, declared: Declared) -> Event:
    """The event that a calling card stands for at this point of a match.

    A raise by calling card offers the lowest value that the rules allow the seat now: by doubling
    and by two there is no other. Where any value may be offered, a higher one is said on a phone.

    Raises:
        RuleError: The rules do not allow it now: a notice for the table, never an event.
    """
    to = None
    if declared.do == "raise":
        offers = [
            event.to
            for event in legal_events(match)
            if event.do == "raise" and event.seat == declared.seat and event.to is not None
        ]
        # What cannot be offered is tried all the same: the refusal then says why.
        to = min(offers, default=_next_value(match))
    event = Event(declared.do, declared.seat, to=to)
    verify(match, event)
    return event


def _next_value(match: Match) -> int:
    value = match.current().value if match.in_progress else 1
    return value * 2 if isinstance(value, int) else 2


@dataclass
class _Card:
    """What is known of one calling card.

    Attributes:
        corners: Where it lies, or lay last.
        rested: Since when it has lain there.
        seen: In how many frames since then.
        missed: Seconds out of sight in clear view.
        said: Whether it has counted.
    """

    corners: Corners
    rested: float
    seen: int = 1
    missed: float = 0.0
    said: bool = False


@dataclass
class CallingCards:
    """Calling cards over time: each counts once for each time that it is laid.

    It counts when it has been at rest for half a second, and again only after it was gone in clear
    view for two. What lies there at the first look was laid before, and does not count.

    Args:
        rules: The game.
        seats: How many seats the table has.
    """

    rules: Rules
    seats: int
    _cards: dict[int, _Card] = field(default_factory=dict)
    _last: float | None = None

    def update(
        self,
        at: float,
        markers: Iterable[Marker],
        is_hidden: Callable[[Corners], bool] = lambda corners: False,
    ) -> list[Declared]:
        """Looks at one more frame.

        Args:
            at: When it was taken, in seconds; never earlier than the one before.
            markers: The markers of the frame.
            is_hidden: Whether a place, given by corners in pixels, cannot be seen, as under a hand.

        Returns:
            What was said by cards that count from this frame on, by the marker's number.
        """
        first = self._last is None
        step = 0.0 if self._last is None else at - self._last
        self._last = at
        watched = step <= LONGEST_STEP
        declared, there = [], set()
        for marker in sorted(markers, key=lambda marker: marker.id):
            call = call_of(marker.id, self.rules, self.seats)
            if call is None or marker.id in there:
                continue
            there.add(marker.id)
            card = self._cards.get(marker.id)
            if card is None:
                self._cards[marker.id] = _Card(marker.corners, at, said=first)
                continue
            card.missed = 0.0
            if not watched or _moved(card.corners, marker):
                card.corners, card.rested, card.seen = marker.corners, at, 1
                continue
            card.seen += 1
            if not card.said and card.seen >= SEEN and at - card.rested >= REST:
                card.said = True
                seat, do = call
                declared.append(Declared(seat, do, card.rested))
        self._forget(there, step if watched else 0.0, is_hidden)
        return declared

    def _forget(self, there: set[int], step: float, is_hidden: Callable[[Corners], bool]) -> None:
        """Lets go of the cards that have been away for long enough."""
        for number in list(self._cards):
            card = self._cards[number]
            if number in there or is_hidden(card.corners):
                continue
            card.missed += step
            if card.missed >= GONE:
                del self._cards[number]


def _moved(before: Corners, marker: Marker) -> bool:
    return float(np.abs(marker.corners - before).max()) > SLACK * marker.side
