"""Printed markers: the corners of the table, and calling cards that say what a camera cannot see.

All are AprilTags of the family 36h11. A marker's number tells which corner of the table it is; or
whose calling card it is, and what that says. So a calling card may lie anywhere.
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
"""Calling cards have the numbers from ``FIRST_CALL`` on: 16 for each seat, of four seats."""

CORNER_CM = 6.0
CALL_CM = 4.8
"""Side of a marker's black square as it is printed, on a corner marker and on a calling card."""

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
"""The number of each verb that a calling card can say, from 0, within its seat's numbers.

Some verbs share a number: those for yes, those for no, and some raises. No game has two of them.
Verbs that are missing here the camera sees by itself (``play``, ``deal``), or only the operator may
say.
"""

CORRECTED_BITS = 0.6
"""Share of the family's error correction that is used: three wrong bits of 36 are put right.

With one bit, a tenth fewer markers are read from 160 cm. With three, no marker was found by mistake
in 446 photographs of real cards.
"""
CELL_PIXELS, CELL_MARGIN = 8, 0.25
"""Pixels across each of a marker's small squares when it is read, and the part of a square that is
left out at each edge."""

REST = 0.5
"""Seconds for which a calling card must be at rest to count."""
GONE = 2.0
"""Seconds for which it must be missed, while nothing hides its place, to count anew."""
SLACK = 0.25
"""How far a marker at rest may move, as a part of its side."""
LONGEST_STEP = 0.5
"""Longest time between two frames, in seconds, over which a marker counts as seen all the time."""
SEEN = 3
"""Frames in which a calling card at rest must have been read to count."""

WINDOWS = (5, 15)
"""Sides of the two neighbourhoods, in pixels, in which dark is told from light. OpenCV's own three
take longer and find no more.
"""

SMALLEST = 38
"""Least length of a marker's outline, in pixels. OpenCV takes it as a share of the picture that it
gets; by its own share it would try to read every speck in a small part of a frame.
"""

WHOLE_EVERY = 1.0
"""Seconds after which markers are looked for in all of the picture again."""
AROUND = 0.08
"""In between they are looked for around what moved, so far as this part of the picture's width: a
marker is smaller."""
MOST = 0.6
"""Where such regions make up more than this part of the picture, all of it is searched."""

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
        region: the part of the frame in which they are looked for; None for all of it.

    Returns:
        The markers, sorted by number; a number that is seen twice comes twice.
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
    """Finds the markers of frame after frame, and searches only where something moved.

    Attributes:
        markers: those that the latest frame shows, as far as is known, by number.
    """

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
            The markers that are there now.
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
    """The marker's number of the calling card by which a seat says a verb."""
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

    A raise by calling card offers the lowest value that the rules allow the seat now. In games that
    raise by doubling, or by two, there is only one. Where any value may be offered, people say a
    higher one on a phone.

    Raises:
        RuleError: The rules do not allow it now; the table is told so, and nothing is written.
    """
    to = None
    if declared.do == "raise":
        offers = [
            event.to
            for event in legal_events(match)
            if event.do == "raise" and event.seat == declared.seat and event.to is not None
        ]
        # Where nothing can be offered, a value is tried all the same: the refusal then says why.
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
        corners: Where it lies, or was seen last, shape (4, 2), in pixels.
        rested: Since when it has lain there, in seconds.
        seen: In how many frames it was read since then.
        missed: For how long it has been missed while nothing hid its place, in seconds.
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

    It counts when it has been at rest for half a second. It counts again only after it was missed
    for two seconds while nothing hid its place. What lies there at the first look was laid before,
    and does not count.

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
            is_hidden: Tells whether something, as a hand, hides a place given by its corners in
                pixels, shape (4, 2).

        Returns:
            What is said by the cards that count from this frame on, sorted by marker's number.
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
        """Forgets the cards that were missed for long enough.

        Args:
            there: The numbers of the markers that the frame shows.
            step: Seconds since the frame before; 0 where nobody was watching in between.
            is_hidden: See ``update``.
        """
        for number in list(self._cards):
            card = self._cards[number]
            if number in there or is_hidden(card.corners):
                continue
            card.missed += step
            if card.missed >= GONE:
                del self._cards[number]


def _moved(before: Corners, marker: Marker) -> bool:
    return float(np.abs(marker.corners - before).max()) > SLACK * marker.side
